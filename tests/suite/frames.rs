//! The frame reader against `serde_json`, on generated text.

use proptest::prelude::*;
use serde_json::Value;
use toolwire::frame::{Frame, Frames, MAX_DEPTH};
use toolwire_tests::frames::{Verdict, check, ids, read};

/// JSON text: any value, with white space and escapes where they may be.
fn json() -> impl Strategy<Value = String> {
    let space = || prop_oneof![8 => Just(""), 1 => Just(" "), 1 => Just("\t\r ")];
    let character = prop_oneof![
        8 => "[a-z{}\\[\\]:,/ ]",
        1 => Just("é".to_owned()), 1 => Just("漢".to_owned()), 1 => Just("😀".to_owned()), 1 => Just("\u{7F}".to_owned()),
        1 => Just("\\\"".to_owned()), 1 => Just("\\\\".to_owned()), 1 => Just("\\/".to_owned()), 1 => Just("\\n".to_owned()),
        1 => Just("\\u0000".to_owned()), 1 => Just("\\u00e9".to_owned()), 1 => Just("\\uD83D\\ude00".to_owned()),
    ];
    let string = prop::collection::vec(character, 0..24).prop_map(|parts| format!("\"{}\"", parts.concat()));
    let name = prop_oneof![2 => string.clone(), 1 => "\"(id|method|params|jsonrpc|result|error)\""];
    let number = "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?";
    let leaf = prop_oneof![string, number, "true|false|null"];
    leaf.prop_recursive(6, 48, 6, move |inner| {
        let element = (space(), inner.clone(), space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let member = (space(), name.clone(), space(), element.clone())
            .prop_map(|(a, name, b, value)| format!("{a}{name}{b}:{value}"));
        prop_oneof![
            prop::collection::vec(element, 0..6).prop_map(|elements| format!("[{}]", elements.join(","))),
            prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// JSON with a few bytes changed.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let byte =
        prop_oneof![any::<u8>(), prop::sample::select(&b"\"\\{}[]:,0123456789.eE+-tfnu \xC3\xED\xF0\x80\x00"[..])];
    let edit = (any::<prop::sample::Index>(), byte, 0..3_u8);
    (json(), prop::collection::vec(edit, 0..4)).prop_map(|(text, edits)| {
        let mut text = text.into_bytes();
        for (place, byte, kind) in edits {
            let at = place.index(text.len() + 1);
            match kind {
                0 => text.insert(at, byte),
                1 if at < text.len() => text[at] = byte,
                _ if at < text.len() => drop(text.remove(at)),
                _ => {}
            }
        }
        text.retain(|byte| *byte != b'\n');
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn valid_json_is_read_as_serde_json_reads_it(text in json()) {
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok(), "the generator is wrong: {}", text);
        check(text.as_bytes());
    }

    #[test]
    fn damaged_json_is_judged_as_serde_json_judges_it(text in damaged()) {
        check(&text);
    }

    #[test]
    fn bytes_are_judged_as_serde_json_judges_them(text in prop::collection::vec(any::<u8>(), 0..64)) {
        let text: Vec<u8> = text.into_iter().filter(|byte| *byte != b'\n').collect();
        check(&text);
    }

    #[test]
    fn any_split_gives_the_same(text in damaged(), pieces in prop::collection::vec(1..9_usize, 1..9)) {
        prop_assert_eq!(read::<4096>(&text, &pieces), read::<4096>(&text, &[]));
        prop_assert_eq!(read::<24>(&text, &pieces), read::<24>(&text, &[]));
    }

    /// FRAME-11: what does not fit is told from what does by its proven length alone, and its id is found.
    #[test]
    fn a_line_that_is_too_long_still_tells_its_id(text in json()) {
        let Verdict::Message(printed, length) = read::<4096>(text.as_bytes(), &[]) else { return Ok(()) };
        let verdict = read::<32>(text.as_bytes(), &[]);
        if length <= 32 {
            prop_assert_eq!(verdict, Verdict::Message(printed, length));
            return Ok(());
        }
        let Verdict::TooLong(found) = verdict else { panic!("{verdict:?}") };
        match &ids(text.as_bytes())[..] {
            [] => prop_assert_eq!(found, None),
            [.., (last, _)] if last.len() <= 16 => prop_assert_eq!(found.as_deref(), Some(&**last)),
            // One that is long may not fit, but no other may take its place.
            [.., (last, _)] => prop_assert!(found.is_none_or(|found| found == *last)),
        }
    }
}

#[test]
fn the_offset_is_that_of_the_first_byte_that_cannot_stand_there() {
    for (line, offset) in [
        (&b"x"[..], 0),
        (b"{\"a\" 1}", 5),
        (b"[1,]", 3),
        (b"[1 2]", 3),
        (b"01", 1),
        (b"-", 1),
        (b"1.", 2),
        (b"1e+", 3),
        (b"[1", 2),
        (b"\"a\x01\"", 2),
        (b"\"\\x\"", 2),
        (b"\"\\u12G4\"", 5),
        (b"\"\\uDC00\"", 6),
        (b"\"\\uD800x\"", 7),
        (b"\"\\uD800\\u0041\"", 12),
        (b"nul", 3),
        (b"truex", 4),
        (b"{}{}", 2),
        (b"\"\xFF\"", 1),
        (b"\"\xC0\x80\"", 1),
        (b"\"\xE0\x80\x80\"", 2),
        (b"\"\xED\xA0\x80\"", 2),
        (b"\"\xF4\x90\x80\x80\"", 2),
        (b"\"\xF5\x80\x80\x80\"", 1),
        (b"\"\xE2\x82\"", 3),
        (b"\xEF\xBB\xBF\xEF\xBB\xBF{}", 3),
        (b" \xEF\xBB\xBF{}", 1),
        (b"\x00", 0),
        (b"{\"a\":NaN}", 5),
    ] {
        assert_eq!(read::<64>(line, &[]), Verdict::Malformed(offset), "{}", line.escape_ascii());
        assert_eq!(read::<64>(line, &[1]), Verdict::Malformed(offset), "{}", line.escape_ascii());
        assert!(serde_json::from_slice::<Value>(line).is_err(), "{}", line.escape_ascii());
    }
}

#[test]
fn the_offset_counts_from_the_start_of_the_line() {
    let mut frames = Frames::<64>::new();
    let (_, rest) = frames.feed(b"{}\n\r\n  \n[1,]\n");
    let (frame, rest) = frames.feed(rest);
    assert_eq!((frame, rest), (Some(Frame::Malformed { offset: 3 }), &b""[..]));
}

#[test]
fn depth_is_limited_by_a_counter() {
    let limit = MAX_DEPTH as usize;
    for depth in [limit - 1, limit, limit + 1, 10_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let verdict = read::<4096>(text.as_bytes(), &[7]);
            assert_eq!(matches!(verdict, Verdict::Message(..)), depth <= limit, "{depth} {verdict:?}");
            assert_eq!(verdict == Verdict::TooDeep, depth > limit, "{depth}");
        }
    }
}

#[test]
fn an_exact_fit_is_taken_and_one_byte_more_is_not() {
    let fits = format!("\"{}\"", "x".repeat(62));
    let longer = format!("\"{}\"", "x".repeat(63));
    assert!(matches!(read::<64>(fits.as_bytes(), &[]), Verdict::Message(_, 64)));
    assert_eq!(read::<64>(longer.as_bytes(), &[]), Verdict::TooLong(None));
    // White space and escapes do not count.
    let spaced = format!("  {}{}  ", " ".repeat(100), fits.replacen('x', "\\u0078", 62));
    assert!(matches!(read::<64>(spaced.as_bytes(), &[]), Verdict::Message(_, 64)));
}

/// FRAME-11: the id is found first, last and in the middle, and is not trusted when the line is no JSON.
#[test]
fn the_id_of_a_line_that_is_too_long_is_found_wherever_it_stands() {
    let long = format!("\"params\":{{\"id\":0,\"text\":\"{}\",\"more\":[{{\"id\":1}}]}}", "x\\n".repeat(100));
    for (line, id) in [
        (format!("{{\"id\":7,{long}}}"), Some("7")),
        (format!("{{{long},\"id\":7}}"), Some("7")),
        (format!("{{{long} , \"i\\u0064\" : \"a\\nb\" ,{long}}}"), Some("\"a\\nb\"")),
        (format!("{{\"id\":1,{long},\"id\":2,{long}}}"), Some("2")),
        (format!("{{{long},\"id\":\"{}\"}}", "y".repeat(100)), None),
        (format!("{{\"id\":1,{long},\"id\":\"{}\"}}", "y".repeat(100)), None),
        (format!("{{\"id\":1,{long},\"id\":}}"), None),
        (format!("{{\"id\":1,{long}"), None),
        (format!("{{\"id\":1,{long}}}x"), None),
        (format!("[{{\"id\":1,{long}}}]"), None),
        (format!("{{{long}}}"), None),
    ] {
        assert_eq!(read::<64>(line.as_bytes(), &[]), Verdict::TooLong(id.map(str::to_owned)), "{line}");
        assert_eq!(read::<64>(line.as_bytes(), &[1]), Verdict::TooLong(id.map(str::to_owned)), "{line}");
    }
}

/// The value of the id lies across the end of the buffer.
#[test]
fn an_id_across_the_end_of_the_buffer_is_kept() {
    for padding in 0..64 {
        let line = format!("{{\"p\":\"{}\",\"id\":\"abcdefgh\",\"q\":\"{}\"}}", "x".repeat(padding), "y".repeat(64));
        assert_eq!(read::<64>(line.as_bytes(), &[]), Verdict::TooLong(Some("\"abcdefgh\"".to_owned())), "{padding}");
    }
}

#[test]
fn a_tail_never_passes_for_a_message() {
    let mut frames = Frames::<32>::new();
    let line = format!("{{\"text\":\"{}\n{{\"id\":1}}\n", "x".repeat(100));
    let (frame, rest) = frames.feed(line.as_bytes());
    assert_eq!(frame, Some(Frame::TooLong { capacity: 32, id: None }));
    let (frame, rest) = frames.feed(rest);
    assert!(matches!(frame, Some(Frame::Message(_))) && rest.is_empty());
}
