//! The Rust SDK drives the binary, in each way that it knows to open a session and in every revision.

use std::path::Path;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest, ErrorCode, PingRequest};
use rmcp::model::{ProtocolVersion, ServerResult, Tool};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::time::timeout;

/// How long a test may take before it has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The client signals the server when it has not ended three seconds after its input. It must end by itself.
const PROMPTLY: Duration = Duration::from_secs(2);

/// Letters beyond ASCII and beyond the basic plane, and what JSON and lines give a meaning.
const UNICODE: &str =
    "ñ n\u{303} 漢字 עברית 🦀 👩‍👩‍👧 \u{10ffff} \"\\/ \t\r\n\0\u{1f}\u{7f}\u{85}\u{2028}\u{2029}\u{feff} end";

#[test]
fn initialize_2024_11_05() {
    drive(ClientLifecycleMode::Initialize, ProtocolVersion::V_2024_11_05);
}

#[test]
fn initialize_2025_03_26() {
    drive(ClientLifecycleMode::Initialize, ProtocolVersion::V_2025_03_26);
}

#[test]
fn initialize_2025_06_18() {
    drive(ClientLifecycleMode::Initialize, ProtocolVersion::V_2025_06_18);
}

#[test]
fn initialize_2025_11_25() {
    drive(ClientLifecycleMode::Initialize, ProtocolVersion::V_2025_11_25);
}

#[test]
fn discover_2026_07_28() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    drive(ClientLifecycleMode::Discover { preferred_versions }, ProtocolVersion::V_2026_07_28);
}

#[test]
fn auto_finds_2026_07_28() {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let mode = ClientLifecycleMode::Auto { preferred_versions, legacy_version: None };
    drive(mode, ProtocolVersion::V_2026_07_28);
}

/// Opens a session with each toolset in this way, and expects it to be in this revision.
fn drive(mode: ClientLifecycleMode, version: ProtocolVersion) {
    let opening = Opening { mode, version };
    let sessions = async {
        calc(&opening).await;
        reservo(&opening).await;
        tasks(&opening).await;
    };
    let sessions = async { timeout(PATIENCE, sessions).await.expect("no client waits for ever") };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(sessions);
}

async fn calc(opening: &Opening) {
    let session = opening.open("calc").await;
    // Before any list: a client may know the tools already.
    let sum = session.call("add", json!({"a": 0.1, "b": 0.2})).await.expect("a result");
    assert_eq!(answer(&sum), "0.30000000000000004");
    let tools = session.tools().await;
    assert_eq!(names(&tools), ["add", "echo"]);
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": false,
    });
    assert_eq!(Value::Object((*tools[0].input_schema).clone()), schema);
    let refused = session.call("add", json!({"a": "x"})).await.expect("a result");
    assert_eq!(complaint(&refused), "a: expected number, got \"x\"\nb: missing, expected number");
    session.expect_unknown_tool().await;
    session.expect_echo(UNICODE).await;
    session.expect_echo(&"0123456789 áβ🦀\n".repeat(200 * 1024 / 20)).await;
    session.expect_echoes_in_flight().await;
    if opening.version.has_initialize() {
        session.ping().await;
    }
    session.close().await;
}

async fn reservo(opening: &Opening) {
    let session = opening.open("reservo").await;
    let tools = session.tools().await;
    assert_eq!(names(&tools), ["list_rooms", "get_quote", "book_room", "cancel_booking"]);
    let quote = json!({"room": "Studio", "tier": "pro", "hours": 3});
    let quote = session.call("get_quote", quote).await.expect("a result");
    assert!(answer(&quote).contains("6000"), "{quote:?}");
    let refused = session.call("get_quote", json!({"room": "Studio", "tier": "gold", "hours": 2.5})).await;
    let refused = refused.expect("a result");
    assert!(complaint(&refused).contains("tier: ") && complaint(&refused).contains("hours: "), "{refused:?}");
    session.close().await;
}

async fn tasks(opening: &Opening) {
    let session = opening.open("tasks").await;
    let tools = session.tools().await;
    assert_eq!(names(&tools), ["create_task", "complete_task", "list_tasks", "get_weather", "set_status", "withdraw"]);
    let created = session.call("create_task", json!({"input": {"title": "Comprar café", "priority": "high"}})).await;
    assert_eq!(answer(&created.expect("a result")), "Tarea creada 1: Comprar café (prioridad: high)");
    let refused = session.call("create_task", json!({"input": {"title": "Comprar té", "priority": "urgent"}})).await;
    let refused = refused.expect("a result");
    assert!(complaint(&refused).contains("input.priority: "), "{refused:?}");
    session.close().await;
}

/// How sessions are opened, and the revision that they should then be in.
struct Opening {
    mode: ClientLifecycleMode,
    version: ProtocolVersion,
}

impl Opening {
    async fn open(&self, toolset: &str) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolwire"));
        command.args(["serve", toolset]).env_remove("TOOLWIRE_LOG");
        let process = TokioChildProcess::new(command).expect("the server starts");
        let server = process.id().expect("the server runs");
        let client = ClientConfig::default().with_protocol_version(self.version.clone());
        let client = client.serve_with_lifecycle(process, self.mode.clone()).await.expect("a session");
        let peer = client.peer_info().expect("the server has said what it is");
        assert_eq!(peer.protocol_version, self.version);
        assert_eq!(peer.server_info.as_ref().map(|info| info.name.as_str()), Some(toolset));
        Session { client, server }
    }
}

struct Session {
    client: RunningService<RoleClient, ClientConfig>,
    server: u32,
}

impl Session {
    async fn tools(&self) -> Vec<Tool> {
        self.client.list_all_tools().await.expect("tools")
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(request(tool, arguments)).await
    }

    async fn expect_unknown_tool(&self) {
        match self.call("nope", json!({})).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!((error.code, &*error.message), (ErrorCode::INVALID_PARAMS, "Unknown tool: nope"));
            }
            other => panic!("{other:?}"),
        }
    }

    async fn expect_echo(&self, text: &str) {
        let result = self.call("echo", json!({ "text": text })).await.expect("a result");
        assert_eq!(answer(&result), text);
    }

    async fn expect_echoes_in_flight(&self) {
        let call = |number: u32| {
            let peer = self.client.peer().clone();
            let text = format!("call {number}");
            (tokio::spawn(async move { peer.call_tool(request("echo", json!({ "text": text }))).await }), number)
        };
        let calls: Vec<_> = (0..20).map(call).collect();
        for (call, number) in calls {
            let result = call.await.expect("the call ends").expect("a result");
            assert_eq!(answer(&result), format!("call {number}"));
        }
    }

    async fn ping(&self) {
        let pong = self.client.send_request(ClientRequest::PingRequest(PingRequest::default())).await;
        assert!(matches!(pong, Ok(ServerResult::EmptyResult(_))), "{pong:?}");
    }

    /// Ends the session, and sees to it that the server has ended too.
    async fn close(self) {
        timeout(PROMPTLY, self.client.cancel()).await.expect("the server ends promptly").expect("a clean end");
        let entry = format!("/proc/{}", self.server);
        assert!(!Path::new(&entry).exists(), "the server is still there, or its zombie");
    }
}

fn request(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    match arguments {
        Value::Object(arguments) => CallToolRequestParams::new(tool).with_arguments(arguments),
        other => panic!("not arguments: {other}"),
    }
}

fn names(tools: &[Tool]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.name).collect()
}

/// The text of a result that is no error.
#[track_caller]
fn answer(result: &CallToolResult) -> &str {
    text(result, false)
}

/// The text of a result that is an error.
#[track_caller]
fn complaint(result: &CallToolResult) -> &str {
    text(result, true)
}

#[track_caller]
fn text(result: &CallToolResult, is_error: bool) -> &str {
    assert_eq!(result.is_error, Some(is_error), "{result:?}");
    match result.content.as_slice() {
        [block] => &block.as_text().expect("text").text,
        other => panic!("not one text: {other:?}"),
    }
}
