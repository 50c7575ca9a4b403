//! Section 3.5: error codes.

use std::collections::BTreeSet;

use serde_json::Value;
use toolwire::rpc::ErrorCode;

use super::fixture::{bench, client, expand};
use crate::data;
use crate::harness::{ALL, Peer};

/// Each code, a line that leads to it, and the bytes of the answer.
const CODES: [(ErrorCode, i32, &str, &str); 6] = [
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
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"the server failed; this is a fault in its firmware"}}"#,
    ),
    (
        ErrorCode::UnsupportedProtocolVersion,
        -32022,
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"1900-01-01"}}}"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"this protocol version is not supported","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}}"#,
    ),
];

#[test]
fn table_3_5_each_code_has_its_bytes() {
    for (code, number, line, answer) in CODES {
        assert_eq!(code.code(), number, "{code:?}");
        let mut server = client(bench(), "none");
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

/// The codes of all that the server answers to the data files, in each revision.
fn codes() -> BTreeSet<i64> {
    let mut lines: Vec<_> = data::lines("invalid.jsonl").iter().map(data::raw).collect();
    lines.extend(data::lines("examples.jsonl").iter().map(|example| example["message"].to_string().into_bytes()));
    lines.extend(CODES.map(|(_, _, line, _)| expand("none", line).into_bytes()));
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

#[test]
fn code_1_none_is_in_the_historical_range() {
    assert!(codes().range(-32019..=-32000).next().is_none());
}

#[test]
fn code_2_none_is_in_the_range_of_the_protocol_without_a_definition() {
    assert_eq!(codes().range(-32099..=-32020).copied().collect::<Vec<_>>(), [-32022]);
}

#[test]
fn code_3_none_is_of_our_own_making() {
    assert_eq!(codes().into_iter().collect::<Vec<_>>(), [-32700, -32603, -32602, -32601, -32600, -32022]);
}
