//! Sections 7.14 and 7.16, and META-9: questions to the user by form.

use serde_json::{Value, json};
use toolwire::tool::Unanswered;
use toolwire::{Argument, Context, toolset};

use super::fixture::INFO;
use crate::harness::{LEGACY, MODERN, Peer};

#[derive(Argument, Clone, Copy, Debug)]
enum Colour {
    Red,
    Green,
}

#[derive(Argument, Debug)]
struct Answer<'a> {
    /// Who asks?
    #[argument(min_length = 1)]
    name: &'a str,
    colour: Colour,
    #[argument(max = 10)]
    level: Option<u8>,
    #[argument(default = true)]
    sure: bool,
}

/// A tool that counts how often it has acted.
#[derive(Default)]
struct Lamp {
    acted: u32,
}

#[toolset]
impl Lamp {
    /// Light the lamp as the user wants it.
    #[tool]
    fn light(&mut self, context: &Context<'_>, place: &str) -> Result<String, Unanswered> {
        let Answer { name, colour, level, sure } = context.ask("wish", "Which \"light\"?")?;
        self.acted += 1;
        Ok(format!("{place}: {name} {colour:?} {level:?} {sure}, {} times", self.acted))
    }

    /// The same, with an error of its own.
    #[tool]
    fn try_light(&mut self, context: &Context<'_>) -> Result<&'static str, String> {
        context
            .ask::<Answer<'_>>("wish", "Which \"light\"?")
            .map_err(|unanswered| format!("no light: {unanswered}"))?;
        Ok("lit")
    }
}

/// What the form of [`Answer`] is, by ELIC-3.
fn question() -> Value {
    json!({"wish": {"method": "elicitation/create", "params": {
        "mode": "form",
        "message": "Which \"light\"?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Who asks?", "minLength": 1},
                "colour": {"type": "string", "enum": ["red", "green"]},
                "level": {"type": "integer", "minimum": 0, "maximum": 10},
                "sure": {"type": "boolean", "default": true},
            },
            "required": ["name", "colour"],
        },
    }}})
}

fn meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// The parameters of a call by a client that can show forms.
fn params(more: &Value) -> Value {
    let mut params = json!({
        "name": "light",
        "arguments": {"place": "hall"},
        "_meta": meta(&json!({"elicitation": {"form": {}}})),
    });
    for (name, value) in more.as_object().unwrap() {
        params[name] = value.clone();
    }
    params
}

fn lamp() -> Peer {
    Peer::of(INFO, Lamp::default())
}

fn call(peer: &mut Peer, more: &Value) -> Value {
    peer.request("tools/call", &params(more))
}

fn accepted(content: &Value) -> Value {
    json!({"inputResponses": {"wish": {"action": "accept", "content": content}}})
}

#[test]
fn mrtr_1_a_tool_may_ask() {
    let result = call(&mut lamp(), &json!({}))["result"].take();
    assert_eq!(result["resultType"], "input_required");
    assert_eq!(result.get("content"), None);
}

/// Requests by key, without ids and state; forms are flat (ELIC-3).
#[test]
fn mrtr_3_what_is_asked_is_an_elicitation_by_form() {
    let result = call(&mut lamp(), &json!({}))["result"].take();
    assert_eq!(result["inputRequests"], question());
    assert_eq!(result.get("requestState"), None);
}

/// Whatever the tool returns after it has asked.
#[test]
fn mrtr_2_there_is_one_answer() {
    let result = call(&mut lamp(), &json!({"name": "try_light", "arguments": {}}))["result"].take();
    assert_eq!(result["inputRequests"], question());
}

#[test]
fn mrtr_4_what_the_client_can_show_is_what_it_declares_with_the_request() {
    let mut peer = lamp();
    // ELIC-2: no mode means forms.
    for capabilities in [json!({"elicitation": {}}), json!({"elicitation": {"form": {}, "url": {}}})] {
        let result = call(&mut peer, &json!({"_meta": meta(&capabilities)}))["result"].take();
        assert_eq!(result["resultType"], "input_required", "{capabilities}");
    }
}

#[test]
fn meta_9_what_the_client_lacks_is_named() {
    let mut peer = lamp();
    for capabilities in
        [json!({}), json!({"elicitation": {"url": {}}}), json!({"sampling": {}}), json!({"elicitation": 1})]
    {
        let error = call(&mut peer, &json!({"_meta": meta(&capabilities)}))["error"].take();
        assert_eq!(error["code"], -32021, "{capabilities}");
        assert_eq!(error["data"]["requiredCapabilities"], json!({"elicitation": {"form": {}}}), "{capabilities}");
    }
}

#[test]
fn call_11_a_call_may_need_input() {
    assert_eq!(call(&mut lamp(), &json!({"_meta": meta(&json!({}))}))["error"]["code"], -32021);
    assert_eq!(call(&mut lamp(), &json!({}))["result"]["resultType"], "input_required");
}

#[test]
fn mrtr_5_the_retry_is_enough_for_itself() {
    // A server that was never asked before.
    let answer = call(&mut lamp(), &accepted(&json!({"name": "Ada", "colour": "green", "level": 3, "sure": false})));
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["content"][0]["text"], "hall: Ada Green Some(3) false, 1 times");
    // Nothing happens before the answer is there, and nothing is kept.
    let mut peer = lamp();
    for time in 1..=3 {
        assert_eq!(call(&mut peer, &json!({}))["result"]["resultType"], "input_required");
        let answer = call(&mut peer, &accepted(&json!({"name": "Ada", "colour": "red"})));
        assert_eq!(answer["result"]["content"][0]["text"], format!("hall: Ada Red None true, {time} times"));
    }
}

#[test]
fn mrtr_8_what_is_missing_or_does_not_fit_is_asked_for_again() {
    let mut peer = lamp();
    for more in [
        json!({"inputResponses": {}}),
        json!({"inputResponses": {"other": {"action": "accept", "content": {"name": "Ada", "colour": "red"}}}}),
        json!({"inputResponses": {"wish": {}}}),
        json!({"inputResponses": {"wish": {"action": "accept"}}}),
        json!({"inputResponses": {"wish": {"action": "maybe", "content": {"name": "Ada", "colour": "red"}}}}),
        // ELIC-4.
        accepted(&json!([])),
        accepted(&json!({})),
        accepted(&json!({"name": "Ada", "colour": "blue"})),
        accepted(&json!({"name": "", "colour": "red"})),
        accepted(&json!({"name": "Ada", "colour": "red", "level": 11})),
        accepted(&json!({"name": "Ada", "colour": "red", "more": 1})),
    ] {
        assert_eq!(call(&mut peer, &more)["result"]["inputRequests"], question(), "{more}");
    }
    // An unknown key beside the answer is ignored; numbers may be spelled as fractions.
    let mut more = accepted(&json!({"name": "Ada", "colour": "red", "level": 3.0}));
    more["inputResponses"]["other"] = json!({"action": "cancel"});
    assert_eq!(call(&mut peer, &more)["result"]["content"][0]["text"], "hall: Ada Red Some(3) true, 1 times");
}

#[test]
fn mrtr_9_malformed_responses_are_refused() {
    let mut peer = lamp();
    for more in [
        json!({"inputResponses": []}),
        json!({"inputResponses": "x"}),
        json!({"inputResponses": {"wish": "accept"}}),
        json!({"inputResponses": {"wish": {"action": "accept"}, "other": 1}}),
        json!({"requestState": 1}),
    ] {
        assert_eq!(call(&mut peer, &more)["error"]["code"], -32602, "{more}");
    }
}

#[test]
fn mrtr_10_a_user_who_does_not_want_to_makes_the_tool_fail() {
    for action in ["decline", "cancel"] {
        let responses = json!({"wish": {"action": action}});
        let result = call(&mut lamp(), &json!({"inputResponses": responses}))["result"].take();
        assert_eq!((&result["isError"], &result["resultType"]), (&json!(true), &json!("complete")), "{action}");
        let text = "the user declined to answer the question that this tool asks";
        assert_eq!(result["content"], json!([{"type": "text", "text": text}]), "{action}");
        let more = json!({"name": "try_light", "arguments": {}, "inputResponses": responses});
        let result = call(&mut lamp(), &more)["result"].take();
        assert_eq!(result["content"][0]["text"], format!("no light: {text}"), "{action}");
    }
}

#[test]
fn mrtr_11_a_question_is_not_to_be_kept() {
    let result = call(&mut lamp(), &json!({}))["result"].take();
    assert_eq!((result.get("ttlMs"), result.get("cacheScope")), (None, None));
}

#[test]
fn mrtr_13_state_that_was_not_given_out_is_ignored() {
    let mut more = accepted(&json!({"name": "Ada", "colour": "red"}));
    more["requestState"] = "forged".into();
    assert_eq!(call(&mut lamp(), &more)["result"]["content"][0]["text"], "hall: Ada Red None true, 1 times");
}

/// Asks two questions, of which the second depends on the first.
struct Porter;

#[derive(Argument)]
struct Name<'a> {
    name: &'a str,
}

#[derive(Argument)]
struct Wish {
    colour: Colour,
}

#[toolset]
impl Porter {
    /// Ask who it is, then what they want.
    #[tool]
    fn welcome(context: &Context<'_>) -> Result<String, Unanswered> {
        let name = match context.request_state().and_then(|state| state.strip_prefix("name ")) {
            Some(name) => name,
            None => context.ask_with_state::<Name<'_>>("who", "Who are you?", "\"first\"")?.name,
        };
        let message = format_args!("Which colour, {name}?");
        let Wish { colour } = context.ask_with_state("wish", message, format_args!("name {name}"))?;
        Ok(format!("{colour:?} for {name}"))
    }
}

#[test]
fn mrtr_6_state_comes_back_as_the_client_sends_it() {
    let mut peer = Peer::of(INFO, Porter);
    let mut ask = |more: Value| {
        let mut params = json!({"name": "welcome", "_meta": meta(&json!({"elicitation": {}}))});
        for (name, value) in more.as_object().unwrap() {
            params[name] = value.clone();
        }
        peer.request("tools/call", &params)["result"].take()
    };
    let first = ask(json!({}));
    assert_eq!(first["inputRequests"]["who"]["params"]["message"], "Who are you?");
    assert_eq!(first["requestState"], "\"first\"");
    let who = json!({"who": {"action": "accept", "content": {"name": "Ada \"A\""}}});
    let second = ask(json!({"inputResponses": who, "requestState": first["requestState"]}));
    assert_eq!(second["inputRequests"].as_object().unwrap().len(), 1);
    assert_eq!(second["inputRequests"]["wish"]["params"]["message"], "Which colour, Ada \"A\"?");
    assert_eq!(second["requestState"], "name Ada \"A\"");
    let wish = json!({"wish": {"action": "accept", "content": {"colour": "green"}}});
    let third = ask(json!({"inputResponses": wish, "requestState": second["requestState"]}));
    assert_eq!(third["content"][0]["text"], "Green for Ada \"A\"");
    // Nothing keeps a client from another state, and nothing depends on it but what the client could answer as well.
    let forged = ask(json!({"inputResponses": wish, "requestState": "name Eve"}));
    assert_eq!(forged["content"][0]["text"], "Green for Eve");
    assert_eq!(ask(json!({"inputResponses": wish, "requestState": "?"}))["requestState"], "\"first\"");
}

/// The fixture of section 11.
#[test]
fn the_board_is_calibrated_by_its_user() {
    let mut board = Peer::demo("board");
    let mut calibrate = |responses: Value| {
        let mut meta = meta(&json!({"elicitation": {"form": {}}}));
        meta["io.modelcontextprotocol/logLevel"] = "notice".into();
        let params = json!({"name": "calibrate", "inputResponses": responses, "_meta": meta});
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let lines = board.send(request.to_string().as_bytes());
        lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let asked = calibrate(json!({}));
    let question = json!({"reference": {"method": "elicitation/create", "params": {
        "mode": "form",
        "message": "Hold a thermometer beside the LED. What does it show?",
        "requestedSchema": {
            "type": "object",
            "properties": {
                "tenths": {
                    "type": "integer",
                    "description": "What the other thermometer shows, in tenths of a degree Celsius.",
                    "minimum": -400,
                    "maximum": 1250,
                },
                "confirm": {
                    "type": "boolean",
                    "description": "Whether the board shall show the same from now on.",
                },
            },
            "required": ["tenths", "confirm"],
        },
    }}});
    assert_eq!(asked[0]["result"]["inputRequests"], question);
    for (said, logged, text) in [
        (json!({"action": "decline"}), 0, "the user declined to answer the question that this tool asks"),
        (
            json!({"action": "accept", "content": {"tenths": 200, "confirm": false}}),
            0,
            "The thermometer still shows 21.5 °C.",
        ),
        (
            json!({"action": "accept", "content": {"tenths": -7, "confirm": true}}),
            1,
            "The thermometer now shows -0.7 °C.",
        ),
        (
            json!({"action": "accept", "content": {"tenths": 30, "confirm": false}}),
            0,
            "The thermometer still shows -0.7 °C.",
        ),
    ] {
        let lines = calibrate(json!({ "reference": said }));
        assert_eq!(lines.len(), logged + 1, "{lines:?}");
        assert_eq!(lines[logged]["result"]["content"][0]["text"], text);
        if logged == 1 {
            let data = "the thermometer shows -0.7 °C, no longer 21.5 °C";
            assert_eq!(lines[0]["params"], json!({"level": "notice", "data": data}));
        }
    }
}

/// Section 8: without a question, the call fails.
#[test]
fn s2c_1_nothing_is_asked_in_a_legacy_session() {
    for revision in LEGACY {
        let mut peer = lamp();
        peer.shake_hands(revision);
        for more in [json!({}), accepted(&json!({"name": "Ada", "colour": "red"}))] {
            let mut params = params(&more);
            params["_meta"] = json!({});
            let result = peer.request("tools/call", &params)["result"].take();
            assert_eq!(result["isError"], true, "{revision}: {more}");
            assert_eq!(result.get("resultType"), None, "{revision}: {more}");
        }
    }
}
