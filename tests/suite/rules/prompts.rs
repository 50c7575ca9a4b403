//! Section 7.9: prompts.

use serde_json::{Value, json};
use toolwire::content::Annotations;
use toolwire::prompt::{Messages, from_fn};
use toolwire::tool::Unanswered;
use toolwire::{Argument, Context, Server, ServerInfo, toolset};

use super::fixture::{names, sees};
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer};

/// Prompts with arguments of every kind.
#[derive(Clone, Copy, Debug)]
struct Menu;

#[derive(Argument, Clone, Copy, Debug)]
enum Level {
    Low,
    VeryHigh,
}

#[toolset]
impl Menu {
    /// Greet somebody.
    ///
    /// "Twice", if need be.
    #[prompt(title = "Greeting")]
    fn greet(
        /// Whom to greet.
        name: &str,
        times: Option<u8>,
    ) -> String {
        format!("Greet {name} {times:?}")
    }

    /// Say something that needs escapes.
    #[prompt(name = "plain-2")]
    fn plain() -> &'static str {
        ESCAPES
    }

    /// Take everything apart.
    #[prompt]
    fn typed(
        &mut self,
        #[argument(suggest = ["5", "10"])] count: i8,
        level: Level,
        #[argument(rename = "other-level")] other: Option<Level>,
        big: Option<u64>,
    ) -> Result<String, &'static str> {
        Ok(format!("{count} {level:?} {other:?} {big:?}"))
    }

    /// Find the pump stuck.
    #[prompt]
    fn stuck(&self) -> Result<&'static str, &'static str> {
        Err("the \"pump\" is stuck")
    }
}

/// What JSON gives a meaning, and what lies beyond ASCII and the basic plane.
const ESCAPES: &str = "\"\\/ \t\r\n\0\u{1f}\u{7f}\u{85}\u{2028} ñ 🦀 }]}";

fn server() -> Server<Menu, CAPACITY> {
    Server::new(ServerInfo::new("menu", "1.0.0"), Menu)
}

fn client(server: Server<Menu, CAPACITY>, revision: &str) -> Peer {
    let mut peer = Peer::with(server);
    if revision != MODERN {
        peer.shake_hands(revision);
    }
    peer
}

/// The text of the prompt, or the code and the message of the refusal.
fn get(revision: &str, name: &str, arguments: &Value) -> Result<String, (i64, String)> {
    let params = json!({"name": name, "arguments": arguments});
    let answer = client(server(), revision).request_in(revision, "prompts/get", &params);
    if let Some(error) = answer.get("error") {
        return Err((error["code"].as_i64().unwrap(), error["message"].as_str().unwrap().to_owned()));
    }
    let [message] = &answer["result"]["messages"].as_array().unwrap()[..] else { panic!("not one message: {answer}") };
    assert_eq!(message["role"], "user", "{answer}");
    assert_eq!(message["content"]["type"], "text", "{answer}");
    Ok(message["content"]["text"].as_str().unwrap().to_owned())
}

fn refused(sentence: &str) -> Result<String, (i64, String)> {
    Err((-32602, sentence.to_owned()))
}

#[test]
fn prompt_1_they_are_declared_where_there_are_some() {
    for revision in LEGACY {
        assert_eq!(Peer::with(server()).shake_hands(revision)["capabilities"]["prompts"], json!({}), "{revision}");
    }
    let answer = client(server(), MODERN).request_in(MODERN, "server/discover", &json!({}));
    assert_eq!(answer["result"]["capabilities"]["prompts"], json!({}));
    // A server without prompts does not have their methods either.
    for revision in ALL {
        let mut calc = Peer::in_revision("calc", revision);
        for method in ["prompts/list", "prompts/get"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"METHOD","params":{"name":"greet","_meta":TAG}}"#
                .replace("METHOD", method);
            assert_eq!(sees(&mut calc, revision, &line), "1 -32601", "{revision}: {method}");
        }
        if revision != MODERN {
            assert_eq!(Peer::demo("calc").shake_hands(revision)["capabilities"].get("prompts"), None, "{revision}");
        }
    }
}

#[test]
fn table_5_6_prompts_have_titles_from_2025_06_18_on() {
    for revision in ALL {
        let answer = client(server(), revision).request_in(revision, "prompts/list", &json!({}));
        let prompts = answer["result"]["prompts"].as_array().unwrap();
        let mut greet = json!({
            "name": "greet",
            "title": "Greeting",
            "description": "Greet somebody.\n\n\"Twice\", if need be.",
            "arguments": [
                {"name": "name", "description": "Whom to greet.", "required": true},
                {"name": "times", "required": false},
            ],
        });
        if matches!(revision, "2024-11-05" | "2025-03-26") {
            greet.as_object_mut().unwrap().remove("title");
        }
        assert_eq!(prompts[0], greet, "{revision}");
        // Without a title, and without arguments.
        assert_eq!(prompts[1], json!({"name": "plain-2", "description": "Say something that needs escapes."}));
        let arguments = [("count", true), ("level", true), ("other-level", false), ("big", false)]
            .map(|(name, required)| json!({"name": name, "required": required}));
        assert_eq!(prompts[2]["arguments"], json!(arguments), "{revision}");
        assert_eq!(prompts.len(), 4, "{revision}");
    }
}

#[test]
fn prompt_2_arguments_are_strings() {
    for revision in ALL {
        for wrong in ["5", "true", "[]", "{}", "[\"x\"]", "1.5", "null"] {
            for (arguments, name) in [(r#""name":WRONG"#, "name"), (r#""name":"x","times":WRONG"#, "times")] {
                let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"greet","arguments":{ARGUMENTS},"_meta":TAG}}"#
                    .replace("ARGUMENTS", &arguments.replace("WRONG", wrong));
                // PARAM-3: null is absence of what is optional.
                let expected = if (name, wrong) == ("times", "null") { "1 ok" } else { "1 -32602" };
                assert_eq!(sees(&mut client(server(), revision), revision, &line), expected, "{revision}: {line}");
            }
        }
        for wrong in ["5", "\"\"", "\"x\"", "[]", "[{}]", "true", "false", "0"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"plain-2","arguments":WRONG,"_meta":TAG}}"#
                .replace("WRONG", wrong);
            assert_eq!(sees(&mut client(server(), revision), revision, &line), "1 -32602", "{revision}: {line}");
        }
        assert_eq!(get(revision, "greet", &json!({"name": 5})), refused("name: expected a string"));
    }
}

#[test]
fn prompt_2_arguments_may_be_left_out_where_none_is_required() {
    for revision in ALL {
        for members in ["", r#","arguments":null"#, r#","arguments":{}"#] {
            let line =
                r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"plain-2"MEMBERS,"_meta":TAG}}"#
                    .replace("MEMBERS", members);
            assert_eq!(sees(&mut client(server(), revision), revision, &line), "1 ok", "{revision}: {line}");
            let line = line.replace("plain-2", "greet");
            assert_eq!(sees(&mut client(server(), revision), revision, &line), "1 -32602", "{revision}: {line}");
        }
        for times in [json!({"name": "Ann"}), json!({"name": "Ann", "times": null})] {
            assert_eq!(get(revision, "greet", &times).unwrap(), "Greet Ann None", "{revision}");
        }
        // An empty text is one that is there.
        assert_eq!(get(revision, "greet", &json!({"name": ""})).unwrap(), "Greet  None", "{revision}");
        assert_eq!(get(revision, "greet", &json!({"name": "Ann", "times": "2"})).unwrap(), "Greet Ann Some(2)");
    }
}

#[test]
fn prompt_3_unknown_prompts_and_missing_arguments_are_refused_and_faults_are_internal() {
    for revision in ALL {
        for name in ["nope", "", "Greet", "greet ", "plain", "plain_2", "quiet"] {
            assert_eq!(get(revision, name, &json!({})), refused(&format!("Unknown prompt: {name}")), "{revision}");
        }
        for name in ["5", "null", "{}", "[\"greet\"]", "true"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":NAME,"arguments":{"name":"x"},"_meta":TAG}}"#
                .replace("NAME", name);
            assert_eq!(sees(&mut client(server(), revision), revision, &line), "1 -32602", "{revision}: {name}");
        }
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"_meta":TAG}}"#;
        assert_eq!(sees(&mut client(server(), revision), revision, line), "1 -32602", "{revision}");
        assert_eq!(get(revision, "greet", &json!({})), refused("name: missing, expected a string"), "{revision}");
        let missing = get(revision, "typed", &json!({"count": "1"}));
        assert_eq!(missing, refused("level: missing, expected a string"), "{revision}");
        let stuck = get(revision, "stuck", &json!({}));
        assert_eq!(stuck, Err((-32603, "the \"pump\" is stuck".to_owned())), "{revision}");
    }
}

#[test]
fn prompt_4_arguments_are_validated() {
    let typed = |members: Value| get(MODERN, "typed", &members);
    for (count, level, other, text) in [
        ("-128", "low", json!("very_high"), "-128 Low Some(VeryHigh) None"),
        ("127", "very_high", json!("low"), "127 VeryHigh Some(Low) None"),
        ("0", "low", json!(null), "0 Low None None"),
    ] {
        assert_eq!(typed(json!({"count": count, "level": level, "other-level": other})).unwrap(), text);
    }
    let big = json!({"count": "1", "level": "low", "big": "18446744073709551615"});
    assert_eq!(typed(big).unwrap(), "1 Low None Some(18446744073709551615)");
    for count in ["128", "-129", "1.0", "1e1", "0x1", " 1", "1 ", "", "-", "one", "\u{661}"] {
        let answer = typed(json!({"count": count, "level": "low"}));
        // Suggestions are not all that it may be.
        assert_eq!(answer, refused("count: expected another text"), "{count:?}");
    }
    for level in ["Low", "LOW", "", "low ", "high", "VeryHigh", "1"] {
        let sentence = "expected one of \"low\", \"very_high\"";
        let answer = typed(json!({"count": "1", "level": level}));
        assert_eq!(answer, refused(&format!("level: {sentence}")), "{level:?}");
        let answer = typed(json!({"count": "1", "level": "low", "other-level": level}));
        assert_eq!(answer, refused(&format!("other-level: {sentence}")), "{level:?}");
    }
}

#[test]
fn prompt_4_texts_cannot_leave_their_string() {
    for revision in ALL {
        assert_eq!(get(revision, "plain-2", &json!({})).unwrap(), ESCAPES, "{revision}");
        let text = get(revision, "greet", &json!({"name": ESCAPES})).unwrap();
        assert_eq!(text, format!("Greet {ESCAPES} None"), "{revision}");
        let (code, message) = get(revision, ESCAPES, &json!({})).unwrap_err();
        assert_eq!(code, -32602, "{revision}");
        assert!(message.starts_with("Unknown prompt: \"\\/"), "{revision}: {message}");
    }
}

#[test]
fn prompt_6_the_list_says_for_how_long_and_the_prompt_does_not() {
    for revision in ALL {
        let mut peer = client(server(), revision);
        let list = peer.request_in(revision, "prompts/list", &json!({}));
        let get = peer.request_in(revision, "prompts/get", &json!({"name": "plain-2"}));
        let (in_list, in_get) = match revision {
            MODERN => (
                &["_meta", "cacheScope", "prompts", "resultType", "ttlMs"][..],
                &["_meta", "description", "messages", "resultType"][..],
            ),
            _ => (&["prompts"][..], &["description", "messages"][..]),
        };
        assert_eq!(names(&list["result"]), in_list, "{revision}");
        assert_eq!(names(&get["result"]), in_get, "{revision}");
        assert_eq!(get["result"]["description"], "Say something that needs escapes.");
        if revision == MODERN {
            // CACHE-5: the list is constant.
            assert_eq!(list["result"]["ttlMs"], 86_400_000);
            assert_eq!(list["result"]["cacheScope"], "public");
            assert_eq!(get["result"]["resultType"], "complete");
        }
    }
}

#[test]
fn cache_1_every_page_of_prompts_says_how_long_and_for_whom() {
    let mut peer = client(server().with_page_size(3), MODERN);
    for params in [json!({}), json!({"cursor": "3"})] {
        let answer = peer.request_in(MODERN, "prompts/list", &params);
        assert!(answer["result"]["ttlMs"].is_u64(), "{answer}");
        assert_eq!(answer["result"]["cacheScope"], "public", "{answer}");
    }
}

#[test]
fn page_1_all_pages_of_prompts_together_are_the_list() {
    for revision in ALL {
        let whole = client(server(), revision).request_in(revision, "prompts/list", &json!({}));
        assert_eq!(whole["result"].get("nextCursor"), None, "PAGE-2");
        for (size, pages) in [(1, 4), (3, 2), (4, 1), (0, 4)] {
            let mut peer = client(server().with_page_size(size), revision);
            let (mut listed, mut params, mut count) = (Vec::new(), json!({}), 0);
            loop {
                let answer = peer.request_in(revision, "prompts/list", &params);
                listed.extend(answer["result"]["prompts"].as_array().unwrap().clone());
                count += 1;
                match answer["result"].get("nextCursor") {
                    Some(cursor) => params = json!({"cursor": cursor.as_str().unwrap()}),
                    None => break,
                }
            }
            assert_eq!((count, &json!(listed)), (pages, &whole["result"]["prompts"]), "{revision}: {size}");
        }
    }
}

#[test]
fn page_3_other_cursors_of_prompts_are_refused() {
    for revision in ALL {
        let mut peer = client(server().with_page_size(1), revision);
        for cursor in ["\"\"", "\"0\"", "\"4\"", "\"01\"", "\"x\"", "\"-1\"", "1", "true", "{}"] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":CURSOR,"_meta":TAG}}"#
                .replace("CURSOR", cursor);
            assert_eq!(sees(&mut peer, revision, &line), "1 -32602", "{revision}: {cursor}");
        }
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{"cursor":null,"_meta":TAG}}"#;
        assert_eq!(sees(&mut peer, revision, line), "1 ok", "{revision}");
    }
}

#[test]
fn msg_7_arguments_that_a_prompt_does_not_know_are_ignored() {
    for revision in ALL {
        for more in [json!("x"), json!(5), json!(null), json!({"name": "y"})] {
            let text = get(revision, "greet", &json!({"more": more, "name": "Ann", "Name": "Bob"})).unwrap();
            assert_eq!(text, "Greet Ann None", "{revision}");
        }
        // Names are compared after decoding escapes, and the last one wins.
        let line = r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"gr\u0065et","arguments":{"name":5,"n\u0061me":"Ann"},"_meta":TAG}}"#;
        assert_eq!(sees(&mut client(server(), revision), revision, line), "1 ok", "{revision}");
    }
}

/// A line that gets a prompt of the board, and one that reads a resource of it.
const TAKES_INPUT: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"diagnose","arguments":{"symptom":"x"},MEMBERS,"_meta":TAG}}"#,
    r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"device://info",MEMBERS,"_meta":TAG}}"#,
];

#[test]
fn mrtr_9_malformed_responses_are_refused_by_prompts_and_resources_too() {
    for members in [
        r#""inputResponses":[]"#,
        r#""inputResponses":5"#,
        r#""inputResponses":{"ref":5}"#,
        r#""inputResponses":{"a":{},"ref":null}"#,
        r#""requestState":5"#,
        r#""requestState":{}"#,
    ] {
        for line in TAKES_INPUT.map(|line| line.replace("MEMBERS", members)) {
            for revision in ALL {
                // Not yet a member in the others, so it is ignored.
                let expected = if revision == MODERN { "1 -32602" } else { "1 ok" };
                assert_eq!(
                    sees(&mut Peer::in_revision("board", revision), revision, &line),
                    expected,
                    "{revision}: {line}"
                );
            }
        }
    }
}

#[test]
fn mrtr_8_responses_that_no_prompt_or_resource_asked_for_are_ignored() {
    for members in [r#""inputResponses":{"a":{}},"requestState":"x""#, r#""inputResponses":null,"requestState":null"#] {
        for line in TAKES_INPUT.map(|line| line.replace("MEMBERS", members)) {
            for revision in ALL {
                assert_eq!(
                    sees(&mut Peer::in_revision("board", revision), revision, &line),
                    "1 ok",
                    "{revision}: {line}"
                );
            }
        }
    }
}

/// Prompts with more than a text.
struct Album;

#[derive(Argument)]
struct Reader {
    age: u8,
}

#[toolset]
impl Album {
    /// Look at pictures together.
    #[prompt]
    fn look(context: &Context<'_>, title: &str, count: Option<u8>) -> impl Messages {
        assert!(!context.is_cancelled());
        from_fn(move |conversation| {
            for at in 0..count.unwrap_or(1) {
                conversation.user().image(&[at, 0xFF], "image/png");
            }
            conversation.user().audio(b"la", "audio/wav");
            conversation.user().resource_text("album://cover", "text/plain", &format_args!("\"{title}\""));
            conversation.assistant().annotated(Annotations::new().with_priority(55)).text(&ESCAPES);
            conversation.user().resource_bytes("album://raw", "application/x", &[0]);
            conversation.user().link("album://more", "more");
        })
    }

    /// Say nothing, or fail.
    #[prompt]
    fn silent(fails: &str) -> Result<impl Messages, &'static str> {
        if fails == "yes" { Err("no pictures") } else { Ok(from_fn(|_| {})) }
    }

    /// Ask who reads.
    #[prompt]
    fn story(&self, context: &Context<'_>) -> Result<String, Unanswered> {
        let Reader { age } = context.ask("reader", "How old is the reader?")?;
        Ok(format!("Tell a story for somebody of {age}."))
    }
}

#[test]
fn prompt_5_messages_hold_one_block_each_of_any_kind() {
    for revision in ALL {
        let mut peer = Peer::of(ServerInfo::new("album", "1.0.0"), Album);
        if revision != MODERN {
            peer.shake_hands(revision);
        }
        let params = json!({"name": "look", "arguments": {"title": "Us", "count": "2"}});
        let result = peer.request_in(revision, "prompts/get", &params)["result"].take();
        let audio = match revision {
            "2024-11-05" => json!({"type": "text", "text": "a sound, audio/wav"}),
            _ => json!({"type": "audio", "data": "bGE=", "mimeType": "audio/wav"}),
        };
        let link = match revision {
            "2024-11-05" | "2025-03-26" => json!({"type": "text", "text": "album://more"}),
            _ => json!({"type": "resource_link", "uri": "album://more", "name": "more"}),
        };
        let text = json!({"annotations": {"priority": 0.55}, "type": "text", "text": ESCAPES});
        let cover = json!({"uri": "album://cover", "mimeType": "text/plain", "text": "\"Us\""});
        let raw = json!({"uri": "album://raw", "mimeType": "application/x", "blob": "AA=="});
        let user = |content: Value| json!({"role": "user", "content": content});
        let expected = json!([
            user(json!({"type": "image", "data": "AP8=", "mimeType": "image/png"})),
            user(json!({"type": "image", "data": "Af8=", "mimeType": "image/png"})),
            user(audio),
            user(json!({"type": "resource", "resource": cover})),
            {"role": "assistant", "content": text},
            user(json!({"type": "resource", "resource": raw})),
            user(link),
        ]);
        assert_eq!(result["messages"], expected, "{revision}");
        assert_eq!(result["description"], "Look at pictures together.");
        let mut silent = |fails: &str| {
            peer.request_in(revision, "prompts/get", &json!({"name": "silent", "arguments": {"fails": fails}}))
        };
        assert_eq!(silent("no")["result"]["messages"], json!([]), "{revision}");
        assert_eq!(silent("yes")["error"], json!({"code": -32603, "message": "no pictures"}), "{revision}");
    }
}

#[test]
fn prompt_6_a_prompt_may_ask() {
    let mut peer = Peer::of(ServerInfo::new("album", "1.0.0"), Album);
    let mut meta = crate::harness::meta();
    let params = |meta: &Value| json!({"name": "story", "_meta": meta});
    assert_eq!(peer.request("prompts/get", &params(&meta))["error"]["code"], -32021);
    meta["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    let asked = peer.request("prompts/get", &params(&meta));
    assert_eq!(asked["result"]["resultType"], "input_required");
    let question = &asked["result"]["inputRequests"]["reader"];
    assert_eq!(question["params"]["message"], "How old is the reader?");
    let mut retry = params(&meta);
    retry["inputResponses"] = json!({"reader": {"action": "accept", "content": {"age": 7}}});
    let told = peer.request("prompts/get", &retry);
    assert_eq!(told["result"]["messages"][0]["content"]["text"], "Tell a story for somebody of 7.");
    retry["inputResponses"]["reader"]["action"] = "decline".into();
    assert_eq!(peer.request("prompts/get", &retry)["error"]["code"], -32603);
}
