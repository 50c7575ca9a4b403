//! Sections 4.1, 4.3 and 4.4: which revision a message is served in.

use serde_json::{Value, json};

use super::fixture::{expand, expect, sees, transcript};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":META}}"#;
const UNTAGGED_DISCOVER: &str = r#"{"jsonrpc":"2.0","id":"d","method":"server/discover"}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const TAGGED_LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":META}}"#;
const BATCH: &str = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;

fn hello(version: &str) -> String {
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
        .replace("VERSION", version)
}

/// The answer to a line.
fn answer(peer: &mut Peer, line: &str) -> Value {
    peer.one(expand("none", line).as_bytes())
}

/// For each pair of neighbouring checks: what fails both, what fails the earlier only, what fails the later only, and
/// in brief the answers to the earlier and the later. What fails both must be answered as what fails the earlier.
///
/// Two pairs are missing, as nothing can fail both: what is no object has no id, params that are none no metadata.
const ORDER: &[[&str; 5]] = &[
    // JSON, then object.
    ["5 5", "{}5", "5", "NONE -32700", "NONE -32600"],
    // Id, then jsonrpc.
    [
        r#"{"jsonrpc":"1.0","id":null,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#,
        "NONE -32600",
        "1 -32600",
    ],
    // Id, then method.
    [
        r#"{"jsonrpc":"2.0","id":1.5,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        "NONE -32600",
        "1 -32600",
    ],
    // Jsonrpc, then method.
    [
        r#"{"jsonrpc":"1.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        "1 -32600",
        "1 -32600",
    ],
    // Method, then params.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":5,"params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
        "1 -32600",
        "1 -32602",
    ],
    // Params, then what the era says of the method.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":TAG}}"#,
        "1 -32602",
        "1 -32601",
    ],
    // Metadata, then what the era says of the method.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":TAG}}"#,
        "1 -32602",
        "1 -32601",
    ],
    // Metadata, then what the method says of the params.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":TAG}}"#,
        "1 -32602",
        "1 -32602",
    ],
    // Metadata, then the handshake.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":5}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        "1 -32602",
        "1 -32602",
    ],
    // 1 the version is a string, then 3 the capabilities are an object.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":5}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":5,"P/clientCapabilities":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
        "1 -32602",
        "1 -32602",
    ],
    // 2 the version is spoken, then 3 the capabilities are an object.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"x"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"x","P/clientCapabilities":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
        "1 -32022",
        "1 -32602",
    ],
    // 2 the version is spoken, then 5 the method is there.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":{"P/protocolVersion":"x","P/clientCapabilities":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"x","P/clientCapabilities":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":META}}"#,
        "1 -32022",
        "1 -32601",
    ],
    // 3 the capabilities are an object, then 4 the level is one.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28","P/logLevel":"loud"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"loud"}}}"#,
        "1 -32602",
        "1 -32602",
    ],
    // 3 the capabilities are an object, then 5 the method is there.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":META}}"#,
        "1 -32602",
        "1 -32601",
    ],
    // 4 the level is one, then 5 the method is there.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"loud"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"loud"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":META}}"#,
        "1 -32602",
        "1 -32601",
    ],
    // 5 the method is there, then 6 its params are right.
    [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":META}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"},"_meta":META}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":META}}"#,
        "1 -32601",
        "1 -32602",
    ],
];

#[test]
fn table_4_1_order_of_checks() {
    for revision in ALL {
        for [both, earlier, later, is_earlier, is_later] in ORDER {
            let one = |line: &str| Peer::in_revision("board", revision).send(expand(revision, line).as_bytes());
            assert_eq!(one(both), one(earlier), "{revision}: {both}");
            assert_ne!(one(earlier), one(later), "{revision}: {both}");
            expect(&[revision], &[(both, is_earlier), (earlier, is_earlier), (later, is_later)]);
        }
    }
}

/// Either key makes a request a modern one, and nothing else does.
#[test]
fn table_4_1_what_is_tagged() {
    for revision in LEGACY.into_iter().chain(["none"]) {
        for (metadata, expected) in [
            (r#"{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{}}"#, "1 ok"),
            (r#"{"P/protocolVersion":"2026-07-28"}"#, "1 -32602"),
            (r#"{"P/clientCapabilities":{}}"#, "1 -32602"),
            (r#"{"P/protocolVersion":null}"#, "1 -32602"),
            (r#"{"P/clientCapabilities":null}"#, "1 -32602"),
            (r#"{"P/clientInfo":{"name":"c","version":"1"}}"#, "1 -32601"),
            (r#"{"P/logLevel":"loud"}"#, "1 -32601"),
            (r#"{"protocolVersion":"2026-07-28","clientCapabilities":{}}"#, "1 -32601"),
            (r#"{"p/protocolVersion":"2026-07-28"}"#, "1 -32601"),
            (r#"{}"#, "1 -32601"),
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":METADATA}}"#
                .replace("METADATA", metadata);
            // Without a session an untagged request of this method gets another code (ERA-5).
            let expected = if revision == "none" { expected.replace("-32601", "-32602") } else { expected.to_owned() };
            expect(&[revision], &[(&line, &expected)]);
        }
        // Not in the metadata of the params, so no tag.
        expect(
            &[revision],
            &[(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","_meta":META,"params":{"P/protocolVersion":"x"}}"#,
                "1 ok",
            )],
        );
    }
}

#[test]
fn era_1_a_tagged_request_is_served_beside_a_session() {
    let alone = answer(&mut Peer::demo("board"), TAGGED_LIST);
    assert_eq!(alone["result"]["resultType"], "complete");
    for revision in LEGACY {
        let mut board = Peer::in_revision("board", revision);
        let before = answer(&mut board, LIST);
        assert_eq!(before["result"].get("resultType"), None, "{revision}");
        assert_eq!(answer(&mut board, TAGGED_LIST), alone, "{revision}");
        assert_eq!(sees(&mut board, revision, DISCOVER), "\"d\" ok", "{revision}");
        assert_eq!(answer(&mut board, LIST), before, "{revision}");
    }
}

#[test]
fn era_2_initialize_starts_a_session() {
    let mut board = Peer::demo("board");
    transcript(
        &mut board,
        "none",
        &[(BATCH, "- -32600"), (UNTAGGED_DISCOVER, "\"d\" -32602"), (&hello("2025-03-26"), "0 ok")],
    );
    transcript(
        &mut board,
        "2025-03-26",
        &[(BATCH, "[1 ok]"), (UNTAGGED_DISCOVER, "\"d\" -32601"), ("x", "null -32700")],
    );
}

#[test]
fn era_3_nothing_of_a_tagged_request_is_taken_from_earlier_ones() {
    for revision in ["none", "2024-11-05", "2025-11-25"] {
        let mut board = Peer::in_revision("board", revision);
        transcript(
            &mut board,
            revision,
            &[
                (TAGGED_LIST, "1 ok"),
                (
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
                    "1 -32602",
                ),
                (
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/clientCapabilities":{}}}}"#,
                    "1 -32602",
                ),
                (
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2025-11-25","P/clientCapabilities":{}}}}"#,
                    "1 -32022",
                ),
                (TAGGED_LIST, "1 ok"),
                // And nothing of a tagged request serves an untagged one.
                (
                    r#"{"jsonrpc":"2.0","id":"d","method":"server/discover"}"#,
                    if revision == "none" { "\"d\" -32602" } else { "\"d\" -32601" },
                ),
            ],
        );
    }
}

#[test]
fn era_4_eras_may_alternate() {
    transcript(
        &mut Peer::demo("board"),
        "none",
        &[
            (DISCOVER, "\"d\" ok"),
            (&hello("2025-11-25"), "0 ok"),
            (LIST, "1 ok"),
            (DISCOVER, "\"d\" ok"),
            (TAGGED_LIST, "1 ok"),
            (&hello("2025-11-25"), "0 ok"),
            (TAGGED_LIST, "1 ok"),
            (LIST, "1 ok"),
            (UNTAGGED_DISCOVER, "\"d\" -32601"),
        ],
    );
    for revision in LEGACY {
        let mut board = Peer::in_revision("board", revision);
        transcript(
            &mut board,
            revision,
            &[(DISCOVER, "\"d\" ok"), (LIST, "1 ok"), (&hello(revision), "0 ok"), (DISCOVER, "\"d\" ok")],
        );
    }
}

#[test]
fn era_5_discover_and_listen_are_modern_only() {
    for (method, members) in [("server/discover", "{}"), ("subscriptions/listen", r#"{"notifications":{}}"#)] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":MEMBERS}"#.replace("METHOD", method).replace("MEMBERS", members);
        expect(&["none"], &[(&line, "1 -32602")]);
        expect(&LEGACY, &[(&line, "1 -32601")]);
    }
    expect(&["none"], &[(UNTAGGED_DISCOVER, "\"d\" -32602")]);
    expect(&LEGACY, &[(UNTAGGED_DISCOVER, "\"d\" -32601")]);
}

#[test]
fn era_8_state_is_behind_a_handle_not_behind_the_connection() {
    let book =
        json!({"name": "book_room", "arguments": {"room": "Focus", "tier": "basic", "hours": 2, "member": "Ana"}});
    let cancel = |id: u8| json!({"name": "cancel_booking", "arguments": {"id": id}});
    for (from, to) in [(MODERN, "2024-11-05"), ("2024-11-05", MODERN), ("2025-06-18", "2025-11-25"), (MODERN, MODERN)] {
        let mut reservo = Peer::in_revision("reservo", from);
        let booked = reservo.request_in(from, "tools/call", &book);
        let text = booked["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("Reserva 1 "), "{text}");
        if to != MODERN {
            reservo.shake_hands(to);
        }
        let cancelled = reservo.request_in(to, "tools/call", &cancel(1));
        assert_eq!(cancelled["result"]["content"][0]["text"], "Reserva 1 cancelada: Focus", "{from}, {to}");
        // An expired handle is an error of the tool.
        assert_eq!(reservo.request_in(to, "tools/call", &cancel(1))["result"]["isError"], true);
    }
}

#[test]
fn era_9_related_requests_may_come_from_several_clients() {
    let mut reservo = Peer::in_revision("reservo", MODERN);
    let mut call = |client: &str, name: &str, arguments: Value| {
        let line = json!({"jsonrpc": "2.0", "id": client, "method": "tools/call", "params": {"name": name, "arguments": arguments, "_meta": {
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": client, "version": "1"},
        }}});
        let answer = reservo.one(line.to_string().as_bytes());
        assert_eq!(answer["id"], client);
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let stay = json!({"room": "Studio", "tier": "pro", "hours": 1, "member": "Eva"});
    assert!(call("a", "book_room", stay.clone()).starts_with("Reserva 1 "));
    assert!(call("b", "book_room", stay).starts_with("Reserva 2 "));
    assert_eq!(call("b", "cancel_booking", json!({"id": 1})), "Reserva 1 cancelada: Studio");
    assert_eq!(call("a", "cancel_booking", json!({"id": 2})), "Reserva 2 cancelada: Studio");
}

#[test]
fn era_11_removed_methods_are_not_there_for_tagged_requests() {
    for revision in ALL.into_iter().chain(["none"]) {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"},"_meta":META}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":META}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":META}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info","_meta":META}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"device://log","_meta":META}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{"uri":"device://log","_meta":META}}"#,
        ] {
            let mut board = Peer::in_revision("board", revision);
            let before = board.send(BATCH.as_bytes());
            assert_eq!(sees(&mut board, revision, line), "1 -32601", "{revision}: {line}");
            assert_eq!(board.send(BATCH.as_bytes()), before, "{revision}: a new session by {line}");
        }
    }
}

#[test]
fn era_12_an_untagged_request_without_a_session_is_served_as_2025_11_25() {
    for line in [
        LIST,
        TAGGED_LIST,
        BATCH,
        "x",
        "{}",
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read","task":{"ttl":1}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"tasks/list"}"#,
    ] {
        let line = expand("none", line);
        let mut board = Peer::demo("board");
        let expected = Peer::in_revision("board", "2025-11-25").send(line.as_bytes());
        assert_eq!(board.send(line.as_bytes()), expected, "{line}");
        // No session has come into being.
        assert_eq!(sees(&mut board, "none", UNTAGGED_DISCOVER), "\"d\" -32602", "{line}");
        assert_eq!(board.send(line.as_bytes()), expected, "{line}");
    }
    // Titles of tools, annotations and no type: what 2025-11-25 has.
    let listed = answer(&mut Peer::demo("board"), LIST);
    assert_eq!(listed["result"]["tools"][0]["title"], "Set the LED");
    assert_eq!(listed["result"]["tools"][0]["annotations"]["idempotentHint"], true);
    assert_eq!(listed["result"].get("resultType"), None);
}

#[test]
fn table_4_3_negotiation() {
    for (asked, answered) in [
        (r#""2024-11-05""#, Some("2024-11-05")),
        (r#""2025-03-26""#, Some("2025-03-26")),
        (r#""2025-06-18""#, Some("2025-06-18")),
        (r#""2025-11-25""#, Some("2025-11-25")),
        (r#""2025\u002d06-18""#, Some("2025-06-18")),
        (r#""2024-10-07""#, Some("2025-11-25")),
        (r#""2025-06-19""#, Some("2025-11-25")),
        (r#""1.0""#, Some("2025-11-25")),
        (r#""""#, Some("2025-11-25")),
        (r#""2025-06-18 ""#, Some("2025-11-25")),
        (r#""2031-01-01""#, Some("2025-11-25")),
        (r#""DRAFT-2026-v1""#, Some("2025-11-25")),
        (r#""2026-07-28""#, Some("2025-11-25")),
        ("null", None),
        ("20250618", None),
        ("true", None),
        (r#"["2025-06-18"]"#, None),
        ("{}", None),
    ] {
        for revision in LEGACY.into_iter().chain(["none"]) {
            let line = hello("VERSION").replace("\"VERSION\"", asked);
            let answer = Peer::in_revision("board", revision).one(line.as_bytes());
            assert_eq!(answer["result"]["protocolVersion"].as_str(), answered, "{revision}: {asked}: {answer}");
            if answered.is_none() {
                assert_eq!(answer["error"]["code"], -32602, "{asked}: {answer}");
            }
        }
    }
    expect(
        &[&LEGACY[..], &["none"]].concat(),
        &[(
            r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
            "0 -32602",
        )],
    );
}

#[test]
fn table_4_4_allowed_when() {
    // Without a session.
    transcript(
        &mut Peer::demo("board"),
        "none",
        &[
            (TAGGED_LIST, "1 ok"),
            (LIST, "1 ok"),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#, ""),
            (UNTAGGED_DISCOVER, "\"d\" -32602"),
            (&hello("2025-06-18"), "0 ok"),
            (UNTAGGED_DISCOVER, "\"d\" -32601"),
        ],
    );
    for revision in LEGACY {
        let served = [
            (LIST, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read"}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#, ""),
            (TAGGED_LIST, "1 ok"),
        ];
        // Before `notifications/initialized`, and behind it.
        let mut board = Peer::demo("board");
        transcript(&mut board, "none", &[(&hello(revision), "0 ok")]);
        transcript(&mut board, revision, &served);
        transcript(&mut board, revision, &[(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "")]);
        transcript(&mut board, revision, &served);
        // A second handshake negotiates anew.
        for other in LEGACY {
            assert_eq!(answer(&mut board, &hello(other))["result"]["protocolVersion"], other);
            transcript(&mut board, other, &[("x", "NONE -32700")]);
            transcript(&mut board, other, &served);
            // A failed one leaves the session as it was.
            for failing in [
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#,
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{}}}"#,
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05","clientInfo":{"name":"c","version":"1"}}}"#,
                r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{}}}"#,
            ] {
                let before = board.send(BATCH.as_bytes());
                transcript(&mut board, other, &[(failing, "0 -32602"), ("x", "NONE -32700")]);
                assert_eq!(board.send(BATCH.as_bytes()), before, "{other}: {failing}");
            }
        }
    }
}
