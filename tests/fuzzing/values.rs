//! JSON for a schema: most of it fits, some of it does not.

use arbitrary::{Result, Unstructured};
use toolwire::schema::{Object, Type};

use crate::numbers::spell;

/// What fits few schemas.
const ODD: [&str; 24] = [
    "null",
    "true",
    "0",
    "-0",
    "-1",
    "2.5",
    "3.0",
    "3e0",
    "1e400",
    "1e39",
    "1e-400",
    "-1E+21",
    "18446744073709551616",
    "9007199254740993",
    "0.1",
    "0.30000000000000004",
    "\"\"",
    "\"medium\"",
    "\"\\ud83d\\ude00\"",
    "\"abcdefgh\"",
    "[]",
    "[1,\"2\"]",
    "{}",
    "{\"a\":{\"b\":[null]},\"id\":1}",
];

const CHARACTERS: [&str; 10] = ["a", "é", "😀", "漢", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\\\\", "{"];

/// Writes a value.
pub(crate) fn write(u: &mut Unstructured<'_>, schema: &Type, out: &mut String) -> Result<()> {
    if u.ratio(1, 24)? {
        out.push_str(u.choose(&ODD)?);
        return Ok(());
    }
    match *schema {
        Type::Boolean => out.push_str(if u.arbitrary()? { "true" } else { "false" }),
        Type::Integer { minimum, maximum } => {
            let bound = if u.arbitrary()? { minimum } else { maximum };
            let bound: i128 = bound.to_string().parse().unwrap_or_default();
            let value =
                if u.ratio(1, 4)? { i128::from(u.arbitrary::<i64>()?) } else { bound + u.int_in_range(-2..=2)? };
            out.push_str(&spell(value, spread(u)?, spread(u)?, u.arbitrary()?));
        }
        Type::Number { minimum, maximum, .. } => number(u, minimum.or(maximum), maximum.or(minimum), out)?,
        Type::String { min_length, max_length, max_bytes } => {
            let bound = *u.choose(&[min_length, max_length, max_bytes])?;
            let length = i64::from(if bound > 300 { 4 } else { bound }) + u.int_in_range(-1..=1)?;
            out.push('"');
            for _ in 0..length {
                out.push_str(u.choose(&CHARACTERS)?);
            }
            out.push('"');
        }
        Type::Enum(_) | Type::Titled(_) => {
            let name: &str = u.choose(schema.names().unwrap_or_default())?;
            let end = if u.ratio(1, 16)? { "x" } else { "" };
            out.push_str(&serde_json::Value::from(format!("{name}{end}")).to_string());
        }
        Type::Array { items, min_items, max_items } => {
            let bound = if u.arbitrary()? { min_items } else { max_items.min(4) };
            let extra = if u.ratio(1, 8)? { u.int_in_range(-1..=1)? } else { 0 };
            out.push('[');
            for at in 0..i64::from(bound) + extra {
                out.push_str(if at == 0 { "" } else { "," });
                write(u, items, out)?;
            }
            out.push(']');
        }
        Type::Object(object) => self::object(u, &object, out)?,
    }
    Ok(())
}

/// Writes an object.
pub(crate) fn object(u: &mut Unstructured<'_>, object: &Object, out: &mut String) -> Result<()> {
    let mut members = Vec::new();
    for property in object.properties {
        let present = if property.required { !u.ratio(1, 48)? } else { u.arbitrary()? };
        for _ in 0..u8::from(present) + u8::from(u.ratio(1, 48)?) {
            let mut member = format!("{}:", serde_json::Value::from(property.name));
            if !property.required && u.ratio(1, 8)? {
                member.push_str("null");
            } else {
                write(u, property.schema, &mut member)?;
            }
            members.push(member);
        }
    }
    if u.ratio(1, 24)? {
        members.push(format!("\"{}\":{}", u.choose(&["unknown", "id", "\\u0061", "a\\nb"])?, u.choose(&ODD)?));
    }
    if u.ratio(1, 8)? {
        members.reverse();
    }
    let space = if u.ratio(1, 16)? { " \t" } else { "" };
    *out += &format!("{{{space}{}{space}}}", members.join(&format!("{space},{space}")));
    Ok(())
}

/// Writes a number about two others.
fn number(u: &mut Unstructured<'_>, minimum: Option<f64>, maximum: Option<f64>, out: &mut String) -> Result<()> {
    let (minimum, maximum) = (minimum.unwrap_or(-1.0), maximum.unwrap_or(1.0));
    let value = match u.int_in_range(0..=5)? {
        0 => minimum,
        1 => maximum,
        2 => minimum.next_down(),
        3 => maximum.next_up(),
        4 => f64::midpoint(minimum, maximum),
        _ => f64::from_bits(u.arbitrary()?),
    };
    let value = if value.is_finite() { value } else { 0.0 };
    *out += &match u.int_in_range(0..=2)? {
        0 => format!("{value:e}"),
        1 => format!("{value:?}"),
        // With all the digits that it has.
        _ if value.abs() < 1e25 && value.abs() > 1e-5 => format!("{value:.30}"),
        _ => format!("{value:.20E}"),
    };
    Ok(())
}

/// Mostly zero.
fn spread(u: &mut Unstructured<'_>) -> Result<usize> {
    Ok(if u.ratio(1, 4)? { u.int_in_range(0..=24)? } else { 0 })
}
