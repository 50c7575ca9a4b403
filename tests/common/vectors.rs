//! The vectors of the demo toolsets.

use serde_json::{Value, json};

use crate::data;

/// Checks the answers of a toolset byte for byte, through what sends a line and returns those that come back.
pub(crate) fn replies_are_exact(toolset: &str, mut send: impl FnMut(&[u8]) -> Vec<String>) {
    for vector in data::lines(&format!("{toolset}.jsonl")) {
        let (line, expect) = (vector["send"].as_str().unwrap(), vector["expect"].as_str().unwrap());
        assert_eq!(send(line.as_bytes()), [expect], "{}", vector["name"]);
    }
}

/// Checks the calls of `tasks`, which one server must get in their order.
pub(crate) fn tasks(mut send: impl FnMut(&[u8]) -> Vec<String>) {
    for vector in data::lines("tasks.jsonl") {
        let request = json!({"jsonrpc": "2.0", "id": &vector["id"], "method": "tools/call", "params": &vector["call"]});
        let answers = send(request.to_string().as_bytes());
        let [answer] = &answers[..] else { panic!("{vector}: not one answer: {answers:?}") };
        let answer: Value = serde_json::from_str(answer).unwrap();
        let result = &answer["result"];
        assert_eq!(answer["id"], vector["id"]);
        assert_eq!(result["isError"], vector["isError"], "{vector}: {answer}");
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
        if let Some(expected) = vector["text"].as_str() {
            assert_eq!(text, expected, "{vector}");
        }
        for part in vector["textContains"].as_array().into_iter().flatten() {
            assert!(text.contains(part.as_str().unwrap()), "{vector}: {text}");
        }
    }
}
