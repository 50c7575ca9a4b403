//! Section 5.6: what tools, servers and blocks have in later revisions only, and META-10.

use serde_json::{Value, json};
use toolwire::content::{Annotations, Content, Role, from_fn};
use toolwire::{Details, Icon, ServerInfo, toolset};

use super::fixture::{INFO, names, tools};
use crate::harness::{ALL, MODERN, Peer};

struct Adorned;

#[toolset]
impl Adorned {
    /// Nothing but a name.
    #[tool]
    fn plain() {}

    /// With all there is.
    #[tool(
        title = "A \"title\"",
        read_only,
        icon = "https://example.com/a.png",
        icon("data:image/png;base64,AA==", mime_type = "image/png", sizes = "48x48 any", theme = "dark"),
        meta("com.example/text" = "a\nb", "count" = -3, "share" = 0.5, "flag" = true),
    )]
    fn full() {}

    /// Blocks with annotations.
    #[tool]
    fn blocks() -> impl Content {
        from_fn(|blocks| {
            let both = Annotations::new().with_audience(&[Role::User, Role::Assistant]);
            blocks.annotated(both.with_priority(100).with_last_modified("2026-01-05T10:00:00Z")).text(&"all");
            blocks.text(&"none");
            blocks.annotated(Annotations::new().with_priority(5)).image(b"", "image/png");
            blocks.annotated(Annotations::new().with_audience(&[Role::User])).resource_text("x://y", "text/plain", &"");
            blocks.annotated(Annotations::new().with_priority(0)).resource_bytes("x://y", "x/y", b"");
            blocks.annotated(Annotations::new().with_last_modified("2026-01-05")).audio(b"", "audio/wav");
            let _ = blocks.annotated(Annotations::new());
            blocks.annotated(Annotations::new().with_priority(255)).link("x://y", "y");
        })
    }
}

static DETAILS: Details =
    Details::new().with_description("For \"tests\".").with_website("https://example.com").with_icons(&[
        Icon::new("https://example.com/a.svg").with_mime_type("image/svg+xml"),
        Icon::new("data:image/png,"),
    ]);

fn adorned(info: ServerInfo, revision: &str) -> Peer {
    let mut peer = Peer::of(info, Adorned);
    if revision != MODERN {
        peer.shake_hands(revision);
    }
    peer
}

#[test]
fn table_5_6_members_of_tools() {
    for revision in ALL {
        let listed = tools(&mut adorned(INFO, revision), revision);
        assert_eq!(names(&listed[0]), ["description", "inputSchema", "name"], "{revision}");
        let full = &listed[1];
        let mut expected = vec!["description", "inputSchema", "name"];
        if revision >= "2025-03-26" {
            expected.push("annotations");
            assert_eq!(full["annotations"], json!({"readOnlyHint": true}), "{revision}");
        }
        if revision >= "2025-06-18" {
            expected.extend(["title", "_meta"]);
            assert_eq!(full["title"], "A \"title\"", "{revision}");
            let meta = json!({"com.example/text": "a\nb", "count": -3, "share": 0.5, "flag": true});
            assert_eq!(full["_meta"], meta, "{revision}");
        }
        if revision >= "2025-11-25" {
            expected.push("icons");
            let data = "data:image/png;base64,AA==";
            let second = json!({"src": data, "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"});
            assert_eq!(full["icons"], json!([{"src": "https://example.com/a.png"}, second]), "{revision}");
        }
        expected.sort_unstable();
        assert_eq!(names(full), expected, "{revision}");
    }
}

#[test]
fn table_5_6_members_of_implementations() {
    let identity = |info: ServerInfo, revision: &str| -> Value {
        let mut peer = Peer::of(info, Adorned);
        match revision {
            MODERN => peer.request_in(MODERN, "server/discover", &json!({}))["result"]["_meta"]
                ["io.modelcontextprotocol/serverInfo"]
                .take(),
            _ => peer.shake_hands(revision)["serverInfo"].take(),
        }
    };
    for revision in ALL {
        let plain = ServerInfo::new("a", "1");
        let mut expected = json!({"name": "a", "version": "1"});
        assert_eq!(identity(plain, revision), expected, "{revision}");
        static NONE: Details = Details::new();
        assert_eq!(identity(plain.with_details(&NONE), revision), expected, "{revision}");
        if revision >= "2025-11-25" {
            expected["description"] = json!("For \"tests\".");
            expected["websiteUrl"] = json!("https://example.com");
            let icon = json!({"src": "https://example.com/a.svg", "mimeType": "image/svg+xml"});
            expected["icons"] = json!([icon, {"src": "data:image/png,"}]);
        }
        assert_eq!(identity(plain.with_details(&DETAILS), revision), expected, "{revision}");
    }
}

#[test]
fn table_5_6_annotations_of_blocks() {
    for revision in ALL {
        let mut peer = adorned(INFO, revision);
        let answer = peer.request_in(revision, "tools/call", &json!({"name": "blocks"}));
        let seen: Vec<_> = answer["result"]["content"].as_array().unwrap().iter().map(|b| &b["annotations"]).collect();
        let mut all = json!({"audience": ["user", "assistant"], "priority": 1});
        let mut time = json!({});
        if revision >= "2025-06-18" {
            all["lastModified"] = json!("2026-01-05T10:00:00Z");
            time["lastModified"] = json!("2026-01-05");
        }
        let expected = [
            all,
            Value::Null,
            json!({"priority": 0.05}),
            json!({"audience": ["user"]}),
            json!({"priority": 0.00}),
            time,
            json!({"priority": 1}),
        ];
        let expected: Vec<_> = expected.iter().map(Value::to_string).collect();
        let plain = |value: &&Value| value.to_string().replace("0.00", "0.0");
        assert_eq!(seen.iter().map(plain).collect::<Vec<_>>(), expected, "{revision}");
    }
}
