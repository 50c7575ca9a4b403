//! What a server writes besides answers: notifications, and what it asks the client.

use serde_json::{Value, json};

use crate::oracle::{LEVELS, Oracle, Request};

/// A function that shows what is judged.
type Shown<'a> = &'a dyn Fn() -> String;

/// Checks the reports of progress before an answer: PROG-1, PROG-2, and all that was promised.
pub(crate) fn check_progress(
    reports: &[Value],
    answer: &Value,
    oracle: &Oracle,
    request: Option<&Request>,
    shown: Shown<'_>,
) {
    let done = answer["result"]["isError"] == false;
    let promised = request.and_then(|request| oracle.progress(request)).filter(|_| done);
    let (token, total) = promised.unwrap_or_default();
    let expected: Vec<_> = (1..=total)
        .map(|done| {
            let params = json!({"progressToken": token, "progress": done, "total": total});
            json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        })
        .collect();
    // A toolset with other tools that report tells the rules only.
    if total == 0 && oracle.offer().reports {
        let token = request.and_then(Request::progress_token);
        let mut last = None;
        for report in reports {
            let params = &report["params"];
            assert_eq!(Some(&params["progressToken"]), token, "PROG-1: {}", shown());
            let done = params["progress"].as_f64();
            assert!(done.is_some() && last.is_none_or(|last| last < done), "PROG-2: {}", shown());
            last = Some(done);
        }
    } else {
        assert_eq!(reports, expected, "{}", shown());
    }
}

/// Checks a message to the client's log that stands before the answer to a request: LOG-1, LOG-3, LOG-4.
pub(crate) fn check_log(message: &Value, oracle: &Oracle, request: Option<&Request>, shown: Shown<'_>) {
    let level = |name: &str| LEVELS.iter().position(|known| *known == name);
    let params = &message["params"];
    let (said, data) = (params["level"].as_str().and_then(level), &params["data"]);
    let least = request.and_then(|request| oracle.log_level(request)).and_then(level);
    assert!(said.is_some() && least.is_some_and(|least| Some(least) <= said), "unasked: {}", shown());
    let expected = json!({"level": params["level"], "data": data});
    assert_eq!(
        *message,
        json!({"jsonrpc": "2.0", "method": "notifications/message", "params": expected}),
        "{}",
        shown()
    );
}

/// Checks a notification that something has changed: SUB-2, LISTEN-2, LISTEN-3.
pub(crate) fn check_change(change: &Value, oracle: &Oracle, shown: Shown<'_>) {
    let params = &change["params"];
    let stream = params["_meta"].get("io.modelcontextprotocol/subscriptionId");
    let uri = params["uri"].as_str();
    let flag = match change["method"].as_str() {
        Some("notifications/resources/updated") => {
            assert!(uri.is_some(), "{}", shown());
            ""
        }
        Some("notifications/tools/list_changed") => "toolsListChanged",
        Some("notifications/prompts/list_changed") => "promptsListChanged",
        Some("notifications/resources/list_changed") => "resourcesListChanged",
        _ => panic!("no notification that a server sends: {change}\n{}", shown()),
    };
    assert_eq!(change["jsonrpc"], "2.0", "{}", shown());
    assert_eq!(change.get("id"), None, "MSG-4: {}", shown());
    assert!(oracle.may_tell(flag, uri, stream), "nobody asked for it: {}", shown());
}

/// Checks an acknowledgement of a part of a filter, and returns that part: LISTEN-1 to LISTEN-3.
pub(crate) fn check_acknowledged(found: &Value, id: &Value, asked: &Value, shown: Shown<'_>) -> Value {
    let honoured = &found["params"]["notifications"];
    let expected = json!({
        "jsonrpc": "2.0",
        "method": "notifications/subscriptions/acknowledged",
        "params": {"_meta": {"io.modelcontextprotocol/subscriptionId": id}, "notifications": honoured},
    });
    assert_eq!(*found, expected, "{}", shown());
    for (name, value) in honoured.as_object().unwrap() {
        let within = match value.as_array() {
            Some(uris) => uris.iter().all(|uri| asked[name].as_array().is_some_and(|asked| asked.contains(uri))),
            None => *value == true && asked[name] == true,
        };
        assert!(within, "LISTEN-3: {name}: {}", shown());
    }
    honoured.clone()
}

/// Checks a question to the user by form, by its method and parameters: ELIC-3.
pub(crate) fn check_question(method: &Value, params: &Value, revision: &str, shown: Shown<'_>) {
    assert_eq!(*method, "elicitation/create", "MRTR-3: {}", shown());
    let mode = if revision >= "2025-11-25" { json!("form") } else { Value::Null };
    assert!(params["mode"] == mode || params.get("mode").is_none(), "5.6: {}", shown());
    assert!(params["message"].is_string(), "{}", shown());
    let schema = &params["requestedSchema"];
    assert_eq!(schema["type"], "object", "{}", shown());
    for property in schema["properties"].as_object().unwrap().values() {
        let kind = property["type"].as_str();
        let many = kind == Some("array") && revision >= "2025-11-25";
        assert!(many || matches!(kind, Some("string" | "number" | "integer" | "boolean")), "ELIC-3: {}", shown());
    }
}
