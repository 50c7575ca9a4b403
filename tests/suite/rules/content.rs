//! Section 5.7 and the rules about it: blocks of content.

use core::fmt::{self, Display};

use serde_json::{Value, json};
use toolwire::content::{Audio, Content, Image, from_fn};
use toolwire::toolset;

use super::fixture::INFO;
use crate::harness::{ALL, LEGACY, Peer};

/// What base64 writes with each of its digits, and with padding (RFC 4648).
const BYTES: &[u8] =
    b"\x00\x10\x83\x10\x51\x87\x20\x92\x8b\x30\xd3\x8f\x41\x14\x93\x51\x55\x97\x61\x96\x9b\x71\xd7\x9f\
    \x82\x18\xa3\x92\x59\xa7\xa2\x9a\xab\xb2\xdb\xaf\xc3\x1c\xb3\xd3\x5d\xb7\xe3\x9e\xbb\xf3\xdf\xbf\
    \xff";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+//w==";

struct Gallery;

#[toolset]
impl Gallery {
    /// An image alone.
    #[tool]
    fn image() -> Image<'static> {
        Image { data: BYTES, mime_type: "image/png" }
    }

    /// A sound, or an error.
    #[tool]
    fn sound(&self, there: bool) -> Result<Audio<'static>, &'static str> {
        if there { Ok(Audio { data: &[], mime_type: "audio/wav" }) } else { Err("no microphone") }
    }

    /// A link.
    #[tool]
    fn link() -> impl Content {
        from_fn(|blocks| blocks.link("lamp://log", "log"))
    }

    /// Some of everything, borrowed from the arguments.
    #[tool]
    fn mixed(&self, text: &str) -> impl Content {
        from_fn(move |blocks| {
            blocks.text(&text);
            blocks.image(BYTES, "image/png");
            blocks.resource_text("lamp://log", "text/plain", &format_args!("a \"{text}\""));
            blocks.resource_bytes("lamp://raw", "application/octet-stream", b"\xff");
        })
    }

    /// Nothing, as content.
    #[tool]
    fn nothing() -> impl Content {
        from_fn(|_| {})
    }

    /// A text that fails half-way, and what follows it.
    #[tool]
    fn broken() -> impl Content {
        from_fn(|blocks| {
            blocks.text(&Broken);
            blocks.text(&"more");
        })
    }
}

struct Broken;

impl Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("half")?;
        Err(fmt::Error)
    }
}

fn call(revision: &str, name: &str, arguments: &Value) -> Value {
    let mut peer = Peer::of(INFO, Gallery);
    if LEGACY.contains(&revision) {
        peer.shake_hands(revision);
    }
    peer.request_in(revision, "tools/call", &json!({"name": name, "arguments": arguments}))["result"].take()
}

#[test]
fn table_5_7_blocks_by_revision() {
    let image = json!({"type": "image", "data": BASE64, "mimeType": "image/png"});
    for revision in ALL {
        let result = call(revision, "image", &json!({}));
        assert_eq!((&result["content"], &result["isError"]), (&json!([image]), &json!(false)), "{revision}");
        let result = call(revision, "mixed", &json!({"text": "tick\n"}));
        let text = json!({"type": "text", "text": "tick\n"});
        let log = json!({"uri": "lamp://log", "mimeType": "text/plain", "text": "a \"tick\n\""});
        let raw = json!({"uri": "lamp://raw", "mimeType": "application/octet-stream", "blob": "/w=="});
        let resources = [log, raw].map(|resource| json!({"type": "resource", "resource": resource}));
        assert_eq!(result["content"], json!([text, image, resources[0], resources[1]]), "{revision}");
        assert_eq!(call(revision, "nothing", &json!({}))["content"], json!([]), "{revision}");
    }
}

/// Who embeds resources should declare some; that is the author's. They stand for themselves.
#[test]
fn call_9_resources_are_embedded_with_their_contents() {
    for revision in ALL {
        let content = call(revision, "mixed", &json!({"text": ""}))["content"].take();
        assert_eq!(content[2]["resource"]["text"], "a \"\"", "{revision}");
        assert_eq!(content[3]["resource"]["blob"], "/w==", "{revision}");
    }
}

#[test]
fn gate_2_what_a_revision_does_not_know_becomes_text() {
    for revision in ALL {
        let sound = match revision {
            "2024-11-05" => json!([{"type": "text", "text": "a sound, audio/wav"}]),
            _ => json!([{"type": "audio", "data": "", "mimeType": "audio/wav"}]),
        };
        assert_eq!(call(revision, "sound", &json!({"there": true}))["content"], sound, "{revision}");
        let link = match revision {
            "2024-11-05" | "2025-03-26" => json!([{"type": "text", "text": "lamp://log"}]),
            _ => json!([{"type": "resource_link", "uri": "lamp://log", "name": "log"}]),
        };
        assert_eq!(call(revision, "link", &json!({}))["content"], link, "{revision}");
    }
}

#[test]
fn call_7_content_may_be_replaced_by_an_error() {
    for revision in ALL {
        let result = call(revision, "sound", &json!({"there": false}));
        assert_eq!(result["content"], json!([{"type": "text", "text": "no microphone"}]), "{revision}");
        assert_eq!(result["isError"], true, "{revision}");
    }
}

/// What was written cannot be taken back; the message stays whole, and says that the call failed.
#[test]
fn call_7_a_text_that_fails_makes_the_call_fail() {
    for revision in ALL {
        let result = call(revision, "broken", &json!({}));
        assert_eq!(result["content"], json!([{"type": "text", "text": "half"}, {"type": "text", "text": "more"}]));
        assert_eq!(result["isError"], true, "{revision}");
    }
}
