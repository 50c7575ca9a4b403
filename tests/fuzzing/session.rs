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
            Expected::One(answer) => check_answer(&parse(next()), answer, &oracle, line),
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
        Outcome::Result { method, tagged } => {
            let result = found.get("result").unwrap_or_else(|| panic!("no result: {}", shown()));
            check_result(result, method, *tagged, oracle, &shown);
        }
    }
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
    let cached = tagged && matches!(method, "tools/list" | "server/discover");
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
            assert!(result["capabilities"]["tools"].is_object(), "INIT-4: {}", shown());
        }
        "server/discover" => {
            ["supportedVersions", "capabilities"].into_iter().for_each(|name| take(name, true));
            take("instructions", result.get("instructions").is_some());
            assert_eq!(result["supportedVersions"], serde_json::json!(["2026-07-28"]), "META-4: {}", shown());
        }
        "tools/list" => {
            take("tools", true);
            take("nextCursor", result.get("nextCursor").is_some());
            for tool in result["tools"].as_array().unwrap() {
                check_tool(tool, tagged, oracle, shown);
            }
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
