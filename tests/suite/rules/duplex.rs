//! `Server::run_duplex` and `Server::run_async`: what comes while a tool runs, and questions in revisions with a handshake.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::convert::Infallible;

use serde_json::{Value, json};
use toolwire::frame::Frames;
use toolwire::schema::{Titled, Type};
use toolwire::tool::{Unanswered, Unbounded};
use toolwire::{Argument, Context, Server, ServerInfo, Toolset, toolset};
use toolwire_tests::wire::lines;

use super::fixture::{expand, glance};
use crate::harness::{ALL, LEGACY, MODERN, Peer, meta};
use crate::official;
use crate::turns::{self, Half};

const N: usize = 2048;
const INFO: ServerInfo = ServerInfo::new("axis", "1.0.0");

/// What a client does.
#[derive(Clone, Debug)]
enum Step {
    /// Sends bytes, once all before was read.
    Send(Vec<u8>),
    /// Lets the server ask in vain whether there is something to read, so many times; or for so many turns.
    Pause(u32),
    /// Answers the question that the server has asked last: with its id, if it is `ID`.
    Reply(String),
}

/// A line with a client that follows a script.
#[derive(Debug)]
struct Script {
    steps: VecDeque<Step>,
    out: Vec<u8>,
    /// The most bytes of one reading.
    most: usize,
}

impl Script {
    fn new(steps: impl IntoIterator<Item = Step>) -> Self {
        Self { steps: steps.into_iter().collect(), out: Vec::new(), most: usize::MAX }
    }

    fn lines(&self) -> Vec<String> {
        lines(&self.out)
    }

    /// The id of the last request that the server has written.
    fn last_id(&self) -> Option<Value> {
        let requests = self.lines().into_iter().map(|line| serde_json::from_str::<Value>(&line).unwrap());
        let mut questions = requests.filter(|line| line.get("method").is_some() && line.get("id").is_some());
        Some(questions.next_back()?["id"].clone())
    }
}

impl embedded_io::ErrorType for Script {
    type Error = Infallible;
}

impl embedded_io::Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        loop {
            match self.steps.pop_front() {
                None => return Ok(0),
                Some(Step::Pause(_)) => {}
                Some(Step::Reply(line)) => {
                    let id = self.last_id().expect("no question was asked").to_string();
                    self.steps.push_front(Step::Send(line.replace("ID", &id).into_bytes()));
                }
                Some(Step::Send(bytes)) => {
                    let count = bytes.len().min(buffer.len()).min(self.most);
                    buffer[..count].copy_from_slice(&bytes[..count]);
                    if count < bytes.len() {
                        self.steps.push_front(Step::Send(bytes[count..].to_vec()));
                    }
                    if count > 0 {
                        return Ok(count);
                    }
                }
            }
        }
    }
}

impl embedded_io::ReadReady for Script {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        match self.steps.front_mut() {
            Some(Step::Pause(0)) => {
                self.steps.pop_front();
                self.read_ready()
            }
            Some(Step::Pause(left)) => {
                *left -= 1;
                Ok(false)
            }
            Some(Step::Reply(_)) => Ok(self.last_id().is_some()),
            Some(Step::Send(_)) => Ok(true),
            None => Ok(true),
        }
    }
}

impl embedded_io::Write for Script {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

#[derive(Argument, Debug)]
struct Reference {
    /// In tenths of a degree.
    #[argument(min = -500, max = 1500)]
    tenths: i16,
    sure: Option<bool>,
}

#[derive(Argument, Clone, Copy, Debug)]
enum Gear {
    #[argument(title = "First gear")]
    First,
    Reverse,
}

#[derive(Argument, Debug)]
struct Choice {
    one: Gear,
    several: heapless::Vec<Gear, 2>,
    old: Option<Old>,
}

/// An enum as 2025-06-18 titles it.
#[derive(Debug)]
struct Old(usize);

impl<'a> Argument<'a> for Old {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Titled(&Titled::with_enum_names(&["a", "b"], &["A!", "B!"]));

    fn decode(value: toolwire::json::Value<'a>) -> Option<Self> {
        Self::SCHEMA.index_of(value).map(Self)
    }
}

/// An axis that moves in steps.
#[derive(Clone, Debug, Default, PartialEq)]
struct Axis {
    /// Steps done by calls that were not cancelled.
    moved: u32,
    /// Calls that were cancelled, and the step at which they were.
    cancelled: Vec<u32>,
    calibrated: Vec<i16>,
}

#[toolset]
impl Axis {
    /// Move by some steps.
    #[tool(name = "move")]
    fn drive(&mut self, context: &Context<'_>, steps: u32) -> String {
        for step in 1..=steps {
            context.progress(step, steps);
            if context.is_cancelled() {
                self.cancelled.push(step);
                context.progress(u32::MAX, None);
                assert!(context.is_cancelled(), "once and for all");
                return "nobody reads this".to_owned();
            }
        }
        self.moved += steps;
        format!("moved by {steps}")
    }

    /// Never asks whether it was cancelled.
    #[tool]
    fn deaf() -> &'static str {
        "done"
    }

    /// Ask for a reference temperature.
    #[tool]
    fn calibrate(&mut self, context: &Context<'_>, label: &str) -> Result<String, Unanswered> {
        let Reference { tenths, sure } = context.ask("reference", format_args!("What does \"{label}\" show?"))?;
        self.calibrated.push(tenths);
        Ok(format!("{label}: {tenths} {sure:?}"))
    }

    /// Ask twice.
    #[tool]
    fn interview(context: &Context<'_>) -> Result<&'static str, Unanswered> {
        context.ask::<Reference>("first", "First?")?;
        context.ask::<Reference>("second", "Second?")?;
        Ok("both")
    }

    /// Ask to choose.
    #[tool]
    fn choose(context: &Context<'_>) -> Result<String, Unanswered> {
        let Choice { one, several, old } = context.ask("choice", "Choose.")?;
        Ok(format!("{one:?} {several:?} {:?}", old.map(|Old(index)| index)))
    }

    /// Where it is.
    #[resource(uri = "axis://position", subscribe)]
    fn position(&self) -> u32 {
        self.moved
    }
}

/// The same, but it waits between its steps.
struct Waiting(Axis);

#[toolset]
impl Waiting {
    /// Move by some steps.
    #[tool(name = "move")]
    async fn drive(&mut self, context: &Context<'_>, steps: u32) -> String {
        for step in 1..=steps {
            context.progress(step, steps);
            turns::turn().await;
            if context.is_cancelled() {
                self.0.cancelled.push(step);
                context.progress(u32::MAX, None);
                assert!(context.is_cancelled(), "once and for all");
                return "nobody reads this".to_owned();
            }
        }
        self.0.moved += steps;
        format!("moved by {steps}")
    }

    /// Never asks whether it was cancelled.
    #[tool]
    fn deaf() -> &'static str {
        Axis::deaf()
    }

    /// Ask for a reference temperature.
    #[tool]
    async fn calibrate(&mut self, context: &Context<'_>, label: &str) -> Result<String, Unanswered> {
        turns::turn().await;
        self.0.calibrate(context, label)
    }

    /// Ask twice.
    #[tool]
    fn interview(context: &Context<'_>) -> Result<&'static str, Unanswered> {
        Axis::interview(context)
    }

    /// Ask to choose.
    #[tool]
    async fn choose(context: &Context<'_>) -> Result<String, Unanswered> {
        Axis::choose(context)
    }

    /// Where it is.
    #[resource(uri = "axis://position", subscribe)]
    async fn position(&self) -> u32 {
        turns::turn().await;
        self.0.position()
    }
}

fn send(line: &str) -> Step {
    Step::Send(format!("{line}\n").into_bytes())
}

/// Runs a script against a server behind a handshake, and returns what it wrote after that: the same in both loops.
fn run(revision: &str, capabilities: &Value, steps: impl IntoIterator<Item = Step>) -> (Vec<String>, Axis) {
    let (lines, axis, waiting) = run_both(revision, capabilities, steps);
    assert_eq!(axis, waiting, "{revision}");
    (lines, axis)
}

/// As [`run`], with the axes of both loops.
fn run_both(revision: &str, capabilities: &Value, steps: impl IntoIterator<Item = Step>) -> (Vec<String>, Axis, Axis) {
    let mut all = vec![];
    if revision != MODERN {
        let params = json!({"protocolVersion": revision, "capabilities": capabilities, "clientInfo": {"name": "c", "version": "1"}});
        all.push(send(&json!({"jsonrpc": "2.0", "id": "h", "method": "initialize", "params": params}).to_string()));
        all.push(send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#));
    }
    all.extend(steps);
    let script = RefCell::new(Script::new(all.clone()));
    let mut waiting = Server::<_, N, 1>::new(INFO, Waiting(Axis::default()));
    let (mut reader, mut writer) = (Half::new(&script), Half::new(&script));
    turns::run(waiting.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; 2048])).unwrap();

    let mut script_of_duplex = Script::new(all);
    let mut server = Server::<_, N, 1>::new(INFO, Axis::default());
    // So that each message is seen at once.
    server.run_duplex_with(&mut script_of_duplex, &mut Frames::new(), &mut [0; 512]).unwrap();
    let lines = script_of_duplex.lines();
    assert_eq!(script.borrow().lines(), lines, "{revision}");
    (lines[usize::from(revision != MODERN)..].to_vec(), server.toolset().clone(), waiting.toolset().0.clone())
}

fn call(revision: &str, id: &str, tool: &str, arguments: &str) -> Step {
    send(&expand(
        revision,
        &format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments},"_meta":TAG}}}}"#
        ),
    ))
}

fn cancel(id: &str) -> Step {
    send(&format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#))
}

fn list(revision: &str, id: &str) -> Step {
    send(&expand(revision, &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list","params":{{"_meta":TAG}}}}"#)))
}

/// CANCEL-1, CANCEL-2
#[test]
fn cancel_1_a_cancelled_call_stops_and_is_not_answered() {
    for revision in ALL {
        for id in ["7", "\"7\"", "12345678901234567890123"] {
            let steps = [
                call(revision, id, "move", r#"{"steps":100}"#),
                Step::Pause(4),
                cancel(id),
                Step::Pause(1000),
                list(revision, "8"),
            ];
            let (lines, axis) = run(revision, &json!({}), steps);
            assert_eq!(glance(&lines), "8 ok", "{revision} {id}");
            assert_eq!((axis.moved, &axis.cancelled[..]), (0, &[5][..]), "{revision} {id}");
        }
    }
}

/// CANCEL-2: reports of progress stop too.
#[test]
fn cancel_2_progress_ends_with_the_cancellation() {
    let mut meta = meta();
    meta["progressToken"] = json!("t");
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "move", "arguments": {"steps": 9}, "_meta": meta}});
    let (lines, _) =
        run(MODERN, &json!({}), [send(&request.to_string()), Step::Pause(2), cancel("1"), list(MODERN, "2")]);
    assert_eq!(glance(&lines), "~ 1 / ~ 2 / ~ 3 / 2 ok");
}

/// CANCEL-6
#[test]
fn cancel_6_ids_match_by_type_and_value() {
    for revision in ALL {
        for (id, other) in [("7", "\"7\""), ("\"7\"", "7"), ("7", "8"), ("1", "null"), ("\"a\"", "\"A\""), ("7", "7.0")]
        {
            let steps =
                [call(revision, id, "move", r#"{"steps":50}"#), Step::Pause(3), cancel(other), list(revision, "9")];
            let (lines, axis) = run(revision, &json!({}), steps);
            assert_eq!(glance(&lines), format!("{id} ok / 9 ok"), "{revision} {id} {other}");
            assert_eq!((axis.moved, axis.cancelled.len()), (50, 0));
        }
    }
}

/// CANCEL-3, CANCEL-4, CANCEL-8
#[test]
fn cancel_8_a_tool_that_does_not_ask_is_answered() {
    for revision in ALL {
        let steps = [call(revision, "1", "deaf", "{}"), cancel("1"), call(revision, "2", "deaf", "{}"), cancel("1")];
        assert_eq!(glance(&run(revision, &json!({}), steps).0), "1 ok / 2 ok", "{revision}");
    }
}

/// PING-1: the answer comes before that of the tool.
#[test]
fn ping_1_pings_and_discovery_are_answered_while_a_tool_runs() {
    let discover =
        send(&expand(MODERN, r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":META}}"#));
    let ping = send(r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#);
    for revision in LEGACY {
        let steps = [
            call(revision, "1", "move", r#"{"steps":50}"#),
            Step::Pause(3),
            ping.clone(),
            discover.clone(),
            ping.clone(),
        ];
        let (lines, _) = run(revision, &json!({}), steps);
        assert_eq!(glance(&lines), r#""p" ok / "d" ok / "p" ok / 1 ok"#, "{revision}");
        assert_eq!(lines[0], r#"{"jsonrpc":"2.0","id":"p","result":{}}"#);
        let server =
            Peer::with(Server::<_, N, 1>::new(INFO, Axis::default())).request_in(MODERN, "server/discover", &json!({}));
        let answer: Value = serde_json::from_str(&lines[1]).unwrap();
        assert_eq!(answer["result"], server["result"], "the same as at another time");
    }
    // ERA-11, ERA-5, META-2: what is refused waits.
    let tagged = send(&expand(MODERN, r#"{"jsonrpc":"2.0","id":"p","method":"ping","params":{"_meta":META}}"#));
    let untagged = send(r#"{"jsonrpc":"2.0","id":"d","method":"server/discover"}"#);
    for (line, answer) in [(tagged, r#""p" -32601"#), (untagged, r#""d" -32602"#), (send("{"), "- -32700")] {
        let (lines, _) = run(MODERN, &json!({}), [call(MODERN, "1", "move", r#"{"steps":50}"#), Step::Pause(3), line]);
        assert_eq!(glance(&lines), format!("1 ok / {answer}"));
    }
}

/// One message waits; what is behind it is left where it is.
#[test]
fn what_comes_meanwhile_is_served_in_order() {
    for revision in ALL {
        let steps = [
            call(revision, "1", "move", r#"{"steps":50}"#),
            Step::Pause(3),
            call(revision, "2", "move", r#"{"steps":50}"#),
            Step::Pause(10),
            cancel("2"),
            call(revision, "3", "deaf", "{}"),
            list(revision, "4"),
        ];
        // How far the second one comes differs: an asynchronous reader is a few bytes ahead.
        let (lines, axis, waiting) = run_both(revision, &json!({}), steps);
        assert_eq!(glance(&lines), "1 ok / 3 ok / 4 ok", "{revision}");
        for axis in [axis, waiting] {
            assert_eq!((axis.moved, axis.cancelled.len()), (50, 1));
        }
    }
}

/// The last line may lack its newline, also when it came while a tool ran; and the end of input is not a cancellation.
#[test]
fn the_end_of_input_ends_the_last_line() {
    for rest in ["", "\n"] {
        let last = format!("{}{rest}", r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#);
        let steps = [call(MODERN, "1", "move", r#"{"steps":50}"#), Step::Pause(3), Step::Send(last.into_bytes())];
        let (lines, axis) = run(MODERN, &json!({}), steps);
        assert_eq!(axis.moved, 50);
        assert_eq!(glance(&lines), if rest.is_empty() { "1 ok / 2 ok" } else { "2 ok / 1 ok" });
    }
}

const FORM: &str = r#""message":"What does \"T\" show?","requestedSchema":{"type":"object","properties":{"tenths":{"type":"integer","description":"In tenths of a degree.","minimum":-500,"maximum":1500},"sure":{"type":"boolean"}},"required":["tenths"]}"#;

fn ask(revision: &str) -> Step {
    call(revision, "1", "calibrate", r#"{"label":"T"}"#)
}

fn reply(result: &str) -> Step {
    Step::Reply(format!("{{\"jsonrpc\":\"2.0\",\"id\":ID,{result}}}\n"))
}

/// What the text of the only result is, and whether it is an error.
fn text(lines: &[String]) -> (String, bool) {
    let answer: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    assert_eq!(answer["id"], 1);
    (answer["result"]["content"][0]["text"].as_str().unwrap().to_owned(), answer["result"]["isError"] == true)
}

/// S2C-1, S2C-2, ELIC-2, ELIC-3: asked in the revisions that have it, of clients that have declared it.
#[test]
fn s2c_2_questions_are_requests_with_ids_of_their_own() {
    let accept = r#""result":{"action":"accept","content":{"tenths":215}}"#;
    for (revision, mode) in [("2025-06-18", ""), ("2025-11-25", r#""mode":"form","#)] {
        for capabilities in [
            json!({"elicitation": {}}),
            json!({"elicitation": {"form": {}}}),
            json!({"elicitation": {"form": {}, "url": {}}}),
        ] {
            let (lines, axis) = run(revision, &capabilities, [ask(revision), reply(accept)]);
            let [question, _] = &lines[..] else { panic!("{lines:?}") };
            let expected = format!(
                r#"{{"jsonrpc":"2.0","id":"toolwire-0","method":"elicitation/create","params":{{{mode}{FORM}}}}}"#
            );
            assert_eq!(*question, expected, "{revision}");
            official::check_request(revision, "ElicitRequest", &serde_json::from_str(question).unwrap());
            assert_eq!(text(&lines), ("T: 215 None".to_owned(), false));
            assert_eq!(axis.calibrated, [215], "it runs to the end once");
        }
        for capabilities in
            [json!({}), json!({"elicitation": {"url": {}}}), json!({"elicitation": null}), json!({"sampling": {}})]
        {
            let (lines, axis) = run(revision, &capabilities, [ask(revision)]);
            assert_eq!(text(&lines), (Unanswered::Unsupported.to_string(), true), "{revision} {capabilities}");
            assert_eq!(axis.calibrated, [0; 0]);
        }
    }
    for revision in ["2024-11-05", "2025-03-26"] {
        let (lines, _) = run(revision, &json!({"elicitation": {}}), [ask(revision)]);
        assert_eq!(text(&lines), (Unanswered::Unsupported.to_string(), true), "{revision}");
    }
}

/// S2C-6: in 2026-07-28 never, even on a line with a session.
#[test]
fn in_the_modern_revision_there_are_no_requests() {
    let (lines, _) = run("2025-11-25", &json!({"elicitation": {}}), [ask(MODERN)]);
    assert_eq!(glance(&lines), "1 -32021");
}

/// S2C-4, ELIC-4, MRTR-10
#[test]
fn s2c_4_every_answer_is_handled() {
    for (result, expected, failed) in [
        (r#""result":{"action":"accept","content":{"tenths":-5,"sure":true}}"#, "T: -5 Some(true)".to_owned(), false),
        (r#""result":{"action":"accept","content":{"tenths":21e1,"sure":null}}"#, "T: 210 None".to_owned(), false),
        (r#""result":{"action":"decline"}"#, Unanswered::Declined.to_string(), true),
        (r#""result":{"action":"cancel","content":{"tenths":1}}"#, Unanswered::Declined.to_string(), true),
        (r#""result":{"action":"accept","content":{"tenths":5000}}"#, Unanswered::Unfit.to_string(), true),
        (r#""result":{"action":"accept"}"#, Unanswered::Unfit.to_string(), true),
        (r#""result":{"action":"perhaps","content":{"tenths":1}}"#, Unanswered::Unfit.to_string(), true),
        (r#""result":{}"#, Unanswered::Unfit.to_string(), true),
        (r#""result":[]"#, Unanswered::Unsupported.to_string(), true),
        (r#""error":{"code":-1,"message":"no"}"#, Unanswered::Unsupported.to_string(), true),
        (r#""error":{"code":-32601,"message":"no"}"#, Unanswered::Unsupported.to_string(), true),
    ] {
        let (lines, axis) =
            run("2025-11-25", &json!({"elicitation": {}}), [ask("2025-11-25"), reply(result), list("2025-11-25", "2")]);
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(text(&lines[..2]), (expected, failed), "{result}");
        assert_eq!(axis.calibrated.len(), usize::from(!failed), "{result}");
    }
}

/// S2C-5: the line is read on while the question is open; another question then is a tool's error.
#[test]
fn s2c_5_the_line_is_read_while_a_question_is_open() {
    let revision = "2025-06-18";
    let steps = [
        ask(revision),
        list(revision, "2"),
        call(revision, "3", "move", r#"{"steps":3}"#),
        call(revision, "4", "calibrate", r#"{"label":"U"}"#),
        // Not the answer.
        send(r#"{"jsonrpc":"2.0","id":"toolwire-1","result":{"action":"accept","content":{"tenths":1}}}"#),
        send(r#"{"jsonrpc":"2.0","id":0,"result":{"action":"accept","content":{"tenths":1}}}"#),
        send(r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#),
        send("[broken"),
        reply(r#""result":{"action":"accept","content":{"tenths":7}}"#),
        // S2C-3: too late.
        reply(r#""result":{"action":"accept","content":{"tenths":8}}"#),
        call(revision, "5", "calibrate", r#"{"label":"V"}"#),
        Step::Pause(3),
        reply(r#""result":{"action":"accept","content":{"tenths":9}}"#),
    ];
    let (lines, axis) = run(revision, &json!({"elicitation": {}}), steps);
    let expected =
        r#""toolwire-0" ok / 2 ok / 3 ok / 4 isError / "x" ok / null -32700 / 1 ok / "toolwire-1" ok / 5 ok"#;
    assert_eq!(glance(&lines), expected);
    assert_eq!(axis.calibrated, [7, 9]);
}

/// CANCEL-1, CANCEL-5: the question ends with its call.
#[test]
fn cancel_5_the_question_ends_with_its_call() {
    let revision = "2025-11-25";
    let steps = [
        ask(revision),
        cancel("\"1\""),
        cancel("1"),
        reply(r#""result":{"action":"accept","content":{"tenths":7}}"#),
        call(revision, "2", "move", r#"{"steps":20}"#),
        Step::Pause(3),
        cancel("2"),
        list(revision, "3"),
    ];
    let (lines, axis) = run(revision, &json!({"elicitation": {}}), steps);
    assert_eq!(lines[1], r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"toolwire-0"}}"#);
    assert_eq!(glance(&lines), r#""toolwire-0" ok / x "toolwire-0" / 3 ok"#);
    assert_eq!(axis.calibrated, [0; 0]);
    assert_eq!(axis.cancelled, [4]);
}

/// 4.4: a handshake drops what is pending; one that fails does not.
#[test]
fn s2c_3_a_late_answer_is_dropped() {
    let revision = "2025-11-25";
    let hello = |capabilities: &str| {
        send(&format!(
            r#"{{"jsonrpc":"2.0","id":"h","method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{capabilities},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        ))
    };
    let accept = || reply(r#""result":{"action":"accept","content":{"tenths":7}}"#);
    let able = json!({"elicitation": {}});
    let (lines, axis) = run(revision, &able, [ask(revision), hello("{}"), accept(), ask(revision)]);
    assert_eq!(glance(&lines), r#""toolwire-0" ok / "h" ok / 1 isError"#);
    assert_eq!(axis.calibrated, [0; 0]);
    let (lines, axis) = run(revision, &able, [ask(revision), hello("5"), accept()]);
    assert_eq!(glance(&lines), r#""toolwire-0" ok / "h" -32602 / 1 ok"#);
    assert_eq!(axis.calibrated, [7]);
    // S2C-2: ids are not used again.
    let (lines, _) = run(revision, &able, [ask(revision), hello(r#"{"elicitation":{}}"#), ask(revision)]);
    assert_eq!(glance(&lines), r#""toolwire-0" ok / "h" ok / "toolwire-1" ok"#);
}

/// ELIC-3: titles, and several of them.
#[test]
fn elic_3_enums_may_have_titles() {
    let revision = "2025-11-25";
    let accept = r#""result":{"action":"accept","content":{"one":"reverse","several":["first","reverse"],"old":"b"}}"#;
    let steps = [call(revision, "1", "choose", "{}"), reply(accept)];
    let (lines, _) = run(revision, &json!({"elicitation": {}}), steps);
    let question: Value = serde_json::from_str(&lines[0]).unwrap();
    official::check_request(revision, "ElicitRequest", &question);
    let titled = json!([{"const": "first", "title": "First gear"}, {"const": "reverse", "title": "reverse"}]);
    let properties = json!({
        "one": {"type": "string", "oneOf": titled},
        "several": {"type": "array", "items": {"type": "string", "anyOf": titled}, "maxItems": 2},
        "old": {"type": "string", "enum": ["a", "b"], "enumNames": ["A!", "B!"]},
    });
    assert_eq!(question["params"]["requestedSchema"]["properties"], properties);
    assert_eq!(text(&lines), ("Reverse [First, Reverse] Some(1)".to_owned(), false));
    for wrong in ["third", "First gear"] {
        let steps = [call(revision, "1", "choose", "{}"), reply(&accept.replace("reverse", wrong))];
        let (lines, _) = run(revision, &json!({"elicitation": {}}), steps);
        assert_eq!(text(&lines), (Unanswered::Unfit.to_string(), true), "{wrong}");
    }
}

/// A second question would need the answer to the first to be kept.
#[test]
fn a_call_asks_one_question_in_revisions_with_a_handshake() {
    let revision = "2025-11-25";
    let steps =
        [call(revision, "1", "interview", "{}"), reply(r#""result":{"action":"accept","content":{"tenths":7}}"#)];
    let (lines, _) = run(revision, &json!({"elicitation": {}}), steps);
    assert_eq!(text(&lines), (Unanswered::Unsupported.to_string(), true));
}

/// SUB-2 in this loop too.
#[test]
fn subscriptions_work() {
    let line = expand(
        MODERN,
        r#"{"jsonrpc":"2.0","id":5,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["axis://position"]},"_meta":META}}"#,
    );
    let (lines, _) = run(MODERN, &json!({}), [send(&line)]);
    assert_eq!(glance(&lines), r#"@5 {"resourceSubscriptions":["axis://position"]}"#);
}

/// A tool that asks often hears of a cancellation that takes several readings.
#[test]
fn a_small_buffer_takes_several_readings() {
    let id = format!("\"{}\"", "x".repeat(300));
    let mut script = Script::new([call(MODERN, &id, "move", r#"{"steps":1000}"#), Step::Pause(3), cancel(&id)]);
    let mut server = Server::<_, N, 1>::new(INFO, Axis::default());
    server.run_duplex(&mut script, &mut Frames::new()).unwrap();
    assert_eq!(script.lines(), [""; 0]);
    // 382 bytes at 64 per reading, after three in vain.
    assert_eq!(server.toolset().cancelled, [9]);
}

/// What is answered is the same as without reading on, whatever the pieces in which it comes.
#[test]
fn the_answers_are_those_of_the_plain_loop() {
    fn answers<T: Toolset + Clone>(server: &Server<T, 4096>, bytes: &[u8], most: usize) -> (Vec<u8>, Vec<u8>) {
        let mut plain = Script::new([Step::Send(bytes.to_vec())]);
        server.clone().run(&mut plain).unwrap();
        let mut duplex = Script::new([Step::Send(bytes.to_vec())]);
        duplex.most = most;
        server.clone().run_duplex_with(&mut duplex, &mut Frames::new(), &mut vec![0; most.min(100)]).unwrap();
        (plain.out, duplex.out)
    }
    let server = Server::new(toolwire_demos::calc::INFO, toolwire_demos::calc::Calc::new());
    let mut sent = 0;
    for entry in crate::data::lines("invalid.jsonl") {
        let bytes = [&crate::data::raw(&entry)[..], b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"].concat();
        for most in [1, 7, 4096] {
            let (plain, duplex) = answers(&server, &bytes, most);
            assert_eq!(String::from_utf8(plain), String::from_utf8(duplex), "{entry}");
        }
        sent += 1;
    }
    assert!(sent > 100, "{sent}");
}
