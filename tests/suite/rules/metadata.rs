//! Section 4.2: the metadata of modern requests.

use serde_json::{Value, json};
use toolwire::Server;

use super::fixture::{bench, client, expand, expect, names};
use crate::harness::{ALL, CAPACITY, MODERN, Peer};

/// Sends `tools/list` with each metadata, within each session and without.
fn rows(rows: &[(&str, &str)]) {
    for (metadata, expected) in rows {
        for method in ["tools/list", "server/discover"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":{METADATA}}}"#
                .replace("METHOD", method)
                .replace("METADATA", metadata);
            expect(&ALL, &[(&line, expected)]);
        }
    }
}

#[test]
fn meta_1_a_missing_field_is_refused() {
    rows(&[
        (r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{}"#, "1 ok"),
        (r#""P/protocolVersion":"2026-07-28""#, "1 -32602"),
        (r#""P/clientCapabilities":{}"#, "1 -32602"),
        (r#""P/protocolVersion":20260728,"P/clientCapabilities":{}"#, "1 -32602"),
        (r#""P/protocolVersion":null,"P/clientCapabilities":{}"#, "1 -32602"),
        (r#""P/protocolVersion":["2026-07-28"],"P/clientCapabilities":{}"#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":null"#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":[]"#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":"{}""#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":true"#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientcapabilities":{}"#, "1 -32602"),
        (r#""P/protocolVersion":"2026-07-28","P/clientInfo":{"name":"c","version":"1"}"#, "1 -32602"),
    ]);
}

/// Versions that are not spoken under the metadata, as JSON.
const FOREIGN: [&str; 10] = [
    r#""2024-11-05""#,
    r#""2025-03-26""#,
    r#""2025-06-18""#,
    r#""2025-11-25""#,
    r#""2026-07-29""#,
    r#""2026-07-28 ""#,
    r#""""#,
    r#""1""#,
    r#""2031-01-01""#,
    r#""a \"b\"\n\u0000 \u00e9""#,
];

#[test]
fn meta_2_a_version_that_is_not_spoken_is_refused() {
    for version in FOREIGN {
        rows(&[(&format!(r#""P/protocolVersion":{version},"P/clientCapabilities":{{}}"#), "1 -32022")]);
    }
}

/// The error for one of the versions, in a revision.
fn refusal(revision: &str, version: &str) -> Value {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":VERSION,"P/clientCapabilities":{}}}}"#
        .replace("VERSION", version);
    Peer::in_revision("board", revision).one(expand(revision, &line).as_bytes())["error"].take()
}

#[test]
fn meta_3_the_refusal_names_what_is_supported_and_what_was_requested() {
    for revision in ALL {
        for version in FOREIGN {
            let error = refusal(revision, version);
            assert_eq!(names(&error["data"]), ["requested", "supported"], "{error}");
            assert!(error["data"]["supported"].is_array(), "{error}");
            assert_eq!(error["data"]["requested"], serde_json::from_str::<Value>(version).unwrap(), "{error}");
        }
    }
}

#[test]
fn meta_4_supported_is_what_the_metadata_may_name() {
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        let discovered = board.request_in(MODERN, "server/discover", &json!({}));
        assert_eq!(discovered["result"]["supportedVersions"], json!(["2026-07-28"]));
        for version in FOREIGN {
            assert_eq!(refusal(revision, version)["data"]["supported"], json!(["2026-07-28"]), "{version}");
        }
    }
    rows(&[(r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{}"#, "1 ok")]);
}

#[test]
fn meta_5_the_version_is_judged_before_the_other_fields() {
    rows(&[
        (r#""P/protocolVersion":"2031-01-01""#, "1 -32022"),
        (r#""P/protocolVersion":"2031-01-01","P/clientCapabilities":5"#, "1 -32022"),
        (r#""P/protocolVersion":"2031-01-01","P/clientCapabilities":{},"P/logLevel":5"#, "1 -32022"),
        (r#""P/clientCapabilities":5,"P/logLevel":"loud","P/protocolVersion":"2025-11-25""#, "1 -32022"),
    ]);
}

#[test]
fn meta_6_a_malformed_level_is_refused_other_malformed_options_are_ignored() {
    for level in ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] {
        rows(&[(
            &format!(r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{{}},"P/logLevel":"{level}""#),
            "1 ok",
        )]);
    }
    for level in
        [r#""loud""#, r#""INFO""#, r#""info ""#, r#""""#, r#""warn""#, "5", "null", "true", "{}", r#"["info"]"#]
    {
        rows(&[(
            &format!(r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{{}},"P/logLevel":{level}"#),
            "1 -32602",
        )]);
    }
    for option in [
        r#""P/clientInfo":5"#,
        r#""P/clientInfo":null"#,
        r#""P/clientInfo":{}"#,
        r#""P/clientInfo":{"name":5,"version":[]}"#,
        r#""progressToken":{}"#,
        r#""progressToken":1.5"#,
        r#""progressToken":null"#,
        r#""traceparent":5"#,
        r#""baggage":[]"#,
    ] {
        rows(&[(&format!(r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{{}},{option}"#), "1 ok")]);
    }
}

#[test]
fn meta_7_the_client_is_not_asked_for_and_changes_nothing() {
    for call in [r#""method":"tools/list","params":{"#, r#""method":"tools/call","params":{"name":"temp_read","#] {
        let answer = |metadata: &str| {
            let line = r#"{"jsonrpc":"2.0","id":1,CALL"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{}METADATA}}}"#
                .replace("CALL", call)
                .replace("METADATA", metadata);
            Peer::demo("board").send(expand(MODERN, &line).as_bytes())
        };
        let anonymous = answer("");
        assert!(anonymous[0].contains("\"resultType\":\"complete\""), "{anonymous:?}");
        for client in [
            r#","P/clientInfo":{"name":"a","version":"1"}"#,
            r#","P/clientInfo":{"name":"b","version":"2","title":"B","websiteUrl":"https://example.com"}"#,
        ] {
            assert_eq!(answer(client), anonymous, "{client}");
        }
    }
}

/// A server with a title, and its identity in results.
const BENCH: &str = r#"{"io.modelcontextprotocol/serverInfo":{"name":"bench","version":"1.2.3","title":"The bench"}}"#;

#[test]
fn meta_8_results_carry_the_identity_of_the_server_unless_configured_off() {
    let results = |server: fn() -> Server<_, CAPACITY>| {
        [
            ("server/discover", json!({})),
            ("tools/list", json!({})),
            ("tools/call", json!({"name": "quiet"})),
            ("tools/call", json!({"name": "pump"})),
            ("tools/call", json!({"name": "echo"})),
        ]
        .map(|(method, params)| client(server(), MODERN).request_in(MODERN, method, &params)["result"].take())
    };
    let identity: Value = serde_json::from_str(BENCH).unwrap();
    for result in results(bench) {
        assert_eq!(result["_meta"], identity, "{result}");
    }
    let [discovered, others @ ..] = results(|| bench().without_server_info_in_results());
    assert_eq!(discovered["_meta"], identity);
    for result in others {
        assert_eq!(result["resultType"], "complete", "{result}");
        assert_eq!(result.get("_meta"), None, "{result}");
    }
    // Only 2026-07-28 has that key.
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "none"] {
        let answer = client(bench(), revision).request("tools/list", &json!({}));
        assert_eq!(answer["result"].get("_meta"), None, "{revision}");
    }
}

/// Whether a key of metadata is formed as it must be.
fn is_key(key: &str) -> bool {
    let (prefix, name) = key.split_once('/').unwrap_or(("", key));
    let alphanumeric = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let label = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && alphanumeric(label.chars().last())
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    (prefix.is_empty() && !key.contains('/') || !prefix.is_empty() && prefix.split('.').all(label))
        && alphanumeric(name.chars().next())
        && alphanumeric(name.chars().last())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

#[test]
fn meta_10_keys_have_their_form() {
    for (key, formed) in [
        ("io.modelcontextprotocol/serverInfo", true),
        ("progressToken", true),
        ("a-b.c/d_e", true),
        ("/x", false),
        ("1a/x", false),
        ("a-/x", false),
        ("a/", false),
        ("a/-x", false),
    ] {
        assert_eq!(is_key(key), formed, "{key}");
    }
    for (method, params) in
        [("server/discover", json!({})), ("tools/list", json!({})), ("tools/call", json!({"name": "pump"}))]
    {
        let answer = client(bench(), MODERN).request_in(MODERN, method, &params);
        let keys = names(&answer["result"]["_meta"]);
        assert_eq!(keys, ["io.modelcontextprotocol/serverInfo"]);
        assert!(keys.iter().all(|key| is_key(key)), "{answer}");
    }
}

#[test]
fn meta_11_notifications_need_no_metadata() {
    expect(
        &[MODERN],
        &[
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","_meta":{}}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","_meta":META}}"#, ""),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x","_meta":{"P/protocolVersion":"1"}}}"#,
                "",
            ),
        ],
    );
}
