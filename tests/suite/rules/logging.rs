//! Section 7.11: messages to the client's log.

use serde_json::{Value, json};
use toolwire::tool::Level;
use toolwire::{Context, Server, toolset};

use super::fixture::INFO;
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer};

const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

struct Pump;

#[toolset(logging)]
impl Pump {
    /// Send a message of every level.
    #[tool]
    fn run(context: &Context<'_>) -> &'static str {
        chatter(context)
    }
}

/// The same without a declaration.
struct Undeclared;

#[toolset]
impl Undeclared {
    /// Send a message of every level.
    #[tool]
    fn run(context: &Context<'_>) -> &'static str {
        chatter(context)
    }
}

fn chatter(context: &Context<'_>) -> &'static str {
    let levels = [
        Level::Debug,
        Level::Info,
        Level::Notice,
        Level::Warning,
        Level::Error,
        Level::Critical,
        Level::Alert,
        Level::Emergency,
    ];
    for (level, name) in levels.into_iter().zip(LEVELS) {
        context.log(level, &format_args!("a \"{name}\""));
    }
    "done"
}

fn pump(revision: &str) -> Peer {
    let mut peer = Peer::with(Server::<_, CAPACITY>::new(INFO, Pump));
    if LEGACY.contains(&revision) {
        peer.shake_hands(revision);
    }
    peer
}

/// Calls the tool with metadata, and returns the levels of the messages that come before its answer.
fn levels(peer: &mut Peer, meta: &Value) -> Vec<String> {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run", "_meta": meta}});
    let mut lines = peer.send(call.to_string().as_bytes());
    let answer: Value = serde_json::from_str(&lines.pop().unwrap()).unwrap();
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    let level = |line: String| {
        let message: Value = serde_json::from_str(&line).unwrap();
        let level = message["params"]["level"].as_str().unwrap().to_owned();
        let expected = json!({"level": level, "data": format!("a \"{level}\"")});
        assert_eq!(message, json!({"jsonrpc": "2.0", "method": "notifications/message", "params": expected}));
        level
    };
    lines.into_iter().map(level).collect()
}

fn modern(level: Option<&str>) -> Value {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    if let Some(level) = level {
        meta["io.modelcontextprotocol/logLevel"] = level.into();
    }
    meta
}

#[test]
fn log_1_nothing_is_sent_without_the_capability() {
    for revision in ALL {
        let mut peer = Peer::of(INFO, Undeclared);
        if LEGACY.contains(&revision) {
            assert_eq!(peer.shake_hands(revision)["capabilities"], json!({"tools": {}}));
            assert_eq!(levels(&mut peer, &json!({})), [""; 0], "{revision}");
            assert_eq!(peer.request("logging/setLevel", &json!({"level": "debug"}))["error"]["code"], -32601);
        } else {
            assert_eq!(levels(&mut peer, &modern(Some("debug"))), [""; 0]);
        }
        let mut peer = pump(revision);
        let declared = match revision {
            MODERN => peer.request_in(MODERN, "server/discover", &json!({}))["result"]["capabilities"].take(),
            _ => peer.shake_hands(revision)["capabilities"].take(),
        };
        assert_eq!(declared, json!({"tools": {}, "logging": {}}), "{revision}");
    }
}

#[test]
fn log_2_an_unknown_level_is_refused() {
    for revision in LEGACY {
        let mut peer = pump(revision);
        for params in [
            json!({}),
            json!({"level": null}),
            json!({"level": "loud"}),
            json!({"level": "Error"}),
            json!({"level": 3}),
            json!({"level": ""}),
        ] {
            assert_eq!(peer.request("logging/setLevel", &params)["error"]["code"], -32602, "{revision}: {params}");
        }
        // What was there before holds.
        assert_eq!(levels(&mut peer, &json!({})), LEVELS[3..], "{revision}");
    }
}

#[test]
fn log_3_legacy_clients_get_what_they_asked_for_and_warnings_before() {
    for revision in LEGACY {
        let mut peer = pump(revision);
        assert_eq!(levels(&mut peer, &json!({})), LEVELS[3..], "{revision}");
        for (at, level) in LEVELS.iter().enumerate() {
            assert_eq!(peer.request("logging/setLevel", &json!({"level": level}))["result"], json!({}), "{revision}");
            assert_eq!(levels(&mut peer, &json!({})), LEVELS[at..], "{revision}");
        }
        // A new session begins anew (table 4.4).
        peer.shake_hands(revision);
        assert_eq!(levels(&mut peer, &json!({})), LEVELS[3..], "{revision}");
    }
    // Without a session the rules are those of 2025-11-25 (ERA-12).
    let mut peer = pump("none");
    assert_eq!(levels(&mut peer, &json!({})), LEVELS[3..]);
    assert_eq!(peer.request("logging/setLevel", &json!({"level": "alert"}))["result"], json!({}));
    assert_eq!(levels(&mut peer, &json!({})), LEVELS[6..]);
}

#[test]
fn log_4_modern_clients_ask_with_each_request() {
    let mut peer = pump(MODERN);
    for (at, level) in LEVELS.iter().enumerate() {
        assert_eq!(levels(&mut peer, &modern(Some(level))), LEVELS[at..]);
        assert_eq!(levels(&mut peer, &modern(None)), [""; 0]);
    }
    // What a legacy session has set does not count (ERA-3).
    peer.shake_hands("2025-06-18");
    peer.request("logging/setLevel", &json!({"level": "debug"}));
    assert_eq!(levels(&mut peer, &modern(None)), [""; 0]);
    assert_eq!(levels(&mut peer, &modern(Some("error"))), LEVELS[4..]);
    // ERA-11.
    let refused = peer.request_in(MODERN, "logging/setLevel", &json!({"level": "debug"}));
    assert_eq!(refused["error"]["code"], -32601);
}

/// The board warns of a LED that gives no light, and tells of all else to those who ask.
#[test]
fn the_board_logs_what_it_does() {
    let told = |revision: &str, level: Option<&str>, tool: &str, arguments: Value| {
        let mut board = Peer::in_revision("board", revision);
        let mut meta = if revision == MODERN { modern(level) } else { json!({}) };
        if let (true, Some(level)) = (revision != MODERN, level) {
            board.request("logging/setLevel", &json!({ "level": level }));
        }
        meta["other"] = json!(1);
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let mut lines = board.send(call.to_string().as_bytes());
        lines.pop().unwrap();
        lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()["params"].take()).collect::<Vec<_>>()
    };
    let dark = [json!({"level": "warning", "data": "the LED is on and gives no light: its level is 0 %"})];
    let blinks = [json!({"level": "info", "data": "the LED blinks 2 times"})];
    for revision in ALL {
        let unasked: &[Value] = if revision == MODERN { &[] } else { &dark };
        assert_eq!(told(revision, None, "led_set", json!({"on": true, "level": 0})), unasked, "{revision}");
        assert_eq!(told(revision, None, "blink", json!({"times": 2})), [Value::Null; 0], "{revision}");
        let asked = |tool, arguments| told(revision, Some("info"), tool, arguments);
        assert_eq!(asked("led_set", json!({"on": true, "level": 0})), dark, "{revision}");
        assert_eq!(asked("led_set", json!({"on": false, "level": 0})), [Value::Null; 0], "{revision}");
        assert_eq!(asked("blink", json!({"times": 2})), blinks, "{revision}");
    }
}

#[test]
fn batch_7_messages_do_not_fall_into_an_array() {
    let mut peer = pump("2025-03-26");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "run"}});
    let lines = peer.send(json!([call, call]).to_string().as_bytes());
    assert_eq!(lines.len(), 1, "{lines:?}");
}
