//! Section 7.5: `tools/list`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use toolwire::{ServerInfo, toolset};

use super::fixture::{all_tools, bench, client, tools};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

/// A toolset that is empty, as its only tool is not compiled in.
#[derive(Clone, Copy, Debug)]
struct Nothing;

#[toolset]
impl Nothing {
    /// Not in this build.
    #[cfg(not(test))]
    #[tool]
    fn absent() {}
}

#[test]
fn tools_1_tools_are_declared() {
    for revision in LEGACY {
        assert_eq!(Peer::demo("board").shake_hands(revision)["capabilities"]["tools"], json!({}), "{revision}");
    }
    let discovered = Peer::demo("board").request_in(MODERN, "server/discover", &json!({}));
    assert_eq!(discovered["result"]["capabilities"]["tools"], json!({}));
}

#[test]
fn tools_2_the_answer_is_the_set_of_tools_which_may_be_empty() {
    for revision in ALL {
        let names: Vec<_> = tools(&mut client(bench(), revision), revision)
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(names, ["quiet", "echo", "pump", "fault", "size"], "{revision}");
        let mut empty = Peer::of(ServerInfo::new("empty", "1"), Nothing);
        if revision != MODERN {
            empty.shake_hands(revision);
        }
        assert_eq!(tools(&mut empty, revision), [Value::Null; 0], "{revision}");
        let answer = empty.request_in(revision, "tools/call", &json!({"name": "x"}));
        assert_eq!(answer["error"]["code"], -32602, "{revision}");
    }
}

#[test]
fn tools_3_each_tool_has_a_name_and_an_object_schema() {
    for revision in ALL {
        for tool in all_tools(revision) {
            assert!(tool["name"].is_string(), "{revision}: {tool}");
            assert!(tool["inputSchema"].is_object(), "{revision}: {tool}");
            assert_eq!(tool["inputSchema"]["type"], "object", "{revision}: {tool}");
        }
    }
}

#[test]
fn tools_4_the_set_does_not_depend_on_what_came_before() {
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        let before = tools(&mut board, revision);
        for line in [
            "x",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
        ] {
            board.send(line.as_bytes());
            assert_eq!(tools(&mut board, revision), before, "{revision}: {line}");
        }
    }
    let modern = tools(&mut Peer::demo("board"), MODERN);
    for revision in LEGACY {
        assert_eq!(tools(&mut Peer::in_revision("board", revision), MODERN), modern, "{revision}");
    }
}

#[test]
fn tools_5_the_order_is_stable_and_the_same_in_all_revisions() {
    for name in ["board", "calc", "conformance", "reservo", "tasks"] {
        let order = |revision: &str| -> Vec<Value> {
            let mut peer = Peer::in_revision(name, revision);
            let first: Vec<_> = tools(&mut peer, revision).iter().map(|tool| tool["name"].clone()).collect();
            let second: Vec<_> = tools(&mut peer, revision).iter().map(|tool| tool["name"].clone()).collect();
            assert_eq!(first, second, "{name}: {revision}");
            first
        };
        for revision in LEGACY {
            assert_eq!(order(revision), order(MODERN), "{name}: {revision}");
        }
    }
    let order: Vec<_> = tools(&mut Peer::demo("board"), MODERN).iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(order, ["led_set", "blink", "temp_read", "calibrate"]);
}

#[test]
fn tools_6_names_are_unique_case_sensitive_and_portable() {
    for peer in ["board", "calc", "conformance", "reservo", "tasks"] {
        let listed = tools(&mut Peer::demo(peer), MODERN);
        let names: BTreeSet<_> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(names.len(), listed.len(), "{peer}");
        for name in names {
            assert!((1..=64).contains(&name.len()), "{name}");
            assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)), "{name}");
        }
    }
    for revision in ALL {
        for name in ["LED_SET", "Led_set", "led_set ", " led_set", "led-set", "led_se", "led_sett", "", "led_set\u{0}"]
        {
            let mut board = Peer::in_revision("board", revision);
            let answer = board.request_in(revision, "tools/call", &json!({"name": name, "arguments": {"on": true}}));
            assert_eq!(answer["error"]["code"], -32602, "{revision}: {name:?}");
        }
    }
}

#[test]
fn tools_7_a_tool_without_parameters_allows_none() {
    for revision in ALL {
        for (peer, name) in [(Peer::in_revision("board", revision), "temp_read"), (client(bench(), revision), "quiet")]
        {
            let mut peer = peer;
            let listed = tools(&mut peer, revision);
            let tool = listed.iter().find(|tool| tool["name"] == name).unwrap();
            assert_eq!(
                tool["inputSchema"],
                // The recommended schema, and the `properties` that weak clients ask for; it means the same.
                json!({"type": "object", "properties": {}, "additionalProperties": false}),
                "{revision}: {name}"
            );
        }
    }
}

#[test]
fn tools_8_schemas_are_valid_and_self_contained() {
    for revision in ALL {
        for tool in all_tools(revision) {
            let schema = &tool["inputSchema"];
            assert!(jsonschema::draft202012::meta::is_valid(schema), "{revision}: {tool}");
            assert!(!schema.to_string().contains("$ref"), "{revision}: {tool}");
            assert_eq!(schema.get("$schema"), None, "{revision}: {tool}");
        }
    }
    // The judge can say no.
    assert!(!jsonschema::draft202012::meta::is_valid(&json!({"type": "objekt"})));
}

#[test]
fn tools_10_each_tool_has_a_description() {
    for revision in ALL {
        for tool in all_tools(revision) {
            assert!(tool["description"].as_str().is_some_and(|text| text.len() >= 8), "{revision}: {tool}");
        }
        let board = tools(&mut Peer::in_revision("board", revision), revision);
        assert_eq!(
            board[2]["description"],
            "Read the board's thermometer, in degrees Celsius. Use this when the user asks how warm it is."
        );
    }
}

#[test]
fn tools_11_nothing_that_concerns_http_only() {
    for revision in ALL {
        for tool in all_tools(revision) {
            assert!(!tool.to_string().contains("x-mcp-"), "{revision}: {tool}");
        }
    }
}
