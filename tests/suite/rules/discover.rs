//! Section 7.4: `server/discover`.

use serde_json::{Value, json};

use super::fixture::{bench, client, expect, names, sees, transcript};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

fn discover(peer: &mut Peer) -> Value {
    peer.request_in(MODERN, "server/discover", &json!({}))["result"].take()
}

#[test]
fn disc_1_it_is_there_at_any_time() {
    expect(
        &[&ALL[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":META}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"x":1,"_meta":META}}"#, "\"d\" ok"),
        ],
    );
}

#[test]
fn disc_2_it_has_all_required_members() {
    let result = discover(&mut client(bench(), MODERN));
    assert_eq!(
        names(&result),
        ["_meta", "cacheScope", "capabilities", "instructions", "resultType", "supportedVersions", "ttlMs"]
    );
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["ttlMs"], 86_400_000);
    assert_eq!(result["cacheScope"], "public");
    assert_eq!(result["instructions"], "For tests.");
    let result = discover(&mut Peer::demo("calc"));
    assert_eq!(names(&result), ["_meta", "cacheScope", "capabilities", "resultType", "supportedVersions", "ttlMs"]);
}

#[test]
fn disc_3_the_identity_is_in_the_metadata_and_not_in_the_body() {
    for result in [
        discover(&mut client(bench(), MODERN)),
        discover(&mut client(bench().without_server_info_in_results(), MODERN)),
        discover(&mut client(bench(), "2025-06-18")),
    ] {
        assert_eq!(
            result["_meta"],
            json!({"io.modelcontextprotocol/serverInfo": {"name": "bench", "version": "1.2.3", "title": "The bench"}})
        );
        assert_eq!(result.get("serverInfo"), None);
    }
}

#[test]
fn disc_4_what_is_served_is_declared() {
    let mut board = Peer::demo("board");
    assert_eq!(
        discover(&mut board)["capabilities"],
        json!({"tools": {}, "resources": {"subscribe": true}, "prompts": {}, "completions": {}, "logging": {}})
    );
    for (method, expected) in [
        ("tools/list", "1 ok"),
        ("resources/list", "1 ok"),
        ("resources/templates/list", "1 ok"),
        // Served, but it lacks its address.
        ("resources/read", "1 -32602"),
        ("prompts/list", "1 ok"),
        // Served, but they lack what they are about.
        ("prompts/get", "1 -32602"),
        ("completion/complete", "1 -32602"),
        ("subscriptions/listen", "1 -32602"),
        ("tasks/get", "1 -32601"),
    ] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":META}}"#.replace("METHOD", method);
        assert_eq!(sees(&mut board, MODERN, &line), expected, "{method}");
    }
    let mut bench = client(bench(), MODERN);
    assert_eq!(discover(&mut bench)["capabilities"], json!({"tools": {}}));
    for method in [
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "prompts/list",
        "prompts/get",
        "completion/complete",
    ] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":META}}"#.replace("METHOD", method);
        assert_eq!(sees(&mut bench, MODERN, &line), "1 -32601", "{method}");
    }
}

#[test]
fn disc_5_it_creates_no_state() {
    let untagged = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#;
    let tagged = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":META}}"#;
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    transcript(
        &mut Peer::demo("board"),
        "none",
        &[(untagged, "1 -32602"), (tagged, "1 ok"), (untagged, "1 -32602"), ("[]", "- -32600")],
    );
    for revision in LEGACY.into_iter().chain(["none"]) {
        let mut board = Peer::in_revision("board", revision);
        let before = (board.send(list.as_bytes()), board.send(b"[1]"));
        assert_eq!(sees(&mut board, revision, tagged), "1 ok");
        assert_eq!((board.send(list.as_bytes()), board.send(b"[1]")), before, "{revision}");
    }
    assert_eq!(discover(&mut Peer::demo("board")), discover(&mut Peer::in_revision("board", "2024-11-05")));
}

#[test]
fn disc_6_its_metadata_is_judged_as_that_of_any_method() {
    expect(
        &[MODERN, "none"],
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}}"#, "1 -32602"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"P/protocolVersion":"2026-07-28"}}}"#,
                "1 -32602",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"P/protocolVersion":"2027-01-01"}}}"#,
                "1 -32022",
            ),
        ],
    );
}
