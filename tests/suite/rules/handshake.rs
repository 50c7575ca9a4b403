//! Sections 7.1 and 7.2: `initialize` and `notifications/initialized`.

use serde_json::json;

use super::fixture::{bench, client, expand, expect, names, sees, transcript};
use crate::harness::{ALL, LEGACY, Peer};

const BATCH: &str = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;

fn hello(version: &str) -> String {
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
        .replace("VERSION", version)
}

#[test]
fn init_1_the_answer_has_version_capabilities_and_identity() {
    for revision in LEGACY {
        let result = client(bench(), "none").shake_hands(revision);
        assert_eq!(names(&result), ["capabilities", "instructions", "protocolVersion", "serverInfo"], "{revision}");
        assert_eq!(result["protocolVersion"], revision);
        assert_eq!(result["instructions"], "For tests.");
        assert_eq!(result["serverInfo"]["name"], "bench");
        assert_eq!(result["serverInfo"]["version"], "1.2.3");
    }
    // Instructions are optional.
    let result = Peer::demo("calc").shake_hands("2025-11-25");
    assert_eq!(names(&result), ["capabilities", "protocolVersion", "serverInfo"]);
}

#[test]
fn init_2_a_supported_version_is_echoed() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        assert_eq!(Peer::demo("board").shake_hands(revision)["protocolVersion"], revision);
    }
}

#[test]
fn init_3_for_any_other_the_newest_is_offered() {
    for asked in ["2024-10-07", "1.0", "", "2031-01-01", "2026-07-28", "latest"] {
        assert_eq!(Peer::demo("board").shake_hands(asked)["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[test]
fn init_4_what_is_served_is_declared() {
    for revision in LEGACY {
        let mut board = Peer::demo("board");
        let capabilities = board.shake_hands(revision)["capabilities"].take();
        let mut declared = json!({"tools": {}, "resources": {"subscribe": true}, "prompts": {}, "logging": {}});
        if revision != "2024-11-05" {
            declared["completions"] = json!({});
        }
        assert_eq!(capabilities, declared, "{revision}");
        for (method, expected) in [
            ("tools/list", "\"r\" ok"),
            ("resources/list", "\"r\" ok"),
            ("resources/templates/list", "\"r\" ok"),
            ("resources/subscribe", "\"r\" -32602"),
            ("prompts/list", "\"r\" ok"),
            ("logging/setLevel", "\"r\" ok"),
            // Served, but it lacks what is to be completed.
            ("completion/complete", "\"r\" -32602"),
        ] {
            let line =
                r#"{"jsonrpc":"2.0","id":"r","method":"METHOD","params":{"level":"info"}}"#.replace("METHOD", method);
            assert_eq!(sees(&mut board, revision, &line), expected, "{revision}");
        }
        let mut bench = client(bench(), "none");
        assert_eq!(bench.shake_hands(revision)["capabilities"], json!({"tools": {}}), "{revision}");
        for method in [
            "resources/list",
            "resources/templates/list",
            "resources/read",
            "prompts/list",
            "prompts/get",
            "completion/complete",
            "logging/setLevel",
        ] {
            let line = r#"{"jsonrpc":"2.0","id":"r","method":"METHOD"}"#.replace("METHOD", method);
            assert_eq!(sees(&mut bench, revision, &line), "\"r\" -32601", "{revision}");
        }
    }
}

#[test]
fn init_5_version_capabilities_and_client_are_required() {
    for (params, expected) in [
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#, "0 ok"),
        (
            r#"{"protocolVersion":"2025-06-18","capabilities":{"x":5},"clientInfo":{"name":"","version":"","x":5}}"#,
            "0 ok",
        ),
        ("{}", "0 -32602"),
        ("null", "0 -32602"),
        (r#"{"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":null,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":5,"capabilities":{},"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":null,"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":[],"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":true,"clientInfo":{"name":"c","version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":null}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":"c"}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":null,"version":"1"}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":1}}"#, "0 -32602"),
        (r#"{"protocolVersion":"2031-01-01","capabilities":{},"clientInfo":{}}"#, "0 -32602"),
    ] {
        let line = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":PARAMS}"#.replace("PARAMS", params);
        expect(&[&ALL[..], &["none"]].concat(), &[(&line, expected)]);
    }
    expect(&[&ALL[..], &["none"]].concat(), &[(r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#, "0 -32602")]);
}

#[test]
fn init_6_the_handshake_is_neither_cancelled_nor_batched() {
    let mut board = Peer::demo("board");
    transcript(&mut board, "none", &[(&hello("2025-03-26"), "0 ok")]);
    transcript(
        &mut board,
        "2025-03-26",
        &[
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#, ""),
            (BATCH, "[1 ok]"),
            (&format!("[{}]", hello("2024-11-05")), "[0 -32600]"),
            (BATCH, "[1 ok]"),
        ],
    );
}

#[test]
fn init_7_what_was_negotiated_holds_for_what_follows() {
    // Not what was asked for, but what was answered.
    for (asked, batch, garbage, titled, annotated) in [
        ("2024-11-05", "null -32600", "null -32700", false, false),
        ("2025-03-26", "[1 ok]", "null -32700", false, true),
        ("2025-06-18", "null -32600", "null -32700", true, true),
        ("2025-11-25", "- -32600", "- -32700", true, true),
        ("2026-07-28", "- -32600", "- -32700", true, true),
        ("2024-01-01", "- -32600", "- -32700", true, true),
    ] {
        let mut server = client(bench(), "none");
        transcript(&mut server, asked, &[(&hello(asked), "0 ok")]);
        transcript(&mut server, asked, &[(BATCH, batch), ("x", garbage)]);
        let listed = server.request("tools/list", &json!({}));
        let quiet = &listed["result"]["tools"][0];
        assert_eq!(quiet.get("title").is_some(), titled, "{asked}: {listed}");
        assert_eq!(quiet.get("annotations").is_some(), annotated, "{asked}: {listed}");
        assert_eq!(listed["result"].get("resultType"), None, "{asked}");
    }
}

#[test]
fn init_8_nothing_of_the_client_is_remembered_but_its_revision() {
    for revision in LEGACY {
        let lines = [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read"}}"#,
            BATCH,
            "x",
        ];
        let answers = |client: &str| {
            let mut board = Peer::demo("board");
            let line =
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION",CLIENT}}"#
                    .replace("VERSION", revision)
                    .replace("CLIENT", client);
            let mut answers = board.send(line.as_bytes());
            for line in lines {
                answers.extend(board.send(line.as_bytes()));
            }
            answers
        };
        let plain = answers(r#""capabilities":{},"clientInfo":{"name":"c","version":"1"}"#);
        assert_eq!(plain.len(), 5);
        assert_eq!(
            answers(
                r#""capabilities":{"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},"tasks":{}},"clientInfo":{"name":"d","version":"2","title":"D"}"#
            ),
            plain,
            "{revision}"
        );
    }
}

#[test]
fn init_9_a_second_handshake_is_a_new_session() {
    for first in LEGACY {
        for second in LEGACY {
            let mut board = Peer::in_revision("board", first);
            let mut fresh = Peer::demo("board");
            assert_eq!(board.send(hello(second).as_bytes()), fresh.send(hello(second).as_bytes()), "{first}, {second}");
            for line in [r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, BATCH, "x"] {
                assert_eq!(board.send(line.as_bytes()), fresh.send(line.as_bytes()), "{first}, {second}: {line}");
            }
        }
    }
}

#[test]
fn initd_1_initialized_is_not_answered() {
    expect(
        &[&ALL[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{}}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":null}"#, ""),
        ],
    );
}

#[test]
fn initd_3_requests_are_served_without_initialized() {
    for revision in LEGACY {
        let mut with = Peer::in_revision("board", revision);
        let mut without = Peer::demo("board");
        assert_eq!(sees(&mut without, revision, &hello(revision)), "0 ok");
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#,
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"temp_read"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        ] {
            let answer = without.send(expand(revision, line).as_bytes());
            assert!(answer[0].contains("\"result\":"), "{revision}: {answer:?}");
            assert_eq!(with.send(line.as_bytes()), answer, "{revision}: {line}");
        }
    }
}
