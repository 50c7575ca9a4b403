//! The vectors of the demo toolsets, in memory. The tests on the device have the same.

#[path = "../common/vectors.rs"]
mod common;

use serde_json::Value;

use crate::harness::Peer;

#[test]
fn calc() {
    common::replies_are_exact("calc", |line| Peer::demo("calc").send(line));
}

#[test]
fn reservo() {
    common::replies_are_exact("reservo", |line| Peer::demo("reservo").send(line));
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

#[test]
fn tasks() {
    let mut peer = Peer::demo("tasks");
    common::tasks(|line| peer.send(line));
}
