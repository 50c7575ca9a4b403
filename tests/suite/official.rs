//! The official schemas of the protocol, as the judge of every line that a server writes.
//!
//! They are no part of this repository: the environment variable `TOOLWIRE_SCHEMAS` names the folder that holds
//! `2024-11-05.json` and so on. Without it this check does not take place, and says so once.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, Once};

use jsonschema::Validator;
use serde_json::{Value, json};

const VARIABLE: &str = "TOOLWIRE_SCHEMAS";

/// Checks that an answer is what the schema of `revision` says of the answers to `method`. An answer without a readable
/// request has no method.
pub(crate) fn check(revision: &str, method: Option<&str>, answer: &Value) {
    let Some(folder) = folder() else { return };
    let newer = matches!(revision, "2025-11-25" | "2026-07-28");
    if answer.get("error").is_some() {
        let mut answer = answer.clone();
        if !newer {
            // ID-6: these revisions demand an id and forbid null, which leaves nothing to send for an unreadable one.
            if answer["id"].is_null() {
                answer["id"] = json!(0);
            }
        }
        validate(&folder, revision, if newer { "JSONRPCErrorResponse" } else { "JSONRPCError" }, &answer);
        if answer["error"]["code"] == json!(-32022) {
            validate(&folder, revision, "UnsupportedProtocolVersionError", &answer);
        }
        return;
    }
    validate(&folder, revision, if newer { "JSONRPCResultResponse" } else { "JSONRPCResponse" }, answer);
    let definition = match method {
        Some("initialize") => "InitializeResult",
        Some("server/discover") => "DiscoverResult",
        Some("tools/list") => "ListToolsResult",
        Some("tools/call" | "prompts/get") if answer["result"]["resultType"] == "input_required" => {
            "InputRequiredResult"
        }
        Some("tools/call") => "CallToolResult",
        Some("resources/list") => "ListResourcesResult",
        Some("resources/templates/list") => "ListResourceTemplatesResult",
        Some("resources/read") => "ReadResourceResult",
        Some("prompts/list") => "ListPromptsResult",
        Some("prompts/get") => "GetPromptResult",
        Some("completion/complete") => "CompleteResult",
        Some("subscriptions/listen") => "SubscriptionsListenResult",
        Some("ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe") => "EmptyResult",
        method => panic!("a result for {method:?}: {answer}"),
    };
    validate(&folder, revision, definition, &answer["result"]);
}

/// Checks that a report of progress is what the schema of `revision` says of those.
pub(crate) fn check_notification(revision: &str, definition: &str, notification: &Value) {
    let Some(folder) = folder() else { return };
    validate(&folder, revision, "JSONRPCNotification", notification);
    validate(&folder, revision, definition, notification);
}

/// Checks that a request of the server is what the schema of `revision` says of those.
pub(crate) fn check_request(revision: &str, definition: &str, request: &Value) {
    let Some(folder) = folder() else { return };
    validate(&folder, revision, "JSONRPCRequest", request);
    validate(&folder, revision, definition, request);
}

fn folder() -> Option<String> {
    let folder = std::env::var(VARIABLE);
    if folder.is_err() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            eprintln!("skipped: lines are not held against the official schemas, {VARIABLE} is not set");
        });
    }
    folder.ok()
}

fn validate(folder: &str, revision: &str, definition: &str, value: &Value) {
    static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);
    let validator = *VALIDATORS
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .entry(format!("{revision} {definition}"))
        .or_insert_with(|| Box::leak(Box::new(compile(folder, revision, definition))));
    let errors: Vec<_> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "no {definition} of {revision}: {value}\n{}", errors.join("\n"));
}

fn compile(folder: &str, revision: &str, definition: &str) -> Validator {
    let path = format!("{folder}/{revision}.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{VARIABLE}: {path}: {error}"));
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    let key = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
    assert!(schema[key].get(definition).is_some(), "{path} has no {definition}");
    schema["$ref"] = json!(format!("#/{key}/{definition}"));
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The check can fail.
#[test]
fn a_wrong_answer_does_not_pass() {
    if std::env::var(VARIABLE).is_err() {
        eprintln!("skipped: {VARIABLE} is not set");
        return;
    }
    for (revision, answer) in [
        ("2024-11-05", json!({"jsonrpc": "2.0", "id": 1, "result": {"content": {}}})),
        ("2025-11-25", json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})),
        ("2026-07-28", json!({"jsonrpc": "2.0", "id": 1, "result": {"content": []}})),
        ("2025-06-18", json!({"jsonrpc": "2.0", "error": {"code": "x", "message": "y"}})),
    ] {
        let caught = std::panic::catch_unwind(|| check(revision, Some("tools/call"), &answer));
        assert!(caught.is_err(), "{revision} {answer}");
    }
}
