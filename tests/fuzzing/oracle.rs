//! What a server must answer, told from PROTOCOL 3 and 4 and `serde_json` alone.

use serde_json::{Map, Value};

use crate::declared::Declared;
use crate::frames::{depth, ids, is_blank, proven};
use crate::wire::{Demo, Offer, Question};

pub(crate) const MODERN: &str = "2026-07-28";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The least first.
pub(crate) const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

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
    /// An answer that has waited for what the client says here.
    Resumed(Answer, Value),
    /// The question of that id needs no answer any more.
    Withdrawn(Value),
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
    Result(Box<Request>),
    /// A result, or an error of one of these codes.
    ResultOr(&'static [i64], Box<Request>),
    /// An acknowledgement of a part of this filter, and no answer (LISTEN-4).
    Acknowledged(Value),
}

/// A request that is served.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Whose rules hold.
    pub(crate) revision: &'static str,
    pub(crate) params: Map<String, Value>,
}

impl Request {
    fn new(method: &str, revision: &'static str, params: &Map<String, Value>) -> Self {
        let mut params = params.clone();
        if revision != MODERN {
            // They mean nothing there. Here the first are what the user said on a line of its own.
            params.remove("inputResponses");
            params.remove("requestState");
        }
        Self { method: method.to_owned(), revision, params }
    }

    /// Takes what the user said to the question of a key.
    pub(crate) fn answered(&mut self, key: &str, said: &Value) {
        self.params.insert("inputResponses".to_owned(), serde_json::json!({ key: said }));
    }

    pub(crate) fn is_modern(&self) -> bool {
        self.revision == MODERN
    }

    /// The tool that is called.
    pub(crate) fn tool(&self) -> Option<&str> {
        self.params.get("name").and_then(Value::as_str).filter(|_| self.method == "tools/call")
    }

    /// Metadata of the protocol.
    pub(crate) fn meta(&self, name: &str) -> Option<&Value> {
        self.params.get("_meta").and_then(Value::as_object).and_then(|meta| member(meta, name))
    }

    /// The token for reports of progress, if there is one (META-6, ID-7).
    pub(crate) fn progress_token(&self) -> Option<&Value> {
        self.params.get("_meta").and_then(|meta| meta.get("progressToken")).filter(|token| is_id(token))
    }
}

/// A server as PROTOCOL describes it.
#[derive(Clone)]
pub(crate) struct Oracle {
    demo: Demo,
    declared: &'static Declared,
    /// Whether a call is kept while its question is open.
    keeps_calls: bool,
    session: Session,
    listens: Vec<Listen>,
    waiting: Option<Waiting>,
}

/// What became of the questions of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asked {
    /// There are none, or the user has agreed to all of them.
    Agreed,
    /// The user did not want to answer one.
    Refused,
    /// The first one to which there is no answer that fits.
    Open(&'static Question),
}

/// What a handshake begins anew.
#[derive(Clone)]
struct Session {
    /// The revision of the last handshake.
    revision: Option<&'static str>,
    /// The least level of messages to the client's log.
    log_level: &'static str,
    /// Whether the client can show forms.
    forms: bool,
    /// The addresses subscribed to.
    subscribed: Vec<String>,
}

impl Session {
    /// LOG-3: nothing below warning is sent unasked.
    const fn new(revision: Option<&'static str>, forms: bool) -> Self {
        Self { revision, log_level: "warning", forms, subscribed: Vec::new() }
    }
}

/// An open stream of notifications (PROTOCOL 7.14).
#[derive(Clone)]
struct Listen {
    id: Value,
    /// What was acknowledged.
    honoured: Value,
}

/// A call that waits for what the server asked the client (PROTOCOL 7.16).
#[derive(Clone)]
pub(crate) struct Waiting {
    /// The id of the question.
    pub(crate) id: Value,
    /// The answer that the call gets then.
    pub(crate) answer: Answer,
}

impl Oracle {
    pub(crate) fn new(demo: Demo, keeps_calls: bool) -> Self {
        Self {
            demo,
            declared: Declared::of(demo),
            keeps_calls,
            session: Session::new(None, false),
            listens: Vec::new(),
            waiting: None,
        }
    }

    /// The revision of the last handshake.
    pub(crate) const fn session(&self) -> Option<&'static str> {
        self.session.revision
    }

    /// The revision of what is not tagged (ERA-12).
    fn revision(&self) -> &'static str {
        self.session.revision.unwrap_or("2025-11-25")
    }

    /// Whether an unreadable id is null (ID-6).
    pub(crate) fn null_id(&self) -> bool {
        self.session.revision.is_some_and(|revision| revision < "2025-11-25")
    }

    pub(crate) const fn declared(&self) -> &'static Declared {
        self.declared
    }

    pub(crate) const fn offer(&self) -> &'static Offer {
        self.demo.offer()
    }

    /// The names of the tools or prompts of the page that a request for a list is answered with, in order.
    pub(crate) fn page<'n>(&self, request: &Request, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
        let first = request.params.get("cursor").and_then(Value::as_str).map_or(0, |cursor| cursor.parse().unwrap());
        names.skip(first).take(self.demo.page_size()).collect()
    }

    /// The token and the number of the reports of progress that stand before the answer to a request, should that be a
    /// result without an error: the board's `blink` makes one each time.
    pub(crate) fn progress(&self, request: &Request) -> Option<(Value, u64)> {
        let token = request.progress_token()?;
        // However the number is spelled, it is a small one, or the call fails.
        let times = format!("{:.0}", request.params.get("arguments")?["times"].as_f64()?).parse().ok()?;
        (request.tool()? == "blink").then(|| (token.clone(), times))
    }

    /// The least level of the messages to the log that may stand before the answer to a request (LOG-1, LOG-3, LOG-4).
    pub(crate) fn log_level<'a>(&'a self, request: &'a Request) -> Option<&'a str> {
        let may_log =
            self.declared.has("logging") && matches!(&*request.method, "tools/call" | "prompts/get" | "resources/read");
        let level = if request.is_modern() { request.meta("logLevel")?.as_str()? } else { self.session.log_level };
        may_log.then_some(level)
    }

    /// What became of the questions of a request.
    pub(crate) fn asked(&self, request: &Request) -> Asked {
        let name = request.params.get("name").and_then(Value::as_str).unwrap_or_default();
        let state = request.params.get("requestState").and_then(Value::as_str).unwrap_or_default();
        let questions = self.offer().questions.iter().filter(|question| question.is_of(&request.method, name));
        let questions: Vec<_> = questions.collect();
        let first = questions.iter().rposition(|question| state.starts_with(question.state)).unwrap_or_default();
        for question in questions.into_iter().skip(first) {
            match self.accepted(request, question) {
                Some(true) => {}
                Some(false) => return Asked::Open(question),
                None => return Asked::Refused,
            }
        }
        Asked::Agreed
    }

    /// Whether the client says that the user has filled in a form as it was asked for; nothing if the user did not want to.
    fn accepted(&self, request: &Request, question: &'static Question) -> Option<bool> {
        let responses = request.params.get("inputResponses").and_then(Value::as_object);
        let response = responses.and_then(|responses| responses.get(question.key)).unwrap_or(&Value::Null);
        match response["action"].as_str() {
            Some("decline" | "cancel") => None,
            Some("accept") => Some(response.get("content").is_some_and(|content| self.fits(question, content))),
            _ => Some(false),
        }
    }

    /// Whether a question can be put to the client of a request: ELIC-2, MRTR-4, S2C-1. There is one at a time on a line.
    pub(crate) fn can_be_asked(&self, request: &Request) -> bool {
        match request.revision {
            MODERN => request.meta("clientCapabilities").is_some_and(forms),
            revision => self.keeps_calls && revision >= "2025-06-18" && self.session.forms && self.waiting.is_none(),
        }
    }

    /// Whether what a user filled in fits a form.
    fn fits(&self, question: &'static Question, content: &Value) -> bool {
        let mut form = self.declared.form(question).clone();
        form["additionalProperties"] = false.into();
        let required = form["required"].as_array().cloned().unwrap_or_default();
        let mut content = content.clone();
        if let Some(content) = content.as_object_mut() {
            // PARAM-3: null is absence.
            let optional = |name: &str| form["properties"].get(name).is_some() && !required.iter().any(|it| it == name);
            content.retain(|name, value| !(value.is_null() && optional(name)));
        }
        // No float is as great as some numbers of JSON.
        let is_finite =
            |value: &Value| value.as_number().is_none_or(|number| number.as_f64().is_some_and(f64::is_finite));
        content.as_object().is_some_and(|content| content.values().all(is_finite))
            && jsonschema::is_valid(&form, &content)
    }

    /// The server asked the client.
    pub(crate) fn waits(&mut self, waiting: Waiting) {
        assert!(self.waiting.is_none(), "two questions at a time");
        self.waiting = Some(waiting);
    }

    /// A stream was acknowledged. What it asked for, the server is free to leave out (LISTEN-3).
    pub(crate) fn opened(&mut self, id: &Value, honoured: &Value) {
        self.closed(id);
        self.listens.push(Listen { id: id.clone(), honoured: honoured.clone() });
    }

    /// A stream was ended. Returns whether there was one.
    pub(crate) fn closed(&mut self, id: &Value) -> bool {
        let before = self.listens.len();
        self.listens.retain(|listen| listen.id != *id);
        self.listens.len() < before
    }

    /// Whether a change may be told: `flag` and `uri` say of what, `stream` on which stream (SUB-2, LISTEN-2, LISTEN-3).
    pub(crate) fn may_tell(&self, flag: &str, uri: Option<&str>, stream: Option<&Value>) -> bool {
        let Some(stream) = stream else {
            return match uri {
                Some(uri) => self.session.subscribed.iter().any(|subscribed| subscribed == uri),
                None => self.declared.flag(flag.trim_end_matches("ListChanged"), "listChanged"),
            };
        };
        let mut listens = self.listens.iter().filter(|listen| listen.id == *stream);
        listens.any(|Listen { honoured, .. }| match uri {
            Some(uri) => honoured["resourceSubscriptions"].as_array().is_some_and(|all| all.iter().any(|it| it == uri)),
            None => honoured[flag] == true,
        })
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
            Some(entries) if self.session.revision == Some("2025-03-26") && !entries.is_empty() => self.batch(entries),
            Some(_) => one(Id::Unreadable, INVALID_REQUEST),
            None => {
                if let Some(answer) = self.resumed(&value) {
                    return Expected::Resumed(answer, value);
                }
                let question = self.waiting.as_ref().map(|waiting| waiting.id.clone());
                let expected = self.message(&value).map_or(Expected::Nothing, Expected::One);
                match question {
                    // A handshake ends it too, but has an answer.
                    Some(id) if expected == Expected::Nothing && self.waiting.is_none() => Expected::Withdrawn(id),
                    _ => expected,
                }
            }
        }
    }

    /// The answer that a response of the client lets go on.
    fn resumed(&mut self, response: &Value) -> Option<Answer> {
        let is_response =
            response.get("method").is_none() && (response.get("result").or(response.get("error"))).is_some();
        let waiting = self.waiting.take_if(|waiting| is_response && Some(&waiting.id) == response.get("id"))?;
        Some(waiting.answer)
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
                let alone = self.clone().message(entry)?;
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
        if let (None, Some(Value::String(method))) = (id, method) {
            if let Some(id) = value.pointer("/params/requestId").filter(|_| method == "notifications/cancelled") {
                self.cancelled(id);
            }
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
        let revision = if meta.is_some() { MODERN } else { self.revision() };
        let served = || Box::new(Request::new(method, revision, params));
        let (has, offer) = (|capability| self.declared.has(capability), self.demo.offer());
        match (method, meta.is_some()) {
            ("tools/list", _) => self.cursor(params, self.demo.tools().len())?,
            ("resources/list", _) if has("resources") => self.cursor(params, offer.resources.len())?,
            ("resources/templates/list", _) if has("resources") => self.cursor(params, offer.templates.len())?,
            ("resources/read", tagged) if has("resources") => read(offer, params, tagged)?,
            ("resources/subscribe" | "resources/unsubscribe", false)
                if self.declared.flag("resources", "subscribe") =>
            {
                return self.subscribe(params, served());
            }
            ("prompts/list", _) if has("prompts") => self.cursor(params, offer.prompts.len())?,
            ("prompts/get", tagged) if has("prompts") => prompt(offer, params, tagged)?,
            ("completion/complete", _) if has("completions") => {
                // Revisions before 2025-06-18 do not define `context`, so that anything may stand there.
                if revision >= "2025-06-18" {
                    let context = object(params.get("context"))?;
                    object(context.and_then(|context| context.get("arguments")))?;
                }
                complete(offer, params)?;
            }
            ("logging/setLevel", false) if has("logging") => {
                let level = string(params.get("level"))?.ok_or(INVALID_PARAMS)?;
                self.session.log_level = LEVELS.into_iter().find(|known| *known == level).ok_or(INVALID_PARAMS)?;
            }
            ("tools/call", tagged) => self.call(params, tagged)?,
            ("ping", false) | ("server/discover", true) => {}
            ("initialize", false) => {
                self.session = handshake(params)?;
                self.waiting = None;
            }
            ("subscriptions/listen", true) if self.declared.listens() => {
                return Ok(Outcome::Acknowledged(filter(params)?));
            }
            ("server/discover" | "subscriptions/listen", false) if self.session.revision.is_none() => {
                return Err(INVALID_PARAMS);
            }
            _ => return Err(UNKNOWN_METHOD),
        }
        Ok(Outcome::Result(served()))
    }

    /// CANCEL-6: by type and value.
    fn cancelled(&mut self, id: &Value) {
        self.closed(id);
        self.waiting.take_if(|waiting| waiting.answer.id == Id::Is(id.clone()));
    }

    /// SUB-3. What a family's resource gets is for the server to say; so is when its table is full.
    fn subscribe(&mut self, params: &Map<String, Value>, served: Box<Request>) -> Result<Outcome, Outcome> {
        let uri = string(params.get("uri"))?.ok_or(INVALID_PARAMS)?;
        let offer = self.demo.offer();
        if !offer.has_resource(uri) && served.method == "resources/subscribe" {
            return Err(Outcome::Missing { uri: uri.to_owned(), tagged: false });
        }
        self.session.subscribed.retain(|subscribed| subscribed != uri);
        if served.method == "resources/subscribe" {
            self.session.subscribed.push(uri.to_owned());
        }
        Ok(Outcome::ResultOr(if offer.resources.contains(&uri) { &[-32603] } else { &[-32603, -32002] }, served))
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
}

fn read(offer: &Offer, params: &Map<String, Value>, tagged: bool) -> Result<(), Outcome> {
    let uri = string(params.get("uri"))?.ok_or(INVALID_PARAMS)?;
    if tagged {
        retried(params)?;
    }
    if offer.has_resource(uri) { Ok(()) } else { Err(Outcome::Missing { uri: uri.to_owned(), tagged }) }
}

/// PROMPT-2, PROMPT-3
fn prompt(offer: &Offer, params: &Map<String, Value>, tagged: bool) -> Result<(), Outcome> {
    let name = string(params.get("name"))?.ok_or(INVALID_PARAMS)?;
    if tagged {
        retried(params)?;
    }
    let given = object(params.get("arguments"))?;
    let prompt = offer.prompts.iter().find(|(known, _)| *known == name);
    let (_, arguments) = prompt.ok_or(INVALID_PARAMS)?;
    arguments.iter().try_for_each(|(name, required)| match string(given.and_then(|given| given.get(*name)))? {
        None if *required => Err(INVALID_PARAMS),
        _ => Ok(()),
    })
}

/// COMP-3, COMP-5
fn complete(offer: &Offer, params: &Map<String, Value>) -> Result<(), Outcome> {
    let reference = object(params.get("ref"))?.ok_or(INVALID_PARAMS)?;
    let argument = object(params.get("argument"))?.ok_or(INVALID_PARAMS)?;
    let text = |of: &Map<String, Value>, name: &str| of.get(name).and_then(Value::as_str).map(str::to_owned);
    let (name, value) = (text(argument, "name"), text(argument, "value"));
    let known = match (text(reference, "type").as_deref(), text(reference, "name"), text(reference, "uri")) {
        (Some("ref/prompt"), Some(prompt), _) => offer.prompts.iter().any(|(known, arguments)| {
            *known == prompt && arguments.iter().any(|(argument, _)| Some(*argument) == name.as_deref())
        }),
        (Some("ref/resource"), _, Some(uri)) => {
            offer.templates.iter().any(|(known, variable)| *known == uri && Some(*variable) == name.as_deref())
        }
        _ => false,
    };
    if known && value.is_some() { Ok(()) } else { Err(INVALID_PARAMS) }
}

/// LISTEN-10
fn filter(params: &Map<String, Value>) -> Result<Value, Outcome> {
    let filter = object(params.get("notifications"))?.ok_or(INVALID_PARAMS)?;
    for flag in ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] {
        filter.get(flag).is_none_or(|flag| flag.is_boolean() || flag.is_null()).then_some(()).ok_or(INVALID_PARAMS)?;
    }
    match filter.get("resourceSubscriptions") {
        None | Some(Value::Null) => {}
        Some(Value::Array(all)) if all.iter().all(Value::is_string) => {}
        Some(_) => return Err(INVALID_PARAMS),
    }
    Ok(filter.clone().into())
}

/// ELIC-2: no mode means forms.
fn forms(capabilities: &Value) -> bool {
    let modes = capabilities["elicitation"].as_object();
    modes.is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
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
fn handshake(params: &Map<String, Value>) -> Result<Session, Outcome> {
    let version = string(params.get("protocolVersion"))?.ok_or(INVALID_PARAMS)?;
    let capabilities = object(params.get("capabilities"))?.ok_or(INVALID_PARAMS)?;
    let client = object(params.get("clientInfo"))?.ok_or(INVALID_PARAMS)?;
    string(client.get("name"))?.ok_or(INVALID_PARAMS)?;
    string(client.get("version"))?.ok_or(INVALID_PARAMS)?;
    let revision = LEGACY.into_iter().find(|revision| *revision == version).unwrap_or("2025-11-25");
    Ok(Session::new(Some(revision), forms(&capabilities.clone().into())))
}

/// PARAM-3: null is absence.
fn object(value: Option<&Value>) -> Result<Option<&Map<String, Value>>, Outcome> {
    value.filter(|value| !value.is_null()).map(|value| value.as_object().ok_or(INVALID_PARAMS)).transpose()
}

/// PARAM-3: null is absence.
fn string(value: Option<&Value>) -> Result<Option<&str>, Outcome> {
    value.filter(|value| !value.is_null()).map(|value| value.as_str().ok_or(INVALID_PARAMS)).transpose()
}
