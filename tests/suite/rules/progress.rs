//! Section 7.12: progress. The harness checks each report: its token, that it grows, that it comes before the answer.

use core::fmt::{self, Display};
use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};
use toolwire::{Context, Server, ServerInfo, toolset};

use super::fixture::{client, expand, sees};
use crate::harness::{ALL, CAPACITY, MODERN, Peer, meta, notification};

const INFO: ServerInfo = ServerInfo::new("worker", "1.0.0");

/// What happened, in order: what was written, when it was flushed, when a tool worked.
type Record = Rc<RefCell<String>>;

/// Tools that report.
#[derive(Clone, Debug, Default)]
struct Worker {
    record: Record,
}

#[toolset]
impl Worker {
    /// Report these steps.
    #[tool]
    fn steps(&self, context: &Context<'_>, steps: heapless::Vec<u32, 8>, total: Option<u32>) -> &'static str {
        for step in steps {
            context.progress(step, total);
            *self.record.borrow_mut() += "<work>";
        }
        "done"
    }

    /// Report in words.
    #[tool]
    fn words(context: &Context<'_>, words: &str) {
        context.progress_with(1, None, &words);
        context.progress_with(1, None, &"not more than before");
        context.progress_with(2, 2, &Halting);
    }

    /// Report while the answer is written.
    #[tool]
    fn late(context: &Context<'_>) -> impl Display {
        context.progress(1, 2);
        fmt::from_fn(move |f| {
            context.progress(2, 2);
            f.write_str("done")
        })
    }

    /// Report behind the answer.
    #[tool]
    fn behind(context: &Context<'_>) -> &'static str {
        let _ = context.text(&"the answer");
        context.progress(1, 1);
        "another answer"
    }

    /// Report, and fail.
    #[tool]
    fn fail(context: &Context<'_>) -> Result<(), &'static str> {
        context.progress(1, 2);
        Err("stuck")
    }
}

/// Fails to display itself, half way.
struct Halting;

impl Display for Halting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("half \"")?;
        Err(fmt::Error)
    }
}

fn worker() -> Server<Worker, CAPACITY> {
    Server::new(INFO, Worker::default())
}

/// Calls a tool with a token, and returns the parameters of the reports and the answer.
fn call(peer: &mut Peer, revision: &str, tool: &str, arguments: &Value, token: &str) -> (Vec<Value>, Value) {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"TOOL","arguments":ARGUMENTS,"_meta":{MODERN"progressToken":TOKEN}}}"#
        .replace("TOOL", tool)
        .replace("ARGUMENTS", &arguments.to_string())
        .replace("MODERN", if revision == MODERN { r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"# } else { "" })
        .replace("TOKEN", token);
    let lines = peer.send(expand("none", &line).as_bytes());
    let mut reports: Vec<Value> = lines.iter().filter_map(|line| notification(line)).collect();
    assert_eq!(reports.len() + 1, lines.len(), "{revision}: not one answer: {lines:?}");
    let answer = serde_json::from_str(&lines[reports.len()]).unwrap();
    (reports.iter_mut().map(|report| report["params"].take()).collect(), answer)
}

/// The progress that the steps given make.
fn steps(revision: &str, steps: &[u32], token: &str) -> Vec<u64> {
    let arguments = json!({"steps": steps});
    let (reports, answer) = call(&mut client(worker(), revision), revision, "steps", &arguments, token);
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{revision}: {token}: {answer}");
    reports.iter().map(|report| report["progress"].as_u64().unwrap()).collect()
}

#[test]
fn prog_1_only_who_asks_is_told_and_only_before_the_answer() {
    for revision in ALL {
        let blink = json!({"times": 3});
        let mut board = Peer::in_revision("board", revision);
        let (reports, _) = call(&mut board, revision, "blink", &blink, "\"t\"");
        let expected: Vec<_> =
            (1..=3).map(|done| json!({"progressToken": "t", "progress": done, "total": 3})).collect();
        assert_eq!(reports, expected, "{revision}");
        // Nobody asked, though somebody did before.
        let mut params = json!({"name": "blink", "arguments": blink});
        assert!(board.request_in(revision, "tools/call", &params)["result"].is_object(), "{revision}");
        params["progressToken"] = json!("t");
        assert!(board.request_in(revision, "tools/call", &params)["result"].is_object(), "{revision}");
        // What is not run makes no progress.
        for (name, arguments) in [("blink", json!({"times": 0})), ("nope", json!({})), ("temp_read", json!({}))] {
            assert_eq!(call(&mut board, revision, name, &arguments, "1").0, [Value::Null; 0], "{revision}: {name}");
        }
        let notification = r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"blink","arguments":{"times":3},"_meta":{"progressToken":1}}}"#;
        assert_eq!(sees(&mut board, revision, notification), "", "{revision}");
        // The request ends where its answer begins.
        let mut peer = client(worker(), revision);
        let (reports, answer) = call(&mut peer, revision, "late", &json!({}), "1");
        assert_eq!(reports.len(), 1, "{revision}: {reports:?}");
        assert_eq!(answer["result"]["content"][0]["text"], "done", "{revision}");
        let (reports, answer) = call(&mut peer, revision, "behind", &json!({}), "1");
        assert_eq!(reports, [Value::Null; 0], "{revision}");
        assert_eq!(answer["result"]["content"][0]["text"], "the answer", "{revision}");
        let (reports, answer) = call(&mut peer, revision, "fail", &json!({}), "1");
        assert_eq!(reports, [json!({"progressToken": 1, "progress": 1, "total": 2})], "{revision}");
        assert_eq!(answer["result"]["isError"], true, "{revision}");
    }
}

#[test]
fn prog_2_progress_grows_and_the_total_may_be_left_out() {
    for revision in ALL {
        for (given, sent) in [
            (&[1, 2, 3][..], &[1, 2, 3][..]),
            (&[0, 1], &[0, 1]),
            (&[0, 0, 0], &[0]),
            (&[5, 5, 4, 6, 0, 7, 7, 1], &[5, 6, 7]),
            (&[u32::MAX, 0, u32::MAX], &[u64::from(u32::MAX)]),
            (&[], &[]),
        ] {
            assert_eq!(steps(revision, given, "1"), sent, "{revision}: {given:?}");
        }
        // Each request begins anew.
        let mut peer = client(worker(), revision);
        for total in [Value::Null, json!(9), json!(0), json!(u32::MAX)] {
            let arguments = json!({"steps": [3], "total": total});
            let (reports, _) = call(&mut peer, revision, "steps", &arguments, "\"t\"");
            let mut expected = json!({"progressToken": "t", "progress": 3});
            if !total.is_null() {
                expected["total"] = total;
            }
            assert_eq!(reports, [expected], "{revision}");
        }
    }
}

#[test]
fn prog_3_words_go_to_revisions_that_have_them() {
    for revision in ALL {
        let (reports, _) =
            call(&mut client(worker(), revision), revision, "words", &json!({"words": "half\n\"done\" é"}), "1");
        let mut expected = [
            json!({"progressToken": 1, "progress": 1, "message": "half\n\"done\" é"}),
            // What was displayed before it failed.
            json!({"progressToken": 1, "progress": 2, "total": 2, "message": "half \""}),
        ];
        if revision == "2024-11-05" {
            for report in &mut expected {
                report.as_object_mut().unwrap().remove("message");
            }
        }
        assert_eq!(reports, expected, "{revision}");
    }
    // Within an old session, a tagged request has what its own revision has.
    let (reports, _) = call(&mut client(worker(), "2024-11-05"), MODERN, "words", &json!({"words": "x"}), "1");
    assert_eq!(reports[0]["message"], "x");
}

#[test]
fn prog_5_reports_come_before_the_answer_and_belong_to_no_subscription() {
    for revision in ALL {
        let mut params = json!({"name": "steps", "arguments": {"steps": [1, 2]}, "_meta": {}});
        if revision == MODERN {
            params["_meta"] = meta();
        }
        params["_meta"]["progressToken"] = json!(60);
        let request = json!({"jsonrpc": "2.0", "id": "r", "method": "tools/call", "params": params});
        let lines = client(worker(), revision).send(request.to_string().as_bytes());
        assert_eq!(
            lines[..2],
            [1, 2].map(|done| format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":60,"progress":{done}}}}}"#
            )),
            "{revision}"
        );
        assert!(lines[2].starts_with(r#"{"jsonrpc":"2.0","id":"r","result":"#), "{revision}: {lines:?}");
    }
}

#[test]
fn id_7_tokens_are_echoed_as_they_are() {
    for revision in ALL {
        for token in
            ["0", "-7", "-0", "12345678901234567890123", "\"\"", "\"1\"", "\"a b\"", "\"é\"", "\"\\\"\\\\\\n\""]
        {
            let mut peer = client(worker(), revision);
            let (reports, _) = call(&mut peer, revision, "steps", &json!({"steps": [1]}), token);
            assert_eq!(reports[0]["progressToken"].to_string(), token, "{revision}");
        }
    }
}

#[test]
fn meta_6_a_malformed_token_is_ignored() {
    for revision in ALL {
        for token in ["null", "true", "1.0", "1.5", "1e3", "[]", "[1]", "{}", r#"{"a":"t"}"#] {
            assert_eq!(steps(revision, &[1, 2], token), [0; 0], "{revision}: {token}");
        }
    }
}

#[test]
fn batch_7_no_progress_falls_into_an_array() {
    let entry = |id: u8| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
            {"name": "steps", "arguments": {"steps": [1, 2]}, "_meta": {"progressToken": id}}})
    };
    let mut peer = client(worker(), "2025-03-26");
    let batch = format!("[{},{}]", entry(1), entry(2));
    assert_eq!(sees(&mut peer, "2025-03-26", &batch), "[1 ok, 2 ok]");
    assert_eq!(sees(&mut peer, "2025-03-26", &format!("[{}]", entry(3))), "[3 ok]");
    // Alone it reports.
    assert_eq!(sees(&mut peer, "2025-03-26", &entry(4).to_string()), "~ 1 / ~ 2 / 4 ok");
}

/// A wire that records what it is told to do. It may fail when it is flushed.
struct Wire {
    record: Record,
    sound: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Broken;

impl Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("broken")
    }
}

impl core::error::Error for Broken {}

impl embedded_io::Error for Broken {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::Other
    }
}

impl embedded_io::ErrorType for Wire {
    type Error = Broken;
}

impl embedded_io::Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        // Few at a time, as small FIFOs take them.
        let some = &bytes[..bytes.len().min(3)];
        self.record.borrow_mut().extend(some.iter().map(|byte| char::from(*byte)));
        Ok(some.len())
    }

    fn flush(&mut self) -> Result<(), Broken> {
        *self.record.borrow_mut() += "<flush>";
        if self.sound { Ok(()) } else { Err(Broken) }
    }
}

const STEPS: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"steps","arguments":{"steps":[1,1,2]},"_meta":{"progressToken":"t"}}}
"#;

fn report(done: u8) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{{\"progressToken\":\"t\",\"progress\":{done}}}}}\n"
    )
}

const ANSWER: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"isError\":false}}\n";

#[test]
fn prog_1_a_report_is_flushed_before_the_tool_goes_on() {
    let record = Record::default();
    let mut server = Server::<_, CAPACITY>::new(INFO, Worker { record: record.clone() });
    let mut wire = Wire { record: record.clone(), sound: true };
    server.receive(STEPS.as_bytes(), &mut wire).unwrap();
    // What is not sent is not flushed either, and answers are flushed by who reads the input.
    assert_eq!(*record.borrow(), format!("{}<flush><work><work>{}<flush><work>{ANSWER}", report(1), report(2)));
    // Without a token nothing is.
    record.borrow_mut().clear();
    server.receive(STEPS.replace("progressToken", "token").as_bytes(), &mut wire).unwrap();
    assert_eq!(*record.borrow(), format!("<work><work><work>{ANSWER}"));
}

/// The error comes out where the bytes came in. The tool ends its work, and the next line finds a server as before.
#[test]
fn prog_1_a_wire_that_fails_at_a_report_is_told_of() {
    let record = Record::default();
    let mut server = Server::<_, CAPACITY>::new(INFO, Worker { record: record.clone() });
    let mut wire = Wire { record: record.clone(), sound: false };
    assert_eq!(server.receive(STEPS.as_bytes(), &mut wire), Err(Broken));
    assert_eq!(*record.borrow(), format!("{}<flush><work><work><work>", report(1)));
    record.borrow_mut().clear();
    wire.sound = true;
    server.receive(STEPS.as_bytes(), &mut wire).unwrap();
    assert!(record.borrow().ends_with(ANSWER));
}
