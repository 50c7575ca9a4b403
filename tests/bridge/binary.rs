//! The binary between a client and a device on a pseudo terminal or a TCP port. The devices are real servers, made
//! worse by what lines, boot loaders and people do to them.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Write};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientLifecycleMode, ClientServiceExt as _};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{ControlModes, OptionalActions, tcgetattr, tcsetattr};
use serde_json::{Value, json};
use toolwire::Server;
use toolwire_demos::calc::{self, Calc};

use crate::hostile_lines;

const TOOLWIRE: &str = env!("CARGO_BIN_EXE_toolwire");

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A path for a new file.
fn scratch() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("port-{}-{count}", std::process::id()))
}

/// Both ends of a pseudo terminal, and the path of the second one.
fn terminal() -> io::Result<(File, File, String)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?.into_string().map_err(io::Error::other)?;
    let slave = OpenOptions::new().read(true).write(true).open(&name)?;
    let mut attributes = tcgetattr(&slave)?;
    attributes.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &attributes)?;
    Ok((File::from(master), slave, name))
}

/// A device on a pseudo terminal. Dropping it is to pull the plug.
struct Device {
    path: PathBuf,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Device {
    /// Connects a device that does this with what it receives.
    fn connect(path: &Path, mut work: impl FnMut(&[u8], &mut dyn Write) -> io::Result<()> + Send + 'static) -> Self {
        let (mut master, slave, name) = terminal().expect("a pseudo terminal");
        symlink(name, path).expect("a name for the port");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            // As long as somebody has it, the device may be opened and closed.
            let _slave = slave;
            let mut buffer = [0; 512];
            let period = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
            while !stopped.load(Ordering::Relaxed) {
                if poll(&mut [PollFd::new(&master, PollFlags::IN)], Some(&period)).expect("it can be waited for") > 0 {
                    let count = master.read(&mut buffer).expect("the slave is open");
                    work(&buffer[..count], &mut master).expect("somebody reads");
                }
            }
        });
        Self { path: path.to_owned(), stop, thread: Some(thread) }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        fs::remove_file(&self.path).expect("it had a name");
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the device failed");
    }
}

/// A real server.
fn server() -> impl FnMut(&[u8], &mut dyn Write) -> io::Result<()> + Send {
    server_of::<4096>()
}

/// The same, whose messages may have that many bytes.
fn server_of<const N: usize>() -> impl FnMut(&[u8], &mut dyn Write) -> io::Result<()> + Send {
    // Unoptimised, a large one is built on the stack.
    let server = || Box::new(Server::<_, N>::new(calc::INFO, Calc::new()));
    let thread = thread::Builder::new().stack_size(1 << 24).spawn(server).expect("a thread");
    let mut server = thread.join().expect("a server");
    move |bytes, out| {
        let mut answers = Vec::new();
        let Ok(()) = server.receive(bytes, &mut answers);
        out.write_all(&answers)
    }
}

/// Random numbers, the same each time.
struct Random(u32);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % limit
    }
}

/// A running bridge and its client.
struct Bridge {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Receiver<String>,
}

impl Bridge {
    fn start(port: &str, options: &[&str]) -> Self {
        let mut child = bridge(port, options).spawn().expect("it starts");
        let lines = read_lines(child.stdout.take().expect("its output"));
        let errors = read_lines(child.stderr.take().expect("its errors"));
        Self { input: child.stdin.take(), child, lines, errors }
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("its input is open");
        input.write_all(&[line, b"\n"].concat()).expect("it reads");
    }

    #[track_caller]
    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        serde_json::from_str(&line).expect("an answer is JSON")
    }

    /// Waits until standard error says this.
    #[track_caller]
    fn wait_for(&self, text: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.errors.recv_timeout(left).unwrap_or_else(|_| panic!("no word of {text:?}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// Ends its input, and sees to it that it ends.
    #[track_caller]
    fn end(mut self) {
        self.input = None;
        self.has_ended();
    }

    #[track_caller]
    fn has_ended(&mut self) {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                assert_eq!(status.code(), Some(0));
                return;
            }
            thread::yield_now();
        }
        panic!("it did not end");
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}

fn bridge(port: &str, options: &[&str]) -> Command {
    let mut command = Command::new(TOOLWIRE);
    command.arg("bridge").arg(port).args(options).env_remove("TOOLWIRE_LOG");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn read_lines(source: impl io::Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(source).lines() {
            let line = line.expect("lines are UTF-8");
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn name(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

fn echo(id: u32, text: &str) -> String {
    let params = json!({ "name": "echo", "arguments": { "text": text } });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
}

fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no result: {answer}"))
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// 10,000 requests to a device that splits, delays, and logs between its answers.
#[test]
fn ten_thousand_requests_get_one_answer_each() {
    const COUNT: u32 = 10_000;
    let path = scratch();
    let mut serve = server();
    let mut random = Random(2_463_534_242);
    let _device = Device::connect(&path, move |bytes, out| {
        let mut answers = Vec::new();
        serve(bytes, &mut answers)?;
        for line in answers.split_inclusive(|byte| *byte == b'\n') {
            if random.below(3) == 0 {
                out.write_all(b"\x1b[0;32mI (31) main: \xff\xfe working\x1b[0m\r\n")?;
            }
            if random.below(200) == 0 {
                thread::sleep(Duration::from_millis(2));
            }
            let mut rest = line;
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at(rest.len().min(1 + random.below(200) as usize));
                out.write_all(piece)?;
                rest = behind;
            }
        }
        Ok(())
    });
    let mut bridge = Bridge::start(name(&path), &[]);
    let mut input = bridge.input.take().expect("its input");
    let writer = thread::spawn(move || {
        for id in 1..=COUNT {
            input.write_all(format!("{}\n", echo(id, &format!("text {id} ünï 🦀"))).as_bytes()).expect("it reads");
        }
        input
    });
    let mut seen = BTreeSet::new();
    for _ in 0..COUNT {
        let answer = bridge.receive();
        let id = answer["id"].as_u64().expect("an id");
        assert_eq!(text(&answer), format!("text {id} ünï 🦀"));
        assert!(seen.insert(id), "{id} was answered twice");
    }
    assert_eq!((seen.len(), seen.first(), seen.last()), (COUNT as usize, Some(&1), Some(&u64::from(COUNT))));
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", bridge.child.id())) {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak of its memory");
        let kib: u32 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib < 32 * 1024, "{kib} KiB");
    }
    bridge.input = Some(writer.join().expect("all was written"));
    bridge.end();
}

/// Over a real port, each with a ping behind it. The bridge and the device take messages of one length.
#[test]
fn hostile_lines_get_the_answers_that_they_get_without_it() {
    const LONGEST: usize = 1 << 20;
    let path = scratch();
    let _device = Device::connect(&path, server_of::<LONGEST>());
    let mut bridge = Bridge::start(name(&path), &[]);
    for (case_name, case) in hostile_lines::all() {
        bridge.send_bytes(&case.line);
        let answer = bridge.lines.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{case_name}: no answer"));
        case.expected(LONGEST).check(&[answer]);
        bridge.send(&hostile_lines::ping(&format!("\"after {case_name}\"")));
        assert_eq!(bridge.receive(), json!({ "jsonrpc": "2.0", "id": format!("after {case_name}"), "result": {} }));
    }
    bridge.end();
}

#[test]
fn the_port_may_vanish_and_come_back() {
    let path = scratch();
    let device = Device::connect(&path, server());
    let mut bridge = Bridge::start(name(&path), &[]);
    bridge.send(HELLO);
    assert_eq!(bridge.receive()["result"]["serverInfo"]["name"], "calc");
    bridge.send(INITIALIZED);
    bridge.send(&echo(1, "before"));
    assert_eq!(text(&bridge.receive()), "before");
    drop(device);
    bridge.wait_for("is gone");
    bridge.send(&echo(2, "meanwhile"));
    // Another device, which must be told of the session and has a boot loader.
    let (heard, told) = mpsc::channel();
    let mut serve = server();
    let mut has_booted = false;
    let device = Device::connect(&path, move |bytes, out| {
        if !std::mem::replace(&mut has_booted, true) {
            out.write_all(b"\0\xfeESP-ROM\r\n{\"half\":")?;
        }
        heard.send(String::from_utf8_lossy(bytes).into_owned()).expect("the test listens");
        serve(bytes, out)
    });
    let answer = bridge.receive();
    // In case it was opened late, that is all right too.
    assert!(
        answer["result"].is_object() || answer["error"]["message"].as_str().unwrap().contains(name(&path)),
        "{answer}"
    );
    bridge.send(&echo(3, "after"));
    loop {
        let answer = bridge.receive();
        if answer["result"].is_object() {
            assert_eq!(text(&answer), "after");
            break;
        }
        bridge.send(&echo(3, "after"));
    }
    let log: String = told.try_iter().collect();
    let lines: Vec<&str> = log.trim_start_matches('\n').lines().collect();
    assert!(lines[0].contains("\"method\":\"initialize\"") && lines[0].contains("toolwire-bridge-"), "{log}");
    assert_eq!(lines[1], INITIALIZED, "{log}");
    drop(device);
    bridge.end();
}

#[test]
fn started_without_the_device_it_waits_for_it() {
    let path = scratch();
    let mut bridge = Bridge::start(name(&path), &["--wait-for-device", "0.2"]);
    assert!(bridge.wait_for("yet (no port ").ends_with("); waiting for it"));
    bridge.send(HELLO);
    let answer = bridge.receive();
    assert_eq!(answer["result"]["serverInfo"]["name"], "toolwire bridge");
    assert!(answer["result"]["instructions"].as_str().unwrap().contains(name(&path)), "{answer}");
    bridge.send(INITIALIZED);
    bridge.send(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    assert_eq!(bridge.receive()["result"], json!({ "tools": [] }));
    let _device = Device::connect(&path, server());
    assert_eq!(bridge.receive()["method"], "notifications/tools/list_changed");
    bridge.send(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    assert_eq!(bridge.receive()["result"]["tools"].as_array().map(Vec::len), Some(2));
    bridge.end();
}

#[test]
fn silence_ends_in_an_error() {
    let path = scratch();
    let mut serve = server();
    let _device = Device::connect(&path, move |bytes, out| {
        if String::from_utf8_lossy(bytes).contains("lost") {
            return out.write_all(b"panicked\x1b]0;title\x07\n");
        }
        serve(bytes, out)
    });
    let mut bridge = Bridge::start(name(&path), &["--timeout", "0.5"]);
    bridge.send(&echo(1, "lost"));
    bridge.send(&echo(2, "found"));
    let error = bridge.receive();
    assert_eq!((&error["id"], &error["error"]["code"]), (&json!(1), &json!(-32603)));
    assert!(error["error"]["message"].as_str().unwrap().starts_with("no answer from the device on "), "{error}");
    assert_eq!(text(&bridge.receive()), "found");
    assert_eq!(bridge.wait_for("panicked"), "device: panicked\\u{1b}]0;title\\u{7}");
    bridge.end();
}

#[test]
fn a_flood_of_noise_that_nobody_reads_stops_nothing() {
    let path = scratch();
    let mut serve = server();
    let _device = Device::connect(&path, move |bytes, out| {
        for _ in 0..2000 {
            out.write_all(b"I (31) main: the same line over and over again, as a device may print it\r\n")?;
        }
        serve(bytes, out)
    });
    let mut child = bridge(name(&path), &[]).spawn().expect("it starts");
    let mut input = child.stdin.take().expect("its input");
    let lines = read_lines(child.stdout.take().expect("its output"));
    for id in 1..=20 {
        writeln!(input, "{}", echo(id, "x")).expect("it reads");
        let answer: Value = serde_json::from_str(&lines.recv_timeout(PATIENCE).expect("an answer")).unwrap();
        assert_eq!((&answer["id"], text(&answer)), (&json!(id), "x"));
    }
    drop(input);
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}

#[test]
fn it_ends_when_it_is_told_to() {
    let path = scratch();
    let device = Device::connect(&path, |_, _| Ok(()));
    for signal in ["TERM", "INT"] {
        let mut bridge = Bridge::start(name(&path), &["-v"]);
        bridge.wait_for("is there");
        bridge.send(&echo(1, "x"));
        // It was read, since the end waits for what was.
        bridge.send("nope");
        assert_eq!(bridge.receive()["error"]["code"], -32700);
        let status = Command::new("kill").arg(format!("-{signal}")).arg(bridge.child.id().to_string()).status();
        assert!(status.expect("kill").success());
        let error = bridge.receive();
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(1), &json!(-32603)));
        bridge.has_ended();
    }
    // Nobody reads what it writes.
    let mut bridge = Bridge::start(name(&path), &["-v"]);
    let mut child = self::bridge(name(&path), &[]).spawn().expect("it starts");
    let output: ChildStdout = child.stdout.take().expect("its output");
    drop(output);
    let mut input = child.stdin.take().expect("its input");
    let _ = writeln!(input, "nope");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    bridge.send("nope");
    bridge.receive();
    bridge.end();
    drop(device);
    // Without a device.
    Bridge::start(name(&path), &[]).end();
}

#[test]
fn a_client_that_others_wrote_works_in_front_of_it() {
    let path = scratch();
    let _device = Device::connect(&path, server());
    let session = async {
        for mode in [
            ClientLifecycleMode::Initialize,
            ClientLifecycleMode::Discover { preferred_versions: vec![rmcp::model::ProtocolVersion::V_2026_07_28] },
        ] {
            let mut command = tokio::process::Command::new(TOOLWIRE);
            command.arg("bridge").arg(&path);
            let process = TokioChildProcess::new(command).expect("it starts");
            let client = ClientConfig::default().serve_with_lifecycle(process, mode).await.expect("a session");
            assert_eq!(client.list_all_tools().await.expect("tools").len(), 2);
            let Value::Object(arguments) = json!({ "a": 0.1, "b": 0.2 }) else { panic!() };
            let sum =
                client.call_tool(CallToolRequestParams::new("add").with_arguments(arguments)).await.expect("a result");
            assert_eq!(sum.content[0].as_text().expect("text").text, "0.30000000000000004");
            client.cancel().await.expect("a clean end");
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async { tokio::time::timeout(PATIENCE, session).await.expect("nobody waits for ever") });
}

/// Runs the binary. Returns its exit code, and what it printed on both.
fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(TOOLWIRE).args(args).stdin(Stdio::null()).env_remove("TOOLWIRE_LOG").output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn tools_and_calls_reach_a_device_too() {
    let path = scratch();
    let mut serve = server();
    // Deaf and noisy at first, as boards that restart when they are opened.
    let mut opened: Option<Instant> = None;
    let device = Device::connect(&path, move |bytes, out| {
        let opened = *opened.get_or_insert_with(Instant::now);
        if opened.elapsed() < Duration::from_millis(1200) {
            return Ok(());
        }
        out.write_all(b"ready\r\n")?;
        serve(bytes, out)
    });
    let listed = run(&["tools", "--json", name(&path)]);
    assert_eq!(listed, run(&["tools", "--json", "demo:calc"]));
    assert_eq!(run(&["call", name(&path), "add", "a=1", "b=2"]), (Some(0), "3\n".to_owned(), String::new()));
    drop(device);
    let (code, out, error) = run(&["tools", name(&path)]);
    assert_eq!((code, out.as_str()), (Some(3), ""));
    assert!(error.starts_with(&format!("error: no port {} is connected; ", name(&path))), "{error}");
}

#[test]
fn a_device_may_be_behind_tcp() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.expect("a connection");
            let mut serve = server();
            let mut buffer = [0; 512];
            while let Ok(count @ 1..) = stream.read(&mut buffer) {
                if serve(&buffer[..count], &mut stream).is_err() {
                    break;
                }
            }
        }
    });
    let port = format!("tcp:{address}");
    assert_eq!(run(&["call", &port, "echo", "text=x"]), (Some(0), "x\n".to_owned(), String::new()));
    let mut bridge = Bridge::start(&port, &[]);
    bridge.send(&echo(1, "y"));
    assert_eq!(text(&bridge.receive()), "y");
    bridge.end();
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let (code, _, error) = run(&["tools", &format!("tcp:{free}")]);
    assert_eq!(code, Some(3));
    assert!(error.starts_with(&format!("error: cannot connect to {free}: ")), "{error}");
}

#[test]
fn a_port_in_use_is_named_with_the_remedy() {
    let path = scratch();
    let _device = Device::connect(&path, server());
    let mut bridge = Bridge::start(name(&path), &[]);
    bridge.send(&echo(1, "x"));
    bridge.receive();
    let (code, _, error) = run(&["tools", name(&path)]);
    assert_eq!(code, Some(3));
    assert!(error.starts_with(&format!("error: {} is in use by another program: close it", name(&path))), "{error}");
    bridge.end();
}

/// A board is not reset when the port is closed, nor when it is opened again.
#[test]
fn the_port_is_set_up_as_asked_and_keeps_its_outputs_when_it_is_closed() {
    let (_master, slave, port) = terminal().expect("a pseudo terminal");
    let mut attributes = tcgetattr(&slave).expect("its settings");
    attributes.control_modes.insert(ControlModes::HUPCL);
    tcsetattr(&slave, OptionalActions::Now, &attributes).expect("settings");
    let bridge = Bridge::start(&port, &["-v", "--baud", "9600"]);
    bridge.wait_for("is there");
    let attributes = tcgetattr(&slave).expect("its settings");
    assert_eq!((attributes.input_speed(), attributes.output_speed()), (9600, 9600));
    assert!(!attributes.control_modes.contains(ControlModes::HUPCL));
    bridge.end();
}

/// Whoever closes every connection is not overrun.
#[test]
fn a_port_that_is_lost_at_once_is_opened_less_and_less_often() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = format!("tcp:{}", listener.local_addr().expect("its address"));
    let bridge = Bridge::start(&port, &[]);
    let mut moments = Vec::new();
    for _ in 0..5 {
        drop(listener.accept().expect("a connection"));
        moments.push(Instant::now());
    }
    let pauses: Vec<_> = moments.windows(2).map(|pair| pair[1] - pair[0]).collect();
    // A quarter of a second, a half, one, and two.
    assert!(pauses.windows(2).all(|pair| pair[1] > pair[0]) && pauses[3] > Duration::from_millis(1500), "{pauses:?}");
    bridge.end();
}

#[test]
fn wrong_usage_and_help() {
    let (code, _, error) = run(&["bridge", "ttyACM0"]);
    assert_eq!(code, Some(2));
    assert!(
        error.starts_with("error: \"ttyACM0\" is no port: a port is /dev/ttyACM0, COM3, ")
            && error.contains("connected now: "),
        "{error}"
    );
    assert_eq!(run(&["bridge", "COM3", "--timeout", "0"]).0, Some(2));
    assert!(run(&["bridge", "--help"]).1.contains("Exit codes:\n  0  "));
    let (code, out, _) = run(&["ports", "--json"]);
    assert_eq!(code, Some(0));
    assert!(serde_json::from_str::<Value>(&out).unwrap().is_array());
    assert_eq!(run(&["ports"]).0, Some(0));
}
