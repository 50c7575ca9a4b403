//! A server in memory, and a client's view of it. Every line that a server writes passes through [`Peer::send`], which
//! checks what holds for all of them.

use std::fmt::Debug;

use serde_json::{Value, json};
use toolwire::{Server, ServerInfo, Toolset};
use toolwire_demos::board::{self, Board};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::conformance::{self, Conformance};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};
use toolwire_tests::wire::Line;
pub(crate) use toolwire_tests::wire::lines;

use crate::official;

/// The bytes of a message that the servers here take.
pub(crate) const CAPACITY: usize = 8192;

pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const ALL: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/// How the bytes of a client reach the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    Whole,
    Bytes,
    /// In two, before that byte.
    At(usize),
}

/// A client's end of the line to a server.
pub(crate) struct Peer {
    server: Box<dyn Line>,
    pub(crate) split: Split,
    /// The revision of the handshake.
    session: Option<String>,
}

impl Debug for Peer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Peer").field("session", &self.session).finish_non_exhaustive()
    }
}

impl Peer {
    pub(crate) fn with(server: impl Line + 'static) -> Self {
        Self { server: Box::new(server), split: Split::Whole, session: None }
    }

    pub(crate) fn of<T: Toolset + 'static>(info: ServerInfo, toolset: T) -> Self {
        Self::with(Server::<T, CAPACITY, 2>::new(info, toolset))
    }

    /// A server of one of the demo toolsets.
    pub(crate) fn demo(name: &str) -> Self {
        match name {
            "calc" => Self::of(calc::INFO, Calc::new()),
            "reservo" => Self::of(reservo::INFO, Reservo::new()),
            "tasks" => Self::of(tasks::INFO, Tasks::new()),
            "board" => Self::of(board::INFO, Board::new()),
            "conformance" => Self::of(conformance::INFO, Conformance::new()),
            _ => panic!("no toolset {name}"),
        }
    }

    /// The same, spoken to in `revision`: behind the handshake of a legacy one.
    pub(crate) fn in_revision(name: &str, revision: &str) -> Self {
        let mut peer = Self::demo(name);
        if LEGACY.contains(&revision) {
            peer.shake_hands(revision);
        }
        peer
    }

    /// Does the handshake, and returns its result.
    pub(crate) fn shake_hands(&mut self, revision: &str) -> Value {
        let params =
            json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let result = self.request("initialize", &params)["result"].take();
        assert_eq!(self.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), [""; 0]);
        result
    }

    /// Sends a request and returns its only answer.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let request = json!({"jsonrpc": "2.0", "id": "r", "method": method, "params": params});
        self.one(request.to_string().as_bytes())
    }

    /// As [`request`](Self::request), with the metadata of 2026-07-28 where `revision` is that.
    pub(crate) fn request_in(&mut self, revision: &str, method: &str, params: &Value) -> Value {
        let mut params = params.clone();
        if revision == MODERN {
            params["_meta"] = meta();
        }
        self.request(method, &params)
    }

    /// Calls a tool, and returns the text of the result and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
        (text.to_owned(), result["isError"].as_bool().unwrap())
    }

    /// Sends a line and returns its only answer.
    pub(crate) fn one(&mut self, line: &[u8]) -> Value {
        let answers = self.send(line);
        let [answer] = &answers[..] else { panic!("not one answer: {answers:?}") };
        serde_json::from_str(answer).unwrap()
    }

    /// Sends a line, without its newline, and returns the lines that come back, without theirs: reports of progress, then
    /// the answer.
    pub(crate) fn send(&mut self, line: &[u8]) -> Vec<String> {
        let mut bytes = line.to_vec();
        bytes.push(b'\n');
        let out = self.receive(&bytes);
        let answers = lines(&out);
        let mut last = None;
        for (at, answer) in answers.iter().enumerate() {
            match notification(answer) {
                Some(report) if is_of_subscription(&report) => self.check_of_subscription(&report),
                Some(report) => {
                    assert!(at + 1 < answers.len(), "a notification behind the answer: {answers:?}");
                    self.check_notification(line, &report, &mut last);
                }
                None if is_end_of_subscription(answer) => {
                    let answer: Value = serde_json::from_str(answer).unwrap();
                    official::check(MODERN, Some("subscriptions/listen"), &answer);
                }
                None => self.check(line, answer),
            }
        }
        answers
    }

    /// Sends bytes as they are and returns those that come back.
    pub(crate) fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        match self.split {
            Split::Whole => self.server.receive(bytes),
            Split::Bytes => bytes.iter().flat_map(|byte| self.server.receive(&[*byte])).collect(),
            Split::At(at) => {
                let (first, second) = bytes.split_at(at.min(bytes.len()));
                let mut out = self.server.receive(first);
                out.extend(self.server.receive(second));
                out
            }
        }
    }

    /// Checks what holds for every answer, and holds it against the official schema.
    fn check(&mut self, request: &[u8], answer: &str) {
        let answer: Value = serde_json::from_str(answer).unwrap_or_else(|error| panic!("{error}: {answer}"));
        let request = request.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(request);
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        match (&request, &answer) {
            (Value::Array(requests), Value::Array(answers)) => {
                for answer in answers {
                    let id = answer.get("id");
                    let request = requests.iter().find(|request| id.is_some() && request.get("id") == id);
                    self.check_one(request.unwrap_or(&Value::Null), answer);
                }
            }
            _ => self.check_one(&request, &answer),
        }
    }

    /// Checks what comes before the answer to a request: a report of progress, or a message to the log.
    fn check_notification(&self, request: &[u8], notification: &Value, last: &mut Option<f64>) {
        assert_eq!(notification["jsonrpc"], "2.0", "{notification}");
        assert!(notification.get("id").is_none(), "MSG-4: {notification}");
        if notification["method"] == "notifications/progress" {
            return self.check_progress(request, notification, last);
        }
        assert_eq!(notification["method"], "notifications/message");
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        let revision = self.revision(&request);
        let asked = request["params"]["_meta"].get("io.modelcontextprotocol/logLevel").is_some();
        assert!(revision != MODERN || asked, "LOG-4: {notification}");
        official::check_notification(revision, "LoggingMessageNotification", notification);
    }

    /// Checks a notification that belongs to a subscription: it is of 2026-07-28 if it has the id of one, and of the session
    /// otherwise.
    fn check_of_subscription(&self, notification: &Value) {
        assert!(notification.get("id").is_none(), "MSG-4: {notification}");
        let tagged = notification["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId").is_some();
        let (revision, definition) = match notification["method"].as_str() {
            Some("notifications/subscriptions/acknowledged") if tagged => {
                (MODERN, "SubscriptionsAcknowledgedNotification")
            }
            Some("notifications/resources/updated") if tagged => (MODERN, "ResourceUpdatedNotification"),
            Some("notifications/resources/updated") => (self.revision(&Value::Null), "ResourceUpdatedNotification"),
            Some("notifications/cancelled") => (MODERN, "CancelledNotification"),
            _ => panic!("{notification}"),
        };
        official::check_notification(revision, definition, notification);
    }

    /// Checks a report of progress: it is of the only request of the line, with its token (PROG-1), more than the one
    /// before (PROG-2), and has what the revision defines.
    fn check_progress(&self, request: &[u8], report: &Value, last: &mut Option<f64>) {
        let request: Value = serde_json::from_slice(request).unwrap_or_default();
        let params = &report["params"];
        let token = &params["progressToken"];
        assert!(token.is_string() || token.is_number(), "ID-7: {report}");
        assert_eq!(Some(token), request["params"]["_meta"].get("progressToken"), "PROG-1: {report}");
        let done = params["progress"].as_f64().unwrap_or_else(|| panic!("no progress: {report}"));
        assert!(last.is_none_or(|last| last < done), "PROG-2: {report}");
        *last = Some(done);
        let revision = self.revision(&request);
        assert!(params.get("message").is_none() || revision >= "2025-03-26", "PROG-3: {report}");
        assert!(params.get("_meta").is_none(), "PROG-5: {report}");
        official::check_notification(revision, "ProgressNotification", report);
    }

    /// The revision that a request with a readable id is served in.
    fn revision(&self, request: &Value) -> &str {
        let meta = &request["params"]["_meta"];
        let tagged = ["protocolVersion", "clientCapabilities"]
            .iter()
            .any(|key| meta.get(format!("io.modelcontextprotocol/{key}")).is_some());
        if tagged { MODERN } else { self.session.as_deref().unwrap_or("2025-11-25") }
    }

    fn check_one(&mut self, request: &Value, answer: &Value) {
        assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
        assert!(answer.get("result").is_some() != answer.get("error").is_some(), "MSG-3: {answer}");
        assert!(answer.get("method").is_none(), "{answer}");
        let method = request["method"].as_str();
        if let (Some("initialize"), Some(version)) = (method, answer["result"]["protocolVersion"].as_str()) {
            self.session = Some(version.to_owned());
        }
        // The id is judged before the era, so an answer without one is in that of the session.
        let readable = answer.get("id").is_some_and(|id| !id.is_null());
        let revision = self.revision(if readable { request } else { &Value::Null });
        official::check(revision, method, answer);
    }
}

/// Whether a notification belongs to a subscription, and may come at any time.
fn is_of_subscription(notification: &Value) -> bool {
    let methods =
        ["notifications/subscriptions/acknowledged", "notifications/resources/updated", "notifications/cancelled"];
    notification["method"].as_str().is_some_and(|method| methods.contains(&method))
}

/// Whether a line is the answer that ends a subscription.
fn is_end_of_subscription(line: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap();
    line["result"]["_meta"].get("io.modelcontextprotocol/subscriptionId").is_some()
}

/// The notification that a line is.
pub(crate) fn notification(line: &str) -> Option<Value> {
    let line: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    line["method"].as_str().is_some_and(|method| method.starts_with("notifications/")).then_some(line)
}

/// The metadata of a modern request.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    })
}
