//! Section 3.2: ids.

use super::fixture::{expand, expect, no_id, sees, transcript};
use crate::harness::{ALL, Peer};

const LINE: &str = r#"{"jsonrpc":"2.0","id":ID,"method":"tools/list","params":{"_meta":TAG}}"#;

#[test]
fn id_1_null_is_no_id() {
    expect(
        &[&ALL[..], &["none"]].concat(),
        &[
            (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","id":null,"method":"notifications/initialized"}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","id":null}"#, "NONE -32600"),
        ],
    );
}

#[test]
fn id_2_the_server_does_not_mind_an_id_that_comes_again() {
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        for id in ["1", "1", "\"1\"", "1"] {
            assert_eq!(sees(&mut board, revision, &LINE.replace("ID", id)), format!("{id} ok"), "{revision}");
        }
    }
}

#[test]
fn id_3_integers_are_echoed_digit_by_digit_and_strings_as_they_are() {
    for revision in ALL {
        for (id, echoed) in [
            ("0", "0"),
            ("-0", "-0"),
            ("-1", "-1"),
            ("42", "42"),
            ("9007199254740993", "9007199254740993"),
            ("-9007199254740993", "-9007199254740993"),
            ("18446744073709551617", "18446744073709551617"),
            (
                "123456789012345678901234567890123456789012345678901234567890",
                "123456789012345678901234567890123456789012345678901234567890",
            ),
            ("\"\"", "\"\""),
            ("\"1\"", "\"1\""),
            ("\"a b\"", "\"a b\""),
            ("\"é\u{1F600}\"", "\"é\u{1F600}\""),
            ("\"null\"", "\"null\""),
        ] {
            let mut board = Peer::in_revision("board", revision);
            let answers = board.send(expand(revision, &LINE.replace("ID", id)).as_bytes());
            let start = format!(r#"{{"jsonrpc":"2.0","id":{echoed},"result":{{"#);
            assert!(answers[0].starts_with(&start), "{revision}: {id}: {}", answers[0]);
        }
        // The same string, its escapes in any form.
        for id in [
            r#""\u0061""#,
            r#""\"\\\/""#,
            r#""\n\t\r\b\f\u0000\u001f""#,
            r#""\ud83d\ude00""#,
            r#""\u00e9""#,
            "\"\u{7F}\u{2028}\"",
        ] {
            let mut board = Peer::in_revision("board", revision);
            let answer = board.one(expand(revision, &LINE.replace("ID", id)).as_bytes());
            assert_eq!(answer["id"], serde_json::from_str::<serde_json::Value>(id).unwrap(), "{revision}: {id}");
        }
    }
}

#[test]
fn id_4_anything_but_an_integer_literal_or_a_string_is_refused() {
    for id in [
        "1.0",
        "1.5",
        "-1.5",
        "0.0",
        "-0.0",
        "1e2",
        "1E2",
        "1e0",
        "1e+2",
        "1e-2",
        "0e0",
        "true",
        "false",
        "null",
        "{}",
        "[]",
        "[1]",
        r#"{"id":1}"#,
    ] {
        expect(&[&ALL[..], &["none"]].concat(), &[(&LINE.replace("ID", id), "NONE -32600")]);
    }
    for id in ["01", "+1", "-", "1_000", "0x1", ".5", "- 1"] {
        expect(&ALL, &[(&LINE.replace("ID", id), "NONE -32700")]);
    }
}

#[test]
fn id_5_unusual_ids_are_accepted() {
    for id in [
        "\"\"",
        "0",
        "-1",
        "-9223372036854775809",
        "9007199254740992",
        "9007199254740993",
        "18446744073709551616",
        "99999999999999999999999999999999999999",
    ] {
        expect(&ALL, &[(&LINE.replace("ID", id), &format!("{id} ok"))]);
    }
}

#[test]
fn id_6_an_answer_without_a_readable_id_is_spelled_as_its_revision_has_it() {
    let unreadable =
        ["x", "{", "5", "{}", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, r#"{"id":[],"method":5}"#, "[]"];
    for (revision, spelling) in [
        ("none", "-"),
        ("2024-11-05", "null"),
        ("2025-03-26", "null"),
        ("2025-06-18", "null"),
        ("2025-11-25", "-"),
        ("2026-07-28", "-"),
    ] {
        assert_eq!(no_id(revision), spelling);
        for line in unreadable {
            let answers = Peer::in_revision("board", revision).send(line.as_bytes());
            let [answer] = &answers[..] else { panic!("{revision}: {line}: {answers:?}") };
            let start = match spelling {
                "null" => r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32"#,
                _ => r#"{"jsonrpc":"2.0","error":{"code":-32"#,
            };
            assert!(answer.starts_with(start), "{revision}: {line}: {answer}");
        }
    }
    // The session that counts is the last one.
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"VERSION","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
    transcript(
        &mut Peer::demo("board"),
        "none",
        &[
            ("x", "- -32700"),
            (&hello.replace("VERSION", "2025-06-18"), "0 ok"),
            ("x", "null -32700"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":META}}"#, "1 ok"),
            ("x", "null -32700"),
            (&hello.replace("VERSION", "2025-11-25"), "0 ok"),
            ("x", "- -32700"),
        ],
    );
}
