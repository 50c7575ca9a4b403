//! Section 7.17: pages.

use serde_json::{Value, json};

use super::fixture::{bench, client, sees, tools};
use crate::harness::{ALL, Peer};

/// The names on a page of the bench's five tools, and the cursor of the next.
fn page(peer: &mut Peer, revision: &str, cursor: Option<&str>) -> (Vec<String>, Option<Value>) {
    let params = cursor.map_or_else(|| json!({}), |cursor| json!({"cursor": cursor}));
    let answer = peer.request_in(revision, "tools/list", &params);
    let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{revision}: {cursor:?}: {answer}"));
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
    (names, answer["result"].get("nextCursor").cloned())
}

#[test]
fn page_1_all_pages_together_are_the_list() {
    for revision in ALL {
        let whole = tools(&mut client(bench(), revision), revision);
        assert_eq!(whole.len(), 5);
        for (size, pages) in [(1, 5), (2, 3), (3, 2), (4, 2), (5, 1), (6, 1), (usize::MAX, 1), (0, 5)] {
            let mut peer = client(bench().with_page_size(size), revision);
            let mut listed = Vec::new();
            let mut params = json!({});
            let mut count = 0;
            loop {
                let answer = peer.request_in(revision, "tools/list", &params);
                let tools = answer["result"]["tools"].as_array().unwrap();
                assert!(!tools.is_empty() && tools.len() <= size.max(1), "{revision}: {size}: {answer}");
                listed.extend(tools.clone());
                count += 1;
                match answer["result"].get("nextCursor") {
                    Some(cursor) => params = json!({"cursor": cursor}),
                    None => break,
                }
            }
            assert_eq!((count, &listed), (pages, &whole), "{revision}: {size}");
        }
    }
}

#[test]
fn page_2_the_last_page_has_no_cursor() {
    for revision in ALL {
        for (size, cursor, next) in [
            (usize::MAX, None, None),
            (5, None, None),
            (4, None, Some("4")),
            (4, Some("4"), None),
            (2, None, Some("2")),
            (2, Some("2"), Some("4")),
            (2, Some("4"), None),
        ] {
            let mut peer = client(bench().with_page_size(size), revision);
            let (_, cursor) = page(&mut peer, revision, cursor);
            assert_eq!(cursor.as_ref().map(|cursor| cursor.as_str().unwrap()), next, "{revision}: {size}");
        }
    }
}

#[test]
fn page_3_cursors_are_stable_and_others_are_refused() {
    for revision in ALL {
        let mut peer = client(bench().with_page_size(2), revision);
        for _ in 0..2 {
            assert_eq!(page(&mut peer, revision, Some("4")).0, ["size"], "{revision}");
            assert_eq!(page(&mut peer, revision, Some("2")).0, ["pump", "fault"], "{revision}");
        }
        for cursor in [
            "\"\"",
            "\"0\"",
            "\"1\"",
            "\"3\"",
            "\"5\"",
            "\"6\"",
            "\"8\"",
            "\"-2\"",
            "\"02\"",
            "\"+2\"",
            "\"2.0\"",
            "\"2e0\"",
            "\" 2\"",
            "\"2 \"",
            "\"0x2\"",
            "\"two\"",
            "\"4294967298\"",
            "\"18446744073709551618\"",
            "\"\\u0662\"",
            "\"null\"",
            "2",
            "true",
            "[\"2\"]",
            "{}",
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":CURSOR,"_meta":TAG}}"#
                .replace("CURSOR", cursor);
            assert_eq!(sees(&mut peer, revision, &line), "1 -32602", "{revision}: {cursor}");
            // On a single page no cursor is one.
            assert_eq!(sees(&mut client(bench(), revision), revision, &line), "1 -32602", "{revision}: {cursor}");
        }
        // Behind the last tool, where the last page is full.
        for (size, cursor) in [(1, "5"), (1, "6"), (5, "5"), (5, "10"), (usize::MAX, "18446744073709551615")] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"CURSOR","_meta":TAG}}"#
                .replace("CURSOR", cursor);
            let mut peer = client(bench().with_page_size(size), revision);
            assert_eq!(sees(&mut peer, revision, &line), "1 -32602", "{revision}: {size}: {cursor}");
        }
        for cursor in ["\"2\"", "\"4\""] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":CURSOR,"_meta":TAG}}"#
                .replace("CURSOR", cursor);
            assert_eq!(sees(&mut peer, revision, &line), "1 ok", "{revision}: {cursor}");
            assert_eq!(sees(&mut client(bench(), revision), revision, &line), "1 -32602", "{revision}: {cursor}");
        }
    }
}

#[test]
fn page_4_the_empty_string_is_never_a_cursor_given_out() {
    for revision in ALL {
        for size in 1..6 {
            let mut peer = client(bench().with_page_size(size), revision);
            let (_, cursor) = page(&mut peer, revision, None);
            assert_eq!(cursor.is_some(), size < 5, "{revision}: {size}");
            assert!(
                cursor.is_none_or(|cursor| cursor.as_str().is_some_and(|cursor| !cursor.is_empty())),
                "{revision}: {size}"
            );
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"","_meta":TAG}}"#;
            assert_eq!(sees(&mut peer, revision, line), "1 -32602", "{revision}: {size}");
        }
    }
}

#[test]
fn page_5_a_cursor_is_the_index_of_the_next_tool() {
    for revision in ALL {
        for (size, next) in [(1, "1"), (2, "2"), (3, "3"), (4, "4")] {
            let (names, cursor) = page(&mut client(bench().with_page_size(size), revision), revision, None);
            assert_eq!(names.len(), size, "{revision}");
            assert_eq!(cursor, Some(json!(next)), "{revision}");
            // Stateless: another server, which has not given it out, takes it too.
            let (names, _) = page(&mut client(bench().with_page_size(size), revision), revision, Some(next));
            assert_eq!(names[0], ["quiet", "echo", "pump", "fault", "size"][size], "{revision}");
        }
    }
}
