//! Arguments held against their schema.

use core::ops::ControlFlow;

use super::{MAX_DEPTH, Object, Property, Type};
use crate::json::{self, Elements, Value};

/// Finds the values of an object's properties in one pass. Returns whether there is no violation, in them or elsewhere.
pub(crate) fn find<'a>(members: json::Object<'a>, object: &Object, values: &mut [Option<Value<'a>>]) -> bool {
    let known = members.fill(object.properties.iter().map(|property| property.name), values);
    let fits = |(property, value): (&Property, &mut Option<Value<'a>>)| match *value {
        Some(found) if property.required || !found.is_null() => match fit(property.schema, found) {
            Fit::Yes => true,
            Fit::No => false,
            Fit::Within(content) => walk(content, &mut |_, _| ControlFlow::Break(())).is_continue(),
        },
        _ => {
            *value = None;
            !property.required
        }
    };
    (known || object.additional_properties) && object.properties.iter().zip(values).all(fits)
}

/// An object or array that is being checked.
pub(super) struct Level<'a> {
    pub(super) content: Content<'a>,
    /// The number of the property or element that comes next.
    pub(super) next: usize,
}

pub(super) enum Content<'a> {
    Object(&'static Object, json::Object<'a>),
    Array(&'static Type, Elements<'a>),
}

/// What is wrong at a place.
#[derive(Clone, Copy)]
pub(super) enum Violation<'a> {
    /// A required property is absent.
    Missing(&'static Property),
    /// A member is no property of the object.
    Unknown(&'a [u8], &'static Object),
    /// A value is not what its schema says.
    Unfit(&'static Type, Value<'a>),
}

type Stack<'a> = heapless::Vec<Level<'a>, MAX_DEPTH>;
type Report<'r> = dyn FnMut(&[Level<'_>], Violation<'_>) -> ControlFlow<()> + 'r;

/// Finds the violations, in the order of the table. Ends with the first error that `report` returns.
pub(super) fn walk(content: Content<'_>, report: &mut Report<'_>) -> ControlFlow<()> {
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
    ControlFlow::Continue(())
}

/// Deeper schemas than fit do not compile: see [`Server::new`](crate::Server::new).
fn push<'a>(stack: &mut Stack<'a>, content: Content<'a>) -> ControlFlow<()> {
    match stack.push(Level { content, next: 0 }) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// Reports the members that are no properties.
fn unknown(
    stack: &[Level<'_>],
    object: &'static Object,
    members: json::Object<'_>,
    report: &mut Report<'_>,
) -> ControlFlow<()> {
    if object.additional_properties {
        return ControlFlow::Continue(());
    }
    for (name, _) in members.members() {
        if !object.properties.iter().any(|property| property.name.as_bytes() == name) {
            report(stack, Violation::Unknown(name, object))?;
        }
    }
    ControlFlow::Continue(())
}

/// Whether a value is what its schema says.
enum Fit<'a> {
    Yes,
    No,
    /// If all that is in it is.
    Within(Content<'a>),
}

fn fit<'a>(schema: &'static Type, value: Value<'a>) -> Fit<'a> {
    let fits = match schema {
        Type::Boolean => value.as_bool().is_some(),
        &Type::Integer { minimum, maximum } => value
            .as_number()
            .and_then(|number| number.to_integer().ok())
            .is_some_and(|integer| !integer.is_less(minimum) && !maximum.is_less(integer)),
        &Type::Number { minimum, maximum, float } => {
            value.as_number().is_some_and(|number| (float.fits)(number.as_str(), minimum, maximum))
        }
        &Type::String { min_length, max_length, max_bytes } => value.as_text().is_some_and(|text| {
            let unlimited = min_length == 0 && max_length == u32::MAX;
            (unlimited || is_within(characters(text), min_length, max_length)) && is_within(text.len(), 0, max_bytes)
        }),
        Type::Enum(_) | Type::Titled(_) => schema.index_of(value).is_some(),
        &Type::Array { items, min_items, max_items } => match value.as_array() {
            Some(array) if is_within(array.elements().count(), min_items, max_items) => {
                return Fit::Within(Content::Array(items, array.elements()));
            }
            _ => false,
        },
        Type::Object(object) => match value.as_object() {
            Some(members) => return Fit::Within(Content::Object(object, members)),
            None => false,
        },
    };
    if fits { Fit::Yes } else { Fit::No }
}

pub(crate) fn is_within(count: usize, min: u32, max: u32) -> bool {
    u32::try_from(count).is_ok_and(|count| (min..=max).contains(&count))
}

/// The number of Unicode characters.
pub(crate) fn characters(text: &[u8]) -> usize {
    text.iter().filter(|&byte| byte & 0xC0 != 0x80).count()
}
