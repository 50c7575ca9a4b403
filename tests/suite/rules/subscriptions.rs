//! Sections 7.8 and 7.14: subscriptions to resources.

use std::fmt::Display;

use serde_json::{Value, json};
use toolwire::{Context, Server, ServerInfo, toolset};
use toolwire_tests::wire::Line;

use super::fixture::{client, expand, sees, transcript};
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer, lines};

const INFO: ServerInfo = ServerInfo::new("tank", "1.0.0");

/// A tank whose level and valve may be watched.
#[derive(Clone, Debug)]
struct Tank {
    level: u32,
}

#[toolset(logging)]
impl Tank {
    /// Fill it.
    #[tool]
    fn fill(&mut self, context: &Context<'_>, litres: u32) -> impl Display {
        self.level += litres;
        context.progress(1, 1);
        context.log(toolwire::tool::Level::Emergency, &"filled");
        for uri in ["tank://level", "tank://level", "tank://kind", "tank://wall", "tank://pipe/a", "tank://nowhere"] {
            context.resource_updated(uri);
        }
        self.level
    }

    /// Turn the valve, and fill it.
    #[tool]
    fn turn(context: &Context<'_>) {
        context.resource_updated("tank://valve");
        context.resource_updated("tank://level");
    }

    /// How full it is.
    #[resource(uri = "tank://level", subscribe)]
    fn level(&self) -> impl Display {
        self.level
    }

    /// What it is.
    #[resource(uri = "tank://kind")]
    const KIND: &'static str = "a tank";

    /// Something that changes, and nobody is told.
    #[resource(uri = "tank://wall")]
    fn wall(&self) -> u32 {
        self.level
    }

    /// A pipe.
    #[resource(uri = "tank://pipe/{id}")]
    fn pipe(&self, id: &str) -> impl Display {
        id.len()
    }

    /// How the valve stands.
    #[resource(uri = "tank://valve", subscribe = true)]
    fn valve(&self) -> impl Display {
        "open"
    }
}

/// A server with two places for listeners.
fn tank() -> Server<Tank, CAPACITY, 2> {
    Server::new(INFO, Tank { level: 7 })
}

const FILL: &str =
    r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"fill","arguments":{"litres":1}}}"#;
const TURN: &str = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"turn"}}"#;

fn subscribe(uri: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe", "params": {"uri": uri}}).to_string()
}

fn unsubscribe(uri: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "resources/unsubscribe", "params": {"uri": uri}}).to_string()
}

/// Listens with an id, which is JSON, for some addresses.
fn listen(id: &str, uris: &[&str]) -> String {
    let filter = json!({"resourceSubscriptions": uris});
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{filter},"_meta":META}}}}"#
    )
}

fn cancel(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
}

fn see(peer: &mut Peer, line: &str) -> String {
    sees(peer, MODERN, line)
}

#[test]
fn sub_1_subscribe_is_declared_where_there_is_something_to_subscribe_to() {
    for revision in ALL {
        let declared = |server: Box<dyn Fn() -> Peer>| {
            let mut peer = server();
            let answer = match revision {
                MODERN => peer.request_in(MODERN, "server/discover", &json!({})),
                _ => json!({"result": peer.shake_hands(revision)}),
            };
            answer["result"]["capabilities"]["resources"].clone()
        };
        assert_eq!(declared(Box::new(|| Peer::with(tank()))), json!({"subscribe": true}), "{revision}");
        assert_eq!(declared(Box::new(|| Peer::demo("calc"))), Value::Null, "{revision}");
        let mut plain = Peer::with(Server::<_, CAPACITY>::new(INFO, Still));
        if revision != MODERN {
            plain.shake_hands(revision);
        }
        assert_eq!(sees(&mut plain, revision, &subscribe("tank://kind")), "1 -32601", "{revision}");
        assert_eq!(sees(&mut plain, revision, &unsubscribe("tank://kind")), "1 -32601", "{revision}");
    }
    assert_eq!(
        see(&mut Peer::with(tank()), &subscribe("tank://level").replace("\"params\":{", "\"params\":{\"_meta\":META,")),
        "1 -32601"
    );
}

/// Has a resource, but none that may be subscribed to.
struct Still;

#[toolset]
impl Still {
    /// What it is.
    #[resource(uri = "tank://kind")]
    const KIND: &'static str = "a tank";
}

#[test]
fn sub_2_updates_come_for_what_was_subscribed_to() {
    for revision in LEGACY {
        let mut peer = client(tank(), revision);
        transcript(
            &mut peer,
            revision,
            &[
                (FILL, "- ok / 9 ok"),
                (&subscribe("tank://level"), "1 ok"),
                (FILL, "- ok / 9 ok / @ \"tank://level\""),
                (TURN, "9 ok / @ \"tank://level\""),
                (&subscribe("tank://valve"), "1 ok"),
                (TURN, "9 ok / @ \"tank://level\" / @ \"tank://valve\""),
                (&unsubscribe("tank://level"), "1 ok"),
                (TURN, "9 ok / @ \"tank://valve\""),
                (FILL, "- ok / 9 ok"),
                (&unsubscribe("tank://valve"), "1 ok"),
                (TURN, "9 ok"),
            ],
        );
        peer.one(subscribe("tank://level").as_bytes());
        let bare = r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"tank://level"}}"#;
        assert_eq!(peer.send(TURN.as_bytes())[1..], [bare], "{revision}");
    }
}

#[test]
fn sub_3_unknown_addresses_are_refused_and_repetition_is_harmless() {
    for revision in LEGACY {
        let mut peer = client(tank(), revision);
        for method in [subscribe, unsubscribe] {
            for uri in ["tank://nowhere", "tank://pipe/a", "tank://pipe/{id}", "", "tank://level "] {
                let answer = peer.one(method(uri).as_bytes());
                assert_eq!(answer["error"]["code"], -32002, "{revision}: {uri}");
                assert_eq!(answer["error"]["data"], json!({"uri": uri}), "{revision}");
            }
            // What never changes is easily watched; who cannot tell of changes does not promise to.
            assert_eq!(sees(&mut peer, revision, &method("tank://kind")), "1 ok", "{revision}");
            assert_eq!(sees(&mut peer, revision, &method("tank://wall")), "1 -32602", "{revision}");
            for params in [json!({}), json!({"uri": 5}), json!({"uri": null}), json!({"uri": ["tank://level"]})] {
                let line = method("").replace(r#"{"uri":""}"#, &params.to_string());
                assert_eq!(sees(&mut peer, revision, &line), "1 -32602", "{revision}: {line}");
            }
        }
        transcript(
            &mut peer,
            revision,
            &[
                (&unsubscribe("tank://level"), "1 ok"),
                (&subscribe("tank://level"), "1 ok"),
                (&subscribe("tank://level"), "1 ok"),
                (TURN, "9 ok / @ \"tank://level\""),
                (&unsubscribe("tank://level"), "1 ok"),
                (TURN, "9 ok"),
            ],
        );
    }
}

#[test]
fn sub_4_a_new_session_starts_without_subscriptions() {
    for revision in LEGACY {
        let mut peer = client(tank(), revision);
        assert_eq!(sees(&mut peer, revision, &subscribe("tank://level")), "1 ok");
        let failed = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
        assert_eq!(sees(&mut peer, revision, failed), "1 -32602");
        assert_eq!(sees(&mut peer, revision, TURN), "9 ok / @ \"tank://level\"", "{revision}: a failed handshake");
        peer.shake_hands(revision);
        assert_eq!(sees(&mut peer, revision, TURN), "9 ok", "{revision}");
    }
}

#[test]
fn listen_1_the_acknowledgement_comes_first_and_the_rest_behind_it() {
    let mut peer = Peer::with(tank());
    let lines = peer.send(expand(MODERN, &listen("\"w1\"", &["tank://level"])).as_bytes());
    assert_eq!(
        lines,
        [
            r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"w1"},"notifications":{"resourceSubscriptions":["tank://level"]}}}"#
        ]
    );
    let lines = peer.send(TURN.as_bytes());
    assert_eq!(
        lines[1..],
        [
            r#"{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"w1"},"uri":"tank://level"}}"#
        ]
    );
}

#[test]
fn listen_2_each_message_has_the_id_as_it_came() {
    for id in ["\"w1\"", "7", "\"7\"", "-1", "12345678901234567890123", "\"a \\\"quoted\\\" \\\\ \\n é\""] {
        let mut peer = Peer::with(tank());
        assert_eq!(
            see(&mut peer, &listen(id, &["tank://valve"])),
            format!("@{} {{\"resourceSubscriptions\":[\"tank://valve\"]}}", brief(id))
        );
        assert_eq!(see(&mut peer, TURN), format!("9 ok / @{} \"tank://valve\"", brief(id)));
    }
}

/// An id as the glance of a line shows it: integers beyond 64 bits as floats.
fn brief(id: &str) -> String {
    serde_json::from_str::<Value>(id).unwrap().to_string()
}

#[test]
fn listen_3_what_is_not_offered_is_left_out() {
    let mut peer = Peer::with(tank());
    let all = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["tank://valve","tank://kind","x:y"],"more":5},"_meta":META}}"#;
    assert_eq!(see(&mut peer, all), "@1 {\"resourceSubscriptions\":[\"tank://valve\"]}");
    assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://valve\"");
    assert_eq!(see(&mut peer, FILL), "- ok / 9 ok");
}

#[test]
fn listen_4_there_is_no_response_while_it_is_open() {
    let mut peer = Peer::with(tank());
    assert_eq!(see(&mut peer, &listen("1", &["tank://level"])), "@1 {\"resourceSubscriptions\":[\"tank://level\"]}");
    for _ in 0..3 {
        assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://level\"");
    }
}

#[test]
fn listen_5_a_cancellation_ends_it_without_an_answer() {
    let mut peer = Peer::with(tank());
    for other in ["2", "\"1\"", "\"\"", "null", "{}"] {
        see(&mut peer, &listen("1", &["tank://level"]));
        assert_eq!(see(&mut peer, &cancel(other)), "", "{other}");
        assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://level\"", "CANCEL-6: {other}");
    }
    assert_eq!(
        see(&mut peer, &cancel("1").replace("{\"jsonrpc\"", "{\"id\":5,\"jsonrpc\"")),
        "5 -32601",
        "no notification"
    );
    assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://level\"");
    assert_eq!(see(&mut peer, &cancel("1")), "");
    assert_eq!(see(&mut peer, TURN), "9 ok");
    assert_eq!(see(&mut peer, &cancel("1")), "");
    assert_eq!(
        see(&mut peer, &listen("1", &["tank://level"])),
        "@1 {\"resourceSubscriptions\":[\"tank://level\"]}",
        "the id is free"
    );
}

#[test]
fn listen_6_the_server_ends_it_with_the_result_and_a_cancellation() {
    let mut peer = Peer::with(tank());
    for id in ["\"a\"", "\"b\""] {
        see(&mut peer, &listen(id, &["tank://level"]));
    }
    let lines = peer.send(expand(MODERN, &listen("\"c\"", &["tank://level"])).as_bytes());
    assert_eq!(
        lines[..2],
        [
            r#"{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"a"}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#,
        ]
    );
    assert_eq!(see(&mut peer, TURN), "9 ok / @\"c\" \"tank://level\" / @\"b\" \"tank://level\"");
}

#[test]
fn listen_7_several_hear_of_one_change() {
    for revision in LEGACY {
        let mut peer = client(tank(), revision);
        transcript(
            &mut peer,
            revision,
            &[
                (
                    &listen("1", &["tank://level", "tank://valve"]),
                    "@1 {\"resourceSubscriptions\":[\"tank://level\",\"tank://valve\"]}",
                ),
                (&listen("2", &["tank://valve"]), "@2 {\"resourceSubscriptions\":[\"tank://valve\"]}"),
                // ERA-1: beside a session.
                (&subscribe("tank://valve"), "1 ok"),
                (FILL, "- ok / 9 ok / @1 \"tank://level\""),
                (TURN, "9 ok / @1 \"tank://level\" / @ \"tank://valve\" / @1 \"tank://valve\" / @2 \"tank://valve\""),
            ],
        );
    }
}

#[test]
fn listen_8_progress_and_logs_do_not_travel_on_it() {
    let mut peer = Peer::with(tank());
    see(&mut peer, &listen("1", &["tank://level"]));
    let fill = r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"fill","arguments":{"litres":1},"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"P/logLevel":"debug","progressToken":"t"}}}"#;
    let lines = peer.send(expand(MODERN, fill).as_bytes());
    assert_eq!(super::fixture::glance(&lines), "~ 1 / - ok / 9 ok / @1 \"tank://level\"");
    for line in &lines[..3] {
        assert!(!line.contains("subscriptionId"), "{line}");
    }
}

#[test]
fn listen_9_a_restart_forgets_it() {
    let mut peer = Peer::with(tank());
    see(&mut peer, &listen("1", &["tank://level"]));
    assert_eq!(see(&mut Peer::with(tank()), TURN), "9 ok");
    // ERA-3: a handshake does not.
    peer.shake_hands("2025-06-18");
    assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://level\"");
}

#[test]
fn listen_10_a_filter_of_another_form_is_refused() {
    for filter in [
        "null",
        "[]",
        "true",
        r#"{"toolsListChanged":1}"#,
        r#"{"promptsListChanged":"yes"}"#,
        r#"{"resourcesListChanged":{}}"#,
        r#"{"resourceSubscriptions":"tank://level"}"#,
        r#"{"resourceSubscriptions":{}}"#,
        r#"{"resourceSubscriptions":["tank://level",5]}"#,
        r#"{"resourceSubscriptions":[null]}"#,
    ] {
        let mut peer = Peer::with(tank());
        let line = listen("1", &[]).replace(r#"{"resourceSubscriptions":[]}"#, filter);
        assert_eq!(see(&mut peer, &line), "1 -32602", "{filter}");
        assert_eq!(see(&mut peer, TURN), "9 ok", "{filter}");
    }
    let none = r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":META}}"#;
    assert_eq!(see(&mut Peer::with(tank()), none), "1 -32602");
    for filter in [r#"{"toolsListChanged":false,"unknown":[1]}"#, "{}", r#"{"resourceSubscriptions":null}"#] {
        let line = listen("1", &[]).replace(r#"{"resourceSubscriptions":[]}"#, filter);
        assert_eq!(see(&mut Peer::with(tank()), &line), "@1 {}", "{filter}");
    }
}

#[test]
fn listen_12_nothing_to_listen_to_takes_no_place() {
    let mut peer = Peer::with(tank());
    for id in ["1", "2"] {
        see(&mut peer, &listen(id, &["tank://level"]));
    }
    let long = format!("\"{}\"", "x".repeat(100));
    for (id, uris) in [("3", &[][..]), ("4", &["tank://kind"]), (&long, &[])] {
        assert_eq!(see(&mut peer, &listen(id, uris)), format!("@{id} {{}}"));
    }
    assert_eq!(see(&mut peer, TURN), "9 ok / @1 \"tank://level\" / @2 \"tank://level\"");
}

#[test]
fn listen_13_unknown_addresses_are_left_out() {
    let mut peer = Peer::with(tank());
    let line =
        listen("1", &["tank://kind", "tank://valve", "x:y", "", "tank://level", "tank://pipe/a", "tank://valve"]);
    assert_eq!(see(&mut peer, &line), "@1 {\"resourceSubscriptions\":[\"tank://level\",\"tank://valve\"]}");
}

#[test]
fn listen_14_the_same_id_replaces_and_the_oldest_gives_way() {
    let mut peer = Peer::with(tank());
    transcript(
        &mut peer,
        MODERN,
        &[
            (&listen("1", &["tank://level"]), "@1 {\"resourceSubscriptions\":[\"tank://level\"]}"),
            (&listen("2", &["tank://level"]), "@2 {\"resourceSubscriptions\":[\"tank://level\"]}"),
            // It is the youngest now.
            (&listen("1", &["tank://valve"]), "@1 {\"resourceSubscriptions\":[\"tank://valve\"]}"),
            (TURN, "9 ok / @2 \"tank://level\" / @1 \"tank://valve\""),
            (&listen("3", &["tank://level"]), "2 ok / x 2 / @3 {\"resourceSubscriptions\":[\"tank://level\"]}"),
            (&listen("\"3\"", &["tank://level"]), "1 ok / x 1 / @\"3\" {\"resourceSubscriptions\":[\"tank://level\"]}"),
            (&cancel("3"), ""),
            (&listen("4", &["tank://level"]), "@4 {\"resourceSubscriptions\":[\"tank://level\"]}"),
            (TURN, "9 ok / @\"3\" \"tank://level\" / @4 \"tank://level\""),
        ],
    );
}

/// The README's limit.
#[test]
fn an_id_that_is_too_long_to_be_kept_is_refused() {
    let mut peer = Peer::with(tank());
    let [fits, long] = [38, 39].map(|length| format!("\"{}\"", "x".repeat(length)));
    assert_eq!(see(&mut peer, &listen(&long, &["tank://level"])), format!("{long} -32602"));
    assert_eq!(see(&mut peer, TURN), "9 ok");
    assert_eq!(
        see(&mut peer, &listen(&fits, &["tank://level"])),
        format!("@{fits} {{\"resourceSubscriptions\":[\"tank://level\"]}}")
    );
    assert_eq!(see(&mut peer, &cancel(&long)), "");
    assert_eq!(see(&mut peer, TURN), format!("9 ok / @{fits} \"tank://level\""));
}

/// A main loop tells of changes that no tool has made.
#[test]
fn the_main_loop_tells_of_changes() {
    let mut server = tank();
    let updated = |server: &mut Server<Tank, CAPACITY, 2>, uri: &str| {
        let mut out = Vec::new();
        server.resource_updated(uri, &mut out).unwrap();
        lines(&out)
    };
    assert_eq!(updated(&mut server, "tank://level"), [""; 0]);
    Line::receive(&mut server, (expand(MODERN, &listen("1", &["tank://level"])) + "\n").as_bytes());
    Line::receive(&mut server, (subscribe("tank://level") + "\n").as_bytes());
    for uri in ["tank://valve", "tank://kind", "tank://nowhere"] {
        assert_eq!(updated(&mut server, uri), [""; 0], "{uri}");
    }
    let all = updated(&mut server, "tank://level");
    assert_eq!(super::fixture::glance(&all), "@ \"tank://level\" / @1 \"tank://level\"");
    // A toolset without subscriptions has nobody to tell.
    let mut out = Vec::new();
    Server::<_, 64>::new(INFO, Still).resource_updated("tank://kind", &mut out).unwrap();
    assert_eq!(out, b"");
}
