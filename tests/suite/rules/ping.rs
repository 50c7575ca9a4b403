//! Section 7.3: `ping`.

use super::fixture::{expect, transcript};
use crate::harness::{ALL, LEGACY, Peer};

#[test]
fn ping_1_the_answer_is_an_empty_result() {
    for revision in LEGACY {
        let mut board = Peer::in_revision("board", revision);
        assert_eq!(
            board.send(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            [r#"{"jsonrpc":"2.0","id":1,"result":{}}"#],
            "{revision}"
        );
        assert_eq!(
            board.send(br#"{"jsonrpc":"2.0","id":"123","method":"ping","params":{"_meta":{"progressToken":1},"x":1}}"#),
            [r#"{"jsonrpc":"2.0","id":"123","result":{}}"#],
            "{revision}"
        );
    }
}

#[test]
fn ping_2_it_is_answered_at_any_time() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for revision in LEGACY {
        let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
            .replace("VERSION", revision);
        transcript(
            &mut Peer::demo("board"),
            revision,
            &[
                (ping, "1 ok"),
                (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":META}}"#, "1 ok"),
                (ping, "1 ok"),
                (&hello, "0 ok"),
                (ping, "1 ok"),
                (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, ""),
                (ping, "1 ok"),
            ],
        );
    }
}

#[test]
fn ping_4_a_tagged_one_is_an_unknown_method() {
    expect(
        &[&ALL[..], &["none"]].concat(),
        &[(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":META}}"#, "1 -32601")],
    );
}
