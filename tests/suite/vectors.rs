//! The vectors of the demo toolsets, byte for byte.

use serde_json::Value;

use crate::data;
use crate::harness::Peer;

fn replies_are_exact(toolset: &str) {
    for vector in data::lines(&format!("{toolset}.jsonl")) {
        let (send, expect) = (vector["send"].as_str().unwrap(), vector["expect"].as_str().unwrap());
        assert_eq!(Peer::demo(toolset).send(send.as_bytes()), [expect], "{}", vector["name"]);
    }
}

#[test]
fn calc() {
    replies_are_exact("calc");
}

#[test]
fn reservo() {
    replies_are_exact("reservo");
}

/// The four contracts as a client for another API sends them, printed by Python's `json.dumps(…, ensure_ascii=False)`.
#[test]
fn reservo_contracts_have_their_sizes() {
    let answer = Peer::demo("reservo").request("tools/list", &serde_json::json!({}));
    let sizes: Vec<usize> = answer["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| pythonic(tool).replacen("\"inputSchema\"", "\"input_schema\"", 1).len())
        .collect();
    assert_eq!(sizes, [283, 438, 578, 314]);
}

/// JSON with Python's separators.
fn pythonic(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{}: {}", Value::from(&**name), pythonic(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Array(elements) => format!("[{}]", elements.iter().map(pythonic).collect::<Vec<_>>().join(", ")),
        value => value.to_string(),
    }
}

/// One server, the calls in order.
#[test]
fn tasks() {
    let mut peer = Peer::demo("tasks");
    for vector in data::lines("tasks.jsonl") {
        let call = &vector["call"];
        let (text, is_error) = peer.call(call["name"].as_str().unwrap(), &call["arguments"]);
        assert_eq!(is_error, vector["isError"].as_bool().unwrap(), "{vector}: {text}");
        if let Some(expected) = vector["text"].as_str() {
            assert_eq!(text, expected, "{vector}");
        }
        for part in vector["textContains"].as_array().into_iter().flatten() {
            assert!(text.contains(part.as_str().unwrap()), "{vector}: {text}");
        }
    }
}
