//! Sections 3.1 and 3.4: kinds of messages, and what each fault is answered with.

use serde_json::Value;

use super::fixture::{bench, client, expand, expect, names, sees, transcript};
use crate::harness::{ALL, LEGACY, MODERN, Peer};

#[test]
fn table_3_1_kinds() {
    expect(
        &ALL,
        &[
            // Requests.
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":TAG}}"#, "1 -32601"),
            // A method and a result: it has a method, so it is a request.
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","result":{},"params":{"_meta":TAG}}"#, "1 ok"),
            // Notifications.
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"no/such"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized","error":{}}"#, ""),
            // Responses.
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, ""),
            (r#"{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":""}}"#, ""),
            (r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#, ""),
            (r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#, ""),
            (r#"{"id":1.5,"result":5}"#, ""),
            // Anything else.
            (r#"{"jsonrpc":"2.0","id":1}"#, "1 -32600"),
            (r#"{"jsonrpc":"2.0"}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","id":1,"method":null}"#, "1 -32600"),
            (r#"{"jsonrpc":"2.0","method":5}"#, "NONE -32600"),
            ("{}", "NONE -32600"),
            ("5", "NONE -32600"),
            (r#""{}""#, "NONE -32600"),
            ("true", "NONE -32600"),
            ("null", "NONE -32600"),
        ],
    );
}

#[test]
fn msg_1_jsonrpc_is_the_string_2_0() {
    for wrong in
        [r#""1.0""#, r#""2""#, r#""2.00""#, r#""2.0 ""#, r#""""#, "2.0", "2", "null", "true", "[]", r#"["2.0"]"#]
    {
        let line = r#"{"jsonrpc":WRONG,"id":1,"method":"tools/list","params":{"_meta":TAG}}"#.replace("WRONG", wrong);
        expect(&ALL, &[(&line, "1 -32600")]);
    }
    expect(
        &ALL,
        &[
            (r#"{"id":1,"method":"tools/list","params":{"_meta":TAG}}"#, "1 -32600"),
            (r#"{"JSONRPC":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#, "1 -32600"),
            (r#"{"jsonrpc":"2\u002e0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#, "1 ok"),
        ],
    );
}

/// Requests of which each gets a different answer, and which.
const REQUESTS: [(&str, &str); 8] = [
    (r#"{"jsonrpc":"2.0","id":ID,"method":"tools/list","params":{"_meta":TAG}}"#, "ID ok"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#, "ID ok"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"led_set","_meta":TAG}}"#, "ID isError"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":"tools/call","params":{"name":"nope","_meta":TAG}}"#, "ID -32602"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":"no/such","params":{"_meta":TAG}}"#, "ID -32601"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":5,"params":{"_meta":TAG}}"#, "ID -32600"),
    (r#"{"id":ID,"method":"tools/list","params":{"_meta":TAG}}"#, "ID -32600"),
    (r#"{"jsonrpc":"2.0","id":ID,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"1"}}}"#, "ID -32022"),
];

#[test]
fn msg_2_an_answer_has_the_id_of_its_request() {
    for id in ["1", "\"1\"", "-7", "\"a b\"", "0", "\"\""] {
        for (line, expected) in REQUESTS {
            expect(&ALL, &[(&line.replace("ID", id), &expected.replace("ID", id))]);
        }
    }
}

#[test]
fn msg_3_an_answer_has_either_a_result_or_an_error() {
    for revision in ALL {
        for (line, expected) in REQUESTS {
            let mut board = Peer::in_revision("board", revision);
            let answer = board.one(expand(revision, &line.replace("ID", "1")).as_bytes());
            if expected.contains('-') {
                assert_eq!(names(&answer), ["error", "id", "jsonrpc"], "{revision}: {answer}");
            } else {
                assert_eq!(names(&answer), ["id", "jsonrpc", "result"], "{revision}: {answer}");
                assert!(answer["result"].is_object(), "{revision}: {answer}");
            }
        }
    }
}

#[test]
fn msg_4_a_notification_is_never_answered() {
    expect(
        &[&ALL[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/progress","params":"x"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed","params":{"_meta":5}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"no/such","params":{"_meta":TAG}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"no/such","params":{"_meta":{"P/protocolVersion":"1900-01-01"}}}"#, ""),
            (r#"{"jsonrpc":"1.0","method":"ping"}"#, ""),
            (r#"{"method":"ping"}"#, ""),
            (r#"{"method":""}"#, ""),
        ],
    );
}

#[test]
fn msg_5_an_error_has_an_integer_code_and_a_sentence() {
    for revision in ALL {
        for line in [
            "{",
            "5",
            "[]",
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"_meta":TAG}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":TAG}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\nb\"\u0000","_meta":TAG}}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"x"}}}"#,
        ] {
            let answer = Peer::in_revision("board", revision).one(expand(revision, line).as_bytes());
            let error = &answer["error"];
            assert!(error["code"].is_i64(), "{revision}: {answer}");
            let message = error["message"].as_str().unwrap();
            assert!((10..160).contains(&message.len()), "{revision}: {answer}");
        }
    }
}

#[test]
fn msg_6_the_type_of_a_result_is_there_in_2026_07_28_only() {
    for revision in ALL {
        for (method, params) in [
            ("ping", serde_json::json!({})),
            ("server/discover", serde_json::json!({})),
            ("tools/list", serde_json::json!({})),
            ("tools/call", serde_json::json!({"name": "temp_read"})),
            ("tools/call", serde_json::json!({"name": "led_set"})),
        ] {
            let mut board = Peer::in_revision("board", revision);
            let answer = board.request_in(revision, method, &params);
            match (revision, method) {
                (MODERN, "ping") | ("2024-11-05" | "2025-03-26" | "2025-06-18" | "2025-11-25", "server/discover") => {
                    assert_eq!(answer["error"]["code"], -32601, "{revision}: {answer}");
                }
                (MODERN, _) => assert_eq!(answer["result"]["resultType"], "complete", "{answer}"),
                _ => assert_eq!(answer["result"].get("resultType"), None, "{revision}: {answer}"),
            }
        }
    }
    for revision in LEGACY {
        assert_eq!(Peer::demo("board").shake_hands(revision).get("resultType"), None);
    }
}

#[test]
fn msg_7_order_space_escapes_and_unknown_members_make_no_difference() {
    expect(
        &ALL,
        &[
            // Unknown members.
            (r#"{"jsonrpc":"2.0","id":1,"x":[{"y":null}],"method":"tools/list","params":{"_meta":TAG}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":{"cursor":5},"_meta":TAG}}"#, "1 ok"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","Params":5,"ID":null,"Method":1,"params":{"_meta":TAG}}"#,
                "1 ok",
            ),
            // Order and white space.
            (r#"{"params":{"_meta":TAG},"method":"tools/list","id":1,"jsonrpc":"2.0"}"#, "1 ok"),
            (
                " \t{ \r\"jsonrpc\"\t:\r\"2.0\" ,\t\"id\" : 1 , \"method\" : \"tools/list\" , \"params\" : { \"_meta\" : TAG } } \r",
                "1 ok",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":TAG,"arguments":{"level":1,"on":true},"name":"led_set"}}"#,
                "1 ok",
            ),
            // Escapes, in names as in values.
            (r#"{"\u006asonrpc":"2.0","\u0069\u0064":1,"method":"tools\/l\u0069st","params":{"_meta":TAG}}"#, "1 ok"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\u0061me":"led\u005fset","arguments":{"\u006fn":true},"_meta":TAG}}"#,
                "1 ok",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol\/protocolVersi\u006fn":"2026\u002d07-28","P/clientCapabilities":{}}}}"#,
                "1 ok",
            ),
            // The last one of several.
            (
                r#"{"jsonrpc":"1.0","id":null,"method":5,"params":5,"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#,
                "1 ok",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{"_meta":TAG}}"#, "2 ok"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","id":null,"params":{"_meta":TAG}}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","method":"no/such","params":{"_meta":TAG}}"#, "1 -32601"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG},"params":[]}"#, "1 -32602"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","n\u0061me":"temp_read","_meta":TAG}}"#,
                "1 ok",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"on":5},"_meta":TAG}}"#,
                "1 isError",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"P/protocolVersion":"x","P/protocolVersion":"2026-07-28","P/clientCapabilities":{}}}}"#,
                "1 ok",
            ),
        ],
    );
}

#[test]
fn msg_8_the_id_alone_tells_requests_from_notifications() {
    expect(
        &ALL,
        &[
            (r#"{"jsonrpc":"2.0","method":"ping"}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"tools/list","params":{"_meta":TAG}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"temp_read","_meta":TAG}}"#, ""),
            (r#"{"jsonrpc":"2.0","method":"server/discover","params":{"_meta":META}}"#, ""),
            (r#"{"jsonrpc":"2.0","id":1,"method":"notifications/initialized","params":{"_meta":TAG}}"#, "1 -32601"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"notifications/cancelled","params":{"requestId":1,"_meta":TAG}}"#,
                "1 -32601",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"method":"notifications/progress","params":{"_meta":TAG}}"#, "1 -32601"),
        ],
    );
    // What is dropped does nothing: no session is made, and no LED set.
    transcript(
        &mut Peer::demo("board"),
        "none",
        &[
            (
                r#"{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
                "",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#, "1 -32602"),
        ],
    );
    let mut board = Peer::demo("board");
    sees(
        &mut board,
        "none",
        r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":7}}}"#,
    );
    let (text, _) = board.call("led_set", &serde_json::json!({"on": true}));
    assert_eq!(text, "The LED is on at 100 %.");
}

#[test]
fn table_3_4_what_to_answer() {
    expect(
        &ALL,
        &[
            // Not JSON.
            ("x", "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list""#, "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"pi"#, "NONE -32700"),
            ("{} {}", "NONE -32700"),
            ("1 2", "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"pi\qng"}"#, "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#, "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"\u12"}"#, "NONE -32700"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\tng\"}", "NONE -32700"),
            ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\0ng\"}", "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list",}"#, "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":01,"method":"tools/list"}"#, "NONE -32700"),
            (r#"{"jsonrpc":"2.0","id":1.,"method":"tools/list"}"#, "NONE -32700"),
            (r#"{jsonrpc:"2.0","id":1,"method":"tools/list"}"#, "NONE -32700"),
            ("nul", "NONE -32700"),
            // No object.
            ("0", "NONE -32600"),
            ("\"\"", "NONE -32600"),
            ("false", "NONE -32600"),
            // No message.
            (r#"{"jsonrpc":"2.0","id":1}"#, "1 -32600"),
            (r#"{"jsonrpc":"2.0","id":"a","params":{}}"#, "\"a\" -32600"),
            (r#"{"jsonrpc":"2.0","id":1,"method":{}}"#, "1 -32600"),
            (r#"{"jsonrpc":"3.0","id":1,"method":"tools/list"}"#, "1 -32600"),
            // An invalid id, whatever else is wrong.
            (r#"{"jsonrpc":"2.0","id":{},"method":"tools/list"}"#, "NONE -32600"),
            (r#"{"jsonrpc":"1.0","id":[],"method":5,"params":5}"#, "NONE -32600"),
            (r#"{"id":false}"#, "NONE -32600"),
            // Methods that are not there.
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/List","params":{"_meta":TAG}}"#, "1 -32601"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list ","params":{"_meta":TAG}}"#, "1 -32601"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"","params":{"_meta":TAG}}"#, "1 -32601"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"resources/Subscribe","params":{"_meta":TAG}}"#, "1 -32601"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{"_meta":TAG}}"#, "1 -32601"),
            // Params that are wrong.
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":"x"}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope","_meta":TAG}}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x","_meta":TAG}}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"_meta":TAG}}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"_meta":TAG}}"#, "1 -32602"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"_meta":TAG}}"#, "1 -32602"),
            // Metadata of modern requests.
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/clientCapabilities":{}}}}"#,
                "1 -32602",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"P/protocolVersion":"x"}}}"#,
                "1 -32022",
            ),
            // Notifications and responses.
            (r#"{"jsonrpc":"2.0","method":"tools/list","params":5}"#, ""),
            (r#"{"jsonrpc":"2.0","id":77,"result":{}}"#, ""),
            (r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#, ""),
            (r#"{"error":5}"#, ""),
        ],
    );
    // A resource that is not there, and one of a server that has none.
    let read = r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device://nope","_meta":TAG}}"#;
    expect(&LEGACY, &[(read, "1 -32002")]);
    expect(&[MODERN], &[(read, "1 -32602")]);
    // A fault of the server.
    for revision in ALL {
        assert_eq!(sees(&mut client(bench(), revision), revision, read), "1 -32601");
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fault","arguments":{"on":true},"_meta":TAG}}"#;
        transcript(&mut client(bench(), revision), revision, &[(line, "1 -32603"), (line, "1 -32603")]);
    }
}

/// Two servers, or a line with an echo: what a server writes must not make another one write.
#[test]
fn table_3_4_answers_are_not_answered() {
    for revision in ALL {
        for (line, _) in REQUESTS {
            let mut board = Peer::in_revision("board", revision);
            for answer in board.send(expand(revision, &line.replace("ID", "1")).as_bytes()) {
                assert_eq!(board.send(answer.as_bytes()), [""; 0], "{revision}: {answer}");
                assert_eq!(Peer::demo("board").send(answer.as_bytes()), [""; 0], "{revision}: {answer}");
            }
        }
        for garbage in ["x", "5", "[]", "{}"] {
            let mut board = Peer::in_revision("board", revision);
            for answer in board.send(garbage.as_bytes()) {
                let parsed: Value = serde_json::from_str(&answer).unwrap();
                assert!(parsed.get("error").is_some());
                assert_eq!(board.send(answer.as_bytes()), [""; 0], "{revision}: {answer}");
            }
        }
    }
}
