//! The Rust SDK in front of `toolwire bridge`, in front of the firmware in the emulator, whose UART is a TCP port.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/data.rs"]
#[expect(dead_code, reason = "the invalid lines are for the tests without a bridge")]
mod data;
#[expect(dead_code, reason = "the other machines are for the tests without a bridge")]
mod emulator;
#[path = "../common/vectors.rs"]
#[expect(dead_code, reason = "`tasks` is for the tests without a bridge")]
mod vectors;

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rmcp::handler::client::ClientHandler;
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ErrorCode};
use rmcp::service::{NotificationContext, RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use crate::emulator::CORTEX_M3;

const TOOLWIRE: &str = env!("CARGO_BIN_EXE_toolwire");

/// How long a test may take before it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_client_works_with_board() {
    drive("board", async |port| {
        let _device = port.switch_on();
        let session = Session::open(port, "30").await;
        assert_eq!(session.server(), "board");
        assert_eq!(session.tools().await, ["led_set", "blink", "temp_read", "calibrate"]);
        assert_eq!(session.text("led_set", json!({"on": true, "level": 40})).await, "The LED is on at 40 %.");
        let refused = session.call("led_set", json!({"on": true, "level": 400})).await.expect("a result");
        assert_eq!((refused.is_error, text(&refused)), (Some(true), "level: expected integer from 0 to 100, got 400"));
        // Too large for the device, which says so.
        let long = session.call("led_set", json!({"on": "x".repeat(3000)})).await;
        let Err(ServiceError::McpError(error)) = long else { panic!("{long:?}") };
        assert!(error.code == ErrorCode::INVALID_REQUEST && error.message.contains("2048"), "{error:?}");
        assert_eq!(session.text("temp_read", json!({})).await, r#"{"celsius":21.5}"#);
        session.close().await;
    });
}

#[test]
fn a_client_works_with_reservo() {
    drive("reservo", async |port| {
        let _device = port.switch_on();
        let session = Session::open(port, "30").await;
        assert_eq!(session.server(), "reservo");
        assert_eq!(session.tools().await, ["list_rooms", "get_quote", "book_room", "cancel_booking"]);
        let quote = session.text("get_quote", json!({"room": "Studio", "tier": "pro", "hours": 3})).await;
        assert!(quote.contains("6000"), "{quote}");
        let refused = session.call("get_quote", json!({"room": "Studio", "tier": "gold", "hours": 2})).await;
        let refused = refused.expect("a result");
        assert!(refused.is_error == Some(true) && text(&refused).starts_with("tier: "), "{refused:?}");
        session.close().await;
    });
}

#[test]
fn a_reset_in_the_middle_is_not_noticed() {
    drive("board", async |port| {
        let mut device = port.switch_on();
        let mut session = Session::open(port, "30").await;
        for level in 1..4 {
            let said = session.text("led_set", json!({"on": true, "level": level})).await;
            assert_eq!(said, format!("The LED is on at {level} %."));
            drop(device);
            session.wait_for("is gone").await;
            // Asked for while there is no device.
            let peer = session.client.peer().clone();
            let call = tokio::spawn(async move { peer.call_tool(request("temp_read", json!({}))).await });
            tokio::task::yield_now().await;
            device = port.switch_on();
            let result = call.await.expect("the call ends").expect("a result");
            assert_eq!(text(&result), r#"{"celsius":21.5}"#);
            session.wait_for("is back").await;
        }
        // It is as after a start.
        assert_eq!(session.text("led_set", json!({"on": true})).await, "The LED is on at 100 %.");
        session.close().await;
        drop(device);
    });
}

#[test]
fn started_without_the_device_its_tools_come_with_it() {
    drive("board", async |port| {
        let mut session = Session::open(port, "0.5").await;
        assert_eq!(session.server(), "toolwire bridge");
        let info = session.client.peer_info().expect("the bridge has said what it is");
        let instructions = info.instructions.clone().expect("instructions");
        assert!(instructions.contains(&port.name()), "{instructions}");
        assert!(session.tools().await.is_empty());
        let refused = session.call("temp_read", json!({})).await;
        assert!(matches!(&refused, Err(ServiceError::McpError(error)) if error.message.contains(&port.name())));
        session.wait_for(" yet (cannot connect to ").await;
        let _device = port.switch_on();
        session.client.service().changed.notified().await;
        assert_eq!(session.tools().await, ["led_set", "blink", "temp_read", "calibrate"]);
        assert_eq!(session.text("temp_read", json!({})).await, r#"{"celsius":21.5}"#);
        session.close().await;
    });
}

#[test]
fn vectors_are_exact_through_the_bridge() {
    for toolset in ["reservo", "calc"] {
        if !CORTEX_M3.has(toolset) {
            return;
        }
        let port = Port::new(toolset);
        let _device = port.switch_on();
        let mut bridge = Raw::start(&port);
        vectors::replies_are_exact(toolset, |line| bridge.send(line));
    }
}

/// Plays a session with this image, if it can be run.
fn drive(image: &'static str, session: impl AsyncFn(&Port)) {
    if CORTEX_M3.has(image) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let session = async { timeout(PATIENCE, session(&Port::new(image))).await.expect("nobody waits for ever") };
        runtime.block_on(session);
    }
}

/// A TCP port that a device may be at, or not.
struct Port {
    image: &'static str,
    number: u16,
}

impl Port {
    fn new(image: &'static str) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
        Self { image, number: free.port() }
    }

    fn name(&self) -> String {
        format!("tcp:127.0.0.1:{}", self.number)
    }

    fn switch_on(&self) -> Device {
        Device(CORTEX_M3.start(self.image, &format!("{},server=on,wait=off,nodelay=on", self.name())))
    }

    fn bridge(&self) -> Command {
        let mut command = Command::new(TOOLWIRE);
        command.args(["bridge", &self.name()]).env_remove("TOOLWIRE_LOG");
        command
    }
}

/// A device. It is switched off when it goes out of scope.
struct Device(Child);

impl Drop for Device {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// A client that is told when the tools are others.
#[derive(Clone, Default)]
struct Listener {
    changed: Arc<Notify>,
}

impl ClientHandler for Listener {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }
}

struct Session {
    client: RunningService<RoleClient, Listener>,
    /// What the bridge prints to standard error.
    news: mpsc::UnboundedReceiver<String>,
}

impl Session {
    /// Starts a bridge, which ends with the client.
    async fn open(port: &Port, wait: &str) -> Self {
        let (errors, writer) = io::pipe().expect("a pipe");
        let mut command = port.bridge();
        command.args(["--wait-for-device", wait]);
        let process = TokioChildProcess::builder(tokio::process::Command::from(command)).stderr(writer);
        let (process, _) = process.spawn().expect("the bridge starts");
        let (sender, news) = mpsc::unbounded_channel();
        thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { client: Listener::default().serve(process).await.expect("a session"), news }
    }

    fn server(&self) -> String {
        let info = self.client.peer_info().expect("the server has said what it is");
        info.server_info.as_ref().expect("a name").name.clone()
    }

    async fn tools(&self) -> Vec<String> {
        let tools = self.client.list_all_tools().await.expect("tools");
        tools.into_iter().map(|tool| tool.name.into_owned()).collect()
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(request(tool, arguments)).await
    }

    /// The text of a result that is no error.
    async fn text(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await.expect("a result");
        assert_eq!(result.is_error, Some(false), "{result:?}");
        text(&result).to_owned()
    }

    /// Waits until the bridge says this.
    async fn wait_for(&mut self, text: &str) {
        while !self.news.recv().await.expect("the bridge runs").contains(text) {}
    }

    async fn close(self) {
        self.client.cancel().await.expect("a clean end");
    }
}

fn request(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("not arguments: {arguments}") };
    CallToolRequestParams::new(tool).with_arguments(arguments)
}

fn text(result: &CallToolResult) -> &str {
    match result.content.as_slice() {
        [block] => &block.as_text().expect("text").text,
        other => panic!("not one text: {other:?}"),
    }
}

/// A bridge without a client. It is killed when it goes out of scope.
struct Raw {
    child: Child,
    answers: std::sync::mpsc::Receiver<String>,
}

impl Raw {
    fn start(port: &Port) -> Self {
        let mut command = port.bridge();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let output = child.stdout.take().expect("its output");
        let (sender, answers) = std::sync::mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { child, answers }
    }

    /// Sends a line, and returns those that come back. It answers in order, so it is over with the answer to a further one.
    fn send(&mut self, line: &[u8]) -> Vec<String> {
        const LAST: &str = r#"{"jsonrpc":"2.0","id":"last","method":"tools/list"}"#;
        let input = self.child.stdin.as_mut().expect("its input");
        input.write_all(&[line, b"\n", LAST.as_bytes(), b"\n"].concat()).expect("it reads");
        let answers = std::iter::from_fn(|| Some(self.answers.recv_timeout(PATIENCE).expect("an answer")));
        answers.take_while(|answer| !answer.starts_with(r#"{"jsonrpc":"2.0","id":"last","#)).collect()
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.child.kill().and_then(|()| self.child.wait());
    }
}
