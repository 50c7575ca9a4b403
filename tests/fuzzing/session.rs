//! Any bytes into a server, what it writes against the oracle.

use std::collections::VecDeque;

use serde_json::{Value, json};

use crate::messages::{check_acknowledged, check_change, check_log, check_progress, check_question};
use crate::oracle::{Answer, Asked, Expected, Id, Oracle, Outcome, Request, Waiting};
use crate::results;
use crate::wire::{Demo, Way, lines};

/// The first byte is the first letter of a demo toolset (for `conformance` its f), a capital for a small server; the others
/// come in over the line.
pub fn session(data: &[u8]) {
    if let Some((letter, bytes)) = data.split_first() {
        check(Demo::new(*letter), bytes, &crate::pieces(data));
    }
}

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}";

/// Checks that each line gets the answers that it should get, in any split and from any loop, and that a ping afterwards is
/// answered.
pub(crate) fn check(demo: Demo, bytes: &[u8], pieces: &[usize]) {
    let input = [bytes, b"\n", PING, b"\n"].concat();
    let output = demo.output(&input, &[usize::MAX]);
    same(&demo.output(&input, pieces), &output, "in pieces");
    check_turns(&input, &output, Oracle::new(demo, false));

    let output = demo.server().run(&input, Way::Duplex);
    check_turns(&input, &output, Oracle::new(demo, true));
    same(&demo.server().run(&input, Way::Async), &output, "asynchronous");
    let has_asked = lines(&output).iter().any(|line| line.contains("\"method\":\"elicitation/create\""));
    if !has_asked {
        check_cramped(&lines(&demo.server().run(&input, Way::Cramped)), &lines(&output));
    }
    check_ahead(&input, &lines(&demo.server().run(&input, Way::Ahead)), &lines(&output));
}

fn same(found: &[u8], expected: &[u8], how: &str) {
    assert!(found == expected, "{how}: {}\n{}", found.escape_ascii(), expected.escape_ascii());
}

/// Checks what is written for each line against an oracle.
fn check_turns(input: &[u8], output: &[u8], mut oracle: Oracle) {
    let mut written = lines(output).iter().map(|line| parse(line)).collect();
    for line in input.split(|byte| *byte == b'\n') {
        Turn { line, oracle: &mut oracle, written: &mut written }.check();
    }
    assert_eq!(written.front(), None, "a line that nobody asked for");
    assert!(output.ends_with(b"{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"result\":{}}\n"), "the ping is not answered");
}

/// Checks that a server without room for what functions return gives the same answers, or says so.
fn check_cramped(found: &[String], expected: &[String]) {
    let (found, expected) = (answers(found), answers(expected));
    assert_eq!(found.len(), expected.len(), "{found:?}\n{expected:?}");
    for (found, expected) in found.iter().zip(&expected) {
        let is_refused = found["error"]["code"] == -32603 && found.get("id") == expected.get("id");
        assert!(found == expected || is_refused, "{found}\n{expected}");
    }
}

/// Checks that who reads on while a tool runs gives the same answers, if in another order, as long as nothing is cancelled and
/// no question is answered: there it matters what comes first.
fn check_ahead(input: &[u8], found: &[String], expected: &[String]) {
    let is_order_free = input.split(|byte| *byte == b'\n').all(|line| {
        let message: Value = serde_json::from_slice(line).unwrap_or_default();
        let is_response = message.get("method").is_none() && message.get("id").is_some();
        !is_response && message["method"] != "notifications/cancelled"
    });
    let (mut found, mut expected) = (answers(found), answers(expected));
    if is_order_free {
        found.sort_by_key(Value::to_string);
        expected.sort_by_key(Value::to_string);
        assert_eq!(found, expected);
    }
}

/// The answers in the order in which they were written.
fn answers(lines: &[String]) -> Vec<Value> {
    let entries = lines.iter().map(|line| parse(line)).flat_map(|value| match value {
        Value::Array(entries) => entries,
        message => vec![message],
    });
    entries.filter(|message| message.get("method").is_none()).collect()
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// A line, and what is written for it.
struct Turn<'a> {
    line: &'a [u8],
    oracle: &'a mut Oracle,
    /// What was written for this line and for those behind it.
    written: &'a mut VecDeque<Value>,
}

impl Turn<'_> {
    fn check(mut self) {
        match self.oracle.line(self.line) {
            Expected::Nothing => {}
            Expected::One(Answer { id: Id::Is(id), outcome: Outcome::Acknowledged(filter) }) => {
                self.acknowledge(&id, &filter);
            }
            Expected::One(answer) => self.answer(&answer),
            Expected::Batch(expected) => self.batch(&expected),
            Expected::Resumed(answer, response) => self.resume(answer, &response),
            Expected::Withdrawn(id) => {
                let params = json!({"requestId": id});
                let expected = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params});
                assert_eq!(self.next(&expected), expected, "CANCEL-5");
            }
        }
        self.changes();
    }

    fn next(&mut self, expected: &dyn core::fmt::Debug) -> Value {
        let shown = self.line.escape_ascii();
        self.written.pop_front().unwrap_or_else(|| panic!("no answer to {shown}, expected {expected:?}"))
    }

    /// Takes an answer and what stands before it. A question to the client takes its place.
    fn answer(&mut self, expected: &Answer) {
        let mut reports = Vec::new();
        loop {
            let found = self.next(expected);
            let shown = || format!("{found}\nfor {}\nexpected {expected:?}", self.line.escape_ascii());
            let request = expected.outcome.request();
            match found["method"].as_str() {
                None => {
                    check_answer(&found, expected, self.oracle, &shown);
                    return check_progress(&reports, &found, self.oracle, request, &shown);
                }
                Some("notifications/progress") => reports.push(found),
                Some("notifications/message") => check_log(&found, self.oracle, request, &shown),
                Some("elicitation/create") => {
                    let asks = request.filter(|request| matches!(self.oracle.asked(request), Asked::Open(_)));
                    let Some(request) = asks else { panic!("nobody asks here: {}", shown()) };
                    // S2C-1, S2C-6
                    assert!(!request.is_modern() && self.oracle.can_be_asked(request), "{}", shown());
                    assert!(found["id"].is_string() || found["id"].is_number(), "S2C-2: {}", shown());
                    check_question(&found["method"], &found["params"], request.revision, &shown);
                    return self.oracle.waits(Waiting { id: found["id"].clone(), answer: expected.clone() });
                }
                Some(_) => check_change(&found, self.oracle, &shown),
            }
        }
    }

    /// Takes the answer to a call that has waited for the user.
    fn resume(&mut self, mut expected: Answer, response: &Value) {
        if let Outcome::Result(request) = &mut expected.outcome
            && let Asked::Open(question) = self.oracle.asked(request)
        {
            request.answered(question.key, &response["result"]);
        }
        self.answer(&expected);
    }

    /// Takes the entries of an array. Nothing stands before or between them (BATCH-7).
    fn batch(&mut self, expected: &[Answer]) {
        let array = self.next(&expected);
        let entries = array.as_array().unwrap_or_else(|| panic!("no array: {array}"));
        let shown = || format!("{array}\nfor {}\nexpected {expected:?}", self.line.escape_ascii());
        assert_eq!(entries.len(), expected.len(), "{}", shown());
        for (found, expected) in entries.iter().zip(expected) {
            check_answer(found, expected, self.oracle, &shown);
        }
    }

    /// Takes an acknowledgement, and before it the end of a stream that had to make room (LISTEN-6, LISTEN-14).
    fn acknowledge(&mut self, id: &Value, filter: &Value) {
        let mut ended = Vec::new();
        loop {
            let found = self.next(filter);
            let shown = || format!("{found}\nfor {}", self.line.escape_ascii());
            match found["method"].as_str() {
                Some("notifications/subscriptions/acknowledged") => {
                    let honoured = check_acknowledged(&found, id, filter, &shown);
                    return self.oracle.opened(id, &honoured);
                }
                Some("notifications/cancelled") => {
                    assert!(ended.contains(&found["params"]["requestId"]), "LISTEN-6: {}", shown());
                }
                Some(_) => check_change(&found, self.oracle, &shown),
                None => {
                    let stream = &found["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
                    assert!(*stream == found["id"] && self.oracle.closed(stream), "LISTEN-2: {}", shown());
                    ended.push(stream.clone());
                }
            }
        }
    }

    /// Takes what is told of a change behind an answer.
    fn changes(&mut self) {
        while self.written.front().is_some_and(|found| {
            let method = found["method"].as_str().unwrap_or_default();
            method.ends_with("/list_changed") || method == "notifications/resources/updated"
        }) {
            let found = self.next(&"a change");
            check_change(&found, self.oracle, &|| format!("{found}\nfor {}", self.line.escape_ascii()));
        }
    }
}

impl Outcome {
    /// The request that is served.
    fn request(&self) -> Option<&Request> {
        match self {
            Self::Result(request) | Self::ResultOr(_, request) => Some(request),
            _ => None,
        }
    }
}

/// Checks an answer: MSG-1 to MSG-3, MSG-5, and what was expected.
fn check_answer(found: &Value, expected: &Answer, oracle: &Oracle, shown: &dyn Fn() -> String) {
    let members: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
    let names = ["jsonrpc", "id", "result", "error"];
    assert!(members.iter().all(|name| names.contains(name)), "members: {}", shown());
    assert_eq!(found["jsonrpc"], "2.0", "{}", shown());
    assert!(found.get("result").is_some() != found.get("error").is_some(), "MSG-3: {}", shown());

    let unreadable = if oracle.null_id() { Some(&Value::Null) } else { None };
    let id = found.get("id");
    match &expected.id {
        Id::Is(expected) => assert_eq!(id, Some(expected), "{}", shown()),
        Id::Unreadable => assert_eq!(id, unreadable, "ID-6: {}", shown()),
        Id::IsOrUnreadable(expected) => assert!(id == Some(expected) || id == unreadable, "{}", shown()),
        Id::Any => {}
    }
    match (&expected.outcome, found.get("result")) {
        (Outcome::Error(codes), _) => check_error(found, codes, shown),
        (Outcome::ResultOr(codes, _), None) => check_error(found, codes, shown),
        (Outcome::Unsupported(requested), _) => {
            check_error(found, &[-32022], shown);
            let data = serde_json::json!({"supported": ["2026-07-28"], "requested": requested});
            assert_eq!(found["error"]["data"], data, "META-3: {}", shown());
        }
        (Outcome::Missing { uri, tagged }, _) => {
            check_error(found, if *tagged { &[-32602] } else { &[-32002] }, shown);
            assert_eq!(found["error"]["data"], serde_json::json!({"uri": uri}), "RES-3: {}", shown());
        }
        (Outcome::Result(request) | Outcome::ResultOr(_, request), Some(result)) => {
            results::check(result, request, oracle, shown);
        }
        (Outcome::Result(request), None) => {
            check_error(found, &[-32021, -32603], shown);
            results::check_unanswered(found, request, oracle, shown);
        }
        (Outcome::Acknowledged(_), _) => panic!("LISTEN-4: {}", shown()),
    }
}

fn check_error(found: &Value, codes: &[i64], shown: &dyn Fn() -> String) {
    let code = found["error"]["code"].as_i64();
    assert!(code.is_some_and(|code| codes.contains(&code)), "code: {}", shown());
    assert!(found["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "MSG-5: {}", shown());
}
