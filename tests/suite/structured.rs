//! Random results: the text is what `serde_json` writes, and they conform exactly if `jsonschema` says so.

use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};
use toolwire::{Json, Schema, ServerInfo, toolset};

use crate::harness::Peer;

struct Giver<T>(T);

#[toolset]
impl<T: Clone + Schema + Serialize> Giver<T> {
    /// Give.
    #[tool]
    fn give(&self) -> Json<T> {
        Json(self.0.clone())
    }
}

#[derive(Clone, Copy, Debug, Schema, Serialize)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
enum Kind {
    First,
    TheSecond,
}

#[derive(Clone, Debug, Schema, Serialize)]
struct All {
    flag: bool,
    letter: char,
    tiny: i8,
    huge: u64,
    low: i64,
    single: f32,
    double: f64,
    text: heapless::String<12>,
    kind: Option<Kind>,
    pair: [i16; 2],
    #[schema(max = 9)]
    digit: Option<u8>,
    inner: Inner,
}

#[derive(Clone, Debug, Schema, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Inner {
    #[schema(min_length = 1, max_length = 3)]
    short_text: heapless::String<12>,
    #[schema(min_items = 1, max_items = 2)]
    list: heapless::Vec<f32, 3>,
    #[schema(min = 0.1, max = 0.3)]
    share: f32,
}

prop_compose! {
    fn inner()(
        text in "\\PC{0,4}",
        list in prop::collection::vec(any::<f32>(), 0..=3),
        share in prop_oneof![Just(0.1), Just(0.3), -0.1..0.5_f32, Just(f32::NAN)],
    ) -> Inner {
        Inner { short_text: clipped(&text), list: heapless::Vec::from_slice(&list).unwrap(), share }
    }
}

prop_compose! {
    fn all()(
        (flag, letter, tiny, huge, low) in any::<(bool, char, i8, u64, i64)>(),
        (single, double) in any::<(f32, f64)>(),
        text in ".{0,12}",
        kind in prop_oneof![Just(None), Just(Some(Kind::First)), Just(Some(Kind::TheSecond))],
        pair in any::<[i16; 2]>(),
        digit in prop::option::of(0..12_u8),
        inner in inner(),
    ) -> All {
        All { flag, letter, tiny, huge, low, single, double, text: clipped(&text), kind, pair, digit, inner }
    }
}

fn clipped(text: &str) -> heapless::String<12> {
    text.get(..text.floor_char_boundary(12)).unwrap().try_into().unwrap()
}

/// Without members that are null: those are left out.
fn dense(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, dense(value)))
            .collect(),
        other => other,
    }
}

/// Whether two values are the same, with floats by their value: `1e21` is `1e+21`.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.to_string(), b.to_string());
            let is_integer = |text: &String| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
            let as_float = |text: &String| text.parse::<f64>().unwrap();
            a == b || !(is_integer(&a) && is_integer(&b)) && as_float(&a) == as_float(&b)
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && is_same(a.1, b.1))
        }
        _ => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn results_are_what_serde_json_writes_or_do_not_conform(value in all()) {
        let mut peer = Peer::of(ServerInfo::new("g", "1"), Giver(value.clone()));
        let schema = peer.request("tools/list", &json!({}))["result"]["tools"][0]["outputSchema"].take();
        // A float that is none is null there.
        let expected = dense(serde_json::to_value(&value).unwrap());
        let answer = peer.request("tools/call", &json!({"name": "give"}));
        let fits = jsonschema::is_valid(&schema, &expected);
        match answer.get("result") {
            Some(result) => {
                prop_assert!(fits, "{} {}", schema, expected);
                let written = &result["structuredContent"];
                prop_assert!(is_same(written, &expected), "{} {}", written, expected);
                let text = result["content"][0]["text"].as_str().unwrap();
                prop_assert_eq!(text, result["structuredContent"].to_string());
                prop_assert!(jsonschema::is_valid(&schema, &result["structuredContent"]));
            }
            None => {
                prop_assert_eq!(&answer["error"]["code"], &json!(-32603));
                prop_assert!(!fits, "{} {} {}", schema, expected, answer);
            }
        }
    }
}
