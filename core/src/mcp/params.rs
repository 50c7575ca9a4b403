//! The parameters of a request.

use super::revision::Revision;
use crate::json::{Object, Value};
use crate::rpc::ErrorCode;

/// Why a request cannot be served. One byte, where a code and a sentence would take four words at each place that refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    MethodNotFound,
    Params,
    Meta,
    Version,
    Capabilities,
    LogLevel,
    ProtocolVersion,
    ClientCapabilities,
    ClientInfo,
    ToolName,
    Arguments,
    InputResponses,
    RequestState,
    CursorType,
    Cursor,
}

impl Refusal {
    /// The code of the answer.
    pub(super) const fn code(self) -> ErrorCode {
        match self {
            Self::MethodNotFound => ErrorCode::MethodNotFound,
            _ => ErrorCode::InvalidParams,
        }
    }

    /// The sentence that says what is wrong.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::MethodNotFound => "Method not found",
            Self::Params => "params must be an object",
            Self::Meta => "_meta must be an object",
            Self::Version => "_meta needs io.modelcontextprotocol/protocolVersion, a string",
            Self::Capabilities => "_meta needs io.modelcontextprotocol/clientCapabilities, an object",
            Self::LogLevel => "unknown logLevel",
            Self::ProtocolVersion => "initialize needs protocolVersion, a string",
            Self::ClientCapabilities => "initialize needs capabilities, an object",
            Self::ClientInfo => "initialize needs clientInfo with name and version, strings",
            Self::ToolName => "tools/call needs a name, a string",
            Self::Arguments => "arguments must be an object",
            Self::InputResponses => "inputResponses must be an object of objects",
            Self::RequestState => "requestState must be a string",
            Self::CursorType => "the cursor must be a string",
            Self::Cursor => "unknown cursor",
        }
    }
}

/// The parameters that more than one method has, or that are called for often, found in one pass.
pub(super) struct Params<'a> {
    pub(super) all: Object<'a>,
    pub(super) meta: Option<Value<'a>>,
    pub(super) name: Option<Value<'a>>,
    pub(super) arguments: Option<Value<'a>>,
}

impl<'a> Params<'a> {
    pub(super) fn of(all: Object<'a>) -> Self {
        let [meta, name, arguments] = all.select(&["_meta", "name", "arguments"]);
        Self { all, meta, name, arguments }
    }

    /// Whether the input that a retry brings has its form. Nobody has asked for any yet (MRTR-9, MRTR-13).
    pub(super) fn check_input(&self, revision: Revision) -> Result<(), Refusal> {
        if !revision.rules().modern {
            return Ok(());
        }
        let [responses, state] = self.all.select(&["inputResponses", "requestState"]);
        let responses = object(responses, Refusal::InputResponses)?.unwrap_or(Object::EMPTY);
        if responses.members().any(|(_, response)| response.as_object().is_none()) {
            return Err(Refusal::InputResponses);
        }
        text(state, Refusal::RequestState).map(|_| ())
    }
}

/// An optional object; null is absence (PARAM-3).
pub(super) fn object<'a>(value: Option<Value<'a>>, otherwise: Refusal) -> Result<Option<Object<'a>>, Refusal> {
    optional(value, otherwise, Value::as_object)
}

/// An optional string; null is absence (PARAM-3).
pub(super) fn text<'a>(value: Option<Value<'a>>, otherwise: Refusal) -> Result<Option<&'a [u8]>, Refusal> {
    optional(value, otherwise, Value::as_text)
}

/// An object that must be there.
pub(super) fn required_object<'a>(value: Option<Value<'a>>, otherwise: Refusal) -> Result<Object<'a>, Refusal> {
    value.and_then(Value::as_object).ok_or(otherwise)
}

/// A string that must be there.
pub(super) fn required_text<'a>(value: Option<Value<'a>>, otherwise: Refusal) -> Result<&'a [u8], Refusal> {
    value.and_then(Value::as_text).ok_or(otherwise)
}

fn optional<'a, T>(
    value: Option<Value<'a>>,
    otherwise: Refusal,
    read: impl Fn(Value<'a>) -> Option<T>,
) -> Result<Option<T>, Refusal> {
    match value {
        Some(value) if !value.is_null() => read(value).map(Some).ok_or(otherwise),
        _ => Ok(None),
    }
}
