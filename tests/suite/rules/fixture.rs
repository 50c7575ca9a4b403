//! What the tests of the rules share: a way to write lines and expectations briefly, and a toolset with everything that
//! the demos have not.

use serde_json::Value;
use toolwire::json;
use toolwire::schema::Type;
use toolwire::tool::{Argument, Unbounded};
use toolwire::{Server, ServerInfo, toolset};

use toolwire_tests::wire::Line;

use crate::harness::{CAPACITY, MODERN, Peer};

/// The identity of a server of [`Bench`].
pub(super) const INFO: ServerInfo =
    ServerInfo::new("bench", "1.2.3").with_title("The bench").with_instructions("For tests.");

/// Tools of every kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bench;

#[toolset]
impl Bench {
    /// Say nothing.
    #[tool(title = "Silence", read_only, destructive = false, idempotent, open_world = false)]
    fn quiet() {}

    /// Say the same.
    #[tool(read_only)]
    fn echo(text: &str) -> &str {
        text
    }

    /// Find the pump stuck.
    #[tool(destructive)]
    fn pump() -> Result<&'static str, &'static str> {
        Err("the pump is stuck")
    }

    /// Run into a fault of the firmware.
    #[tool]
    fn fault(on: Undecodable) -> &'static str {
        let Undecodable = on;
        "never"
    }

    /// Choose a size.
    #[tool(title = "Size")]
    fn size(#[argument(min = -5, max = 5)] size: i8, #[argument(default = 1.5)] scale: f64) -> String {
        format!("{size} {scale}")
    }
}

/// An argument that breaks the contract of its trait: it passes the check and is not decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Undecodable;

impl<'a> Argument<'a> for Undecodable {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Boolean;

    fn decode(_value: json::Value<'a>) -> Option<Self> {
        None
    }
}

/// A server of [`Bench`], to be configured.
pub(super) fn bench() -> Server<Bench, CAPACITY> {
    Server::new(INFO, Bench)
}

/// A client of `server` in `revision`.
pub(super) fn client(server: impl Line + 'static, revision: &str) -> Peer {
    let mut peer = Peer::with(server);
    if !matches!(revision, MODERN | "none") {
        peer.shake_hands(revision);
    }
    peer
}

/// The metadata that a modern request must have, in the notation of [`expand`].
const META: &str = r#"{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{}}"#;

/// Writes out a line: `META` is the least metadata of a modern request, `TAG` the same where `revision` is modern and
/// otherwise empty metadata, `P/` the prefix of the keys of the protocol.
pub(super) fn expand(revision: &str, line: &str) -> String {
    line.replace("TAG", if revision == MODERN { META } else { "{}" })
        .replace("META", META)
        .replace("\"P/", "\"io.modelcontextprotocol/")
}

/// How an answer without a readable id spells that (ID-6).
pub(super) fn no_id(revision: &str) -> &'static str {
    match revision {
        "2024-11-05" | "2025-03-26" | "2025-06-18" => "null",
        _ => "-",
    }
}

/// Sends a line and tells what came back in brief: for each answer the id (`-` if there is none) and `ok`, `isError`
/// or the code of the error; `~` and the number for progress; `@` and the subscription for what comes of one;
/// `x` and the id for a cancellation; for an array those in brackets; nothing for silence.
pub(super) fn sees(peer: &mut Peer, revision: &str, line: &str) -> String {
    glance(&peer.send(expand(revision, line).as_bytes()))
}

/// What some lines are, in brief.
pub(super) fn glance(answers: &[String]) -> String {
    let answers: Vec<_> = answers.iter().map(|answer| brief(&serde_json::from_str(answer).unwrap())).collect();
    answers.join(" / ")
}

fn brief(answer: &Value) -> String {
    if let Some(entries) = answer.as_array() {
        return format!("[{}]", entries.iter().map(brief).collect::<Vec<_>>().join(", "));
    }
    match answer["method"].as_str() {
        Some("notifications/progress") => return format!("~ {}", answer["params"]["progress"]),
        Some("notifications/cancelled") => return format!("x {}", answer["params"]["requestId"]),
        Some("notifications/subscriptions/acknowledged") => {
            return format!("{} {}", subscription(answer), answer["params"]["notifications"]);
        }
        Some("notifications/resources/updated") => {
            return format!("{} {}", subscription(answer), answer["params"]["uri"]);
        }
        _ => {}
    }
    let id = answer.get("id").map_or_else(|| "-".to_owned(), Value::to_string);
    match (&answer["error"]["code"], &answer["result"]["isError"]) {
        (Value::Number(code), _) => format!("{id} {code}"),
        (_, Value::Bool(true)) => format!("{id} isError"),
        _ => format!("{id} ok"),
    }
}

/// `@` and the id of the subscription that a notification belongs to, or nothing.
fn subscription(notification: &Value) -> String {
    let id = notification["params"]["_meta"].get("io.modelcontextprotocol/subscriptionId");
    id.map_or_else(|| "@".to_owned(), |id| format!("@{id}"))
}

/// Sends each line to a board of its own in each revision (`none`: without a session and without metadata). `NONE` in
/// an expectation is an id that is not readable.
pub(super) fn expect(revisions: &[&str], rows: &[(&str, &str)]) {
    for revision in revisions {
        for (line, expected) in rows {
            let mut board = Peer::in_revision("board", revision);
            let expected = expected.replace("NONE", no_id(revision));
            assert_eq!(sees(&mut board, revision, line), expected, "{revision}: {line}");
        }
    }
}

/// Sends lines to one server, in order.
pub(super) fn transcript(peer: &mut Peer, revision: &str, rows: &[(&str, &str)]) {
    for (line, expected) in rows {
        assert_eq!(sees(peer, revision, line), expected.replace("NONE", no_id(revision)), "{revision}: {line}");
    }
}

/// The names of an object's members, sorted.
pub(super) fn names(object: &Value) -> Vec<&str> {
    let mut names: Vec<_> = object.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

/// The tools of each server that there is, as `revision` has them.
pub(super) fn all_tools(revision: &str) -> Vec<Value> {
    let peers = ["board", "calc", "conformance", "reservo", "tasks"].map(|name| Peer::in_revision(name, revision));
    peers.into_iter().chain([client(bench(), revision)]).flat_map(|mut peer| tools(&mut peer, revision)).collect()
}

/// What `tools/list` lists.
pub(super) fn tools(peer: &mut Peer, revision: &str) -> Vec<Value> {
    let mut answer = peer.request_in(revision, "tools/list", &serde_json::json!({}));
    match answer["result"]["tools"].take() {
        Value::Array(tools) => tools,
        _ => panic!("no tools: {answer}"),
    }
}
