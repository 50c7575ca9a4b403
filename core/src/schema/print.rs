//! Schema tables as JSON Schema.
//!
//! Shaped for weak clients and few tokens: always `type`, and for objects `properties`; no `$ref`, no `anyOf`, no
//! `format`. It means the same in draft-07 and 2020-12 (SCHEMA-4).

use core::fmt::{self, Display, Write};

use super::{MAX_DEPTH, Object, Property, Schema};
use crate::json;

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
pub(crate) fn write(out: &mut dyn Write, root: Object) -> fmt::Result {
    let mut stack = heapless::Vec::<Open, MAX_DEPTH>::new();
    open(out, &mut stack, &Schema::Object(root), None)?;
    while let Some(top) = stack.last_mut() {
        let at = top.written;
        top.written = at.saturating_add(1);
        match top.schema {
            Schema::Object(object) => match object.properties.get(at) {
                Some(property) => {
                    if at > 0 {
                        out.write_str(",")?;
                    }
                    json::write_str(out, property.name)?;
                    out.write_str(":")?;
                    open(out, &mut stack, property.schema, Some(property))?;
                    continue;
                }
                None => close_object(out, object)?,
            },
            Schema::Array { items, .. } if at == 0 => {
                open(out, &mut stack, items, None)?;
                continue;
            }
            Schema::Array { min_items, max_items, .. } => {
                limits(out, "minItems", min_items, "maxItems", max_items)?;
            }
            _ => {}
        }
        close(out, top.property)?;
        stack.pop();
    }
    Ok(())
}

/// Writes a schema as far as possible: up to its children, if it has any, else whole.
fn open(
    out: &mut dyn Write,
    stack: &mut heapless::Vec<Open, MAX_DEPTH>,
    schema: &Schema,
    property: Option<&'static Property>,
) -> fmt::Result {
    out.write_str("{\"type\":")?;
    json::write_str(out, schema.type_name())?;
    if let Some(description) = property.and_then(|property| property.description) {
        out.write_str(",\"description\":")?;
        json::write_str(out, description)?;
    }
    match *schema {
        Schema::Integer { minimum, maximum } => {
            if !minimum.is_extreme() {
                member(out, "minimum", &minimum)?;
            }
            if !maximum.is_extreme() {
                member(out, "maximum", &maximum)?;
            }
        }
        Schema::Number { minimum, maximum, float } => {
            if let Some(minimum) = minimum {
                out.write_str(",\"minimum\":")?;
                (float.write)(minimum, out)?;
            }
            if let Some(maximum) = maximum {
                out.write_str(",\"maximum\":")?;
                (float.write)(maximum, out)?;
            }
        }
        Schema::String { min_length, max_length, .. } => {
            limits(out, "minLength", min_length, "maxLength", max_length)?;
        }
        Schema::Enum(names) => {
            out.write_str(",\"enum\":")?;
            list(out, names.iter().copied())?;
        }
        Schema::Boolean => {}
        Schema::Array { .. } => {
            out.write_str(",\"items\":")?;
            return push(stack, schema, property);
        }
        Schema::Object(_) => {
            out.write_str(",\"properties\":{")?;
            return push(stack, schema, property);
        }
    }
    close(out, property)
}

/// Deeper schemas than fit do not compile: see [`Server::new`](crate::Server::new).
fn push(
    stack: &mut heapless::Vec<Open, MAX_DEPTH>,
    schema: &Schema,
    property: Option<&'static Property>,
) -> fmt::Result {
    stack.push(Open { schema: *schema, property, written: 0 }).map_err(|_| fmt::Error)
}

/// Writes what follows the properties of an object.
fn close_object(out: &mut dyn Write, object: Object) -> fmt::Result {
    out.write_str("}")?;
    let required = || object.properties.iter().filter(|property| property.required);
    if required().next().is_some() {
        out.write_str(",\"required\":")?;
        list(out, required().map(|property| property.name))?;
    }
    if object.additional_properties { Ok(()) } else { out.write_str(",\"additionalProperties\":false") }
}

fn close(out: &mut dyn Write, property: Option<&'static Property>) -> fmt::Result {
    if let Some(default) = property.and_then(|property| property.default) {
        out.write_str(",\"default\":")?;
        default(out)?;
    }
    out.write_str("}")
}

/// Writes a member behind another.
fn member(out: &mut dyn Write, name: &str, number: &dyn Display) -> fmt::Result {
    write!(out, ",\"{name}\":{number}")
}

fn limits(out: &mut dyn Write, min_name: &str, min: u32, max_name: &str, max: u32) -> fmt::Result {
    if min > 0 {
        member(out, min_name, &min)?;
    }
    if max < u32::MAX {
        member(out, max_name, &max)?;
    }
    Ok(())
}

fn list<'a>(out: &mut dyn Write, names: impl Iterator<Item = &'a str>) -> fmt::Result {
    out.write_str("[")?;
    for (at, name) in names.enumerate() {
        if at > 0 {
            out.write_str(",")?;
        }
        json::write_str(out, name)?;
    }
    out.write_str("]")
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
