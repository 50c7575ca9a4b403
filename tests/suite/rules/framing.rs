//! Section 2: lines of bytes.

use serde_json::Value;
use toolwire::Server;
use toolwire_demos::board::{self, Board};

use super::fixture::{expand, expect, glance, no_id, sees, transcript};
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer, Split};

const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;

/// A session of each kind, one message per line.
const TRANSCRIPT: &str = concat!(
    r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#,
    "\n",
    r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
    "\n",
    r#"[{"jsonrpc":"2.0","id":"ü","method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/list"}]"#,
    "\n\r\n",
    r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"led_set","arguments":{"on":true}}}"#,
    "\r\n}\n",
    r#"{"jsonrpc":"2.0","id":"d","method":"server/discover","params":{"_meta":META}}"#,
    "\n",
);

/// What comes back to a [`TRANSCRIPT`].
const ANSWERS: &str = r#"0 ok / ["ü" ok, 2 ok] / 3 ok / null -32700 / "d" ok"#;

#[test]
fn frame_1_a_message_is_one_line_of_compact_json() {
    for revision in ALL {
        for (tool, arguments, text) in [
            ("echo", r#"{"text":"a\nb"}"#, Some("a\nb")),
            ("echo", r#"{"text":"\r\n\u000a \t"}"#, Some("\r\n\n \t")),
            ("echo", r#"{ "text" : "\u2028\u0085" }"#, Some("\u{2028}\u{85}")),
            ("add", r#"{ "a" : 1, "b" : 2 }"#, Some("3")),
            ("add", r#"{ "a\n" : 1 }"#, None),
        ] {
            let line =
                r#"{ "id" : "a b\n", "jsonrpc" : "2.0", "method" : "tools/call" , "params" : { "name":"TOOL", "arguments":ARGUMENTS, "_meta" : TAG } }"#
                    .replace("TOOL", tool)
                    .replace("ARGUMENTS", arguments);
            let mut bytes = expand(revision, &line).into_bytes();
            bytes.push(b'\n');
            let out = String::from_utf8(Peer::in_revision("calc", revision).receive(&bytes)).unwrap();
            assert_eq!(out.find('\n'), Some(out.len() - 1), "{revision}: {out:?}");
            let answer: Value = serde_json::from_str(&out).unwrap();
            if let Some(text) = text {
                assert_eq!(answer["result"]["content"][0]["text"], text, "{revision}: {out}");
            }
            assert_eq!(out, format!("{answer}\n"), "not compact");
        }
    }
}

#[test]
fn frame_2_lines_are_utf_8() {
    for text in ["ä", "€", "\u{1F600}", "\u{10FFFF}", "\u{FEFF}", "\u{7F}"] {
        let (answer, is_error) = Peer::demo("calc").call("echo", &serde_json::json!({"text": text}));
        assert_eq!((&*answer, is_error), (text, false));
    }
    for revision in ALL {
        for wrong in [
            &b"\xFF"[..],
            b"\x80",
            b"\xC3",
            b"\xC0\xAF",
            b"\xE0\x80\xAF",
            b"\xED\xA0\x80",
            b"\xF0\x80\x80\xAF",
            b"\xF4\x90\x80\x80",
            b"\xE2\x82",
        ] {
            let line = [br#"{"jsonrpc":"2.0","id":"#, &b"\""[..], wrong, br#"","method":"ping"}"#].concat();
            let seen = glance(&Peer::in_revision("board", revision).send(&line));
            assert_eq!(seen, format!("{} -32700", no_id(revision)), "{revision}: {wrong:?}");
        }
    }
}

#[test]
fn frame_3_nothing_but_messages_is_written() {
    for revision in ALL {
        let mut board = Peer::in_revision("board", revision);
        assert_eq!(board.receive(b""), b"");
        assert_eq!(board.receive(b"\n \r\n\t\n"), b"");
        // Each line back is held against the schema of an error.
        for noise in [
            &b"rst:0x1 (POWERON_RESET),boot:0x13"[..],
            b"\x1B[0;32mI (31) boot: ESP-IDF v5.1\x1B[0m",
            b"\0\0\0",
            b"login: ",
            b"{",
            b"}",
            b"\"",
            b"panicked at src/main.rs:1:1:",
        ] {
            assert_eq!(glance(&board.send(noise)), format!("{} -32700", no_id(revision)), "{revision}: {noise:?}");
        }
    }
}

#[test]
fn frame_7_a_serial_line_has_the_same_messages_and_lifecycle() {
    let bytes = expand(MODERN, TRANSCRIPT);
    let whole = Peer::demo("board").receive(bytes.as_bytes());
    assert_eq!(glance(&crate::harness::lines(&whole)), ANSWERS);
    let mut slow = Peer::demo("board");
    slow.split = Split::Bytes;
    assert_eq!(slow.receive(bytes.as_bytes()), whole);
}

#[test]
fn frame_8_a_byte_stream_may_split_a_line_anywhere() {
    let bytes = expand(MODERN, TRANSCRIPT);
    let whole = Peer::demo("board").receive(bytes.as_bytes());
    for at in 0..=bytes.len() {
        let mut board = Peer::demo("board");
        board.split = Split::At(at);
        assert_eq!(board.receive(bytes.as_bytes()), whole, "split at {at}");
    }
}

/// What comes before the end of input is a line, whether or not it has its newline. Blank lines are none (FRAME-9).
#[test]
fn frame_5_the_end_of_input_ends_the_last_line() {
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let pong = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
    for (input, expected) in [
        (String::new(), None),
        ("\n".to_owned(), None),
        (" \t\r".to_owned(), None),
        (format!("\r\n{ping}"), Some("ok")),
        (format!("{ping}\r"), Some("ok")),
        (ping[..20].to_owned(), Some("-32700")),
        ("\"".to_owned(), Some("-32700")),
        (format!("\"{}", "x".repeat(CAPACITY)), Some("-32600")),
    ] {
        let mut server = Server::<_, CAPACITY, 1>::new(board::INFO, Board::new());
        let mut out = Vec::new();
        let Ok(()) = server.receive(input.as_bytes(), &mut out);
        assert!(out.is_empty(), "{input}");
        let Ok(()) = server.finish(&mut out);
        let out = String::from_utf8(out).unwrap();
        match expected {
            None => assert_eq!(out, "", "{input}"),
            Some("ok") => assert_eq!(out, pong, "{input}"),
            Some(code) => assert!(out.contains(&format!("\"code\":{code},")) && out.ends_with('\n'), "{input}: {out}"),
        }
        // And nothing is left of it.
        let mut out = Vec::new();
        let Ok(()) = server.finish(&mut out);
        let Ok(()) = server.receive(format!("{ping}\n").as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), pong, "{input}");
    }
}

#[test]
fn frame_9_carriage_returns_blank_lines_and_a_byte_order_mark_are_tolerated() {
    let mark = "\u{FEFF}";
    for revision in LEGACY.into_iter().chain(["none"]) {
        for (line, expected) in [
            (format!("{PING}\r"), "1 ok"),
            (format!("{PING} \t\r"), "1 ok"),
            (String::new(), ""),
            ("\r".to_owned(), ""),
            (" ".to_owned(), ""),
            (" \t\r \t\r".to_owned(), ""),
            (format!("{mark}{PING}"), "1 ok"),
            (format!("{mark} {PING}\r"), "1 ok"),
            (format!("\n\n{PING}"), "1 ok"),
            (format!("{mark}{mark}{PING}"), "NONE -32700"),
            (format!("{PING}{mark}"), "NONE -32700"),
            (format!(" {mark}{PING}"), "NONE -32700"),
            (format!("{PING}\u{A0}"), "NONE -32700"),
            (format!("{PING}\u{C}"), "NONE -32700"),
        ] {
            let mut board = Peer::in_revision("board", revision);
            // Twice: a mark may stand at the start of any line.
            for _ in 0..2 {
                let expected = expected.replace("NONE", no_id(revision));
                assert_eq!(sees(&mut board, revision, &line), expected, "{revision}: {line:?}");
            }
        }
    }
}

#[test]
fn frame_10_lines_are_written_whole_and_end_with_lf_only() {
    let mut board = Peer::demo("board");
    let (first, second) = PING.split_at(20);
    assert_eq!(board.receive(format!("\u{FEFF}{first}").as_bytes()), b"");
    assert_eq!(
        board.receive(format!("{second}\r\n\u{FEFF}{PING}\r\n{first}").as_bytes()),
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"
    );
    assert_eq!(board.receive(second.as_bytes()), b"");
    assert_eq!(board.receive(b"\r\n"), b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
}

/// A board that takes messages of up to 256 bytes.
fn small(revision: &str) -> Peer {
    let mut peer = Peer::with(Server::<Board, 256, 1>::new(board::INFO, Board::new()));
    if LEGACY.contains(&revision) {
        peer.shake_hands(revision);
    }
    peer
}

#[test]
fn frame_11_a_line_that_is_too_long_is_answered_once() {
    for revision in LEGACY.into_iter().chain(["none"]) {
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping","x":"LONG"}"#, "7 -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":"LONG","id":7}"#, "7 -32600"),
            (r#"{"jsonrpc":"2.0","x":"LONG","id":"seven","y":"LONG"}"#, "\"seven\" -32600"),
            (r#"{"jsonrpc":"2.0","x":["LONG","LONG"],"i\u0064" : -12 }"#, "-12 -32600"),
            (r#"{"jsonrpc":"2.0","id":1,"x":"LONG","id":2}"#, "2 -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":"LONG"}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":"LONG","params":{"id":7}}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":[{"id":7},"LONG",{"id":7}]}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":"LONG","id":1.5}"#, "NONE -32600"),
            (r#"{"jsonrpc":"2.0","method":"ping","x":"LONG","id":null}"#, "NONE -32600"),
            (r#"["LONG",{"id":7}]"#, "NONE -32600"),
            (r#""LONG""#, "NONE -32600"),
        ] {
            let mut board = small(revision);
            let answers = board.send(line.replace("LONG", &"long ".repeat(100)).as_bytes());
            assert_eq!(glance(&answers), expected.replace("NONE", no_id(revision)), "{revision}: {line}");
            assert!(answers[0].contains("256 bytes"), "the limit is not named: {}", answers[0]);
            transcript(&mut board, revision, &[(PING, "1 ok")]);
        }
    }
    for (length, expected) in [(255, "1 ok"), (256, "1 ok"), (257, "1 -32600")] {
        let filler = "x".repeat(length - r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":""}"#.len());
        let line = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":"{filler}"}}"#);
        assert_eq!(line.len(), length);
        assert_eq!(sees(&mut small("none"), "none", &line), expected, "{length} bytes");
    }
}

#[test]
fn frame_12_nesting_that_is_too_deep_is_refused() {
    for revision in LEGACY.into_iter().chain(["none"]) {
        let mut refused = false;
        for depth in 1..=300 {
            for (open, close) in [("[", "]"), (r#"{"x":"#, "}")] {
                // The object of the message is a level of its own.
                let deep = format!("{}0{}", open.repeat(depth - 1), close.repeat(depth - 1));
                let mut board = Peer::in_revision("board", revision);
                let line = format!(r#"{{"jsonrpc":"2.0","id":7,"x":{deep},"method":"ping"}}"#);
                let seen = sees(&mut board, revision, &line);
                refused = seen == "7 -32600";
                assert!(refused || seen == "7 ok", "{revision}: {depth} levels: {seen}");
                assert!(!refused || depth > 16, "{revision}: refused at {depth} levels");
                let line = format!(r#"{{"jsonrpc":"2.0","x":{deep}}}"#);
                assert_eq!(sees(&mut board, revision, &line), format!("{} -32600", no_id(revision)), "{line}");
                transcript(&mut board, revision, &[(PING, "1 ok")]);
            }
        }
        assert!(refused, "{revision}: no limit");
    }
}

#[test]
fn frame_13_requests_notifications_and_responses_are_read() {
    expect(
        &ALL,
        &[
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":TAG}}"#, "1 ok"),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#, ""),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, ""),
            (r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#, ""),
        ],
    );
}
