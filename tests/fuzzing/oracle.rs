//! What a server must answer, told from PROTOCOL 3 and 4 and `serde_json` alone.

use serde_json::{Map, Value};

use crate::frames::{depth, ids, is_blank, proven};
use crate::wire::Demo;

const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

const PARSE: Outcome = Outcome::Error(&[-32700]);
const INVALID_REQUEST: Outcome = Outcome::Error(&[-32600]);
const UNKNOWN_METHOD: Outcome = Outcome::Error(&[-32601]);
const INVALID_PARAMS: Outcome = Outcome::Error(&[-32602]);

/// What comes back for a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Nothing,
    One(Answer),
    /// An array.
    Batch(Vec<Answer>),
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    pub(crate) id: Id,
    pub(crate) outcome: Outcome,
}

/// The id of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Id {
    Is(Value),
    /// ID-6: null or none, as the session has it.
    Unreadable,
    IsOrUnreadable(Value),
    Any,
}

/// What an answer says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// An error of one of these codes.
    Error(&'static [i64]),
    /// The revision asked for is not spoken.
    Unsupported(String),
    /// There is no resource of that address.
    Missing {
        uri: String,
        tagged: bool,
    },
    Result {
        method: String,
        tagged: bool,
    },
}

/// A server as PROTOCOL describes it.
pub(crate) struct Oracle {
    demo: Demo,
    session: Option<&'static str>,
}

impl Oracle {
    pub(crate) const fn new(demo: Demo) -> Self {
        Self { demo, session: None }
    }

    /// The revision of the last handshake.
    pub(crate) const fn session(&self) -> Option<&'static str> {
        self.session
    }

    /// Whether an unreadable id is null (ID-6).
    pub(crate) fn null_id(&self) -> bool {
        self.session.is_some_and(|revision| revision < "2025-11-25")
    }

    /// The token and the number of the reports of progress that stand before the answer to a line, should that be a result
    /// without an error: the board's `blink` makes one each time.
    pub(crate) fn progress(&self, line: &[u8]) -> Option<(Value, u64)> {
        let request: Value = serde_json::from_slice(line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line)).ok()?;
        let params = &request["params"];
        let token = params["_meta"].get("progressToken").filter(|token| is_id(token))?;
        let blinks = self.demo.tools().iter().any(|tool| tool.name == "blink");
        let called = blinks && request["method"] == "tools/call" && params["name"] == "blink";
        // However the number is spelled, it is a small one, or the call fails.
        let times = format!("{:.0}", params["arguments"]["times"].as_f64()?).parse().ok()?;
        called.then(|| (token.clone(), times))
    }

    /// The answer to a line.
    pub(crate) fn line(&mut self, line: &[u8]) -> Expected {
        let text = line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line);
        let capacity = self.demo.capacity();
        if is_blank(text) {
            return Expected::Nothing;
        }
        if depth(text) > 64 {
            // Where it is malformed too, what comes first counts.
            return one(Id::Any, Outcome::Error(&[-32700, -32600]));
        }
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            return one(Id::Unreadable, if line.len() > capacity { Outcome::Error(&[-32700, -32600]) } else { PARSE });
        };
        if proven(text).len() > capacity {
            return one(self.id_of_long(line, &value), INVALID_REQUEST);
        }
        match value.as_array() {
            Some(entries) if self.session == Some("2025-03-26") && !entries.is_empty() => self.batch(entries),
            Some(_) => one(Id::Unreadable, INVALID_REQUEST),
            None => self.message(&value).map_or(Expected::Nothing, Expected::One),
        }
    }

    /// FRAME-11
    fn id_of_long(&self, line: &[u8], value: &Value) -> Id {
        match (value.get("id").filter(|id| is_id(id)), ids(line).last()) {
            (Some(id), Some((_, length))) if *length <= self.demo.capacity() / 2 => Id::Is(id.clone()),
            (Some(id), _) => Id::IsOrUnreadable(id.clone()),
            (None, _) => Id::Unreadable,
        }
    }

    /// PROTOCOL 3.6
    fn batch(&mut self, entries: &[Value]) -> Expected {
        let answers = entries.iter().filter_map(|entry| {
            let tagged = entry.pointer("/params/_meta").and_then(Value::as_object).is_some_and(is_tagged);
            if entry["method"] == "initialize" || tagged {
                // BATCH-5, if it is a request at all. Nothing is run.
                let alone = Self { demo: self.demo, session: self.session }.message(entry)?;
                return Some(Answer { outcome: INVALID_REQUEST, ..alone });
            }
            self.message(entry)
        });
        match answers.collect::<Vec<_>>() {
            answers if answers.is_empty() => Expected::Nothing,
            answers => Expected::Batch(answers),
        }
    }

    /// PROTOCOL 3.1 and 3.4
    fn message(&mut self, value: &Value) -> Option<Answer> {
        let Some(object) = value.as_object() else {
            return Some(Answer { id: Id::Unreadable, outcome: INVALID_REQUEST });
        };
        let (id, method) = (object.get("id"), object.get("method"));
        if method.is_none() && (object.contains_key("result") || object.contains_key("error")) {
            return None;
        }
        if id.is_none() && method.is_some_and(Value::is_string) {
            return None;
        }
        let valid = id.filter(|id| is_id(id)).map_or(Id::Unreadable, |id| Id::Is(id.clone()));
        let outcome = match method.and_then(Value::as_str) {
            Some(method) if valid != Id::Unreadable && object.get("jsonrpc").is_some_and(|value| value == "2.0") => {
                self.request(method, object.get("params")).unwrap_or_else(|refused| refused)
            }
            _ => INVALID_REQUEST,
        };
        Some(Answer { id: valid, outcome })
    }

    /// PROTOCOL 4.1
    fn request(&mut self, method: &str, params: Option<&Value>) -> Result<Outcome, Outcome> {
        let none = Map::new();
        let params = object(params)?.unwrap_or(&none);
        let meta = object(params.get("_meta"))?.filter(|meta| is_tagged(meta));
        if let Some(meta) = meta {
            judge(meta)?;
        }
        match (method, meta.is_some()) {
            ("tools/list", _) => self.cursor(params, self.demo.tools().len())?,
            ("resources/list", _) if self.has_resources() => self.cursor(params, self.demo.resources().len())?,
            ("resources/templates/list", _) if self.has_resources() => {
                self.cursor(params, self.demo.templates().len())?;
            }
            ("resources/read", tagged) if self.has_resources() => self.read(params, tagged)?,
            ("prompts/list", _) if self.has_resources() => self.cursor(params, 1)?,
            ("prompts/get", tagged) if self.has_resources() => prompt(params, tagged)?,
            ("completion/complete", tagged) if self.has_resources() => {
                // Revisions before 2025-06-18 do not define `context`, so that anything may stand there.
                if tagged || self.session.is_none_or(|revision| revision >= "2025-06-18") {
                    let context = object(params.get("context"))?;
                    object(context.and_then(|context| context.get("arguments")))?;
                }
                complete(params)?;
            }
            ("tools/call", tagged) => self.call(params, tagged)?,
            ("ping", false) | ("server/discover", true) => {}
            ("initialize", false) => self.session = Some(handshake(params)?),
            ("server/discover" | "subscriptions/listen", false) if self.session.is_none() => {
                return Err(INVALID_PARAMS);
            }
            _ => return Err(UNKNOWN_METHOD),
        }
        Ok(Outcome::Result { method: method.to_owned(), tagged: meta.is_some() })
    }

    pub(crate) fn has_resources(&self) -> bool {
        !self.demo.resources().is_empty()
    }

    fn cursor(&self, params: &Map<String, Value>, count: usize) -> Result<(), Outcome> {
        let Some(cursor) = string(params.get("cursor"))? else { return Ok(()) };
        let mut pages = (0..count).step_by(self.demo.page_size()).skip(1);
        if pages.any(|first| first.to_string() == cursor) { Ok(()) } else { Err(INVALID_PARAMS) }
    }

    fn call(&self, params: &Map<String, Value>, tagged: bool) -> Result<(), Outcome> {
        let name = string(params.get("name"))?.ok_or(INVALID_PARAMS)?;
        object(params.get("arguments"))?;
        if tagged {
            retried(params)?;
        }
        if self.demo.tools().iter().any(|tool| tool.name == name) { Ok(()) } else { Err(INVALID_PARAMS) }
    }

    fn read(&self, params: &Map<String, Value>, tagged: bool) -> Result<(), Outcome> {
        let uri = string(params.get("uri"))?.ok_or(INVALID_PARAMS)?;
        if tagged {
            retried(params)?;
        }
        let mut all = self.demo.resources().iter().chain(self.demo.members());
        if all.any(|known| *known == uri) { Ok(()) } else { Err(Outcome::Missing { uri: uri.to_owned(), tagged }) }
    }
}

/// PROMPT-2 and PROMPT-3, of the board's `diagnose`.
fn prompt(params: &Map<String, Value>, tagged: bool) -> Result<(), Outcome> {
    let name = string(params.get("name"))?.ok_or(INVALID_PARAMS)?;
    if tagged {
        retried(params)?;
    }
    let arguments = object(params.get("arguments"))?;
    let argument = |name: &str| arguments.and_then(|arguments| arguments.get(name));
    string(argument("detail"))?;
    let has_symptom = argument("symptom").is_some_and(Value::is_string);
    if name == "diagnose" && has_symptom { Ok(()) } else { Err(INVALID_PARAMS) }
}

/// COMP-3 and COMP-5, of the board.
fn complete(params: &Map<String, Value>) -> Result<(), Outcome> {
    let reference = object(params.get("ref"))?.ok_or(INVALID_PARAMS)?;
    let argument = object(params.get("argument"))?.ok_or(INVALID_PARAMS)?;
    let text = |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let (name, value) = (text(argument, "name"), text(argument, "value"));
    let names: &[&str] = match (text(reference, "type").as_deref(), text(reference, "name"), text(reference, "uri")) {
        (Some("ref/prompt"), Some(prompt), _) if prompt == "diagnose" => &["symptom", "detail"],
        (Some("ref/resource"), _, Some(uri)) if uri == "sensor://{id}/latest" => &["id"],
        _ => return Err(INVALID_PARAMS),
    };
    let known = name.is_some_and(|name| names.contains(&&*name));
    if known && value.is_some() { Ok(()) } else { Err(INVALID_PARAMS) }
}

/// MRTR-9, MRTR-13
fn retried(params: &Map<String, Value>) -> Result<(), Outcome> {
    string(params.get("requestState"))?;
    let responses = object(params.get("inputResponses"))?;
    if responses.is_some_and(|responses| !responses.values().all(Value::is_object)) {
        return Err(INVALID_PARAMS);
    }
    Ok(())
}

const fn one(id: Id, outcome: Outcome) -> Expected {
    Expected::One(Answer { id, outcome })
}

/// ID-1, ID-4
fn is_id(id: &Value) -> bool {
    match id {
        Value::String(_) => true,
        Value::Number(number) => !number.to_string().contains(['.', 'e', 'E']),
        _ => false,
    }
}

/// PROTOCOL 1
fn is_tagged(meta: &Map<String, Value>) -> bool {
    ["protocolVersion", "clientCapabilities"].iter().any(|name| member(meta, name).is_some())
}

fn member<'a>(meta: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    meta.get(&format!("io.modelcontextprotocol/{name}"))
}

/// Steps 1 to 4 of PROTOCOL 4.1 for what is tagged.
fn judge(meta: &Map<String, Value>) -> Result<(), Outcome> {
    let version = member(meta, "protocolVersion").and_then(Value::as_str).ok_or(INVALID_PARAMS)?;
    if version != MODERN {
        return Err(Outcome::Unsupported(version.to_owned()));
    }
    let level = member(meta, "logLevel").is_none_or(|level| level.as_str().is_some_and(|name| LEVELS.contains(&name)));
    if level && member(meta, "clientCapabilities").is_some_and(Value::is_object) { Ok(()) } else { Err(INVALID_PARAMS) }
}

/// PROTOCOL 4.3
fn handshake(params: &Map<String, Value>) -> Result<&'static str, Outcome> {
    let version = string(params.get("protocolVersion"))?.ok_or(INVALID_PARAMS)?;
    object(params.get("capabilities"))?.ok_or(INVALID_PARAMS)?;
    let client = object(params.get("clientInfo"))?.ok_or(INVALID_PARAMS)?;
    string(client.get("name"))?.ok_or(INVALID_PARAMS)?;
    string(client.get("version"))?.ok_or(INVALID_PARAMS)?;
    Ok(LEGACY.into_iter().find(|revision| *revision == version).unwrap_or("2025-11-25"))
}

/// PARAM-3: null is absence.
fn object(value: Option<&Value>) -> Result<Option<&Map<String, Value>>, Outcome> {
    value.filter(|value| !value.is_null()).map(|value| value.as_object().ok_or(INVALID_PARAMS)).transpose()
}

/// PARAM-3: null is absence.
fn string(value: Option<&Value>) -> Result<Option<&str>, Outcome> {
    value.filter(|value| !value.is_null()).map(|value| value.as_str().ok_or(INVALID_PARAMS)).transpose()
}
