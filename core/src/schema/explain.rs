//! What is wrong with arguments, in words for the model that sent them: every violation, with its path, what is allowed and
//! what came.

use core::ops::ControlFlow;

use super::check::{Content, Level, Violation, characters, is_within, walk};
use super::{Object, Type};
use crate::json::{self, Integer, Port, Value, Writer};

/// Writes a line of text for each violation.
pub(crate) fn write(out: &mut dyn Port, arguments: json::Object<'_>, root: &'static Object) {
    let mut out = Writer::new(out);
    let mut first = true;
    let _ = walk(Content::Object(root, arguments), &mut |stack, violation| {
        out.raw(if first { "" } else { "\n" });
        first = false;
        path(&mut out, stack, violation);
        explain(&mut out, violation);
        ControlFlow::Continue(())
    });
}

/// Writes where a violation is: `input.items[2].name`.
fn path(out: &mut Writer<'_>, stack: &[Level<'_>], violation: Violation<'_>) {
    let last = stack.len().saturating_sub(1);
    for (depth, level) in stack.iter().enumerate() {
        let at = level.next.saturating_sub(1);
        let name = match (&level.content, violation) {
            (Content::Array(..), _) => {
                out.raw("[");
                out.integer(Integer::count(at));
                out.raw("]");
                continue;
            }
            (Content::Object(..), Violation::Unknown(name, _)) if depth == last => {
                out.raw(if depth == 0 { "" } else { "." });
                foreign(out, core::str::from_utf8(name).unwrap_or_default());
                continue;
            }
            (Content::Object(object, _), _) => object.properties.get(at).map_or("", |property| property.name),
        };
        out.raw(if depth == 0 { "" } else { "." });
        out.raw(name);
    }
}

fn explain(out: &mut Writer<'_>, violation: Violation<'_>) {
    match violation {
        Violation::Missing(property) => {
            out.raw(": missing, expected ");
            expected(out, property.schema, None);
        }
        Violation::Unknown(_, object) => {
            out.raw(": unknown argument, ");
            out.raw(if object.properties.is_empty() { "none are allowed" } else { "allowed are " });
            for (at, property) in object.properties.iter().enumerate() {
                out.raw(if at == 0 { "" } else { ", " });
                out.raw(property.name);
            }
        }
        Violation::Unfit(schema, value) => {
            out.raw(": expected ");
            expected(out, schema, Some(value));
            out.raw(", got ");
            got(out, schema, value);
        }
    }
}

/// Writes what is allowed. What came decides how much of that is of interest.
pub(crate) fn expected(out: &mut Writer<'_>, schema: &Type, got: Option<Value<'_>>) {
    let number = got.and_then(Value::as_number);
    match *schema {
        Type::Integer { minimum, maximum } => {
            out.raw("integer");
            let integer = number.is_some_and(|number| number.to_integer() != Err(json::NotInteger::Fraction));
            if integer || !(minimum.is_extreme() && maximum.is_extreme()) {
                out.raw(" from ");
                out.integer(minimum);
                out.raw(" to ");
                out.integer(maximum);
            }
        }
        Type::Number { minimum, maximum, float } => {
            out.with(|out| (float.describe)(out, minimum, maximum, number.is_some()));
        }
        Type::String { min_length, max_length, max_bytes } => {
            out.raw("string");
            match got.and_then(Value::as_text) {
                Some(text) if is_within(characters(text), min_length, max_length) => range(out, 0, max_bytes, "byte"),
                _ => range(out, min_length, max_length, "character"),
            }
        }
        Type::Enum(_) | Type::Titled(_) => {
            out.raw("one of ");
            for (at, name) in schema.names().unwrap_or_default().iter().enumerate() {
                out.raw(if at == 0 { "\"" } else { ", \"" });
                out.raw(name);
                out.raw("\"");
            }
        }
        Type::Array { min_items, max_items, .. } => {
            out.raw("array");
            range(out, min_items, max_items, "element");
        }
        Type::Boolean | Type::Object(_) => out.raw(schema.type_name()),
    }
}

/// Writes ` of 1 to 200 characters`.
fn range(out: &mut Writer<'_>, min: u32, max: u32, unit: &str) {
    match (min, max) {
        (0, u32::MAX) => return,
        (0, _) => out.raw(" of at most "),
        (_, u32::MAX) => out.raw(" of at least "),
        _ if min == max => out.raw(" of "),
        _ => {
            out.raw(" of ");
            out.integer(min.into());
            out.raw(" to ");
        }
    }
    count(out, if max == u32::MAX { min } else { max }, unit);
}

/// Writes `200 characters`.
fn count(out: &mut Writer<'_>, number: u32, unit: &str) {
    out.integer(number.into());
    out.raw(" ");
    out.raw(unit);
    out.raw(if number == 1 { "" } else { "s" });
}

/// Writes text that came, on one line and not more than the start of it.
fn foreign(out: &mut Writer<'_>, text: &str) {
    out.inside(&json::Clipped(text));
}

/// Writes what came, in a few words.
fn got(out: &mut Writer<'_>, schema: &Type, value: Value<'_>) {
    if let (&Type::String { min_length, max_length, .. }, Some(text)) = (schema, value.as_text()) {
        let characters = characters(text);
        let too_many_bytes = is_within(characters, min_length, max_length);
        let (number, unit) = if too_many_bytes { (text.len(), "byte") } else { (characters, "character") };
        count(out, u32::try_from(number).unwrap_or(u32::MAX), unit);
    } else if let Some(array) = value.as_array() {
        out.raw("array of ");
        count(out, u32::try_from(array.elements().count()).unwrap_or(u32::MAX), "element");
    } else if let Some(text) = value.as_str() {
        out.raw("\"");
        foreign(out, text);
        out.raw("\"");
    } else if let Some(number) = value.as_number() {
        foreign(out, number.as_str());
    } else {
        out.raw(match value.as_bool() {
            Some(true) => "true",
            Some(false) => "false",
            None => value.kind().name(),
        });
    }
}
