//! Lines as messages that outlive the reader's buffer: printed again, with what the bridge must know of them.

use toolwire::frame::{Frame, MAX_DEPTH};
use toolwire::json::{self, Kind, Object, Value};
use toolwire::rpc::{Envelope, Id};

/// The most entries of a batch. Each may need an answer of its own, so this bounds what one line can cause.
const MOST_ENTRIES: usize = 1000;

/// What a line is.
#[derive(Debug)]
pub(super) enum Line {
    One(Message),
    /// Never empty.
    Batch(Vec<Message>),
    /// No JSON from that byte on.
    Malformed(usize),
    /// JSON that is no message at all, or one that is refused as a whole.
    Refused {
        id: Option<String>,
        reason: String,
    },
}

/// A message, or an entry of a batch.
#[derive(Debug)]
pub(super) enum Message {
    Request(Request),
    Notification(Notification),
    Response(Response),
    Invalid { id: Option<String>, reason: &'static str },
}

/// A request. Ids and tokens are kept as JSON text: two are the same if their texts are.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) text: String,
    pub(super) id: String,
    pub(super) method: Method,
    /// The parameters of `initialize`, which alone are needed later.
    pub(super) params: Option<String>,
    /// The revision that `initialize` asks for.
    pub(super) version: Option<String>,
    pub(super) era: Era,
    pub(super) token: Option<String>,
}

impl Request {
    /// Whether it is this method of the revisions with a handshake.
    pub(super) fn is_legacy(&self, method: Method) -> bool {
        self.method == method && self.era == Era::Legacy
    }
}

/// The methods that the bridge treats in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Initialize,
    Ping,
    Discover,
    ToolsList,
    Listen,
    Other,
}

/// How a request selects its revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// By the session, if there is one.
    Legacy,
    /// By its metadata: the version it names.
    Tagged(Option<String>),
}

#[derive(Debug)]
pub(super) struct Notification {
    pub(super) text: String,
    pub(super) kind: Told,
    /// Whether it is a JSON-RPC notification in all its parts.
    pub(super) sound: bool,
}

/// What a notification is about, where that matters here.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Told {
    Initialized,
    /// The id of the request.
    Cancelled(Option<String>),
    /// The token.
    Progress(Option<String>),
    RootsChanged,
    /// Other news, with the id of the subscription that it is for.
    Other(Option<String>),
}

#[derive(Debug)]
pub(super) struct Response {
    pub(super) text: String,
    pub(super) id: Option<String>,
    /// The value of `error` as JSON.
    pub(super) error: Option<String>,
    /// The value of `result` as JSON, if it answers the bridge itself.
    pub(super) result: Option<String>,
    /// The revision in the result of `initialize`.
    pub(super) version: Option<String>,
    /// Whether it is a JSON-RPC response in all its parts.
    pub(super) sound: bool,
}

/// How the ids of the bridge's own requests start, as JSON.
pub(super) const OWN: &str = "\"toolwire-bridge-";

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

impl Line {
    pub(super) fn new(frame: Frame<'_>) -> Self {
        match frame {
            Frame::Message(envelope) => Self::of(envelope),
            Frame::Malformed { offset } => Self::Malformed(offset),
            Frame::TooLong { capacity, id } => {
                let reason = format!("the message is too long: the bridge takes {capacity} bytes");
                Self::Refused { id: id.and_then(valid_id), reason }
            }
            Frame::TooDeep { id } => {
                let reason = format!("the message nests too deep: the bridge takes {MAX_DEPTH} levels");
                Self::Refused { id: id.and_then(valid_id), reason }
            }
        }
    }

    fn of(envelope: Envelope<'_>) -> Self {
        let Envelope { value, jsonrpc, id, method, params, result, error, .. } = envelope;
        match value.kind() {
            Kind::Object => Self::One(Message::of(value, [jsonrpc, id, method, params, result, error])),
            Kind::Array => Self::batch(value),
            _ => Self::refused("a message is a JSON object"),
        }
    }

    fn batch(value: Value<'_>) -> Self {
        let entries = || value.as_array().into_iter().flat_map(|array| array.elements());
        if entries().nth(MOST_ENTRIES).is_some() {
            return Self::refused(&format!("the batch is too long: the bridge takes {MOST_ENTRIES} messages"));
        }
        let entries: Vec<_> = entries().map(Message::entry).collect();
        if entries.is_empty() { Self::refused("a batch has at least one message") } else { Self::Batch(entries) }
    }

    fn refused(reason: &str) -> Self {
        Self::Refused { id: None, reason: reason.to_owned() }
    }
}

impl Message {
    /// An entry of a batch.
    fn entry(value: Value<'_>) -> Self {
        match value.as_object() {
            Some(object) => Self::of(value, object.select(&["jsonrpc", "id", "method", "params", "result", "error"])),
            None => Self::Invalid { id: None, reason: "an entry of a batch is a JSON object" },
        }
    }

    /// Its text, if it is one that goes on.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Request(Request { text, .. })
            | Self::Notification(Notification { text, .. })
            | Self::Response(Response { text, .. }) => Some(text),
            Self::Invalid { .. } => None,
        }
    }

    /// An object. Checks in the order of PROTOCOL 3.4: id, `jsonrpc`, `method`.
    fn of(value: Value<'_>, members: [Option<Value<'_>>; 6]) -> Self {
        let [jsonrpc, id, method, params, result, error] = members;
        let dated = jsonrpc.and_then(Value::as_str) == Some("2.0");
        if method.is_none() && (result.is_some() || error.is_some()) {
            let null = id.is_none_or(Value::is_null) && error.is_some();
            let valid = id.and_then(valid_id);
            let sound =
                dated && (valid.is_some() || null) && result.is_some() != error.is_some() && error.is_none_or(is_error);
            let version = result.and_then(Value::as_object).and_then(|result| result.get("protocolVersion"));
            let own = valid.as_ref().is_some_and(|id| id.starts_with(OWN));
            return Self::Response(Response {
                text: text(value),
                id: valid,
                result: result.filter(|_| own).map(text),
                error: error.map(text),
                version: version.and_then(Value::as_str).map(str::to_owned),
                sound,
            });
        }
        let name = method.and_then(Value::as_str);
        let reason = match (id, id.and_then(valid_id), name) {
            (Some(_), None, _) => return Self::Invalid { id: None, reason: "the id must be a string or an integer" },
            (None, _, Some(method)) => return Self::Notification(notification(value, method, params, dated)),
            (_, id, _) if !dated => return Self::Invalid { id, reason: "jsonrpc must be \"2.0\"" },
            (_, Some(id), Some(method)) => return Self::Request(request(value, id, method, params)),
            (_, id, _) => (id, "the method must be a string"),
        };
        Self::Invalid { id: reason.0, reason: reason.1 }
    }
}

fn request(value: Value<'_>, id: String, method: &str, params: Option<Value<'_>>) -> Request {
    let method = match method {
        "initialize" => Method::Initialize,
        "ping" => Method::Ping,
        "server/discover" => Method::Discover,
        "tools/list" => Method::ToolsList,
        "subscriptions/listen" => Method::Listen,
        _ => Method::Other,
    };
    let [version, capabilities, token, _] = meta(params);
    let era = match (version, capabilities) {
        (None, None) => Era::Legacy,
        (version, _) => Era::Tagged(version.and_then(Value::as_str).map(str::to_owned)),
    };
    let params = params.filter(|_| method == Method::Initialize);
    let version = object(params).get("protocolVersion").and_then(Value::as_str).map(str::to_owned);
    let token = token.and_then(valid_id);
    Request { text: text(value), id, method, params: params.map(text), version, era, token }
}

fn notification(value: Value<'_>, method: &str, params: Option<Value<'_>>, sound: bool) -> Notification {
    let member = |name| object(params).get(name).and_then(valid_id);
    let kind = match method {
        "notifications/initialized" => Told::Initialized,
        "notifications/cancelled" => Told::Cancelled(member("requestId")),
        "notifications/progress" => Told::Progress(member("progressToken")),
        "notifications/roots/list_changed" => Told::RootsChanged,
        _ => Told::Other(meta(params)[3].and_then(valid_id)),
    };
    Notification { text: text(value), kind, sound }
}

fn object(value: Option<Value<'_>>) -> Object<'_> {
    value.and_then(Value::as_object).unwrap_or(Object::EMPTY)
}

/// What stands in `_meta`.
fn meta(params: Option<Value<'_>>) -> [Option<Value<'_>>; 4] {
    object(object(params).get("_meta")).select(&[VERSION, CAPABILITIES, "progressToken", SUBSCRIPTION])
}

/// An id or a token as JSON.
fn valid_id(value: Value<'_>) -> Option<String> {
    Id::new(value).map(|_| text(value))
}

/// Whether it is an error object (MSG-5).
fn is_error(value: Value<'_>) -> bool {
    let [code, message] = object(Some(value)).select(&["code", "message"]);
    code.is_some_and(|code| code.kind() == Kind::Number && Id::new(code).is_some())
        && message.is_some_and(|message| message.kind() == Kind::String)
}

/// A value as JSON text, without its newline.
fn text(value: Value<'_>) -> String {
    let mut text = String::with_capacity(value.as_bytes().len());
    // A string takes all there is; proven text has nothing else that could fail.
    let _ = json::write_value(&mut text, value);
    text
}
