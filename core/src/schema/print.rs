//! Schema tables as JSON Schema.
//!
//! Shaped for weak clients and few tokens: always `type`, and for objects `properties`; no `$ref`, no `anyOf`, no
//! `format`. It means the same in draft-07 and 2020-12 (SCHEMA-4).

use super::{MAX_DEPTH, Object, Property, Titled, Type};
use crate::json::{Integer, Writer};

/// An object or array whose head is written.
struct Open {
    children: Children,
    /// The property whose value it is, for its default.
    property: Option<&'static Property>,
    /// The children written so far.
    written: usize,
}

#[derive(Clone, Copy)]
enum Children {
    Properties(&'static Object),
    /// Of this array.
    Items(&'static Type),
}

type Stack = heapless::Vec<Open, MAX_DEPTH>;

/// Writes an object's schema, its root.
pub(crate) fn write(out: &mut Writer<'_>, root: &'static Object) {
    let mut stack = Stack::new();
    open_object(out, &mut stack, root, None);
    while let Some(top) = stack.last_mut() {
        let at = top.written;
        top.written = at.saturating_add(1);
        match top.children {
            Children::Properties(object) => match object.properties.get(at) {
                Some(property) => {
                    out.raw(if at > 0 { "," } else { "" });
                    out.string(property.name);
                    out.raw(":");
                    open(out, &mut stack, property.schema, Some(property));
                    continue;
                }
                None => close_object(out, object),
            },
            Children::Items(&Type::Array { items, .. }) if at == 0 => {
                open(out, &mut stack, items, None);
                continue;
            }
            Children::Items(&Type::Array { min_items, max_items, .. }) => {
                limits(out, "minItems", min_items, "maxItems", max_items);
            }
            Children::Items(_) => {}
        }
        close(out, top.property);
        stack.pop();
    }
}

/// Writes a schema as far as possible: up to its children, if it has any, else whole.
fn open(out: &mut Writer<'_>, stack: &mut Stack, schema: &'static Type, property: Option<&'static Property>) {
    if let Type::Object(object) = schema {
        return open_object(out, stack, object, property);
    }
    head(out, schema.type_name(), property);
    match *schema {
        Type::Integer { minimum, maximum } => {
            if !minimum.is_extreme() {
                member(out, "minimum", minimum);
            }
            if !maximum.is_extreme() {
                member(out, "maximum", maximum);
            }
        }
        Type::Number { minimum, maximum, float } => out.with(|out| (float.print)(out, minimum, maximum)),
        Type::String { min_length, max_length, .. } => {
            limits(out, "minLength", min_length, "maxLength", max_length);
        }
        Type::Enum(names) => {
            out.raw(",\"enum\":");
            list(out, names.iter().copied());
        }
        Type::Titled(titled) => (titled.print)(out, titled, property.is_none()),
        Type::Array { .. } => {
            out.raw(",\"items\":");
            return push(stack, Children::Items(schema), property);
        }
        Type::Boolean | Type::Object(_) => {}
    }
    close(out, property);
}

fn open_object(out: &mut Writer<'_>, stack: &mut Stack, object: &'static Object, property: Option<&'static Property>) {
    head(out, "object", property);
    out.raw(",\"properties\":{");
    push(stack, Children::Properties(object), property);
}

/// Writes what all schemas begin with.
fn head(out: &mut Writer<'_>, type_name: &str, property: Option<&'static Property>) {
    out.raw("{\"type\":");
    out.string(type_name);
    if let Some(description) = property.and_then(|property| property.description) {
        out.raw(",\"description\":");
        out.string(description);
    }
}

fn push(stack: &mut Stack, children: Children, property: Option<&'static Property>) {
    // Deeper schemas than fit do not compile: see `Server::new`.
    let _ = stack.push(Open { children, property, written: 0 });
}

/// Writes what follows the properties of an object.
fn close_object(out: &mut Writer<'_>, object: &Object) {
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
fn member(out: &mut Writer<'_>, name: &str, number: Integer) {
    out.raw(",");
    out.string(name);
    out.raw(":");
    out.integer(number);
}

fn limits(out: &mut Writer<'_>, min_name: &str, min: u32, max_name: &str, max: u32) {
    if min > 0 {
        member(out, min_name, min.into());
    }
    if max < u32::MAX {
        member(out, max_name, max.into());
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

/// Writes strings and their titles, each in a schema of its own.
pub(super) fn titled(out: &mut Writer<'_>, titled: &Titled, is_element: bool) {
    out.raw(if is_element { ",\"anyOf\":[" } else { ",\"oneOf\":[" });
    for (at, (name, title)) in titled.names.iter().zip(titled.titles).enumerate() {
        out.raw(if at == 0 { "{\"const\":" } else { ",{\"const\":" });
        out.string(name);
        out.member("title", Some(title));
        out.raw("}");
    }
    out.raw("]");
}

/// Writes strings and their titles, side by side.
pub(super) fn enum_names(out: &mut Writer<'_>, titled: &Titled, _: bool) {
    for (start, texts) in [(",\"enum\":", titled.names), (",\"enumNames\":", titled.titles)] {
        out.raw(start);
        list(out, texts.iter().copied());
    }
}

impl Type {
    /// The value of `type` in JSON Schema.
    pub(crate) const fn type_name(&self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer { .. } => "integer",
            Self::Number { .. } => "number",
            Self::String { .. } | Self::Enum(_) | Self::Titled(_) => "string",
            Self::Array { .. } => "array",
            Self::Object(_) => "object",
        }
    }
}
