//! Arguments held against their schema: every violation, with its path, what is allowed and what came.

use core::fmt::{self, Display, Write};

use super::{MAX_DEPTH, Object, Property, Schema};
use crate::json::{self, Elements, Value};

/// Finds the values of an object's properties in one pass. Returns whether there is no violation, in them or elsewhere.
pub(crate) fn find<'a>(members: json::Object<'a>, object: &Object, values: &mut [Option<Value<'a>>]) -> bool {
    let known = members.fill(object.properties.iter().map(|property| property.name), values);
    let fits = |(property, value): (&Property, &mut Option<Value<'a>>)| match *value {
        Some(found) if property.required || !found.is_null() => match fit(property.schema, found) {
            Fit::Yes => true,
            Fit::No => false,
            Fit::Within(content) => walk(content, &mut |_, _| Err(fmt::Error)).is_ok(),
        },
        _ => {
            *value = None;
            !property.required
        }
    };
    (known || object.additional_properties) && object.properties.iter().zip(values).all(fits)
}

/// Writes a line of text for each violation.
pub(crate) fn write_violations(out: &mut dyn Write, arguments: json::Object<'_>, root: Object) -> fmt::Result {
    let mut first = true;
    walk(Content::Object(root, arguments), &mut |stack, violation| {
        if !first {
            out.write_str("\n")?;
        }
        first = false;
        write_path(out, stack, violation)?;
        write!(out, ": {violation}")
    })
}

/// An object or array that is being checked.
struct Level<'a> {
    content: Content<'a>,
    /// The number of the property or element that comes next.
    next: usize,
}

enum Content<'a> {
    Object(Object, json::Object<'a>),
    Array(&'static Schema, Elements<'a>),
}

/// What is wrong at a place.
#[derive(Clone, Copy)]
enum Violation<'a> {
    /// A required property is absent.
    Missing(&'static Property),
    /// A member is no property of the object.
    Unknown(&'a [u8], Object),
    /// A value is not what its schema says.
    Unfit(&'static Schema, Value<'a>),
}

type Stack<'a> = heapless::Vec<Level<'a>, MAX_DEPTH>;
type Report<'r> = dyn FnMut(&[Level<'_>], Violation<'_>) -> fmt::Result + 'r;

/// Finds the violations, in the order of the table. Ends with the first error that `report` returns.
fn walk(content: Content<'_>, report: &mut Report<'_>) -> fmt::Result {
    let mut stack = Stack::new();
    push(&mut stack, content)?;
    while let Some(top) = stack.last_mut() {
        let at = top.next;
        top.next = at.saturating_add(1);
        let child = match &mut top.content {
            Content::Array(items, elements) => elements.next().map(|element| (*items, element)),
            Content::Object(object, members) => match object.properties.get(at) {
                Some(property) => match members.get(property.name) {
                    Some(value) if property.required || !value.is_null() => Some((property.schema, value)),
                    None if property.required => {
                        report(&stack, Violation::Missing(property))?;
                        continue;
                    }
                    _ => continue,
                },
                None => {
                    let (object, members) = (*object, *members);
                    unknown(&stack, object, members, report)?;
                    None
                }
            },
        };
        match child {
            None => drop(stack.pop()),
            Some((schema, value)) => match fit(schema, value) {
                Fit::Yes => {}
                Fit::No => report(&stack, Violation::Unfit(schema, value))?,
                Fit::Within(content) => push(&mut stack, content)?,
            },
        }
    }
    Ok(())
}

/// Deeper schemas than fit do not compile: see [`Server::new`](crate::Server::new).
fn push<'a>(stack: &mut Stack<'a>, content: Content<'a>) -> fmt::Result {
    stack.push(Level { content, next: 0 }).map_err(|_| fmt::Error)
}

/// Reports the members that are no properties.
fn unknown(stack: &[Level<'_>], object: Object, members: json::Object<'_>, report: &mut Report<'_>) -> fmt::Result {
    if object.additional_properties {
        return Ok(());
    }
    for (name, _) in members.members() {
        if !object.properties.iter().any(|property| property.name.as_bytes() == name) {
            report(stack, Violation::Unknown(name, object))?;
        }
    }
    Ok(())
}

/// Whether a value is what its schema says.
enum Fit<'a> {
    Yes,
    No,
    /// If all that is in it is.
    Within(Content<'a>),
}

fn fit<'a>(schema: &'static Schema, value: Value<'a>) -> Fit<'a> {
    let fits = match *schema {
        Schema::Boolean => value.as_bool().is_some(),
        Schema::Integer { minimum, maximum } => value
            .as_number()
            .and_then(|number| number.to_integer().ok())
            .is_some_and(|integer| !integer.is_less(minimum) && !maximum.is_less(integer)),
        Schema::Number { minimum, maximum, float } => {
            value.as_number().is_some_and(|number| (float.fits)(number.as_str(), minimum, maximum))
        }
        Schema::String { min_length, max_length, max_bytes } => value.as_text().is_some_and(|text| {
            let unlimited = min_length == 0 && max_length == u32::MAX;
            (unlimited || is_within(characters(text), min_length, max_length)) && is_within(text.len(), 0, max_bytes)
        }),
        Schema::Enum(names) => value.as_text().is_some_and(|text| names.iter().any(|name| name.as_bytes() == text)),
        Schema::Array { items, min_items, max_items } => match value.as_array() {
            Some(array) if is_within(array.elements().count(), min_items, max_items) => {
                return Fit::Within(Content::Array(items, array.elements()));
            }
            _ => false,
        },
        Schema::Object(object) => match value.as_object() {
            Some(members) => return Fit::Within(Content::Object(object, members)),
            None => false,
        },
    };
    if fits { Fit::Yes } else { Fit::No }
}

fn is_within(count: usize, min: u32, max: u32) -> bool {
    u32::try_from(count).is_ok_and(|count| (min..=max).contains(&count))
}

/// The number of Unicode characters.
fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&byte| byte & 0xC0 != 0x80).count()
}

/// Writes where a violation is: `input.items[2].name`.
fn write_path(out: &mut dyn Write, stack: &[Level<'_>], violation: Violation<'_>) -> fmt::Result {
    let last = stack.len().saturating_sub(1);
    for (depth, level) in stack.iter().enumerate() {
        let dot = if depth == 0 { "" } else { "." };
        let at = level.next.saturating_sub(1);
        match level.content {
            Content::Array(..) => write!(out, "[{at}]")?,
            Content::Object(object, _) => match (violation, object.properties.get(at)) {
                (Violation::Unknown(name, _), _) if depth == last => {
                    write!(out, "{dot}{}", core::str::from_utf8(name).unwrap_or_default())?;
                }
                (_, property) => write!(out, "{dot}{}", property.map_or("", |property| property.name))?,
            },
        }
    }
    Ok(())
}

impl Display for Violation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Missing(property) => write!(f, "missing, expected {}", Expected(property.schema, None)),
            Self::Unknown(_, object) => match object.properties {
                [] => f.write_str("unknown argument, none are allowed"),
                [first, others @ ..] => {
                    write!(f, "unknown argument, allowed are {}", first.name)?;
                    others.iter().try_for_each(|property| write!(f, ", {}", property.name))
                }
            },
            Self::Unfit(schema, value) => {
                write!(f, "expected {}, got {}", Expected(schema, Some(value)), Got(schema, value))
            }
        }
    }
}

/// What is allowed. What came decides how much of that is of interest.
struct Expected<'a>(&'static Schema, Option<Value<'a>>);

impl Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(schema, got) = *self;
        match *schema {
            Schema::Integer { minimum, maximum } => {
                f.write_str("integer")?;
                let integer = got
                    .and_then(Value::as_number)
                    .is_some_and(|number| number.to_integer() != Err(json::NotInteger::Fraction));
                if integer || !(minimum.is_extreme() && maximum.is_extreme()) {
                    write!(f, " from {minimum} to {maximum}")?;
                }
                Ok(())
            }
            Schema::Number { minimum, maximum, float } => {
                (float.describe)(f, minimum, maximum, got.and_then(Value::as_number).is_some())
            }
            Schema::String { min_length, max_length, max_bytes } => {
                f.write_str("string")?;
                if is_too_many_bytes(schema, got) {
                    count(f, 0, max_bytes, "byte")
                } else {
                    count(f, min_length, max_length, "character")
                }
            }
            Schema::Enum(names) => {
                f.write_str("one of ")?;
                for (at, name) in names.iter().enumerate() {
                    write!(f, "{}\"{name}\"", if at == 0 { "" } else { ", " })?;
                }
                Ok(())
            }
            Schema::Array { min_items, max_items, .. } => {
                f.write_str("array")?;
                count(f, min_items, max_items, "element")
            }
            Schema::Boolean | Schema::Object(_) => f.write_str(schema.type_name()),
        }
    }
}

/// Whether a string has a length that its schema allows, but too many bytes.
fn is_too_many_bytes(schema: &Schema, got: Option<Value<'_>>) -> bool {
    match (schema, got.and_then(Value::as_text)) {
        (&Schema::String { min_length, max_length, .. }, Some(text)) => {
            is_within(characters(text), min_length, max_length)
        }
        _ => false,
    }
}

/// Writes ` of 1 to 200 characters`.
fn count(f: &mut fmt::Formatter<'_>, min: u32, max: u32, unit: &str) -> fmt::Result {
    match (min, max) {
        (0, u32::MAX) => return Ok(()),
        (0, _) => f.write_str(" of at most ")?,
        (_, u32::MAX) => f.write_str(" of at least ")?,
        _ if min == max => f.write_str(" of ")?,
        _ => write!(f, " of {min} to ")?,
    }
    number(f, if max == u32::MAX { min } else { max }, unit)
}

/// Writes `200 characters`.
fn number(f: &mut fmt::Formatter<'_>, number: u32, unit: &str) -> fmt::Result {
    write!(f, "{number} {unit}")?;
    f.write_str(if number == 1 { "" } else { "s" })
}

/// What came, in a few words.
struct Got<'a>(&'static Schema, Value<'a>);

impl Display for Got<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(schema, value) = *self;
        if let Some(text) = value.as_text()
            && let Schema::String { .. } = schema
        {
            let bytes = is_too_many_bytes(schema, Some(value));
            let (count, unit) = if bytes { (text.len(), "byte") } else { (characters(text), "character") };
            return number(f, u32::try_from(count).unwrap_or(u32::MAX), unit);
        }
        if let Some(array) = value.as_array() {
            f.write_str("array of ")?;
            return number(f, u32::try_from(array.elements().count()).unwrap_or(u32::MAX), "element");
        }
        if let Some(text) = value.as_str() {
            return write!(f, "\"{}\"", json::Clipped(text));
        }
        match value.as_number() {
            Some(number) => json::Clipped(number.as_str()).fmt(f),
            None => match value.as_bool() {
                Some(boolean) => boolean.fmt(f),
                None => f.write_str(value.kind().name()),
            },
        }
    }
}
