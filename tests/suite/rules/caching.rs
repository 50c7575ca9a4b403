//! Section 7.18: for how long and for whom a result holds.

use serde_json::json;

use super::fixture::{bench, client};
use crate::harness::{LEGACY, MODERN};

#[test]
fn cache_1_discover_and_list_say_how_long_and_for_whom() {
    for method in ["server/discover", "tools/list"] {
        let answer = client(bench(), MODERN).request_in(MODERN, method, &json!({}));
        assert!(answer["result"]["ttlMs"].is_u64(), "{answer}");
        assert!(["public", "private"].contains(&answer["result"]["cacheScope"].as_str().unwrap()), "{answer}");
    }
    for revision in LEGACY {
        let answer = client(bench(), revision).request("tools/list", &json!({}));
        assert_eq!(answer["result"].get("ttlMs"), None, "{revision}");
        assert_eq!(answer["result"].get("cacheScope"), None, "{revision}");
    }
}

#[test]
fn cache_2_all_pages_have_the_same_scope() {
    for size in 1..6 {
        let mut peer = client(bench().with_page_size(size), MODERN);
        let mut params = json!({});
        loop {
            let answer = peer.request_in(MODERN, "tools/list", &params);
            assert_eq!(answer["result"]["cacheScope"], "public", "{size}: {answer}");
            assert!(answer["result"]["ttlMs"].is_u64(), "{size}: {answer}");
            match answer["result"].get("nextCursor") {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => break,
            }
        }
    }
}

#[test]
fn cache_5_what_never_changes_holds_for_a_day_and_for_all() {
    for method in ["server/discover", "tools/list"] {
        let answer = client(bench(), MODERN).request_in(MODERN, method, &json!({}));
        assert_eq!(answer["result"]["ttlMs"], 86_400_000, "{answer}");
        assert_eq!(answer["result"]["cacheScope"], "public", "{answer}");
    }
}
