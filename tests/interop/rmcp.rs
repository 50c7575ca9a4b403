//! The Rust SDK drives the binary, in each way that it knows to open a session and in every revision.

#![expect(deprecated, reason = "2026-07-28 advises against logs, and the SDK says so of all that concerns them")]

use std::collections::VecDeque;
use std::fmt::Debug;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ClientRequest, ErrorCode, PingRequest};
use rmcp::model::{ElicitRequestParams, ElicitResult, GetPromptRequestParams, GetPromptResult};
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion};
use rmcp::model::{ReadResourceRequestParams, ReadResourceResult, ServerResult, SetLevelRequestParams, Tool};
use rmcp::service::{NotificationContext, RequestContext, RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient};
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
        board(&opening).await;
        calibration(&opening).await;
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

async fn board(opening: &Opening) {
    let session = opening.open("board").await;
    assert_eq!(names(&session.tools().await), ["led_set", "blink", "temp_read", "calibrate"]);
    resources(&session, opening.version.has_initialize()).await;
    prompts(&session).await;
    completion(&session).await;
    let blink = session.call("blink", json!({"times": 3})).await.expect("a result");
    assert_eq!(answer(&blink), "The LED has blinked 3 times.");
    session.expect_progress(&[(1.0, Some(3.0)), (2.0, Some(3.0)), (3.0, Some(3.0))]).await;
    logs(&session, opening.version.has_initialize()).await;
    session.close().await;
}

async fn logs(session: &Session, legacy: bool) {
    let dark = (LoggingLevel::Warning, "the LED is on and gives no light: its level is 0 %");
    let blinks = (LoggingLevel::Info, "the LED blinks 2 times");
    let (mut dim, mut blink) =
        (request("led_set", json!({"on": true, "level": 0})), request("blink", json!({"times": 2})));
    if legacy {
        // Warnings come unasked.
        session.client.call_tool(dim.clone()).await.expect("a result");
        session.expect_logs(&[dark]).await;
        session.client.set_level(SetLevelRequestParams::new(LoggingLevel::Info)).await.expect("a result");
    } else {
        let meta = json!({"io.modelcontextprotocol/logLevel": "info"});
        for call in [&mut dim, &mut blink] {
            call.meta = Some(serde_json::from_value(meta.clone()).expect("metadata"));
        }
    }
    session.client.call_tool(dim).await.expect("a result");
    session.client.call_tool(blink).await.expect("a result");
    let told = [dark, dark, blinks];
    session.expect_logs(if legacy { &told } else { &told[1..] }).await;
}

/// The board asks its user, where the revision has a way to; the client does the round trips.
async fn calibration(opening: &Opening) {
    let session = opening.open("board").await;
    let unable = session.call("calibrate", json!({})).await;
    session.close().await;
    if opening.version.has_initialize() {
        return assert!(complaint(&unable.expect("a result")).contains("question"));
    }
    let data = refusal(unable, ErrorCode(-32021)).expect("data");
    assert_eq!(data["requiredCapabilities"], json!({"elicitation": {"form": {}}}));

    let yes = json!({"action": "accept", "content": {"tenths": 220, "confirm": true}});
    let session = opening.open_with("board", Some([json!({"action": "decline"}), yes])).await;
    let declined = session.call("calibrate", json!({})).await.expect("a result");
    assert!(complaint(&declined).contains("declined"), "{declined:?}");
    let calibrated = session.call("calibrate", json!({})).await.expect("a result");
    assert_eq!(answer(&calibrated), "The thermometer now shows 22.0 °C.");
    assert_eq!(answer(&session.call("temp_read", json!({})).await.expect("a result")), r#"{"celsius":22}"#);
    session.close().await;
}

async fn resources(session: &Session, legacy: bool) {
    let info = "A simulated board with one LED and two thermometers, t0 and t1.";
    let listed = session.client.list_all_resources().await.expect("resources");
    let listed: Vec<_> = listed.iter().map(|resource| (&*resource.uri, resource.size)).collect();
    let size = u32::try_from(info.len()).expect("a short text");
    assert_eq!(listed, [("device://info", Some(size.into())), ("device://log", None)]);
    let templates = session.client.list_all_resource_templates().await.expect("templates");
    let templates: Vec<_> = templates.iter().map(|template| &*template.uri_template).collect();
    assert_eq!(templates, ["sensor://{id}/latest"]);
    session.expect_text("device://info", info).await;
    session.expect_text("sensor://t0/latest", "21.5 °C").await;
    session.expect_text("sensor://t1/latest", "20.8 °C").await;
    session.expect_text("device://log", "The LED was switched 0 times. The LED is off.").await;
    session.call("led_set", json!({"on": true, "level": 40})).await.expect("a result");
    session.expect_text("device://log", "The LED was switched 1 times. The LED is on at 40 %.").await;
    for uri in ["sensor://t2/latest", "device://nope"] {
        let data = refusal(session.read(uri).await, ErrorCode(if legacy { -32002 } else { -32602 }));
        assert_eq!(data, Some(json!({ "uri": uri })));
    }
}

async fn prompts(session: &Session) {
    let listed = session.client.list_all_prompts().await.expect("prompts");
    let [diagnose] = &listed[..] else { panic!("not one prompt: {listed:?}") };
    assert_eq!(diagnose.name, "diagnose");
    let arguments = diagnose.arguments.as_deref().unwrap_or_default();
    let arguments: Vec<_> = arguments.iter().map(|argument| (&*argument.name, argument.required)).collect();
    assert_eq!(arguments, [("symptom", Some(true)), ("detail", Some(false))]);
    let end = "The LED is on at 40 %. Read device://log and both thermometers, and tell me what to do.";
    for (arguments, start) in [
        (json!({"symptom": "no light", "detail": "Since noon"}), "no light. Since noon."),
        (json!({ "symptom": UNICODE }), &format!("{UNICODE}.")),
    ] {
        let prompt = session.prompt("diagnose", arguments).await.expect("a prompt");
        let text = format!("My board has a fault: {start} {end}");
        let messages = json!([{"role": "user", "content": {"type": "text", "text": text}}]);
        assert_eq!(serde_json::to_value(&prompt.messages).expect("messages"), messages);
    }
    refusal(session.prompt("nope", json!({})).await, ErrorCode::INVALID_PARAMS);
    refusal(session.prompt("diagnose", json!({"detail": "x"})).await, ErrorCode::INVALID_PARAMS);
}

async fn completion(session: &Session) {
    let of_prompt = |argument, value| session.client.complete_prompt_simple("diagnose", argument, value);
    assert_eq!(of_prompt("symptom", "too").await.expect("values"), ["too dark", "too hot"]);
    assert_eq!(of_prompt("detail", "").await.expect("values"), [""; 0]);
    refusal(of_prompt("nope", "").await, ErrorCode::INVALID_PARAMS);
    let of_sensor = session.client.complete_resource_simple("sensor://{id}/latest", "id", "t").await;
    assert_eq!(of_sensor.expect("values"), ["t0", "t1"]);
}

/// How sessions are opened, and the revision that they should then be in.
struct Opening {
    mode: ClientLifecycleMode,
    version: ProtocolVersion,
}

impl Opening {
    async fn open(&self, toolset: &str) -> Session {
        self.open_with(toolset, None).await
    }

    /// With a user who answers forms so, one after the other.
    async fn open_with(&self, toolset: &str, user: Option<[Value; 2]>) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolwire"));
        command.args(["serve", toolset]).env_remove("TOOLWIRE_LOG");
        let process = TokioChildProcess::new(command).expect("the server starts");
        let server = process.id().expect("the server runs");
        let mut config = ClientConfig::default().with_protocol_version(self.version.clone());
        if user.is_some() {
            config.capabilities = serde_json::from_value(json!({"elicitation": {"form": {}}})).expect("capabilities");
        }
        let answers = Mutex::new(user.into_iter().flatten().collect());
        let client = Recorder { config, progress: Arc::default(), logs: Arc::default(), answers };
        let (progress, logs) = (Arc::clone(&client.progress), Arc::clone(&client.logs));
        let client = client.serve_with_lifecycle(process, self.mode.clone()).await.expect("a session");
        let peer = client.peer_info().expect("the server has said what it is");
        assert_eq!(peer.protocol_version, self.version);
        assert_eq!(peer.server_info.as_ref().map(|info| info.name.as_str()), Some(toolset));
        Session { client, server, progress, logs }
    }
}

/// Reports of progress: how far, of how much.
type Reports = Arc<Mutex<Vec<(f64, Option<f64>)>>>;

/// Messages to the log.
type Logs = Arc<Mutex<Vec<(LoggingLevel, Value)>>>;

/// A client that keeps what it is told.
struct Recorder {
    config: ClientConfig,
    progress: Reports,
    logs: Logs,
    /// What the user will say to forms.
    answers: Mutex<VecDeque<Value>>,
}

impl ClientHandler for Recorder {
    fn get_info(&self) -> ClientConfig {
        self.config.clone()
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.lock().expect("no panic").push((params.progress, params.total));
    }

    async fn on_logging_message(&self, params: LoggingMessageNotificationParam, _: NotificationContext<RoleClient>) {
        self.logs.lock().expect("no panic").push((params.level, params.data));
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let request = serde_json::to_value(&request).expect("a form");
        assert_eq!(request["message"], "Hold a thermometer beside the LED. What does it show?");
        assert_eq!(request["requestedSchema"]["required"], json!(["tenths", "confirm"]));
        let answer = self.answers.lock().expect("no panic").pop_front().expect("no more questions");
        Ok(serde_json::from_value(answer).expect("an answer"))
    }
}

struct Session {
    client: RunningService<RoleClient, Recorder>,
    server: u32,
    progress: Reports,
    logs: Logs,
}

impl Session {
    async fn tools(&self) -> Vec<Tool> {
        self.client.list_all_tools().await.expect("tools")
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(request(tool, arguments)).await
    }

    async fn read(&self, uri: &str) -> Result<ReadResourceResult, ServiceError> {
        self.client.read_resource(ReadResourceRequestParams::new(uri)).await
    }

    async fn prompt(&self, name: &str, arguments: Value) -> Result<GetPromptResult, ServiceError> {
        let Value::Object(arguments) = arguments else { panic!("not arguments: {arguments}") };
        self.client.get_prompt(GetPromptRequestParams::new(name).with_arguments(arguments)).await
    }

    async fn expect_text(&self, uri: &str, text: &str) {
        let result = self.read(uri).await.expect("a result");
        let contents = json!([{"uri": uri, "mimeType": "text/plain", "text": text}]);
        assert_eq!(serde_json::to_value(&result.contents).expect("contents"), contents);
    }

    /// The client hands notifications to tasks of their own, which may end after the call, and in any order.
    async fn expect_progress(&self, expected: &[(f64, Option<f64>)]) {
        let told = || self.progress.lock().expect("no panic").clone();
        while told().len() < expected.len() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut told = told();
        told.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        assert_eq!(told, expected);
    }

    /// In any order, as for progress.
    async fn expect_logs(&self, expected: &[(LoggingLevel, &str)]) {
        let told = || self.logs.lock().expect("no panic").clone();
        while told().len() < expected.len() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let sorted = |mut logs: Vec<String>| {
            logs.sort();
            logs
        };
        let told = told().iter().map(|(level, data)| format!("{level:?} {data}")).collect();
        let expected = expected.iter().map(|(level, data)| format!("{level:?} {}", Value::from(*data))).collect();
        assert_eq!(sorted(told), sorted(expected));
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

/// The data of an error with this code.
#[track_caller]
fn refusal<T: Debug>(result: Result<T, ServiceError>, code: ErrorCode) -> Option<Value> {
    match result {
        Err(ServiceError::McpError(error)) if error.code == code => error.data,
        other => panic!("{other:?}"),
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
