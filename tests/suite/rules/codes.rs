//! Section 3.5: error codes.

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::rpc::ErrorCode;
use toolwire::tool::Unanswered;
use toolwire::{Argument, Context, toolset};

use super::fixture::{INFO, bench, client, expand};
use crate::data;
use crate::harness::{ALL, Peer};

/// Each code, a line that leads to it, and the bytes of the answer.
const CODES: [(ErrorCode, i32, &str, &str); 8] = [
    (
        ErrorCode::ParseError,
        -32700,
        r#"{"jsonrpc":"2.0","id":1,"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: the line is no JSON from byte 24 on"}}"#,
    ),
    (
        ErrorCode::InvalidRequest,
        -32600,
        r#"{"jsonrpc":"2.0","id":1}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"the method must be a string"}}"#,
    ),
    (
        ErrorCode::MethodNotFound,
        -32601,
        r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}"#,
    ),
    (
        ErrorCode::InvalidParams,
        -32602,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fan \"1\""}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: fan \"1\""}}"#,
    ),
    (
        ErrorCode::InternalError,
        -32603,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fault","arguments":{"on":true}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error: a fault of the firmware"}}"#,
    ),
    (
        ErrorCode::ResourceNotFound,
        -32002,
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device://nope"}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Resource not found","data":{"uri":"device://nope"}}}"#,
    ),
    (
        ErrorCode::MissingRequiredClientCapability,
        -32021,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"this tool asks the user, so the client must declare elicitation by form: Is \"that\" so?","data":{"requiredCapabilities":{"elicitation":{"form":{}}},"key":"so"}}}"#,
    ),
    (
        ErrorCode::UnsupportedProtocolVersion,
        -32022,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"1900-01-01"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}"#,
    ),
];

struct Asking;

#[derive(Argument)]
struct Answer {
    _yes: bool,
}

#[toolset]
impl Asking {
    /// Ask the user.
    #[tool]
    fn ask(context: &Context<'_>) -> Result<&'static str, Unanswered> {
        context.ask::<Answer>("so", "Is \"that\" so?").map(|_| "yes")
    }
}

#[test]
fn table_3_5_each_code_has_its_bytes() {
    for (code, number, line, answer) in CODES {
        assert_eq!(code.code(), number, "{code:?}");
        let mut server = match code {
            ErrorCode::ResourceNotFound => Peer::demo("board"),
            ErrorCode::MissingRequiredClientCapability => Peer::of(INFO, Asking),
            _ => client(bench(), "none"),
        };
        assert_eq!(server.send(expand("none", line).as_bytes()), [answer], "{code:?}");
    }
}

/// The enumeration is open to growth, so only its source tells whether the table above has all of it.
#[test]
fn table_3_5_is_complete() {
    let source = include_str!("../../../core/src/rpc.rs");
    let variants = source.lines().filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => -"));
    let variants: BTreeSet<_> = variants.map(|(name, _)| name.to_owned()).collect();
    let tested: BTreeSet<_> = CODES.iter().map(|(code, ..)| format!("{code:?}")).collect();
    assert_eq!(variants, tested);
}

/// The codes of all that the server answers to the data files, in each session: those of tagged requests, or the others.
fn codes(tagged: bool) -> BTreeSet<i64> {
    let mut lines: Vec<_> = data::lines("invalid.jsonl").iter().map(data::raw).collect();
    lines.extend(data::lines("examples.jsonl").iter().map(|example| example["message"].to_string().into_bytes()));
    lines.extend(CODES.map(|(_, _, line, _)| expand("none", line).into_bytes()));
    lines.retain(|line| is_tagged(line) == tagged);
    let mut codes = BTreeSet::new();
    for revision in ALL {
        for line in &lines {
            for answer in
                client(bench(), revision).send(line).iter().chain(&Peer::in_revision("board", revision).send(line))
            {
                let answer: Value = serde_json::from_str(answer).unwrap();
                let entries = match answer {
                    Value::Array(entries) => entries,
                    answer => vec![answer],
                };
                codes.extend(entries.iter().filter_map(|entry| entry["error"]["code"].as_i64()));
            }
        }
    }
    codes
}

/// Whether a line is a request with the metadata of 2026-07-28.
fn is_tagged(line: &[u8]) -> bool {
    let message: Value = serde_json::from_slice(line).unwrap_or_default();
    ["protocolVersion", "clientCapabilities"]
        .iter()
        .any(|key| message["params"]["_meta"].get(format!("io.modelcontextprotocol/{key}")).is_some())
}

#[test]
fn code_1_none_is_in_the_historical_range() {
    assert!(codes(true).range(-32019..=-32000).next().is_none());
    // What 2026-07-28 calls history is the code that the others have for a missing resource.
    assert_eq!(codes(false).range(-32019..=-32000).copied().collect::<Vec<_>>(), [-32002]);
}

#[test]
fn code_2_none_is_in_the_range_of_the_protocol_without_a_definition() {
    assert_eq!(codes(true).range(-32099..=-32020).copied().collect::<Vec<_>>(), [-32022, -32021]);
    assert!(codes(false).range(-32099..=-32020).next().is_none());
}

#[test]
fn code_3_none_is_of_our_own_making() {
    assert_eq!(codes(true).into_iter().collect::<Vec<_>>(), [-32602, -32601, -32600, -32022, -32021]);
    assert_eq!(codes(false).into_iter().collect::<Vec<_>>(), [-32700, -32603, -32602, -32601, -32600, -32002]);
}
