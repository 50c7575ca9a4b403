//! Sections 7.6 and 8: `tools/call`, and errors of the protocol against errors of a tool.

use serde_json::{Value, json};

use super::fixture::{bench, client, expect, names, sees};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

/// Calls a tool of the bench.
fn call(revision: &str, params: &Value) -> Value {
    client(bench(), revision).request_in(revision, "tools/call", params)
}

#[test]
fn call_1_content_is_an_array_of_blocks_which_may_be_empty() {
    for revision in ALL {
        for (params, content) in [
            (json!({"name": "quiet"}), json!([])),
            (json!({"name": "quiet", "arguments": {}}), json!([])),
            (json!({"name": "echo", "arguments": {"text": ""}}), json!([{"type": "text", "text": ""}])),
            (
                json!({"name": "echo", "arguments": {"text": "a\"b\n\u{1F600}"}}),
                json!([{"type": "text", "text": "a\"b\n\u{1F600}"}]),
            ),
            (json!({"name": "pump"}), json!([{"type": "text", "text": "the pump is stuck"}])),
            (json!({"name": "size", "arguments": {"size": 5}}), json!([{"type": "text", "text": "5 1.5"}])),
            (json!({"name": "size", "arguments": {"size": -5, "scale": 2}}), json!([{"type": "text", "text": "-5 2"}])),
        ] {
            assert_eq!(call(revision, &params)["result"]["content"], content, "{revision}: {params}");
        }
    }
}

#[test]
fn call_2_an_unknown_tool_is_an_error_of_the_protocol() {
    for revision in ALL {
        for name in ["nope", "", "Quiet", "quiet ", "tools/list", "quiét", &"x".repeat(2000)] {
            for params in [json!({"name": name}), json!({"name": name, "arguments": {"text": 5}})] {
                assert_eq!(call(revision, &params)["error"]["code"], -32602, "{revision}: {params}");
            }
        }
    }
}

#[test]
fn call_3_a_malformed_call_is_an_error_of_the_protocol() {
    for revision in ALL {
        for params in [
            json!({}),
            json!({"arguments": {}}),
            json!({"name": null}),
            json!({"name": 5}),
            json!({"name": ["quiet"]}),
            json!({"name": {"name": "quiet"}}),
            json!({"name": true}),
            json!({"name": "quiet", "arguments": []}),
            json!({"name": "quiet", "arguments": "{}"}),
            json!({"name": "quiet", "arguments": 0}),
            json!({"name": "quiet", "arguments": false}),
        ] {
            assert_eq!(call(revision, &params)["error"]["code"], -32602, "{revision}: {params}");
        }
        for params in [
            json!({"name": "quiet"}),
            json!({"name": "quiet", "arguments": null}),
            json!({"name": "quiet", "arguments": {}}),
        ] {
            assert_eq!(call(revision, &params)["result"]["content"], json!([]), "{revision}: {params}");
        }
    }
}

/// Arguments that their schema refuses, and what the text must name.
const UNFIT: &[(&str, &str, &str)] = &[
    // Missing.
    ("led_set", r#"{}"#, "on"),
    ("led_set", r#"{"level":5}"#, "on"),
    ("led_set", r#"{"On":true}"#, "On"),
    ("led_set", r#"{"on":null}"#, "on"),
    // Of the wrong type.
    ("led_set", r#"{"on":"true"}"#, "on"),
    ("led_set", r#"{"on":1}"#, "on"),
    ("led_set", r#"{"on":[]}"#, "on"),
    ("led_set", r#"{"on":{}}"#, "on"),
    ("led_set", r#"{"on":true,"level":"5"}"#, "level"),
    ("led_set", r#"{"on":true,"level":true}"#, "level"),
    ("led_set", r#"{"on":true,"level":5.5}"#, "level"),
    ("led_set", r#"{"on":true,"level":1e-1}"#, "level"),
    // More than there are.
    ("led_set", r#"{"on":true,"colour":"red"}"#, "colour"),
    ("temp_read", r#"{"unit":"k"}"#, "unit"),
    ("temp_read", r#"{"":null}"#, ""),
    // Out of range.
    ("led_set", r#"{"on":true,"level":101}"#, "100"),
    ("led_set", r#"{"on":true,"level":-1}"#, "level"),
    ("led_set", r#"{"on":true,"level":256}"#, "level"),
    ("led_set", r#"{"on":true,"level":1e9}"#, "level"),
    ("led_set", r#"{"on":true,"level":99999999999999999999999999999999999999999999}"#, "level"),
];

/// Calls a tool of a board with arguments as they are written, and returns the answer without what is logged before it.
fn call_board(board: &mut Peer, revision: &str, tool: &str, arguments: &str) -> Value {
    let line =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"TOOL","arguments":ARGUMENTS,"_meta":TAG}}"#
            .replace("TOOL", tool)
            .replace("ARGUMENTS", arguments);
    let lines = board.send(super::fixture::expand(revision, &line).as_bytes());
    serde_json::from_str(lines.last().unwrap()).unwrap()
}

#[test]
fn call_6_unfit_arguments_are_an_error_of_the_tool_in_every_revision() {
    for revision in ALL {
        for &(tool, arguments, named) in UNFIT {
            let mut board = Peer::in_revision("board", revision);
            let answer = call_board(&mut board, revision, tool, arguments);
            assert_eq!(answer["result"]["isError"], true, "{revision}: {tool} {arguments}: {answer}");
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(!text.is_empty() && text.contains(named), "{revision}: {tool} {arguments}: {text}");
        }
        // All integers for JSON Schema, and at the bounds of their range.
        for (arguments, text) in [
            (r#"{"on":true,"level":0}"#, "The LED is on at 0 %."),
            (r#"{"on":true,"level":100}"#, "The LED is on at 100 %."),
            (r#"{"on":true,"level":1.0}"#, "The LED is on at 1 %."),
            (r#"{"on":true,"level":1e0}"#, "The LED is on at 1 %."),
            (r#"{"on":true,"level":10E1}"#, "The LED is on at 100 %."),
            (r#"{"on":true,"level":-0}"#, "The LED is on at 0 %."),
            (r#"{"on":true,"level":null}"#, "The LED is on at 100 %."),
            (r#"{"on":false}"#, "The LED is off."),
        ] {
            let mut board = Peer::in_revision("board", revision);
            let answer = call_board(&mut board, revision, "led_set", arguments);
            assert_eq!(answer["result"]["content"][0]["text"], text, "{revision}: {arguments}: {answer}");
            assert_ne!(answer["result"]["isError"], true, "{revision}: {arguments}: {answer}");
        }
    }
}

#[test]
fn call_7_a_failure_of_a_tool_is_a_result() {
    for revision in ALL {
        let answer = call(revision, &json!({"name": "pump"}));
        assert_eq!(answer["result"]["isError"], true, "{revision}: {answer}");
        assert_eq!(answer["result"]["content"][0]["text"], "the pump is stuck", "{revision}");
        let answer = call(revision, &json!({"name": "quiet"}));
        assert_ne!(answer["result"]["isError"], true, "{revision}: {answer}");
    }
}

#[test]
fn call_8_a_tool_does_not_run_with_inputs_that_are_not_valid() {
    for revision in ALL {
        for &(tool, arguments, _) in UNFIT {
            let mut board = Peer::in_revision("board", revision);
            call_board(&mut board, revision, "led_set", r#"{"on":true,"level":33}"#);
            call_board(&mut board, revision, tool, arguments);
            call_board(&mut board, revision, tool, r#"{"on":true,"level":44,"x":1}"#);
            let after = call_board(&mut board, revision, "led_set", r#"{"on":true}"#);
            assert_eq!(after["result"]["content"][0]["text"], "The LED is on at 33 %.", "{revision}: {arguments}");
        }
    }
}

#[test]
fn call_10_the_task_parameter_is_ignored() {
    for revision in ALL {
        let plain = call(revision, &json!({"name": "echo", "arguments": {"text": "x"}}));
        for task in [json!({}), json!({"ttl": 60000}), json!(null), json!(5), json!("x"), json!([])] {
            let answer = call(revision, &json!({"name": "echo", "arguments": {"text": "x"}, "task": task}));
            assert_eq!(answer, plain, "{revision}: {task}");
        }
        assert_eq!(plain["result"]["content"][0]["text"], "x");
    }
}

#[test]
fn call_12_the_result_of_a_call_is_not_cacheable() {
    for revision in ALL {
        for params in [json!({"name": "quiet"}), json!({"name": "pump"}), json!({"name": "echo"})] {
            let answer = call(revision, &params);
            let members = names(&answer["result"]);
            let expected: &[&str] = match revision {
                MODERN => &["_meta", "content", "isError", "resultType"],
                _ => &["content", "isError"],
            };
            assert!(members.iter().all(|member| expected.contains(member)), "{revision}: {answer}");
        }
    }
}

#[test]
fn call_13_calls_of_unrelated_conversations_may_mix() {
    let modern = |id: &str, tool: &str| {
        super::fixture::expand(
            MODERN,
            &r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"TOOL","arguments":{"on":true},"_meta":META}}"#
                .replace("ID", id)
                .replace("TOOL", tool),
        )
    };
    let legacy = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let mut bytes = String::new();
    for line in [modern("1", "led_set"), legacy("1"), modern("\"1\"", "led_set"), modern("2", "nope"), legacy("2")] {
        bytes.push_str(&line);
        bytes.push('\n');
    }
    // In order of arrival.
    for revision in ["none", "2024-11-05", "2025-11-25"] {
        let out = Peer::in_revision("board", revision).receive(bytes.as_bytes());
        let seen = super::fixture::glance(&crate::harness::lines(&out));
        assert_eq!(seen, r#"1 ok / 1 ok / "1" ok / 2 -32602 / 2 ok"#, "{revision}");
    }
}

#[test]
fn table_8_protocol_error_or_tool_error() {
    for revision in ALL {
        for (members, expected) in [
            // The tool is not known.
            (r#""name":"nope""#, "1 -32602"),
            // A wrong JSON type.
            (r#""name":5"#, "1 -32602"),
            (r#""name":"echo","arguments":["x"]"#, "1 -32602"),
            // Arguments that are missing, of the wrong type, extra, out of range.
            (r#""name":"echo""#, "1 isError"),
            (r#""name":"echo","arguments":{"text":5}"#, "1 isError"),
            (r#""name":"echo","arguments":{"text":"x","loud":true}"#, "1 isError"),
            (r#""name":"size","arguments":{"size":6}"#, "1 isError"),
            // The hardware fails.
            (r#""name":"pump""#, "1 isError"),
            // The server fails.
            (r#""name":"fault","arguments":{"on":true}"#, "1 -32603"),
            // All is well.
            (r#""name":"size","arguments":{"size":5}"#, "1 ok"),
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{MEMBERS,"_meta":TAG}}"#
                .replace("MEMBERS", members);
            assert_eq!(sees(&mut client(bench(), revision), revision, &line), expected, "{revision}: {line}");
        }
        // A rule of the business.
        let answer = Peer::in_revision("reservo", revision).request_in(
            revision,
            "tools/call",
            &json!({"name": "get_quote", "arguments": {"room": "Focus", "tier": "basic", "hours": 25}}),
        );
        assert_eq!(answer["result"]["isError"], true, "{revision}: {answer}");
    }
    // What the client cannot do.
    let calibrate = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"calibrate","_meta":TAG}}"#;
    expect(&LEGACY, &[(calibrate, "1 isError")]);
    expect(&[MODERN], &[(calibrate, "1 -32021")]);
    // What is not offered.
    expect(&ALL, &[(r#"{"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{"_meta":TAG}}"#, "1 -32601")]);
}
