//! Section 7.10: completion.

use serde_json::{Value, json};
use toolwire::{Argument, Server, ServerInfo, toolset};

use super::fixture::sees;
use crate::harness::{ALL, CAPACITY, LEGACY, MODERN, Peer};

#[derive(Argument, Clone, Copy, Debug)]
enum Place {
    North,
    NorthEast,
    South,
}

/// Something to suggest for arguments and for variables.
#[derive(Clone, Copy, Debug)]
struct Guide;

#[toolset]
impl Guide {
    const NAMES: &'static [&'static str] = &["Ann", "Anna", "Bob", "\"Zoë\" \u{1f980}"];

    /// Go somewhere.
    #[prompt]
    fn go(
        #[argument(suggest = Self::NAMES)] who: &str,
        place: Place,
        from: Option<Place>,
        #[argument(rename = "how-far", suggest = ["10", "100"])] far: u8,
        why: &str,
        #[argument(suggest = MANY)] number: Option<&str>,
        #[argument(suggest = HUNDRED)] hundred: Option<&str>,
    ) -> String {
        format!("{who} {place:?} {from:?} {far} {why} {number:?} {hundred:?}")
    }

    /// Nothing to fill in.
    #[prompt]
    fn stay() -> &'static str {
        "stay"
    }

    /// The weather there.
    #[resource(uri = "weather://{place}/{day}")]
    fn weather(place: Place, day: u8) -> String {
        format!("{place:?} {day}")
    }

    /// The weather here.
    #[resource(uri = "weather://here")]
    const HERE: &'static str = "Fine.";
}

const HUNDRED: &[&str] = &["n"; 100];

/// All start with `n`, and 20 of them, in between, with `nn`.
#[expect(clippy::large_const_arrays, reason = "a computed array, as a toolset may name it")]
const MANY: [&str; 120] = {
    let mut many = ["n"; 120];
    let mut at = 0;
    while at < 120 {
        many[at] = if at % 6 == 5 { "nn" } else { "n" };
        at += 1;
    }
    many
};

/// Prompts and resources, but nothing to fill in.
#[derive(Clone, Copy, Debug)]
struct Plain;

#[toolset]
impl Plain {
    /// Stay.
    #[prompt]
    fn stay() -> &'static str {
        "stay"
    }

    /// Here.
    #[resource(uri = "weather://here")]
    const HERE: &'static str = "Fine.";
}

fn guide(revision: &str) -> Peer {
    opened(Peer::with(Server::<_, CAPACITY>::new(ServerInfo::new("guide", "1.0.0"), Guide)), revision)
}

fn opened(mut peer: Peer, revision: &str) -> Peer {
    if revision != MODERN {
        peer.shake_hands(revision);
    }
    peer
}

fn of_prompt(name: &str) -> Value {
    json!({"type": "ref/prompt", "name": name})
}

fn of_resource(uri: &str) -> Value {
    json!({"type": "ref/resource", "uri": uri})
}

/// The completion, or the code of the refusal.
fn complete(revision: &str, reference: &Value, argument: &str, value: &str) -> Result<Value, i64> {
    let params = json!({"ref": reference, "argument": {"name": argument, "value": value}});
    let mut answer = guide(revision).request_in(revision, "completion/complete", &params);
    match answer["error"]["code"].as_i64() {
        Some(code) => Err(code),
        None => Ok(answer["result"]["completion"].take()),
    }
}

/// A completion that has all that there is.
fn all(values: &[&str]) -> Result<Value, i64> {
    Ok(json!({"values": values, "total": values.len(), "hasMore": false}))
}

#[test]
fn comp_1_it_is_declared_from_2025_03_26_on_and_served_in_every_revision() {
    let board = |revision| Peer::demo("board").shake_hands(revision)["capabilities"].get("completions").cloned();
    assert_eq!(board("2024-11-05"), None);
    for revision in &LEGACY[1..] {
        assert_eq!(board(revision), Some(json!({})), "{revision}");
    }
    let answer = guide(MODERN).request_in(MODERN, "server/discover", &json!({}));
    assert_eq!(answer["result"]["capabilities"]["completions"], json!({}));
    for revision in ALL {
        assert_eq!(complete(revision, &of_prompt("go"), "who", "B"), all(&["Bob"]), "{revision}");
    }
}

#[test]
fn comp_1_where_there_is_nothing_to_fill_in_it_is_not_offered() {
    let plain = || Peer::with(Server::<_, CAPACITY>::new(ServerInfo::new("plain", "1.0.0"), Plain));
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"stay"},"argument":{"name":"a","value":""},"_meta":TAG}}"#;
    for revision in ALL {
        assert_eq!(sees(&mut opened(plain(), revision), revision, line), "1 -32601", "{revision}");
        assert_eq!(sees(&mut Peer::in_revision("calc", revision), revision, line), "1 -32601", "{revision}");
    }
    for revision in LEGACY {
        let declared = plain().shake_hands(revision)["capabilities"].take();
        assert_eq!(declared, json!({"tools": {}, "resources": {}, "prompts": {}}), "{revision}");
    }
    let answer = plain().request_in(MODERN, "server/discover", &json!({}));
    assert_eq!(answer["result"]["capabilities"], json!({"tools": {}, "resources": {}, "prompts": {}}));
}

#[test]
fn comp_2_values_start_with_what_is_there() {
    for revision in ALL {
        for (argument, value, values) in [
            ("who", "", &["Ann", "Anna", "Bob", "\"Zoë\" \u{1f980}"][..]),
            ("who", "A", &["Ann", "Anna"]),
            ("who", "Ann", &["Ann", "Anna"]),
            ("who", "Anna", &["Anna"]),
            ("who", "Annas", &[]),
            ("who", "a", &[]),
            ("who", "nn", &[]),
            ("who", " ", &[]),
            ("who", "\"Z", &["\"Zoë\" \u{1f980}"]),
            ("who", "\"Zoë\" \u{1f980}", &["\"Zoë\" \u{1f980}"]),
            // The values of an enum need no suggestions.
            ("place", "", &["north", "north_east", "south"]),
            ("place", "north", &["north", "north_east"]),
            ("from", "s", &["south"]),
            ("from", "North", &[]),
            ("how-far", "1", &["10", "100"]),
        ] {
            assert_eq!(
                complete(revision, &of_prompt("go"), argument, value),
                all(values),
                "{revision}: {argument} {value}"
            );
        }
        let weather = of_resource("weather://{place}/{day}");
        assert_eq!(complete(revision, &weather, "place", "north_"), all(&["north_east"]), "{revision}");
    }
}

#[test]
fn comp_2_there_are_at_most_100_values() {
    for revision in ALL {
        let completion = complete(revision, &of_prompt("go"), "number", "").unwrap();
        assert_eq!(completion["values"].as_array().unwrap().len(), 100, "{revision}");
        assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(120), &json!(true)), "{revision}");
        // Those behind the first hundred are found too.
        assert_eq!(complete(revision, &of_prompt("go"), "number", "nn"), all(&["nn"; 20]), "{revision}");
        assert_eq!(complete(revision, &of_prompt("go"), "hundred", "n"), all(&["n"; 100]), "{revision}");
    }
}

#[test]
fn comp_3_unknown_references_are_refused() {
    for revision in ALL {
        for (reference, argument) in [
            (of_prompt("nope"), "who"),
            (of_prompt(""), "who"),
            (of_prompt("Go"), "who"),
            (of_prompt("weather"), "place"),
            (of_prompt("weather://{place}/{day}"), "place"),
            (of_resource("go"), "who"),
            (of_resource("weather"), "place"),
            (of_resource("weather://north/1"), "place"),
            (of_resource("weather://{place}"), "place"),
            (json!({"type": "ref/tool", "name": "go"}), "who"),
            (json!({"type": "", "name": "go"}), "who"),
            (json!({"type": null, "name": "go"}), "who"),
            (json!({"type": 5, "name": "go"}), "who"),
            (json!({"name": "go"}), "who"),
            (json!({"type": "ref/prompt"}), "who"),
            (json!({"type": "ref/prompt", "name": null}), "who"),
            (json!({"type": "ref/prompt", "name": 5}), "who"),
            (json!({"type": "ref/prompt", "uri": "go"}), "who"),
            (json!({"type": "ref/resource", "name": "weather"}), "place"),
            (json!({"type": "ref/resource", "uri": 5}), "place"),
            (json!({}), "who"),
            (json!([]), "who"),
            (json!(null), "who"),
            (json!("go"), "who"),
            (json!(5), "who"),
        ] {
            assert_eq!(complete(revision, &reference, argument, ""), Err(-32602), "{revision}: {reference}");
        }
    }
}

#[test]
fn comp_3_an_argument_has_a_name_and_a_value() {
    for revision in ALL {
        for argument in [
            "",
            r#","argument":{}"#,
            r#","argument":null"#,
            r#","argument":[]"#,
            r#","argument":"who""#,
            r#","argument":5"#,
            r#","argument":{"name":"who"}"#,
            r#","argument":{"value":""}"#,
            r#","argument":{"name":"who","value":null}"#,
            r#","argument":{"name":"who","value":5}"#,
            r#","argument":{"name":"who","value":["A"]}"#,
            r#","argument":{"name":null,"value":""}"#,
            r#","argument":{"name":5,"value":""}"#,
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"go"}ARGUMENT,"_meta":TAG}}"#
                .replace("ARGUMENT", argument);
            assert_eq!(sees(&mut guide(revision), revision, &line), "1 -32602", "{revision}: {argument}");
        }
        for params in ["", r#","params":{"_meta":TAG}"#] {
            let expected = if params.is_empty() && revision == MODERN { continue } else { "1 -32602" };
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete"PARAMS}"#.replace("PARAMS", params);
            assert_eq!(sees(&mut guide(revision), revision, &line), expected, "{revision}: {params}");
        }
    }
}

#[test]
fn comp_4_values_are_those_of_the_firmware_and_nothing_is_learnt_from_one_argument_about_another() {
    for revision in ALL {
        for context in ["", r#","context":{"arguments":{"who":"Ann","place":"south"}}"#] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"go"},"argument":{"name":"place","value":"n"}CONTEXT,"_meta":TAG}}"#
                .replace("CONTEXT", context);
            let line = super::fixture::expand(revision, &line);
            let answer = guide(revision).one(line.as_bytes());
            assert_eq!(answer["result"]["completion"]["values"], json!(["north", "north_east"]), "{revision}");
        }
    }
}

#[test]
fn comp_5_unknown_arguments_are_refused_and_without_suggestions_there_are_none() {
    for revision in ALL {
        for (reference, argument) in [
            (of_prompt("go"), "nope"),
            (of_prompt("go"), ""),
            (of_prompt("go"), "Who"),
            (of_prompt("go"), "far"),
            (of_prompt("stay"), "who"),
            (of_resource("weather://{place}/{day}"), "who"),
            (of_resource("weather://{place}/{day}"), "{place}"),
            (of_resource("weather://here"), "place"),
        ] {
            assert_eq!(complete(revision, &reference, argument, ""), Err(-32602), "{revision}: {reference} {argument}");
        }
        assert_eq!(complete(revision, &of_prompt("go"), "why", ""), all(&[]), "{revision}");
        assert_eq!(complete(revision, &of_resource("weather://{place}/{day}"), "day", "1"), all(&[]), "{revision}");
    }
}

#[test]
fn param_3_the_context_of_a_completion_is_an_object() {
    for revision in ALL {
        // Not yet a member in the first two, so it is ignored.
        let known = !matches!(revision, "2024-11-05" | "2025-03-26");
        for (context, fits) in [
            ("null", true),
            ("{}", true),
            (r#"{"arguments":null}"#, true),
            (r#"{"arguments":{}}"#, true),
            (r#"{"arguments":{"who":"Ann","nope":"x"},"more":5}"#, true),
            ("5", false),
            ("\"x\"", false),
            ("[]", false),
            ("true", false),
            (r#"{"arguments":[]}"#, false),
            (r#"{"arguments":"x"}"#, false),
            (r#"{"arguments":5}"#, false),
        ] {
            let line = r#"{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"go"},"argument":{"name":"who","value":""},"context":CONTEXT,"_meta":TAG}}"#
                .replace("CONTEXT", context);
            let expected = if fits || !known { "1 ok" } else { "1 -32602" };
            assert_eq!(sees(&mut guide(revision), revision, &line), expected, "{revision}: {context}");
        }
    }
}
