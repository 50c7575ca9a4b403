//! Any bytes into a server, its answers against the oracle.

use serde_json::Value;

use crate::oracle::{Answer, Expected, Id, Oracle, Outcome};
use crate::wire::{Demo, lines};

/// The first byte is the first letter of a demo toolset, a capital for a small server; the others come in over the line.
pub fn session(data: &[u8]) {
    if let Some((letter, bytes)) = data.split_first() {
        check(Demo::new(*letter), bytes, &crate::pieces(data));
    }
}

const PING: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"method\":\"ping\"}";

/// Checks that each line gets the answers that it should get, in any split, and that a ping afterwards is answered.
pub(crate) fn check(demo: Demo, bytes: &[u8], pieces: &[usize]) {
    let input = [bytes, b"\n", PING, b"\n"].concat();
    let output = demo.output(&input, &[usize::MAX]);
    let in_pieces = demo.output(&input, pieces);
    assert!(in_pieces == output, "in pieces: {}\n{}", in_pieces.escape_ascii(), output.escape_ascii());

    let mut oracle = Oracle::new(demo);
    let answers = lines(&output);
    let mut answers = answers.iter();
    for line in input.split(|byte| *byte == b'\n') {
        let expected = oracle.line(line);
        let shown = line.escape_ascii();
        let mut next = || answers.next().unwrap_or_else(|| panic!("no answer to {shown}, expected {expected:?}"));
        match &expected {
            Expected::Nothing => {}
            Expected::One(answer) => {
                let mut found = parse(next());
                let mut reports = Vec::new();
                while found["method"] == "notifications/progress" {
                    reports.push(found);
                    found = parse(next());
                }
                check_answer(&found, answer, &oracle, line);
                check_progress(&reports, &found, &oracle, line);
            }
            Expected::Batch(expected) => {
                let array = parse(next());
                let found = array.as_array().unwrap_or_else(|| panic!("no array: {array}"));
                assert_eq!(found.len(), expected.len(), "{array} for {shown}, expected {expected:?}");
                for (found, expected) in found.iter().zip(expected) {
                    check_answer(found, expected, &oracle, line);
                }
            }
        }
    }
    assert_eq!(answers.next(), None, "an answer that nobody asked for");
    assert!(output.ends_with(b"{\"jsonrpc\":\"2.0\",\"id\":\"after\",\"result\":{}}\n"), "the ping is not answered");
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Checks an answer: MSG-1 to MSG-3, MSG-5, and what was expected.
fn check_answer(found: &Value, expected: &Answer, oracle: &Oracle, line: &[u8]) {
    let shown = || format!("{found}\nfor {}\nexpected {expected:?}", line.escape_ascii());
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
    match &expected.outcome {
        Outcome::Error(codes) => check_error(found, codes, &shown),
        Outcome::Unsupported(requested) => {
            check_error(found, &[-32022], &shown);
            let data = serde_json::json!({"supported": ["2026-07-28"], "requested": requested});
            assert_eq!(found["error"]["data"], data, "META-3: {}", shown());
        }
        Outcome::Missing { uri, tagged } => {
            check_error(found, if *tagged { &[-32602] } else { &[-32002] }, &shown);
            assert_eq!(found["error"]["data"], serde_json::json!({"uri": uri}), "RES-3: {}", shown());
        }
        Outcome::Result { method, tagged } => {
            let result = found.get("result").unwrap_or_else(|| panic!("no result: {}", shown()));
            check_result(result, method, *tagged, oracle, &shown);
        }
    }
}

/// Checks the reports before an answer: PROG-1, PROG-2, and all that was promised.
fn check_progress(reports: &[Value], found: &Value, oracle: &Oracle, line: &[u8]) {
    let promised = oracle.progress(line).filter(|_| found["result"]["isError"] == false);
    let (token, total) = promised.unwrap_or_default();
    let expected: Vec<_> = (1..=total)
        .map(|done| {
            let params = serde_json::json!({"progressToken": token, "progress": done, "total": total});
            serde_json::json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
        })
        .collect();
    assert_eq!(reports, expected, "{}", line.escape_ascii());
}

fn check_error(found: &Value, codes: &[i64], shown: &dyn Fn() -> String) {
    let code = found["error"]["code"].as_i64();
    assert!(code.is_some_and(|code| codes.contains(&code)), "code: {}", shown());
    assert!(found["error"]["message"].as_str().is_some_and(|message| !message.is_empty()), "MSG-5: {}", shown());
}

/// Checks the shape of a result (PROTOCOL 5.5, 5.6).
fn check_result(result: &Value, method: &str, tagged: bool, oracle: &Oracle, shown: &dyn Fn() -> String) {
    let mut names: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let mut take = |name: &str, present: bool| {
        let at = names.iter().position(|found| *found == name);
        assert_eq!(at.is_some(), present, "{name}: {}", shown());
        at.map(|at| names.remove(at));
    };
    take("resultType", tagged);
    take("_meta", tagged);
    let cached = tagged && (method.ends_with("/list") || matches!(method, "resources/read" | "server/discover"));
    take("ttlMs", cached);
    take("cacheScope", cached);
    if tagged {
        assert_eq!(result["resultType"], "complete", "{}", shown());
        assert!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(), "META-8: {}", shown());
    }
    if cached {
        assert!(result["ttlMs"].as_u64().is_some(), "{}", shown());
        assert!(matches!(result["cacheScope"].as_str(), Some("public" | "private")), "{}", shown());
    }
    match method {
        "ping" => {}
        "initialize" => {
            ["protocolVersion", "capabilities", "serverInfo"].into_iter().for_each(|name| take(name, true));
            take("instructions", result.get("instructions").is_some());
            assert_eq!(result["protocolVersion"].as_str(), oracle.session(), "{}", shown());
            check_capabilities(&result["capabilities"], tagged, oracle, shown);
        }
        "server/discover" => {
            ["supportedVersions", "capabilities"].into_iter().for_each(|name| take(name, true));
            take("instructions", result.get("instructions").is_some());
            assert_eq!(result["supportedVersions"], serde_json::json!(["2026-07-28"]), "META-4: {}", shown());
            check_capabilities(&result["capabilities"], tagged, oracle, shown);
        }
        "tools/list" => {
            take("tools", true);
            take("nextCursor", result.get("nextCursor").is_some());
            for tool in result["tools"].as_array().unwrap() {
                check_tool(tool, tagged, oracle, shown);
            }
        }
        "resources/list" | "resources/templates/list" => {
            let name = if method == "resources/list" { "resources" } else { "resourceTemplates" };
            take(name, true);
            take("nextCursor", result.get("nextCursor").is_some());
            for resource in result[name].as_array().unwrap() {
                check_resource(resource, tagged, oracle, shown);
            }
        }
        "resources/read" => {
            take("contents", true);
            let [contents] = &result["contents"].as_array().unwrap()[..] else { panic!("contents: {}", shown()) };
            let members: Vec<_> = contents.as_object().unwrap().keys().collect();
            assert_eq!(members, ["uri", "mimeType", "text"], "{}", shown());
            assert!(contents["text"].is_string(), "{}", shown());
        }
        "prompts/list" => {
            take("prompts", true);
            take("nextCursor", result.get("nextCursor").is_some());
            assert_eq!(result["prompts"][0]["name"], "diagnose", "{}", shown());
        }
        "prompts/get" => {
            ["description", "messages"].into_iter().for_each(|name| take(name, true));
            let [message] = &result["messages"].as_array().unwrap()[..] else { panic!("messages: {}", shown()) };
            assert_eq!(
                (&message["role"], &message["content"]["type"]),
                (&"user".into(), &"text".into()),
                "{}",
                shown()
            );
            assert!(message["content"]["text"].is_string(), "{}", shown());
        }
        "completion/complete" => {
            take("completion", true);
            let values = result["completion"]["values"].as_array().unwrap();
            assert!(values.len() <= 100 && values.iter().all(Value::is_string), "COMP-2: {}", shown());
        }
        "tools/call" => {
            ["content", "isError"].into_iter().for_each(|name| take(name, true));
            assert!(result["isError"].is_boolean(), "{}", shown());
            for block in result["content"].as_array().unwrap() {
                assert_eq!(block["type"], "text", "{}", shown());
                assert!(block["text"].is_string(), "{}", shown());
                assert_eq!(block.as_object().unwrap().len(), 2, "{}", shown());
            }
        }
        method => panic!("a result for {method}: {}", shown()),
    }
    assert!(names.is_empty(), "members that nobody defined: {names:?} {}", shown());
}

/// INIT-4, DISC-4: what is served is declared, and nothing else.
fn check_capabilities(capabilities: &Value, tagged: bool, oracle: &Oracle, shown: &dyn Fn() -> String) {
    let mut expected = serde_json::json!({"tools": {}});
    if oracle.has_resources() {
        expected["resources"] = serde_json::json!({});
        expected["prompts"] = serde_json::json!({});
        // There is no such capability in 2024-11-05.
        if tagged || oracle.session() != Some("2024-11-05") {
            expected["completions"] = serde_json::json!({});
        }
    }
    assert_eq!(*capabilities, expected, "{}", shown());
}

/// GATE-1, RES-10
fn check_resource(resource: &Value, tagged: bool, oracle: &Oracle, shown: &dyn Fn() -> String) {
    let revision = if tagged { "2026-07-28" } else { oracle.session().unwrap_or("2025-11-25") };
    let uri = resource.get("uri").or_else(|| resource.get("uriTemplate"));
    assert!(uri.is_some_and(Value::is_string) && resource["name"].is_string(), "{}", shown());
    assert!(resource.get("size").is_none_or(Value::is_u64), "{}", shown());
    assert!(resource.get("title").is_none() || revision >= "2025-06-18", "{}", shown());
}

/// GATE-1: a member is sent only to revisions that define it.
fn check_tool(tool: &Value, tagged: bool, oracle: &Oracle, shown: &dyn Fn() -> String) {
    let revision = if tagged { "2026-07-28" } else { oracle.session().unwrap_or("2025-11-25") };
    assert!(tool["name"].is_string() && tool["description"].is_string(), "{}", shown());
    assert_eq!(tool["inputSchema"]["type"], "object", "{}", shown());
    assert!(tool["inputSchema"]["properties"].is_object(), "{}", shown());
    // Revisions are dates, so their order is that of their names.
    assert!(tool.get("annotations").is_none() || revision >= "2025-03-26", "{}", shown());
    assert!(tool.get("title").is_none() || revision >= "2025-06-18", "{}", shown());
}
