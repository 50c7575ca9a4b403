//! `Server::run_async`: functions that wait, answers in a buffer, and executors that others wrote. What it has in common with
//! `Server::run_duplex` is in `duplex`.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::pipe::Pipe;
use embedded_io_adapters::tokio_1::FromTokio;
use embedded_io_async::{Read, Write};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use toolwire::frame::Frames;
use toolwire::tool::Unanswered;
use toolwire::{Argument, AsyncToolset, Context, Server, ServerInfo, Toolset, toolset};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};
use toolwire_tests::wire::lines;

use super::fixture::{expand, glance};
use crate::{data, turns};

const N: usize = 1024;
const INFO: ServerInfo = ServerInfo::new("crane", "1.0.0");

/// A crane, whose movements take turns.
#[derive(Default)]
struct Crane {
    height: u32,
    /// Movements that were stopped on the way.
    stopped: u32,
}

#[derive(Argument)]
struct Permit {
    by: heapless::String<16>,
}

#[toolset]
impl Crane {
    /// Lift, and report each step.
    #[tool]
    async fn lift(&mut self, context: &Context<'_>, steps: u32) -> u32 {
        for step in 1..=steps {
            turns::turn().await;
            self.height += 1;
            context.progress_with(step, steps, &format_args!("{step:060}"));
        }
        self.height
    }

    /// Lower, until somebody says stop.
    #[tool]
    async fn lower(&mut self, context: &Context<'_>, turns: u32) -> &'static str {
        match select(turns::turns(turns.into()), context.cancelled()).await {
            Either::First(()) => {
                self.height = 0;
                "down"
            }
            Either::Second(()) => {
                self.stopped += 1;
                "stopped"
            }
        }
    }

    /// Report without ever waiting.
    #[tool]
    fn rush(&mut self, context: &Context<'_>, steps: u32) -> &'static str {
        for step in 1..=steps {
            context.progress(step, steps);
        }
        "rushed"
    }

    /// Say something long.
    #[tool]
    async fn say(&mut self, length: u16) -> String {
        turns::turn().await;
        self.height += 1;
        "x".repeat(length.into())
    }

    /// Ask with a long question.
    #[tool]
    async fn ask(&mut self, context: &Context<'_>, length: u16) -> Result<String, Unanswered> {
        let length = length.into();
        let Permit { by } = context.ask("permit", format_args!("{:x<length$}", ""))?;
        Ok(by.to_string())
    }

    #[resource(uri = "crane://{length}")]
    async fn view(&self, length: u16) -> String {
        "x".repeat(length.into())
    }

    /// Describe it.
    #[prompt]
    async fn describe(&self, length: u16) -> String {
        "x".repeat(length.into())
    }
}

fn call(id: u32, tool: &str, arguments: &str) -> String {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments},\"_meta\":{{\"progressToken\":{id}}}}}}}\n"
    )
}

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\n";

/// A writer that takes some bytes each turn.
struct Slow {
    most: usize,
    out: Rc<RefCell<Vec<u8>>>,
}

impl Slow {
    fn new(most: usize) -> Self {
        Self { most, out: Rc::default() }
    }
}

impl embedded_io::ErrorType for Slow {
    type Error = Infallible;
}

impl Write for Slow {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        turns::turn().await;
        let count = bytes.len().min(self.most);
        self.out.borrow_mut().extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A reader that gives some bytes at a time.
struct Pieces<'a> {
    rest: &'a [u8],
    most: usize,
}

impl embedded_io::ErrorType for Pieces<'_> {
    type Error = Infallible;
}

impl Read for Pieces<'_> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let most = self.most.min(buffer.len());
        Read::read(&mut self.rest, &mut buffer[..most]).await
    }
}

/// What a server writes for an input, with `M` bytes for answers, to a writer that takes `most` bytes a turn.
fn output<T: AsyncToolset, const S: usize, const M: usize>(
    server: &mut Server<T, S>,
    input: &[u8],
    most: usize,
) -> Vec<u8> {
    let (mut reader, mut writer) = (Pieces { rest: input, most }, Slow::new(most));
    let out = writer.out.clone();
    turns::run(server.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; M])).unwrap();
    out.take()
}

fn crane<const M: usize>(input: &str) -> (Vec<String>, Crane) {
    let mut server = Server::<_, N>::new(INFO, Crane::default());
    let out = output::<_, N, M>(&mut server, input.as_bytes(), usize::MAX);
    (lines(&out), core::mem::take(server.toolset_mut()))
}

/// Whatever the buffer for answers and the pieces, the answers are those of the plain loop; but for those of tools that do not
/// fit.
#[test]
fn the_answers_are_those_of_the_plain_loop() {
    fn check<T: Toolset + Clone, const M: usize>(info: ServerInfo, toolset: &T, input: &[u8], refused: &mut u32) {
        let server = Server::<T, 4096>::new(info, toolset.clone());
        let mut plain = Vec::new();
        server.clone().receive(input, &mut plain).unwrap();
        for most in [1, 7, 4096] {
            let waiting = output::<_, 4096, M>(&mut server.clone(), input, most);
            let (plain, waiting) = (lines(&plain), lines(&waiting));
            assert_eq!(plain.len(), waiting.len());
            for (plain, waiting) in plain.iter().zip(&waiting) {
                if plain != waiting {
                    let [plain_id, waiting_id] = [plain, waiting].map(|line| line.split(",\"result\"").next().unwrap());
                    let expected = format!(
                        "{plain_id},\"error\":{{\"code\":-32603,\"message\":\"internal error: the answer is too long for this server\"}}}}"
                    );
                    assert!(plain.len() >= M, "{M}: {plain} {waiting}");
                    assert!(plain.contains("\"content\""), "a tool's: {plain}");
                    assert_eq!(waiting_id, expected);
                    *refused += 1;
                }
            }
        }
    }
    fn check_all<const M: usize>() -> u32 {
        let mut refused = 0;
        for (name, mut input) in inputs() {
            // The last line lacks its newline here, which the plain server waits for.
            input.push(b'\n');
            match name {
                "calc" => check::<_, M>(calc::INFO, &Calc::new(), &input, &mut refused),
                "reservo" => check::<_, M>(reservo::INFO, &Reservo::new(), &input, &mut refused),
                _ => check::<_, M>(tasks::INFO, &Tasks::new(), &input, &mut refused),
            }
        }
        refused
    }
    let refused = [check_all::<64>(), check_all::<100>(), check_all::<8192>()];
    assert!(refused.is_sorted_by(|more, less| more > less) && refused[2] == 0, "{refused:?}");
}

/// Lines for the demo toolsets.
fn inputs() -> Vec<(&'static str, Vec<u8>)> {
    let mut inputs = Vec::new();
    for name in ["calc", "reservo"] {
        let sent = data::lines(&format!("{name}.jsonl"));
        let all: Vec<_> = sent.iter().map(|vector| vector["send"].as_str().unwrap()).collect();
        inputs.push((name, all.join("\n").into_bytes()));
    }
    let mut invalid = Vec::new();
    for entry in data::lines("invalid.jsonl") {
        invalid.extend(data::raw(&entry));
        invalid.extend(b"\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    }
    inputs.push(("tasks", invalid));
    inputs
}

/// CALL-7: what the tool did is done, but its answer cannot be sent.
#[test]
fn an_answer_that_does_not_fit_is_refused_as_a_whole() {
    let text = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}],"isError":false}}"#;
    let fits = 128 - text.len() - 1;
    for (length, expected) in
        [(fits, "\"p\" ok / 1 ok"), (fits + 1, "\"p\" ok / 1 -32603"), (9000, "\"p\" ok / 1 -32603")]
    {
        let input = call(1, "say", &format!("{{\"length\":{length}}}")) + PING;
        let (lines, crane) = crane::<128>(&input);
        assert_eq!(glance(&lines), expected, "{length}");
        assert_eq!(crane.height, 1, "it ran once");
    }
    for request in [
        r#""method":"resources/read","params":{"uri":"crane://500"}"#,
        r#""method":"prompts/get","params":{"name":"describe","arguments":{"length":"500"}}"#,
    ] {
        let input = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,{request}}}\n{PING}");
        assert_eq!(glance(&crane::<128>(&input).0), "1 -32603 / \"p\" ok", "{request}");
        assert_eq!(glance(&crane::<1024>(&input).0), "1 ok / \"p\" ok", "{request}");
    }
}

/// A batch has one line for all answers, each of which must fit; and each is there (BATCH-3).
#[test]
fn batch_3_the_entries_of_a_batch_wait_for_each_other() {
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    let entries = [
        call(1, "say", r#"{"length":30}"#),
        call(2, "lift", r#"{"steps":3}"#),
        PING.to_owned(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n".to_owned(),
        call(4, "say", r#"{"length":500}"#),
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\"}\n".to_owned(),
    ];
    let batch = entries.each_ref().map(|entry| entry.trim_end()).join(",");
    let (lines, _) = crane::<160>(&format!("{hello}\n[{batch}]\n{PING}"));
    let answers: Vec<Value> = serde_json::from_str(&lines[1]).unwrap();
    let answers: Vec<_> = answers.iter().map(Value::to_string).collect();
    // LIFE-8 and PROG-5: no progress within a batch.
    assert_eq!(glance(&answers), r#"1 ok / 2 ok / "p" ok / 4 -32603 / 5 ok"#);
    assert_eq!(glance(&lines[2..]), "\"p\" ok");
}

/// ELIC-1: a question that does not fit is not asked, and the call fails.
#[test]
fn a_question_that_does_not_fit_is_refused() {
    let ask = |length: usize| {
        let request = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",\"arguments\":{{\"length\":{length}}}}}}}"
        );
        let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}"#;
        format!("{hello}\n{request}\n{PING}")
    };
    // The question stands open when the input ends.
    assert_eq!(glance(&crane::<512>(&ask(10)).0[1..]), r#""toolwire-0" ok / "p" ok"#);
    assert_eq!(glance(&crane::<512>(&ask(500)).0[1..]), r#"1 -32603 / "p" ok"#);
    let modern = |length: usize| {
        expand(
            "2026-07-28",
            &format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",\"arguments\":{{\"length\":{length}}},\"_meta\":META}}}}\n"
            ),
        )
        .replace(r#""io.modelcontextprotocol/clientCapabilities":{}"#, r#""io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}"#)
    };
    let (lines, _) = crane::<512>(&modern(10));
    assert!(lines[0].contains("\"input_required\""), "{lines:?}");
    assert_eq!(glance(&crane::<512>(&modern(500)).0), "1 -32603");
}

/// PROG-1: while the function waits, all that it reports is sent.
#[test]
fn prog_1_progress_is_sent_while_a_tool_waits() {
    let mut server = Server::<_, N>::new(INFO, Crane::default());
    let input = call(1, "lift", r#"{"steps":50}"#);
    let (mut reader, mut out) = (input.as_bytes(), Vec::new());
    turns::run(server.run_async(&mut reader, &mut out, &mut Frames::new(), &mut [0; 256])).unwrap();
    let expected = (1..=50).map(|step| format!("~ {step} / ")).collect::<String>() + "1 ok";
    assert_eq!(glance(&lines(&out)), expected);
    assert_eq!(server.toolset().height, 50);
}

/// A slow wire and a fast tool: reports are given up, never the answer, and progress rises (PROG-4).
#[test]
fn prog_4_reports_without_room_are_given_up() {
    for (tool, steps) in [("lift", 200), ("rush", 200)] {
        let mut server = Server::<_, N>::new(INFO, Crane::default());
        let input = call(1, tool, &format!("{{\"steps\":{steps}}}")) + PING;
        let mut reader = input.as_bytes();
        let mut writer = Slow::new(3);
        let out = writer.out.clone();
        turns::run(server.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; 256])).unwrap();
        let lines = lines(&out.borrow());
        let parsed: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let reports: Vec<_> = parsed.iter().filter_map(|line| line["params"]["progress"].as_u64()).collect();
        assert!(reports.is_sorted_by(|a, b| a < b), "{tool}: {reports:?}");
        for report in &parsed {
            if let Some(message) = report["params"]["message"].as_str() {
                assert_eq!(message.parse(), Ok(report["params"]["progress"].as_u64().unwrap()), "one line, not two");
            }
        }
        // The latest is what counts, if none is on its way.
        let sent = if tool == "rush" { 1..3 } else { 2..5 };
        assert!(tool == "lift" || reports.last() == Some(&steps), "{reports:?}");
        assert!(sent.contains(&reports.len()), "{tool}: {reports:?}");
        let others: Vec<_> = lines.iter().filter(|line| !line.contains("progressToken")).cloned().collect();
        // PING-1: the ping need not wait for the tool.
        assert_eq!(glance(&others), "\"p\" ok / 1 ok", "{tool}");
    }
}

/// CANCEL-1, CANCEL-2: what waits for the cancellation is told.
#[test]
fn cancel_1_a_waiting_tool_is_told() {
    let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    let input = call(1, "lower", r#"{"turns":100000}"#) + cancel + PING;
    let (lines, crane) = crane::<128>(&input);
    assert_eq!(glance(&lines), "\"p\" ok");
    assert_eq!(crane.stopped, 1);
    let input = call(1, "lower", r#"{"turns":10}"#) + &call(2, "lower", r#"{"turns":10}"#) + cancel;
    let (lines, crane) = self::crane::<128>(&input);
    assert_eq!((&*glance(&lines), crane.stopped), ("1 ok / 2 ok", 0), "the line is read on up to the second call only");
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Broken;

impl core::fmt::Display for Broken {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("broken")
    }
}

impl core::error::Error for Broken {}

impl embedded_io_async::Error for Broken {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::Other
    }
}

/// Gives some bytes, then breaks.
struct Reader<'a>(&'a [u8]);
/// Breaks after some bytes.
struct Writer<'a>(&'a mut Vec<u8>, usize);

impl embedded_io::ErrorType for Reader<'_> {
    type Error = Broken;
}

impl Read for Reader<'_> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Broken> {
        match Read::read(&mut self.0, buffer).await.unwrap() {
            0 => Err(Broken),
            count => Ok(count),
        }
    }
}

impl embedded_io::ErrorType for Writer<'_> {
    type Error = Broken;
}

impl Write for Writer<'_> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        let count = bytes.len().min(self.1);
        self.1 -= count;
        self.0.extend_from_slice(&bytes[..count]);
        if count == 0 { Err(Broken) } else { Ok(count) }
    }

    async fn flush(&mut self) -> Result<(), Broken> {
        Ok(())
    }
}

/// What becomes of a line that breaks: the reader after `input`, the writer after `room` bytes more.
fn run_broken(server: &mut Server<Crane, N>, input: &str, out: &mut Vec<u8>, room: usize) -> Result<(), Broken> {
    let (mut reader, mut writer) = (Reader(input.as_bytes()), Writer(out, room));
    turns::run(server.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; 256]))
}

/// FRAME-10: wherever an answer breaks off, the next one starts a line of its own.
#[test]
fn frame_10_after_an_error_a_line_begins_anew() {
    let ping = r#"{"jsonrpc":"2.0","id":"p","result":{}}"#;
    for room in 0..=2 * ping.len() + 1 {
        let (mut server, mut out) = (Server::<_, N>::new(INFO, Crane::default()), Vec::new());
        assert_eq!(run_broken(&mut server, &PING.repeat(2), &mut out, room), Err(Broken));
        assert_eq!(out.len(), room);
        // The reader breaks only after all was answered.
        assert_eq!(run_broken(&mut server, PING, &mut out, 1000), Err(Broken));
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text.lines().last(), Some(ping), "{room}: {text}");
        assert!(!text.contains("\n\n"), "{room}: {text}");
    }
}

/// The future may be dropped wherever it waits. What was read of a line is kept, a call ends where it is.
#[test]
fn a_dropped_loop_can_be_started_again() {
    let input = call(1, "lift", r#"{"steps":20}"#) + PING;
    for after in 0..200 {
        let mut server = Server::<_, N>::new(INFO, Crane::default());
        let (mut reader, mut writer) = (Pieces { rest: input.as_bytes(), most: 16 }, Slow::new(5));
        let out = writer.out.clone();
        let over = turns::run_for(after, server.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; 256]));
        let height = server.toolset().height;
        assert!(over.is_some() || height <= 20);
        let before = out.borrow().len();
        let again = output::<_, N, 256>(&mut server, format!("\n{PING}").as_bytes(), 64);
        let text = String::from_utf8([&out.borrow()[..], &again].concat()).unwrap();
        assert_eq!(text.lines().last(), Some(r#"{"jsonrpc":"2.0","id":"p","result":{}}"#), "{after}: {text}");
        assert_eq!(server.toolset().height, height, "no call is run twice");
        let torn = before > 0 && !text[..before].ends_with('\n');
        assert_eq!(again.starts_with(b"\n"), torn, "{after}: {text}");
    }
}

/// Under tokio, whose wakers are real: what is not woken never ends.
#[test]
fn tokio_runs_it() {
    #[derive(Default)]
    struct Timer {
        stopped: u32,
    }

    #[toolset]
    impl Timer {
        /// Sleep.
        #[tool]
        async fn sleep(&mut self, context: &Context<'_>, millis: u64) -> &'static str {
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(millis)) => "slept",
                () = context.cancelled() => {
                    self.stopped += 1;
                    "stopped"
                }
            }
        }
    }

    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let mut server = Server::<_, N>::new(INFO, Timer::default());
    runtime.block_on(async {
        let (here, there) = tokio::io::duplex(32);
        let serving = async {
            let (reader, writer) = tokio::io::split(there);
            let (mut reader, mut writer) = (FromTokio::new(reader), FromTokio::new(writer));
            server.run_async(&mut reader, &mut writer, &mut Frames::new(), &mut [0; 256]).await
        };
        let client = async {
            let (reader, mut writer) = tokio::io::split(here);
            let mut answers = BufReader::new(reader).lines();
            writer.write_all(call(1, "sleep", r#"{"millis":3600000}"#).as_bytes()).await.unwrap();
            writer.write_all(PING.as_bytes()).await.unwrap();
            let pong = answers.next_line().await.unwrap().unwrap();
            let cancel = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
            writer.write_all(cancel.as_bytes()).await.unwrap();
            writer.write_all(call(2, "sleep", r#"{"millis":20}"#).as_bytes()).await.unwrap();
            let slept = answers.next_line().await.unwrap().unwrap();
            writer.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n").await.unwrap();
            let list = answers.next_line().await.unwrap().unwrap();
            writer.shutdown().await.unwrap();
            assert_eq!(answers.next_line().await.unwrap(), None);
            assert_eq!(glance(&[pong, slept, list]), r#""p" ok / 2 ok / 3 ok"#);
        };
        let (served, ()) = tokio::join!(serving, client);
        served.unwrap();
    });
    assert_eq!(server.toolset().stopped, 1);
}

/// Under embassy's executor for the desktop, over its pipes.
#[test]
fn embassy_runs_it() {
    struct Signalled<'s> {
        pipe: &'s Pipe<NoopRawMutex, 8>,
    }

    #[toolset]
    impl Signalled<'_> {
        /// Wait for a byte from elsewhere.
        #[tool]
        async fn wait(&mut self) -> u8 {
            let mut byte = [0];
            self.pipe.read(&mut byte).await;
            byte[0]
        }
    }

    let pipe = Pipe::new();
    let (input, output) = (Pipe::<NoopRawMutex, 16>::new(), Pipe::<NoopRawMutex, 16>::new());
    let mut server = Server::<_, N>::new(INFO, Signalled { pipe: &pipe });
    let (mut reader, mut writer) = (&input, &output);
    let (mut second, mut answer) = (Frames::new(), [0; 256]);
    let serving = server.run_async(&mut reader, &mut writer, &mut second, &mut answer);
    let client = async {
        input.write_all(call(1, "wait", "{}").as_bytes()).await;
        input.write_all(PING.as_bytes()).await;
        let pong = line(&output).await;
        pipe.write_all(b"*").await;
        [pong, line(&output).await]
    };
    let Either::Second(answers) = embassy_futures::block_on(select(serving, client)) else { panic!("it has ended") };
    assert_eq!(glance(&answers), r#""p" ok / 1 ok"#);
    assert!(answers[1].contains(r#""text":"42""#), "{answers:?}");
}

async fn line(pipe: &Pipe<NoopRawMutex, 16>) -> String {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while byte != *b"\n" {
        pipe.read(&mut byte).await;
        line.extend(byte);
    }
    line.pop();
    String::from_utf8(line).unwrap()
}
