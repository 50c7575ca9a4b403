//! Section 7.13: `notifications/cancelled`. The server answers a request before it reads the next line, so a
//! cancellation always comes too late.

use super::fixture::{expand, expect, glance, sees};
use crate::harness::{ALL, Peer, lines};

#[test]
fn cancel_2_nothing_is_sent_for_a_request_that_was_cancelled() {
    for revision in ALL {
        for id in ["1", "\"1\""] {
            let request =
                r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#;
            let cancel =
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":ID,"reason":"x"}}"#;
            let mut board = Peer::in_revision("board", revision);
            assert_eq!(sees(&mut board, revision, &request.replace("ID", id)), format!("{id} ok"), "{revision}");
            for _ in 0..2 {
                assert_eq!(sees(&mut board, revision, &cancel.replace("ID", id)), "", "{revision}");
            }
            assert_eq!(board.receive(b"\n\n"), b"", "{revision}");
        }
    }
}

#[test]
fn cancel_3_what_is_unknown_finished_or_malformed_is_ignored() {
    for revision in ALL.into_iter().chain(["none"]) {
        let mut board = Peer::in_revision("board", revision);
        for params in [
            r#"{"requestId":99}"#,
            r#"{"requestId":"nope","reason":"x"}"#,
            r#"{"requestId":1}"#,
            r#"{"requestId":null}"#,
            r#"{"requestId":1.5}"#,
            r#"{"requestId":{}}"#,
            r#"{"requestId":1,"reason":5}"#,
            "{}",
            "[]",
            "null",
            "5",
        ] {
            let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#;
            assert_eq!(sees(&mut board, revision, list), "1 ok", "{revision}: {params}");
            let cancel =
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":PARAMS}"#.replace("PARAMS", params);
            assert_eq!(sees(&mut board, revision, &cancel), "", "{revision}: {params}");
        }
        // An id that was cancelled before it was used is none that is cancelled for ever.
        let call = r#"{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#;
        assert_eq!(sees(&mut board, revision, call), "99 ok", "{revision}");
    }
    expect(&ALL, &[(r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#, "")]);
}

#[test]
fn cancel_4_a_cancellation_may_cross_the_answer() {
    for revision in ALL {
        let bytes = expand(
            revision,
            concat!(
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#,
                "\n",
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
                "\n",
                r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#,
                "\n",
            ),
        );
        let out = Peer::in_revision("board", revision).receive(bytes.as_bytes());
        assert_eq!(glance(&lines(&out)), "1 ok / 2 ok", "{revision}");
    }
}
