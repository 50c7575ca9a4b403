//! Schema tables as JSON Schema.
//!
//! Shaped for weak clients and few tokens: always `type`, and for objects `properties`; no `$ref`, no `anyOf`, no
//! `format`. It means the same in draft-07 and 2020-12 (SCHEMA-4).

use core::fmt::Display;

use super::{MAX_DEPTH, Object, Property, Schema};
use crate::json::Writer;

/// An object or array whose head is written.
#[derive(Clone, Copy)]
struct Open {
    schema: Schema,
    /// The property whose value it is, for its default.
    property: Option<&'static Property>,
    /// The children written so far.
    written: usize,
}

/// Writes an object's schema, its root.
pub(crate) fn write(out: &mut Writer<'_>, root: Object) {
    let mut stack = heapless::Vec::<Open, MAX_DEPTH>::new();
    open(out, &mut stack, &Schema::Object(root), None);
    while let Some(top) = stack.last_mut() {
        let at = top.written;
        top.written = at.saturating_add(1);
        match top.schema {
            Schema::Object(object) => match object.properties.get(at) {
                Some(property) => {
                    if at > 0 {
                        out.raw(",");
                    }
                    out.string(property.name);
                    out.raw(":");
                    open(out, &mut stack, property.schema, Some(property));
                    continue;
                }
                None => close_object(out, object),
            },
            Schema::Array { items, .. } if at == 0 => {
                open(out, &mut stack, items, None);
                continue;
            }
            Schema::Array { min_items, max_items, .. } => {
                limits(out, "minItems", min_items, "maxItems", max_items);
            }
            _ => {}
        }
        close(out, top.property);
        stack.pop();
    }
}

/// Writes a schema as far as possible: up to its children, if it has any, else whole.
fn open(
    out: &mut Writer<'_>,
    stack: &mut heapless::Vec<Open, MAX_DEPTH>,
    schema: &Schema,
    property: Option<&'static Property>,
) {
    out.raw("{\"type\":");
    out.string(schema.type_name());
    if let Some(description) = property.and_then(|property| property.description) {
        out.raw(",\"description\":");
        out.string(description);
    }
    match *schema {
        Schema::Integer { minimum, maximum } => {
            if !minimum.is_extreme() {
                member(out, "minimum", &minimum);
            }
            if !maximum.is_extreme() {
                member(out, "maximum", &maximum);
            }
        }
        Schema::Number { minimum, maximum, float } => out.with(|out| (float.print)(out, minimum, maximum)),
        Schema::String { min_length, max_length, .. } => {
            limits(out, "minLength", min_length, "maxLength", max_length);
        }
        Schema::Enum(names) => {
            out.raw(",\"enum\":");
            list(out, names.iter().copied());
        }
        Schema::Boolean => {}
        Schema::Array { .. } => {
            out.raw(",\"items\":");
            return push(stack, schema, property);
        }
        Schema::Object(_) => {
            out.raw(",\"properties\":{");
            return push(stack, schema, property);
        }
    }
    close(out, property);
}

fn push(stack: &mut heapless::Vec<Open, MAX_DEPTH>, schema: &Schema, property: Option<&'static Property>) {
    // Deeper schemas than fit do not compile: see `Server::new`.
    let _ = stack.push(Open { schema: *schema, property, written: 0 });
}

/// Writes what follows the properties of an object.
fn close_object(out: &mut Writer<'_>, object: Object) {
    out.raw("}");
    let required = || object.properties.iter().filter(|property| property.required);
    if required().next().is_some() {
        out.raw(",\"required\":");
        list(out, required().map(|property| property.name));
    }
    if !object.additional_properties {
        out.raw(",\"additionalProperties\":false");
    }
}

fn close(out: &mut Writer<'_>, property: Option<&'static Property>) {
    if let Some(default) = property.and_then(|property| property.default) {
        out.raw(",\"default\":");
        out.with(|out| default(out));
    }
    out.raw("}");
}

/// Writes a member behind another.
fn member(out: &mut Writer<'_>, name: &str, number: &dyn Display) {
    write!(out, ",\"{name}\":{number}");
}

fn limits(out: &mut Writer<'_>, min_name: &str, min: u32, max_name: &str, max: u32) {
    if min > 0 {
        member(out, min_name, &min);
    }
    if max < u32::MAX {
        member(out, max_name, &max);
    }
}

fn list<'a>(out: &mut Writer<'_>, names: impl Iterator<Item = &'a str>) {
    out.raw("[");
    for (at, name) in names.enumerate() {
        if at > 0 {
            out.raw(",");
        }
        out.string(name);
    }
    out.raw("]");
}

impl Schema {
    /// The value of `type` in JSON Schema.
    pub(crate) const fn type_name(&self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::String { .. } | Self::Enum(_) => "string",
            Self::Array { .. } => "array",
            Self::Object(_) => "object",
        }
    }
}
