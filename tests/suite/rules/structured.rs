//! Structured results: CALL-4, CALL-5, GATE-3, AMB-20, and their rows in section 5.6.

use std::cell::Cell;

use serde::Serialize;
use serde::ser::{Error as _, SerializeMap as _, SerializeStruct as _, Serializer};
use serde_json::{Value, json};
use toolwire::schema::{Object, Property, Type};
use toolwire::tool::Unbounded;
use toolwire::{Json, Schema, Toolset, toolset};

use super::fixture::{INFO, names, tools};
use crate::harness::{ALL, MODERN, Peer};

#[derive(Clone, Copy, Serialize, Schema)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    HeatPump,
    #[serde(rename = "OFF")]
    Off,
}

#[derive(Clone, Serialize, Schema)]
#[serde(rename_all = "camelCase")]
struct Reading<'a> {
    /// In degrees Celsius.
    #[schema(min = -40.0, max = 85.5)]
    celsius_now: f32,
    #[schema(max = 100)]
    humidity: Option<u8>,
    #[serde(rename = "the mode")]
    mode: Mode,
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(min_length = 2)]
    note: &'a str,
    #[schema(min_items = 1)]
    history: heapless::Vec<Point, 3>,
    #[serde(skip)]
    #[expect(dead_code, reason = "skipped")]
    secret: &'a str,
}

#[derive(Clone, Copy, Serialize, Schema)]
struct Point {
    #[schema(min = 1)]
    at: u32,
    value: f64,
}

const GOOD: Reading<'static> = Reading {
    celsius_now: 21.3,
    humidity: None,
    mode: Mode::HeatPump,
    note: "",
    history: heapless::Vec::new(),
    secret: "s",
};

fn good() -> Reading<'static> {
    Reading { history: heapless::Vec::from_slice(&[Point { at: 1, value: 0.1 }]).unwrap(), ..GOOD }
}

struct Station(Reading<'static>);

#[toolset]
impl Station {
    /// Read the station.
    #[tool]
    fn read(&self) -> Json<Reading<'_>> {
        Json(self.0.clone())
    }

    /// Read the station, or fail.
    #[tool]
    fn try_read(&self, fail: bool) -> Result<Json<Reading<'static>>, &'static str> {
        if fail { Err("no sensor") } else { Ok(Json(self.0.clone())) }
    }
}

fn peer<T: Toolset + 'static>(toolset: T, revision: &str) -> Peer {
    let mut peer = Peer::of(INFO, toolset);
    if revision != MODERN {
        peer.shake_hands(revision);
    }
    peer
}

fn call(reading: Reading<'static>, revision: &str, name: &str, arguments: &Value) -> Value {
    let params = json!({"name": name, "arguments": arguments});
    peer(Station(reading), revision).request_in(revision, "tools/call", &params)
}

fn knows(revision: &str) -> bool {
    revision >= "2025-06-18"
}

#[test]
fn table_5_6_output_schema_and_structured_content() {
    let schema = json!({
        "type": "object",
        "properties": {
            "celsiusNow": {"type": "number", "description": "In degrees Celsius.", "minimum": -40, "maximum": 85.5},
            "humidity": {"type": "integer", "minimum": 0, "maximum": 100},
            "the mode": {"type": "string", "enum": ["heat-pump", "OFF"]},
            "note": {"type": "string", "minLength": 2},
            "history": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "at": {"type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32},
                        "value": {"type": "number"}
                    },
                    "required": ["at", "value"],
                    "additionalProperties": false
                },
                "minItems": 1,
                "maxItems": 3
            }
        },
        "required": ["celsiusNow", "the mode", "history"],
        "additionalProperties": false
    });
    for revision in ALL {
        for tool in tools(&mut peer(Station(good()), revision), revision) {
            let expected = if knows(revision) { schema.clone() } else { Value::Null };
            assert_eq!(tool["outputSchema"], expected, "{revision}: {tool}");
        }
        let result = &call(good(), revision, "read", &json!({}))["result"];
        assert_eq!(result.get("structuredContent").is_some(), knows(revision), "{revision}");
    }
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
}

#[test]
fn call_4_the_text_is_the_same_json() {
    let full = Reading { humidity: Some(40), note: "a \"b\"", mode: Mode::Off, ..good() };
    for revision in ALL {
        for (reading, json) in [
            (good(), r#"{"celsiusNow":21.3,"the mode":"heat-pump","history":[{"at":1,"value":0.1}]}"#),
            (
                full.clone(),
                r#"{"celsiusNow":21.3,"humidity":40,"the mode":"OFF","note":"a \"b\"","history":[{"at":1,"value":0.1}]}"#,
            ),
        ] {
            for name in ["read", "try_read"] {
                let answer = call(
                    reading.clone(),
                    revision,
                    name,
                    &match name {
                        "read" => json!({}),
                        _ => json!({"fail": false}),
                    },
                );
                let result = &answer["result"];
                assert_eq!(result["content"], json!([{"type": "text", "text": json}]), "{revision}");
                assert_eq!(result["isError"], false, "{revision}");
                if knows(revision) {
                    assert_eq!(result["structuredContent"].to_string(), json, "{revision}");
                }
            }
        }
    }
}

#[test]
fn gate_3_revisions_without_structured_content_get_the_text_alone() {
    for revision in ["2024-11-05", "2025-03-26"] {
        let answer = call(good(), revision, "read", &json!({}));
        assert_eq!(names(&answer["result"]), ["content", "isError"], "{revision}");
        for tool in tools(&mut peer(Station(good()), revision), revision) {
            assert_eq!(tool.get("outputSchema"), None, "{revision}");
        }
        let mut board = Peer::in_revision("board", revision);
        let answer = board.request_in(revision, "tools/call", &json!({"name": "temp_read"}));
        assert_eq!(answer["result"]["content"][0]["text"], r#"{"celsius":21.5}"#, "{revision}");
    }
}

/// And with an error there is none at all (AMB-20).
#[test]
fn call_5_a_result_conforms_or_is_an_error_of_the_server() {
    let history = |points: &[Point]| heapless::Vec::from_slice(points).unwrap();
    let bad = Point { at: 0, value: 1.0 };
    for revision in ALL {
        for (reading, place) in [
            (
                Reading { celsius_now: f32::NAN, ..good() },
                "celsiusNow: expected number of at least -40 and at most 85.5",
            ),
            (Reading { celsius_now: f32::INFINITY, ..good() }, "celsiusNow: expected number of at least -40"),
            (Reading { celsius_now: 85.6, ..good() }, "celsiusNow: expected number of at least -40 and at most 85.5"),
            (Reading { humidity: Some(101), ..good() }, "humidity: expected integer from 0 to 100"),
            (Reading { note: "x", ..good() }, "note: expected string of at least 2 characters"),
            (GOOD, "history: expected array of 1 to 3 elements"),
            (
                Reading { history: history(&[Point { at: 1, value: 1.0 }, bad]), ..good() },
                "history[1].at: expected integer from 1 to 4294967295",
            ),
        ] {
            let answer = call(reading, revision, "read", &json!({}));
            assert_eq!(answer["error"]["code"], -32603, "{revision}: {answer}");
            let message = answer["error"]["message"].as_str().unwrap();
            let words = "the result of this tool is not what its outputSchema says: ";
            assert!(message.starts_with(&format!("{words}{place}")), "{revision}: {message}");
        }
        let failed = call(good(), revision, "try_read", &json!({"fail": true}));
        let result = &failed["result"];
        assert_eq!(result["isError"], true, "{revision}");
        assert_eq!(result["content"][0]["text"], "no sensor", "{revision}");
        assert_eq!(result.get("structuredContent"), None, "{revision}");
        let listed = tools(&mut Peer::in_revision("board", revision), revision);
        if knows(revision) {
            let schema = listed.iter().find(|tool| tool["name"] == "temp_read").unwrap()["outputSchema"].clone();
            assert_eq!(schema["properties"]["celsius"]["type"], "number", "{revision}");
            let mut board = Peer::in_revision("board", revision);
            let answer = board.request_in(revision, "tools/call", &json!({"name": "temp_read"}));
            assert!(jsonschema::is_valid(&schema, &answer["result"]["structuredContent"]), "{revision}");
        }
    }
}

/// A type that serializes itself in its own way.
#[derive(Clone)]
struct ByHand(Way, Cell<u8>);

#[derive(Clone, Copy)]
enum Way {
    Map,
    MapOfNumbers,
    Missing,
    MissingLast,
    Unknown,
    UnknownInMap,
    Disordered,
    Twice,
    Failing,
    Array,
    Unit,
    Displayed,
    Wide,
    TooWide,
    /// Not the same when it is asked again.
    Fickle(u8),
}

impl Schema for ByHand {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Object(Object {
        properties: &[
            Property { name: "a", description: None, schema: <u64 as Schema>::SCHEMA, required: true, default: None },
            Property {
                name: "b",
                description: None,
                schema: <[heapless::String<4>; 2] as Schema>::SCHEMA,
                required: true,
                default: None,
            },
        ],
        additional_properties: false,
    });
}

impl Serialize for ByHand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let asked = self.1.get();
        self.1.set(asked + 1);
        let list = ["x", "y"];
        match self.0 {
            Way::Map | Way::UnknownInMap => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry("a", &1_u8)?;
                map.serialize_entry(if matches!(self.0, Way::Map) { "b" } else { "c" }, &list)?;
                map.end()
            }
            Way::MapOfNumbers => {
                let mut map = serializer.serialize_map(None)?;
                map.serialize_entry(&1, &1_u8)?;
                map.end()
            }
            Way::Failing => Err(S::Error::custom("no")),
            Way::Array => list.serialize(serializer),
            Way::Unit => serializer.serialize_unit(),
            way => {
                let mut object = serializer.serialize_struct("ByHand", 2)?;
                match way {
                    Way::Missing | Way::Disordered => object.serialize_field("b", &list)?,
                    Way::TooWide => object.serialize_field("a", &(u128::from(u64::MAX) + 1))?,
                    Way::Wide => object.serialize_field("a", &u128::from(u64::MAX))?,
                    Way::Fickle(_) => object.serialize_field("a", &asked)?,
                    _ => object.serialize_field("a", &1_u8)?,
                }
                match way {
                    Way::MissingLast => {}
                    Way::Unknown => object.serialize_field("c", &1_u8)?,
                    Way::Disordered => object.serialize_field("a", &1_u8)?,
                    Way::Twice => object.serialize_field("a", &2_u8)?,
                    Way::Displayed => object.serialize_field("b", &[Shown("x\ty"), Shown("zz")])?,
                    Way::Fickle(at) if asked == at => object.serialize_field("b", &["x", "too long"])?,
                    _ => object.serialize_field("b", &list)?,
                }
                object.end()
            }
        }
    }
}

struct Shown(&'static str);

impl Serialize for Shown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self.0)
    }
}

struct Hand(ByHand);

#[toolset]
impl Hand {
    /// Give.
    #[tool]
    fn give(&self) -> Json<&ByHand> {
        Json(&self.0)
    }
}

fn by_hand(way: Way) -> Value {
    peer(Hand(ByHand(way, Cell::new(0))), MODERN).request_in(MODERN, "tools/call", &json!({"name": "give"}))
}

#[test]
fn call_5_types_that_serialize_themselves_are_held_to_it_too() {
    for (way, outcome) in [
        (Way::Map, Ok(json!({"a": 1, "b": ["x", "y"]}))),
        (Way::Displayed, Ok(json!({"a": 1, "b": ["x\ty", "zz"]}))),
        (Way::Wide, Ok(json!({"a": u64::MAX, "b": ["x", "y"]}))),
        (Way::TooWide, Err("a: expected integer from 0 to 18446744073709551615")),
        (Way::MapOfNumbers, Err("a member whose name is no string: unknown")),
        (Way::Missing, Err("a: missing, expected integer from 0 to 18446744073709551615")),
        (Way::MissingLast, Err("b: missing, expected array of 2 elements")),
        (Way::Unknown, Err("c: unknown")),
        (Way::UnknownInMap, Err("a member: unknown")),
        (Way::Disordered, Err("a: missing, expected integer from 0 to 18446744073709551615")),
        (Way::Twice, Err("a: twice, or not in the order of the schema")),
        (Way::Failing, Err("it could not be serialized")),
        (Way::Array, Err("expected object")),
        (Way::Unit, Err("expected object")),
    ] {
        let answer = by_hand(way);
        match outcome {
            Ok(value) => assert_eq!(answer["result"]["structuredContent"], value, "{answer}"),
            Err(words) => {
                let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
                assert_eq!(message.split_once(" says: ").unwrap().1, words);
            }
        }
    }
}

/// A type that breaks the contract of its trait spoils its own result, and not the line.
#[test]
fn call_5_a_value_that_changes_while_it_is_written_is_an_error() {
    let answer = by_hand(Way::Fickle(0));
    assert_eq!(answer["error"]["code"], -32603, "{answer}");
    for (at, structured) in [(1, Value::Null), (2, json!({"a": 2, "b": ["x"]}))] {
        let result = &by_hand(Way::Fickle(at))["result"];
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(*result.get("structuredContent").unwrap_or(&Value::Null), structured, "{result}");
    }
}
