//! Section 3.3: parameters.

use super::fixture::{expect, sees};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

#[test]
fn param_1_params_are_an_object() {
    for wrong in ["[]", "[1]", r#"[{"name":"temp_read"}]"#, "\"\"", "\"x\"", "0", "1.5", "true", "false"] {
        for method in ["tools/list", "tools/call", "ping", "initialize", "server/discover", "no/such"] {
            let line =
                r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":WRONG}"#.replace("METHOD", method).replace("WRONG", wrong);
            expect(&[&ALL[..], &["none"]].concat(), &[(&line, "1 -32602")]);
        }
    }
    expect(
        &[&LEGACY[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":null}"#, "1 -32601"),
        ],
    );
}

#[test]
fn param_2_metadata_is_an_object() {
    for wrong in ["[]", "\"x\"", "5", "true", "false"] {
        for method in ["tools/list", "ping", "server/discover", "initialize", "no/such"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"_meta":WRONG,"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#
                .replace("METHOD", method)
                .replace("WRONG", wrong);
            expect(&[&ALL[..], &["none"]].concat(), &[(&line, "1 -32602")]);
        }
    }
    expect(
        &[&LEGACY[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":null}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{}}}"#, "1 ok"),
        ],
    );
}

#[test]
fn param_3_members_have_their_types_and_null_is_absence_of_optional_ones() {
    for revision in ALL {
        for (method, members, expected) in [
            // Required.
            ("tools/call", r#""arguments":{}"#, "1 -32602"),
            ("tools/call", r#""name":null"#, "1 -32602"),
            ("tools/call", r#""name":5"#, "1 -32602"),
            ("tools/call", r#""name":{}"#, "1 -32602"),
            ("tools/call", r#""name":["temp_read"]"#, "1 -32602"),
            ("tools/call", r#""Name":"temp_read""#, "1 -32602"),
            // Optional.
            ("tools/call", r#""name":"temp_read","arguments":null"#, "1 ok"),
            ("tools/call", r#""name":"temp_read","arguments":[]"#, "1 -32602"),
            ("tools/call", r#""name":"temp_read","arguments":"{}""#, "1 -32602"),
            ("tools/call", r#""name":"temp_read","arguments":0"#, "1 -32602"),
            ("tools/call", r#""name":"temp_read","arguments":false"#, "1 -32602"),
            ("tools/list", r#""cursor":null"#, "1 ok"),
            ("tools/list", r#""cursor":0"#, "1 -32602"),
            ("tools/list", r#""cursor":{}"#, "1 -32602"),
            ("tools/list", r#""cursor":[]"#, "1 -32602"),
            ("tools/list", r#""cursor":true"#, "1 -32602"),
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{MEMBERS,"_meta":TAG}}"#
                .replace("METHOD", method)
                .replace("MEMBERS", members);
            let mut board = Peer::in_revision("board", revision);
            assert_eq!(sees(&mut board, revision, &line), expected, "{revision}: {line}");
        }
    }
    // Not so inside the metadata.
    expect(
        &ALL,
        &[
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":null,"P/clientCapabilities":{}}}}"#,
                "1 -32602",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"2026-07-28","P/clientCapabilities":null}}}"#,
                "1 -32602",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/clientCapabilities":null}}}"#,
                "1 -32602",
            ),
        ],
    );
}

#[test]
fn param_4_unknown_members_and_metadata_are_ignored() {
    for revision in ALL {
        for members in
            [r#""x":1"#, r#""cursors":5"#, r#""name":5"#, r#""":null"#, r#""task":{"ttl":1}"#, r#""inputResponses":5"#]
        {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{MEMBERS,"_meta":TAG}}"#
                .replace("MEMBERS", members);
            let mut board = Peer::in_revision("board", revision);
            assert_eq!(sees(&mut board, revision, &line), "1 ok", "{revision}: {line}");
        }
        let tag = match revision {
            MODERN => r#""P/protocolVersion":"2026-07-28","P/clientCapabilities":{},"#,
            _ => "",
        };
        for key in [
            "x",
            "com.example/x",
            "",
            "io.modelcontextprotocol/",
            "traceparent",
            "P/subscriptionId",
            "P/serverInfo",
            "protocolVersion",
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{TAGGED"KEY":[5]}}}"#
                .replace("TAGGED", tag)
                .replace("KEY", key);
            let mut board = Peer::in_revision("board", revision);
            assert_eq!(sees(&mut board, revision, &line), "1 ok", "{revision}: {line}");
        }
    }
}
