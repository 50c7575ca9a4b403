//! Arguments: what `tools/list` prints is what `tools/call` enforces, with the `jsonschema` crate as the judge.

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwire::{Argument, ServerInfo, toolset};
use toolwire_tests::arguments::without_nulls;

use crate::harness::Peer;

#[derive(Argument, Clone, Copy, Debug)]
enum Colour {
    Red,
    DarkBlue,
}

#[derive(Argument, Debug)]
#[expect(dead_code, reason = "read by `Debug` only")]
struct Point {
    /// To the right.
    #[argument(min = -10, max = 10)]
    x: i8,
    y: Option<i32>,
}

#[derive(Argument, Debug)]
#[argument(additional_properties)]
#[expect(dead_code, reason = "read by `Debug` only")]
struct Path<'a> {
    #[argument(min_length = 1)]
    name: &'a str,
    #[argument(min_items = 1)]
    points: heapless::Vec<Point, 3>,
}

struct Kinds;

#[toolset]
impl Kinds {
    /// Take one of each kind.
    #[tool]
    #[expect(clippy::too_many_arguments, reason = "one of each kind")]
    fn kinds(
        /// Yes or no.
        flag: bool,
        #[argument(min = 1, max = 24)] hours: u8,
        #[argument(min = 0.5, max = 2.0)] ratio: f64,
        #[argument(min_length = 2, max_length = 5)] name: &str,
        colour: Colour,
        pair: [i16; 2],
        path: Option<Path<'_>>,
        #[argument(default = Colour::DarkBlue)] background: Colour,
        #[argument(default = 7, max = 9)] level: u32,
        big: Option<i64>,
        huge: Option<u64>,
        label: Option<heapless::String<4>>,
    ) -> String {
        let colours = match background {
            Colour::Red => "red",
            Colour::DarkBlue => "dark blue",
        };
        format!(
            "{flag} {hours} {ratio} {name} {colour:?} {pair:?} {path:?} {colours} {level} {big:?} {huge:?} {label:?}"
        )
    }
}

fn peer() -> Peer {
    Peer::of(ServerInfo::new("kinds", "1"), Kinds)
}

fn schema() -> Value {
    peer().request("tools/list", &json!({}))["result"]["tools"][0]["inputSchema"].take()
}

fn valid() -> Value {
    json!({"flag": true, "hours": 3, "ratio": 1.5, "name": "añb", "colour": "red", "pair": [1, -2]})
}

#[test]
fn the_schema_is_printed_from_the_types() {
    let point = json!({
        "type": "object",
        "properties": {
            "x": {"type": "integer", "description": "To the right.", "minimum": -10, "maximum": 10},
            "y": {"type": "integer", "minimum": i32::MIN, "maximum": i32::MAX},
        },
        "required": ["x"],
        "additionalProperties": false,
    });
    let expected = json!({
        "type": "object",
        "properties": {
            "flag": {"type": "boolean", "description": "Yes or no."},
            "hours": {"type": "integer", "minimum": 1, "maximum": 24},
            "ratio": {"type": "number", "minimum": 0.5, "maximum": 2},
            "name": {"type": "string", "minLength": 2, "maxLength": 5},
            "colour": {"type": "string", "enum": ["red", "dark_blue"]},
            "pair": {
                "type": "array",
                "items": {"type": "integer", "minimum": -32768, "maximum": 32767},
                "minItems": 2,
                "maxItems": 2,
            },
            "path": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "points": {"type": "array", "items": point, "minItems": 1, "maxItems": 3},
                },
                "required": ["name", "points"],
            },
            "background": {"type": "string", "enum": ["red", "dark_blue"], "default": "dark_blue"},
            "level": {"type": "integer", "minimum": 0, "maximum": 9, "default": 7},
            "big": {"type": "integer"},
            "huge": {"type": "integer", "minimum": 0},
            "label": {"type": "string", "maxLength": 4},
        },
        "required": ["flag", "hours", "ratio", "name", "colour", "pair"],
        "additionalProperties": false,
    });
    assert_eq!(schema().to_string(), expected.to_string());
}

#[test]
fn values_arrive_as_they_were_sent() {
    let (text, is_error) = peer().call("kinds", &valid());
    assert_eq!(text, "true 3 1.5 añb Red [1, -2] None dark blue 7 None None None");
    assert!(!is_error);

    let mut arguments = valid();
    arguments["hours"] = json!(24.0);
    arguments["name"] = json!("\"\\\n\u{1}");
    arguments["path"] =
        json!({"name": "p", "points": [{"x": 1}, {"y": null, "x": -10}, {"x": 2, "y": 5}], "colour": 3});
    arguments["background"] = json!("red");
    arguments["level"] = Value::Null;
    arguments["big"] = json!(i64::MIN);
    arguments["huge"] = json!(u64::MAX);
    arguments["label"] = json!("abcd");
    let (text, is_error) = peer().call("kinds", &arguments);
    assert_eq!(
        text,
        "true 24 1.5 \"\\\n\u{1} Red [1, -2] Some(Path { name: \"p\", points: [Point { x: 1, y: None }, \
         Point { x: -10, y: None }, Point { x: 2, y: Some(5) }] }) red 7 Some(-9223372036854775808) \
         Some(18446744073709551615) Some(\"abcd\")"
    );
    assert!(!is_error);
}

/// DESIGN: one result that names every violation by path, and says what is allowed and what came.
#[test]
fn every_violation_is_named() {
    let arguments = json!({
        "hours": 25,
        "ratio": "fast",
        "name": "x",
        "colour": "green",
        "pair": [1, 70000, 3],
        "path": {"name": "", "points": [{"x": 11}, {"y": 1.5, "z": 0}]},
        "level": 2.5,
        "big": 1e30,
        "huge": -1,
        "label": "ñññ",
        "extra": 1,
    });
    let (text, is_error) = peer().call("kinds", &arguments);
    assert!(is_error);
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "flag: missing, expected boolean",
            "hours: expected integer from 1 to 24, got 25",
            "ratio: expected number of at least 0.5 and at most 2, got \"fast\"",
            "name: expected string of 2 to 5 characters, got 1 character",
            "colour: expected one of \"red\", \"dark_blue\", got \"green\"",
            "pair: expected array of 2 elements, got array of 3 elements",
            "path.name: expected string of at least 1 character, got 0 characters",
            "path.points[0].x: expected integer from -10 to 10, got 11",
            "path.points[1].x: missing, expected integer from -10 to 10",
            "path.points[1].y: expected integer from -2147483648 to 2147483647, got 1.5",
            "path.points[1].z: unknown argument, allowed are x, y",
            "level: expected integer from 0 to 9, got 2.5",
            "big: expected integer from -9223372036854775808 to 9223372036854775807, got 1e+30",
            "huge: expected integer from 0 to 18446744073709551615, got -1",
            "label: expected string of at most 4 bytes, got 6 bytes",
            "extra: unknown argument, allowed are flag, hours, ratio, name, colour, pair, path, background, level, big, \
             huge, label",
        ]
    );
}

/// Limits that the others do not have.
struct Edges;

#[toolset]
impl Edges {
    /// Take what is limited on one side, or not at all.
    #[tool]
    fn edges(
        #[argument(max_length = 3)] short: &str,
        free: &str,
        flag: bool,
        any: i64,
        #[argument(min = 0)] most: i64,
        #[argument(max = 0)] least: i64,
        single: f32,
    ) -> String {
        format!("{short} {free} {flag} {any} {most} {least} {single}")
    }
}

/// The answer of `edges` to good arguments with one member changed.
fn edges(member: &str, value: &Value) -> (String, bool) {
    let mut arguments =
        json!({"short": "abc", "free": "", "flag": true, "any": 0, "most": 0, "least": 0, "single": 1.5});
    arguments[member] = value.clone();
    Peer::of(ServerInfo::new("edges", "1"), Edges).call("edges", &arguments)
}

#[test]
fn what_came_is_named_beside_what_is_allowed_and_of_interest() {
    let most = "integer from 0 to 9223372036854775807";
    let least = "integer from -9223372036854775808 to 0";
    for (member, value, expected, got) in [
        ("short", json!("abcd"), "string of at most 3 characters", "4 characters"),
        ("short", json!("ñandú"), "string of at most 3 characters", "5 characters"),
        ("short", json!(5), "string of at most 3 characters", "5"),
        ("free", json!(5), "string", "5"),
        ("free", json!(null), "string", "null"),
        ("free", json!({"a": "b"}), "string", "object"),
        ("free", json!([]), "string", "array of 0 elements"),
        ("flag", json!("yes"), "boolean", "\"yes\""),
        // The limits of 64 bits are of interest to those who exceeded them only.
        ("any", json!("5"), "integer", "\"5\""),
        ("any", json!(0.5), "integer", "0.5"),
        ("any", json!(1e19), "integer from -9223372036854775808 to 9223372036854775807", "1e+19"),
        ("most", json!(true), most, "true"),
        ("most", json!(-1), most, "-1"),
        ("least", json!(false), least, "false"),
        ("least", json!(1), least, "1"),
        ("single", json!(1e39), "finite number", "1e+39"),
    ] {
        let (text, is_error) = edges(member, &value);
        assert_eq!((text, is_error), (format!("{member}: expected {expected}, got {got}"), true));
    }
    for (member, value) in
        [("short", "ñññ".into()), ("most", i64::MAX.into()), ("least", i64::MIN.into()), ("single", json!(3.25))]
    {
        let (text, is_error) = edges(member, &value);
        assert!(!is_error && text.contains(&value.to_string().replace('"', "")), "{text}");
    }
}

/// What came cannot pass for a line of ours, however it is made.
#[test]
fn a_violation_is_one_line() {
    let mut arguments = valid();
    arguments["colour"] = json!("red\", \nflag: missing");
    arguments["x\n\u{1b}[2Jflag: missing"] = json!(1);
    arguments[&*"y".repeat(1000)] = json!(1);
    let (text, is_error) = peer().call("kinds", &arguments);
    assert!(is_error);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], r#"colour: expected one of "red", "dark_blue", got "red\", \nflag: missing""#);
    assert!(lines[1].starts_with(r"x\n\u001b[2Jflag: missing: unknown argument, "), "{text}");
    assert!(lines[2].starts_with(&format!("{}…: unknown argument, ", "y".repeat(64))), "{text}");
    assert_eq!(lines.len(), 3, "{text}");
}

/// Values for each property: some good ones, some that are not.
fn arguments() -> impl Strategy<Value = Value> {
    let odd = || {
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(0),
            json!(-1),
            json!(2.5),
            json!(3.0),
            json!("red"),
            json!(""),
            json!("éé"),
            json!("abcdef"),
            json!([]),
            json!([1, 2]),
            json!([1, "2"]),
            json!({}),
            json!({"x": 1}),
            json!(1e9),
        ])
    };
    let mix = |good: Vec<Value>| prop_oneof![6 => prop::sample::select(good), 1 => odd()];
    let point = prop_oneof![
        4 => Just(json!({"x": 1})), 2 => Just(json!({"x": -10, "y": 4})), 1 => Just(json!({"x": -11})),
        1 => Just(json!({"y": 4})), 1 => Just(json!({"x": 0, "w": 4})), 1 => odd(),
    ];
    let points = prop::collection::vec(point, 0..5);
    let path = (mix(vec![json!("p")]), points, any::<bool>()).prop_map(|(name, points, extra)| {
        let mut path = json!({"name": name, "points": points});
        if extra {
            path["extra"] = json!([]);
        }
        path
    });
    let members: Vec<(&str, BoxedStrategy<Value>)> = vec![
        ("flag", mix(vec![json!(true), json!(false)]).boxed()),
        ("hours", mix(vec![json!(1), json!(24), json!(3.0)]).boxed()),
        ("ratio", mix(vec![json!(0.5), json!(2), json!(1.25)]).boxed()),
        ("name", mix(vec![json!("ab"), json!("ñandú"), json!("😀😀")]).boxed()),
        ("colour", mix(vec![json!("red"), json!("dark_blue")]).boxed()),
        ("pair", mix(vec![json!([1, 2]), json!([-32768, 32767])]).boxed()),
        ("path", path.boxed()),
        ("background", mix(vec![json!("dark_blue")]).boxed()),
        ("level", mix(vec![json!(0), json!(9)]).boxed()),
        ("big", mix(vec![json!(i64::MIN), json!(i64::MAX)]).boxed()),
        ("huge", mix(vec![json!(u64::MAX)]).boxed()),
        ("label", mix(vec![json!("abcd")]).boxed()),
        ("extra", odd().boxed()),
    ];
    let chances = [19, 19, 19, 19, 19, 19, 10, 10, 10, 10, 10, 10, 1];
    let members: Vec<_> = members
        .into_iter()
        .zip(chances)
        .map(|((name, value), chance)| {
            (0..20, value).prop_map(move |(dice, value)| (dice < chance).then_some((name, value)))
        })
        .collect();
    members.prop_map(|members| {
        Value::Object(members.into_iter().flatten().map(|(name, value)| (name.to_owned(), value)).collect())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_verdict_is_that_of_jsonschema(arguments in arguments()) {
        let schema = schema();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let (text, is_error) = peer().call("kinds", &arguments);
        // JSON Schema has no word for the limits of 64-bit integers and of bytes; the values here stay away from them.
        let expected = validator.is_valid(&without_nulls(&arguments, &schema));
        prop_assert_eq!(!is_error, expected, "{}", text);
        prop_assert!(!text.is_empty());
    }
}
