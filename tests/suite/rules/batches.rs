//! Section 3.6: arrays.

use super::fixture::{expand, expect, no_id, sees, transcript};
use crate::harness::{ALL, Peer};

const BATCHING: &[&str] = &["2025-03-26"];
const OTHERS: [&str; 5] = ["none", "2024-11-05", "2025-06-18", "2025-11-25", "2026-07-28"];

#[test]
fn batch_1_arrays_are_messages_in_2025_03_26() {
    expect(
        BATCHING,
        &[
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[1 ok]"),
            (
                r#" [ {"jsonrpc":"2.0","id":1,"method":"ping"} , {"jsonrpc":"2.0","id":"1","method":"tools/list"} ] "#,
                "[1 ok, \"1\" ok]",
            ),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read"}}]"#, "[1 ok]"),
        ],
    );
}

#[test]
fn batch_2_anywhere_else_they_are_refused_and_nothing_is_run() {
    for revision in OTHERS {
        for line in [
            r#"[]"#,
            r#"[1]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":META}}]"#,
            r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#,
            r#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":7},"_meta":TAG}}]"#,
            r#"[{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}]"#,
        ] {
            let mut board = Peer::in_revision("board", revision);
            let refused = format!("{} -32600", no_id(revision));
            assert_eq!(sees(&mut board, revision, line), refused, "{revision}: {line}");
            assert_eq!(
                sees(&mut board, revision, r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#),
                refused,
                "{revision}"
            );
            let (text, _) = board.call("led_set", &serde_json::json!({"on": true}));
            assert_eq!(text, "The LED is on at 100 %.", "{revision}: {line}");
        }
    }
}

#[test]
fn batch_3_the_answer_is_one_array_of_the_answers_to_requests() {
    expect(
        BATCHING,
        &[
            (
                r#"[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}},{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":9,"result":{}},{"jsonrpc":"2.0","id":2,"method":"no/such"},{"jsonrpc":"2.0","method":"ping"}]"#,
                "[1 ok, 2 -32601]",
            ),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"led_set"}}]"#,
                "[1 ok, 1 ok, 3 isError]",
            ),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}]"#, "[1 -32602]"),
            (r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#, ""),
            (r#"[{"jsonrpc":"2.0","method":"x"},{"jsonrpc":"2.0","error":{"code":1,"message":""}}]"#, ""),
        ],
    );
    let mut board = Peer::in_revision("board", "2025-03-26");
    assert_eq!(
        board.send(br#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":"b","method":"ping"}]"#),
        [r#"[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":"b","result":{}}]"#]
    );
}

#[test]
fn batch_4_what_is_no_message_gets_an_entry_and_nothing_a_single_error() {
    expect(
        BATCHING,
        &[
            ("[]", "null -32600"),
            (" [ ] ", "null -32600"),
            ("[1]", "[null -32600]"),
            (r#"[1,"x",null,true,1.5]"#, "[null -32600, null -32600, null -32600, null -32600, null -32600]"),
            ("[[]]", "[null -32600]"),
            (
                r#"[[{"jsonrpc":"2.0","id":1,"method":"ping"}],{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
                "[null -32600, 2 ok]",
            ),
            (
                r#"[{},{"jsonrpc":"2.0","id":1},{"jsonrpc":"1.0","id":2,"method":"ping"}]"#,
                "[null -32600, 1 -32600, 2 -32600]",
            ),
            (r#"[{"jsonrpc":"2.0","id":null,"method":"ping"}]"#, "[null -32600]"),
            // Not JSON as a whole.
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},]"#, "null -32700"),
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "null -32700"),
        ],
    );
}

#[test]
fn batch_5_handshakes_and_tagged_requests_do_not_belong_into_one() {
    let mut board = Peer::in_revision("board", "2025-03-26");
    transcript(
        &mut board,
        "2025-03-26",
        &[
            (
                r#"[{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}},{"jsonrpc":"2.0","id":8,"method":"ping"}]"#,
                "[7 -32600, 8 ok]",
            ),
            (r#"[{"jsonrpc":"2.0","id":7,"method":"initialize"}]"#, "[7 -32600]"),
            (r#"[{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":META}}]"#, "[\"d\" -32600]"),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/clientCapabilities":5}}},{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"progressToken":1}}}]"#,
                "[1 -32600, 2 ok]",
            ),
            // Still the session of before.
            (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[1 ok]"),
        ],
    );
    // The tool of a tagged entry is not run.
    sees(
        &mut board,
        "2025-03-26",
        r#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":7},"_meta":META}}]"#,
    );
    let (text, _) = board.call("led_set", &serde_json::json!({"on": true}));
    assert_eq!(text, "The LED is on at 100 %.");
}

#[test]
fn batch_6_arrays_of_responses_are_taken_apart() {
    expect(
        BATCHING,
        &[
            (
                r#"[{"jsonrpc":"2.0","id":"s1","result":{}},{"jsonrpc":"2.0","id":"s2","error":{"code":-1,"message":"no"}}]"#,
                "",
            ),
            (r#"[{"jsonrpc":"2.0","id":"s1","result":{}},{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "[1 ok]"),
            (r#"[{"jsonrpc":"2.0","id":"s1","result":{}},5]"#, "[null -32600]"),
        ],
    );
}

#[test]
fn batch_7_entries_run_in_order_and_nothing_stands_between_their_answers() {
    let line = r#"[{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":30},"_meta":{"progressToken":"t"}}},{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true}}},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":40}}}]"#;
    let mut board = Peer::in_revision("board", "2025-03-26");
    let answers = board.one(expand("2025-03-26", line).as_bytes());
    let texts: Vec<_> = answers
        .as_array()
        .unwrap()
        .iter()
        .map(|answer| (answer["id"].as_i64().unwrap(), answer["result"]["content"][0]["text"].as_str().unwrap()))
        .collect();
    assert_eq!(texts, [(3, "The LED is on at 30 %."), (1, "The LED is on at 30 %."), (2, "The LED is on at 40 %.")]);
}

#[test]
fn table_5_8_batch_arrays() {
    let line = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
    let seen = ALL.map(|revision| sees(&mut Peer::in_revision("board", revision), revision, line));
    assert_eq!(seen, ["null -32600", "[1 ok]", "null -32600", "- -32600", "- -32600"]);
}
