//! Arguments of generated tools against the `jsonschema` crate.

use std::cell::LazyCell;

use arbitrary::Unstructured;
use jsonschema::Validator;
use serde_json::{Number, Value, json};
use toolwire::json::NotInteger;
use toolwire::schema::{Object, Type};
use toolwire::tool::Tool;
use toolwire::{Catalog, Server, ServerInfo};

use crate::frames::depth;
use crate::tables::{F32, Generated};
use crate::values;
use crate::wire::lines;

/// The first byte chooses a tool. If an object follows, it is the arguments; else what follows decides what they are.
pub fn arguments(data: &[u8]) {
    let Some((index, rest)) = data.split_first() else { return };
    let index = usize::from(*index) % Generated::TOOLS.len();
    let Some(tool) = Generated::TOOLS.get(index) else { return };
    let text = match rest {
        [b'{', ..] => match str::from_utf8(rest) {
            Ok(text) if is_object(text) => text.to_owned(),
            _ => return,
        },
        _ => {
            let mut text = String::new();
            if values::object(&mut Unstructured::new(rest), &tool.input, &mut text).is_err() {
                return;
            }
            assert!(serde_json::from_str::<Value>(&text).is_ok(), "the generator is wrong: {text}");
            text
        }
    };
    if depth(text.as_bytes()) < 60 && text.len() < CAPACITY - 200 {
        check(tool, index, &text);
    }
}

const CAPACITY: usize = 16_384;

fn is_object(text: &str) -> bool {
    !text.contains('\n') && matches!(serde_json::from_str(text), Ok(Value::Object(_)))
}

fn check(tool: &Tool, index: usize, text: &str) {
    let (is_error, answer) = call(tool.name, text);
    let value: Value = serde_json::from_str(text).unwrap();
    let pruned = without_nulls(&value, &SCHEMAS.with(|schemas| schemas[index].0.clone()));
    let held = Type::Object(tool.input);
    let valid = SCHEMAS.with(|schemas| schemas[index].1.is_valid(&as_held(&pruned, &held)));
    let expected = valid && can_be_held(&pruned, &held);
    let shown = || format!("{text}\nfor {}\n{answer}", SCHEMAS.with(|schemas| schemas[index].0.to_string()));
    assert_eq!(!is_error, expected, "{}", shown());
    if is_error {
        let told = |line: &str| {
            [": missing, expected ", ": unknown argument, ", ": expected "].iter().any(|words| line.contains(words))
        };
        // Whatever came, a violation is one line.
        assert!(!answer.is_empty() && answer.split(['\n', '\r']).all(told), "no violation: {}", shown());
    } else {
        let arrived: Value = serde_json::from_str(&answer).unwrap();
        let properties = tool.input.properties.iter();
        let sent: Value = properties.map(|property| value.get(property.name).cloned().unwrap_or_default()).collect();
        assert_eq!(arrived, sent, "{}", shown());
    }
}

/// Calls a tool. Returns whether the result is an error, and its text.
fn call(name: &str, arguments: &str) -> (bool, String) {
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{name}\",\"arguments\":{arguments}}}}}\n"
    );
    let answer = answer(line.as_bytes());
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text: {answer}"));
    (result["isError"].as_bool().unwrap(), text.to_owned())
}

fn answer(line: &[u8]) -> Value {
    let mut server = Box::new(Server::<_, CAPACITY>::new(ServerInfo::new("generated", "1"), Generated));
    let mut output = Vec::new();
    server.receive(line, &mut output).unwrap();
    let answers = lines(&output);
    let [answer] = &answers[..] else { panic!("not one answer: {answers:?}") };
    serde_json::from_str(answer).unwrap()
}

thread_local! {
    /// The schemas that `tools/list` prints.
    static SCHEMAS: LazyCell<Vec<(Value, Validator)>> = LazyCell::new(|| {
        let mut answer = answer(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
        let tools = answer["result"]["tools"].as_array_mut().unwrap();
        assert_eq!(tools.len(), crate::tables::TOOLS);
        let schemas = tools.iter_mut().map(|tool| tool["inputSchema"].take());
        schemas.map(|schema| (schema.clone(), jsonschema::validator_for(&schema).unwrap())).collect()
    });
}

/// Without the nulls that count as absence: those of properties that need not be there.
#[must_use]
pub fn without_nulls(value: &Value, schema: &Value) -> Value {
    match (value, schema["type"].as_str()) {
        (Value::Object(members), Some("object")) => {
            let required = schema["required"].as_array().cloned().unwrap_or_default();
            let kept = members.iter().filter(|(name, value)| {
                !value.is_null() || required.contains(&json!(name)) || schema["properties"].get(&**name).is_none()
            });
            kept.map(|(name, value)| (name.clone(), without_nulls(value, &schema["properties"][name]))).collect()
        }
        (Value::Array(elements), Some("array")) => {
            elements.iter().map(|element| without_nulls(element, &schema["items"])).collect()
        }
        _ => value.clone(),
    }
}

/// A value with each number as the tool gets it: exact where an integer is asked for, else rounded to the float. Only that
/// is judged.
fn as_held(value: &Value, schema: &Type) -> Value {
    match (value, *schema) {
        (Value::Number(number), Type::Integer { .. }) => match crate::numbers::to_integer(&number.to_string()) {
            Ok(integer) => Number::from_i128(integer).map_or(Value::Null, Value::Number),
            Err(_) => json!(0.5),
        },
        (Value::Number(number), Type::Number { float, .. }) => {
            rounded(number, core::ptr::eq(float, F32)).and_then(Number::from_f64).map_or(Value::Null, Value::Number)
        }
        (Value::Array(elements), Type::Array { items, .. }) => {
            elements.iter().map(|element| as_held(element, items)).collect()
        }
        (Value::Object(members), Type::Object(object)) => {
            let held = members.iter().map(|(name, value)| match schema_of(&object, name) {
                Some(schema) => (name.clone(), as_held(value, schema)),
                None => (name.clone(), value.clone()),
            });
            held.collect()
        }
        _ => value.clone(),
    }
}

/// What the printed schema has no words for: the limits of 64-bit integers, of floats, and of bytes.
fn can_be_held(value: &Value, schema: &Type) -> bool {
    match (value, *schema) {
        (Value::Number(number), Type::Integer { minimum, maximum }) => {
            let bound = |bound: toolwire::json::Integer| bound.to_string().parse::<i128>().unwrap();
            let integer: Result<i128, NotInteger> = crate::numbers::to_integer(&number.to_string());
            integer.is_ok_and(|integer| (bound(minimum)..=bound(maximum)).contains(&integer))
        }
        (Value::Number(number), Type::Number { float, .. }) => rounded(number, core::ptr::eq(float, F32)).is_some(),
        (Value::String(text), Type::String { max_bytes, .. }) => text.len() <= max_bytes as usize,
        (Value::Array(elements), Type::Array { items, .. }) => {
            elements.iter().all(|element| can_be_held(element, items))
        }
        (Value::Object(members), Type::Object(object)) => {
            members.iter().all(|(name, value)| schema_of(&object, name).is_none_or(|schema| can_be_held(value, schema)))
        }
        _ => true,
    }
}

fn schema_of(object: &Object, name: &str) -> Option<&'static Type> {
    object.properties.iter().find(|property| property.name == name).map(|property| property.schema)
}

/// The finite float of a number.
fn rounded(number: &Number, single: bool) -> Option<f64> {
    let text = number.to_string();
    let value = if single { f64::from(text.parse::<f32>().ok()?) } else { text.parse().ok()? };
    Some(value).filter(|value| value.is_finite())
}
