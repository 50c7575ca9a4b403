//! JSON-RPC 2.0: kinds of messages, ids, error codes.

use core::fmt::{self, Write};

use crate::json::{self, Array, Object, Value};

/// A request id: a string, or an integer of any size. Written as it came (ID-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id<'a>(Value<'a>);

impl<'a> Id<'a> {
    /// Takes a string or an integer literal, `-?(0|[1-9][0-9]*)` (ID-4).
    #[must_use]
    pub fn new(value: Value<'a>) -> Option<Self> {
        let integer = |text: &[u8]| text.iter().all(|byte| matches!(byte, b'-' | b'0'..=b'9'));
        let valid = match value.kind() {
            json::Kind::String => true,
            json::Kind::Number => integer(value.as_bytes()),
            _ => false,
        };
        valid.then_some(Self(value))
    }

    /// Writes the id as JSON.
    pub(crate) fn write(self, out: &mut dyn Write) -> fmt::Result {
        match self.0.as_number() {
            Some(number) => out.write_str(number.as_str()),
            None => json::write_value(out, self.0),
        }
    }
}

/// The error codes of JSON-RPC and MCP that a server on a line sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The line is no JSON.
    ParseError,
    /// The JSON is no message, or too long or too deep for this server.
    InvalidRequest,
    /// There is no such method in the revision spoken, or it is not offered.
    MethodNotFound,
    /// The parameters are not those of the method.
    InvalidParams,
    /// A fault of the server.
    InternalError,
    /// There is no such resource, in the revisions that have a code for that (RES-3).
    ResourceNotFound,
    /// The request needs a capability that the client has not declared (META-9).
    MissingRequiredClientCapability,
    /// The request's revision is not spoken here (META-2).
    UnsupportedProtocolVersion,
}

impl ErrorCode {
    /// The number on the wire.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::ParseError => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::InternalError => -32603,
            Self::ResourceNotFound => -32002,
            Self::MissingRequiredClientCapability => -32021,
            Self::UnsupportedProtocolVersion => -32022,
        }
    }
}

/// A JSON value, and its members that make a message, if it is an object. Of several members of one name the last one
/// (MSG-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Envelope<'a> {
    /// All of it.
    pub value: Value<'a>,
    /// The member `jsonrpc`.
    pub jsonrpc: Option<Value<'a>>,
    /// The member `id`.
    pub id: Option<Value<'a>>,
    /// The member `method`.
    pub method: Option<Value<'a>>,
    /// The member `params`.
    pub params: Option<Value<'a>>,
    /// The member `result`.
    pub result: Option<Value<'a>>,
    /// The member `error`.
    pub error: Option<Value<'a>>,
}

impl<'a> Envelope<'a> {
    /// Looks into an entry of a batch. For a line, [`Frames`](crate::frame::Frames) has done so on the way.
    pub(crate) fn of(value: Value<'a>) -> Self {
        let object = value.as_object().unwrap_or(Object::EMPTY);
        let [jsonrpc, id, method, params, result, error] =
            object.select(&["jsonrpc", "id", "method", "params", "result", "error"]);
        Self { value, jsonrpc, id, method, params, result, error }
    }

    /// The id of the request that this notification cancels, if it is one that does.
    pub(crate) fn cancelled(&self) -> Option<Id<'a>> {
        let is_it = self.id.is_none() && self.method?.as_text() == Some(b"notifications/cancelled");
        self.params.filter(|_| is_it)?.as_object()?.get("requestId").and_then(Id::new)
    }
}

/// What a JSON value is as a message (PROTOCOL 3.1).
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "JSON-RPC has no other kinds")]
pub enum Message<'a> {
    /// To be answered exactly once.
    Request(Request<'a>),
    /// Never answered, whatever is wrong with it.
    Notification,
    /// Never answered.
    Response,
    /// An array, which only some revisions allow.
    Batch(Array<'a>),
    /// To be answered with [`ErrorCode::InvalidRequest`].
    Invalid {
        /// The id, if it is one.
        id: Option<Id<'a>>,
        /// What is wrong.
        reason: &'static str,
    },
}

/// A request, its parameters not yet looked at.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Request<'a> {
    /// What the answer must carry.
    pub id: Id<'a>,
    /// The method's name, as UTF-8.
    pub method: &'a [u8],
    /// The parameters.
    pub params: Option<Value<'a>>,
}

impl<'a> Message<'a> {
    /// Tells what a value is. Checks in the order of PROTOCOL 3.4: object, id, `jsonrpc`, `method`.
    #[must_use]
    pub fn new(envelope: Envelope<'a>) -> Self {
        let Envelope { value, jsonrpc, id, method, params, result, error } = envelope;
        match value.kind() {
            json::Kind::Object => {}
            json::Kind::Array => return Self::Batch(value.as_array().unwrap_or(Array::EMPTY)),
            _ => return Self::Invalid { id: None, reason: "a message is a JSON object" },
        }
        if method.is_none() && (result.is_some() || error.is_some()) {
            return Self::Response;
        }
        let name = method.and_then(Value::as_text);
        if id.is_none() && name.is_some() {
            return Self::Notification;
        }
        let valid = id.and_then(Id::new);
        let reason = match (id, valid, name) {
            (Some(_), None, _) => "the id must be a string or an integer",
            _ if jsonrpc.and_then(Value::as_text) != Some(b"2.0") => "jsonrpc must be \"2.0\"",
            (Some(_), Some(id), Some(method)) => return Self::Request(Request { id, method, params }),
            _ => "the method must be a string",
        };
        Self::Invalid { id: valid, reason }
    }
}
