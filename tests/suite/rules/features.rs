//! Section 5: what each revision has. And what a server owes to features that it does not have.

use serde_json::{Value, json};

use super::fixture::{bench, client, expand, expect, names, sees, transcript};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

#[test]
fn table_5_1_requests_the_server_receives() {
    for (method, members, served) in [
        (
            "initialize",
            r#""protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"},"#,
            [true, true, true, true, false],
        ),
        ("ping", "", [true, true, true, true, false]),
        ("server/discover", "", [false, false, false, false, true]),
        ("tools/list", "", [true; 5]),
        ("tools/call", r#""name":"temp_read","#, [true; 5]),
        ("resources/list", "", [true; 5]),
        ("resources/read", r#""uri":"device://info","#, [true; 5]),
        ("resources/templates/list", "", [true; 5]),
        ("prompts/list", "", [true; 5]),
        ("prompts/get", r#""name":"diagnose","arguments":{"symptom":"x"},"#, [true; 5]),
        (
            "completion/complete",
            r#""ref":{"type":"ref/prompt","name":"diagnose"},"argument":{"name":"symptom","value":""},"#,
            [true; 5],
        ),
        ("logging/setLevel", r#""level":"info","#, [true, true, true, true, false]),
        ("resources/subscribe", r#""uri":"device://log","#, [true, true, true, true, false]),
        ("resources/unsubscribe", r#""uri":"device://log","#, [true, true, true, true, false]),
        // Capabilities that are not declared.
        ("tasks/get", r#""taskId":"x","#, [false; 5]),
        ("tasks/result", r#""taskId":"x","#, [false; 5]),
        ("tasks/list", "", [false; 5]),
        ("tasks/cancel", r#""taskId":"x","#, [false; 5]),
        ("tasks/update", r#""taskId":"x","inputResponses":{},"#, [false; 5]),
        // Methods of clients.
        ("roots/list", "", [false; 5]),
        ("sampling/createMessage", "", [false; 5]),
        ("elicitation/create", "", [false; 5]),
    ] {
        for (revision, served) in ALL.into_iter().zip(served) {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{MEMBERS"_meta":TAG}}"#
                .replace("METHOD", method)
                .replace("MEMBERS", members);
            let mut board = Peer::in_revision("board", revision);
            let expected = if served { "1 ok" } else { "1 -32601" };
            assert_eq!(sees(&mut board, revision, &line), expected, "{revision}: {method}");
        }
    }
}

#[test]
fn table_5_3_notifications_from_the_client() {
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#;
        let before = board.send(expand(revision, list).as_bytes());
        for line in [
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"x","status":"working"}}"#,
        ] {
            assert_eq!(sees(&mut board, revision, line), "", "{revision}: {line}");
            assert_eq!(board.send(expand(revision, list).as_bytes()), before, "{revision}: {line}");
        }
    }
}

/// What each demo declares. 2024-11-05 has no capability for completion.
fn capabilities(revision: &str) -> [(&'static str, Value); 4] {
    let tools = json!({"tools": {}});
    let mut board = json!({"tools": {}, "resources": {"subscribe": true}, "prompts": {}, "logging": {}});
    if revision != "2024-11-05" {
        board["completions"] = json!({});
    }
    [("board", board), ("calc", tools.clone()), ("reservo", tools.clone()), ("tasks", tools)]
}

#[test]
fn table_5_4_capabilities() {
    for revision in LEGACY {
        for (name, capabilities) in capabilities(revision) {
            assert_eq!(Peer::demo(name).shake_hands(revision)["capabilities"], capabilities, "{revision}: {name}");
        }
    }
    for (name, capabilities) in capabilities(MODERN) {
        let answer = Peer::demo(name).request_in(MODERN, "server/discover", &json!({}));
        assert_eq!(answer["result"]["capabilities"], capabilities, "{name}");
    }
}

#[test]
fn table_5_5_result_envelope() {
    for revision in LEGACY {
        for (method, params, members) in [
            ("ping", json!({}), &[][..]),
            ("tools/list", json!({}), &["nextCursor", "tools"]),
            ("tools/list", json!({"cursor": "4"}), &["tools"]),
            ("tools/call", json!({"name": "quiet"}), &["content", "isError"]),
            ("tools/call", json!({"name": "pump"}), &["content", "isError"]),
        ] {
            let answer = client(bench().with_page_size(4), revision).request(method, &params);
            assert_eq!(names(&answer["result"]), members, "{revision}: {method}");
        }
        assert_eq!(
            names(&client(bench(), "none").shake_hands(revision)),
            ["capabilities", "instructions", "protocolVersion", "serverInfo"]
        );
    }
    for (method, params, members) in [
        (
            "server/discover",
            json!({}),
            &["_meta", "cacheScope", "capabilities", "instructions", "resultType", "supportedVersions", "ttlMs"][..],
        ),
        ("tools/list", json!({}), &["_meta", "cacheScope", "nextCursor", "resultType", "tools", "ttlMs"]),
        ("tools/list", json!({"cursor": "4"}), &["_meta", "cacheScope", "resultType", "tools", "ttlMs"]),
        ("tools/call", json!({"name": "quiet"}), &["_meta", "content", "isError", "resultType"]),
        ("tools/call", json!({"name": "pump"}), &["_meta", "content", "isError", "resultType"]),
    ] {
        let answer = client(bench().with_page_size(4), MODERN).request_in(MODERN, method, &params);
        assert_eq!(names(&answer["result"]), members, "{method}");
        assert_eq!(answer["result"]["resultType"], "complete");
    }
}

/// The members of the bench's first tool, which has them all.
const TOOL_MEMBERS: [(&str, &[&str]); 5] = [
    ("2024-11-05", &["description", "inputSchema", "name"]),
    ("2025-03-26", &["annotations", "description", "inputSchema", "name"]),
    ("2025-06-18", &["annotations", "description", "inputSchema", "name", "title"]),
    ("2025-11-25", &["annotations", "description", "inputSchema", "name", "title"]),
    ("2026-07-28", &["annotations", "description", "inputSchema", "name", "title"]),
];

#[test]
fn table_5_6_members_of_a_tool() {
    for (revision, members) in TOOL_MEMBERS {
        let answer = client(bench(), revision).request_in(revision, "tools/list", &json!({}));
        let tools = answer["result"]["tools"].as_array().unwrap();
        assert_eq!(names(&tools[0]), members, "{revision}");
        // One without a title and with one hint, one with a title and no hint.
        let hinted =
            if revision == "2024-11-05" { members } else { &["annotations", "description", "inputSchema", "name"] };
        assert_eq!(names(&tools[1]), hinted, "{revision}");
        let titled = if revision < "2025-06-18" {
            &["description", "inputSchema", "name"][..]
        } else {
            &["description", "inputSchema", "name", "title"]
        };
        assert_eq!(names(&tools[4]), titled, "{revision}");
        if revision != "2024-11-05" {
            assert_eq!(
                tools[0]["annotations"],
                json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}),
                "{revision}"
            );
            assert_eq!(tools[1]["annotations"], json!({"readOnlyHint": true}), "{revision}");
            assert_eq!(tools[2]["annotations"], json!({"destructiveHint": true}), "{revision}");
        }
        if revision >= "2025-06-18" {
            assert_eq!(tools[0]["title"], "Silence", "{revision}");
        }
    }
}

#[test]
fn table_5_6_members_of_the_server() {
    for (revision, identity) in [
        ("2024-11-05", json!({"name": "bench", "version": "1.2.3"})),
        ("2025-03-26", json!({"name": "bench", "version": "1.2.3"})),
        ("2025-06-18", json!({"name": "bench", "version": "1.2.3", "title": "The bench"})),
        ("2025-11-25", json!({"name": "bench", "version": "1.2.3", "title": "The bench"})),
    ] {
        let result = client(bench(), "none").shake_hands(revision);
        assert_eq!(result["serverInfo"], identity, "{revision}");
        assert_eq!(result["instructions"], "For tests.", "{revision}");
        // Within a session too, a tagged request gets what 2026-07-28 has.
        let tagged = client(bench(), revision).request_in(MODERN, "tools/list", &json!({}));
        assert_eq!(
            tagged["result"]["_meta"]["io.modelcontextprotocol/serverInfo"],
            json!({"name": "bench", "version": "1.2.3", "title": "The bench"}),
            "{revision}"
        );
    }
    let discovered = client(bench(), MODERN).request_in(MODERN, "server/discover", &json!({}));
    assert_eq!(discovered["result"].get("serverInfo"), None);
}

/// All names of members anywhere in a value.
fn all_names(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                found.push(name.clone());
                all_names(value, found);
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| all_names(element, found)),
        _ => {}
    }
}

#[test]
fn gate_1_optional_members_go_only_to_revisions_that_define_them() {
    // What no revision before the one named may see.
    let since = [
        ("annotations", "2025-03-26"),
        ("title", "2025-06-18"),
        ("resultType", "2026-07-28"),
        ("ttlMs", "2026-07-28"),
        ("cacheScope", "2026-07-28"),
        ("supportedVersions", "2026-07-28"),
        ("io.modelcontextprotocol/serverInfo", "2026-07-28"),
    ];
    // What this server has not in any.
    let never =
        ["icons", "websiteUrl", "outputSchema", "structuredContent", "execution", "$schema", "task", "requestState"];
    for revision in ALL {
        let mut found = Vec::new();
        let mut server = client(bench(), "none");
        if revision != MODERN {
            all_names(&server.shake_hands(revision), &mut found);
        }
        for (method, params) in [
            ("server/discover", json!({})),
            ("tools/list", json!({})),
            ("tools/call", json!({"name": "pump"})),
            ("tools/call", json!({"name": "size"})),
        ] {
            all_names(&server.request_in(revision, method, &params), &mut found);
        }
        for (name, first) in since {
            let sent = found.iter().any(|found| found == name);
            assert_eq!(sent, revision >= first, "{revision}: {name}");
        }
        for name in never {
            assert!(!found.iter().any(|found| found == name), "{revision}: {name}");
        }
    }
}

#[test]
fn table_5_8_behaviour() {
    for revision in ALL {
        expect(
            &[revision],
            &[
                (
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":5},"_meta":TAG}}"#,
                    "1 isError",
                ),
                (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","_meta":TAG}}"#, "1 -32602"),
                (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5,"_meta":TAG}}"#, "1 -32602"),
                (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"","_meta":TAG}}"#, "1 -32602"),
            ],
        );
        let missing = if revision == MODERN { "1 -32602" } else { "1 -32002" };
        let read = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device://nope","_meta":TAG}}"#;
        expect(&[revision], &[(read, missing)]);
        // No log messages, whether or not a level is asked for.
        let level = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"debug","progressToken":"t"}}}"#;
        expect(&[revision], &[(level, "1 isError")]);
    }
}

#[test]
fn sub_1_subscriptions_are_not_offered_without_resources() {
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"uri":"device://log","_meta":TAG}}"#
            .replace("METHOD", method);
        for revision in ALL {
            assert_eq!(sees(&mut Peer::in_revision("calc", revision), revision, &line), "1 -32601", "{revision}");
        }
    }
}

#[test]
fn listen_11_without_anything_to_listen_to_the_method_is_not_there() {
    let line = r#"{"jsonrpc":"2.0","id":"w","method":"subscriptions/listen","params":{MEMBERS"_meta":META}}"#;
    for members in [
        "",
        r#""notifications":{},"#,
        r#""notifications":{"toolsListChanged":true},"#,
        r#""notifications":{"resourceSubscriptions":["device://log"]},"#,
        r#""notifications":5,"#,
        r#""notifications":null,"#,
    ] {
        let line = line.replace("MEMBERS", members);
        for revision in ALL.into_iter().chain(["none"]) {
            let mut calc = Peer::in_revision("calc", revision);
            assert_eq!(sees(&mut calc, revision, &line), "\"w\" -32601", "{revision}: {line}");
        }
    }
}

#[test]
fn listen_15_its_metadata_is_judged_as_that_of_any_method() {
    for (metadata, expected) in [
        (r#"{"P/protocolVersion":"2026-07-28"}"#, "1 -32602"),
        (r#"{"P/clientCapabilities":{}}"#, "1 -32602"),
        (r#"{"P/protocolVersion":"2031-01-01"}"#, "1 -32022"),
        (r#"{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"loud"}"#, "1 -32602"),
    ] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":METADATA}}"#
            .replace("METADATA", metadata);
        expect(&ALL, &[(&line, expected)]);
    }
}

/// Calls a tool with members beside its name.
fn call_with(revision: &str, members: &str) -> String {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"quiet",MEMBERS,"_meta":TAG}}"#
        .replace("MEMBERS", members);
    sees(&mut client(bench(), revision), revision, &line)
}

#[test]
fn mrtr_8_responses_that_nobody_asked_for_are_ignored() {
    for members in [
        r#""inputResponses":{}"#,
        r#""inputResponses":null"#,
        r#""inputResponses":{"ref":{"action":"accept","content":{"celsius":21}}}"#,
        r#""inputResponses":{"a":{},"b":{"action":"decline"},"":{}}"#,
    ] {
        for revision in ALL {
            assert_eq!(call_with(revision, members), "1 ok", "{revision}: {members}");
        }
    }
}

#[test]
fn mrtr_9_malformed_responses_are_refused() {
    for members in [
        r#""inputResponses":[]"#,
        r#""inputResponses":[{}]"#,
        r#""inputResponses":"x""#,
        r#""inputResponses":5"#,
        r#""inputResponses":true"#,
        r#""inputResponses":{"ref":5}"#,
        r#""inputResponses":{"ref":null}"#,
        r#""inputResponses":{"ref":[]}"#,
        r#""inputResponses":{"a":{},"ref":"accept"}"#,
        r#""requestState":5"#,
        r#""requestState":{}"#,
        r#""requestState":true"#,
        r#""requestState":["x"]"#,
    ] {
        assert_eq!(call_with(MODERN, members), "1 -32602", "{members}");
        // Not yet a member in the others, so it is ignored.
        for revision in LEGACY {
            assert_eq!(call_with(revision, members), "1 ok", "{revision}: {members}");
        }
    }
}

#[test]
fn mrtr_13_a_state_that_nobody_gave_out_is_ignored() {
    for members in [r#""requestState":"opaque""#, r#""requestState":"""#, r#""requestState":null"#] {
        for revision in ALL {
            assert_eq!(call_with(revision, members), "1 ok", "{revision}: {members}");
        }
    }
}

#[test]
fn taskd_1_tasks_are_not_declared_so_not_served() {
    for method in ["tasks/get", "tasks/result", "tasks/list", "tasks/cancel"] {
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"taskId":"k3","_meta":TAG}}"#
            .replace("METHOD", method);
        expect(&[&ALL[..], &["none"]].concat(), &[(&line, "1 -32601")]);
    }
    for revision in ALL {
        assert_eq!(call_with(revision, r#""task":{"ttl":60000}"#), "1 ok", "{revision}");
    }
}

#[test]
fn taskx_5_without_the_extension_its_methods_are_not_there() {
    for method in ["tasks/get", "tasks/update", "tasks/cancel", "tasks/result", "tasks/list"] {
        for capabilities in ["{}", r#"{"extensions":{"P/tasks":{}}}"#] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"taskId":"k3","_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":CAPABILITIES}}}"#
                .replace("METHOD", method)
                .replace("CAPABILITIES", capabilities);
            expect(&[MODERN], &[(&line, "1 -32601")]);
        }
    }
}

/// Calls a tool as a client with capabilities.
fn with_capabilities(capabilities: &str) -> Value {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"x"},"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":CAPABILITIES}}}"#
        .replace("CAPABILITIES", capabilities);
    client(bench(), MODERN).one(expand(MODERN, &line).as_bytes())
}

#[test]
fn ext_2_a_client_with_extensions_is_served_by_the_core_protocol() {
    for capabilities in [
        r#"{"extensions":{"P/tasks":{}}}"#,
        r#"{"extensions":{"com.example/x":{"a":1}}}"#,
        r#"{"experimental":{"x":{}}}"#,
    ] {
        assert_eq!(with_capabilities(capabilities), with_capabilities("{}"), "{capabilities}");
    }
    assert_eq!(with_capabilities("{}")["result"]["content"][0]["text"], "x");
}

#[test]
fn ext_3_no_type_of_result_comes_from_an_extension() {
    for capabilities in [
        r#"{"extensions":{"P/tasks":{}}}"#,
        r#"{"extensions":{"com.example/x":{}}}"#,
        r#"{"elicitation":{},"sampling":{}}"#,
    ] {
        assert_eq!(with_capabilities(capabilities)["result"]["resultType"], "complete", "{capabilities}");
    }
}

#[test]
fn s2c_6_the_server_writes_no_requests() {
    // The harness refuses a line with a method.
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        transcript(
            &mut board,
            revision,
            &[
                (
                    r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true},"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}}}}"#,
                    "1 ok",
                ),
                (r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#, ""),
            ],
        );
    }
}
