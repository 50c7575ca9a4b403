//! Schemas as static tables: what `tools/list` prints is what `tools/call` enforces.
//!
//! A [`Type`] says what one value must be. The macros build the tables as constants, so they lie in flash. `print`
//! writes them as JSON Schema, `check` holds arguments against them, `explain` says what is wrong. All walk the table with
//! a small fixed stack instead of recursion, which is why schemas nest at most [`MAX_DEPTH`] deep; deeper ones do not
//! compile.

pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod print;
mod refine;

use core::fmt;

pub use refine::{Bound, Typed};

use crate::json::{Integer, Value, Writer};

/// How deep objects and arrays may nest in the schema of a tool's arguments, the arguments object included.
pub const MAX_DEPTH: usize = 8;

/// What a value must be.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "the check and the printer must know every kind")]
pub enum Type {
    /// `true` or `false`.
    Boolean,
    /// An integer, in any spelling: `3`, `3.0` and `3e0`. Both bounds are enforced; those of 64-bit types are not
    /// printed, since they say nothing to a model and JavaScript cannot hold them.
    Integer {
        /// The least value allowed.
        minimum: Integer,
        /// The greatest value allowed.
        maximum: Integer,
    },
    /// Any number that a float can hold.
    Number {
        /// The least value allowed.
        minimum: Option<f64>,
        /// The greatest value allowed.
        maximum: Option<f64>,
        /// The float code. A toolset without floats does not name it, and so does not link it.
        float: &'static Float,
    },
    /// A string.
    String {
        /// The least number of Unicode characters.
        min_length: u32,
        /// The greatest number of Unicode characters; [`u32::MAX`] for no limit.
        max_length: u32,
        /// The greatest number of bytes in UTF-8; [`u32::MAX`] for no limit.
        max_bytes: u32,
    },
    /// One of some strings.
    Enum(&'static [&'static str]),
    /// One of some strings that have names for people.
    Titled(&'static Titled),
    /// An array of values of one kind.
    Array {
        /// What each element must be.
        items: &'static Self,
        /// The least number of elements.
        min_items: u32,
        /// The greatest number of elements; [`u32::MAX`] for no limit.
        max_items: u32,
    },
    /// An object.
    Object(Object),
}

/// What an object must be.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Object {
    /// The members that it can have, in the order in which they are printed.
    pub properties: &'static [Property],
    /// Whether it may have other members too. They are ignored.
    pub additional_properties: bool,
}

/// A member of an object.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Property {
    /// The member's name.
    pub name: &'static str,
    /// What it means, for the model that fills it in.
    pub description: Option<&'static str>,
    /// What its value must be.
    pub schema: &'static Type,
    /// Whether it must be there. `null` for one that need not be there counts as absence.
    pub required: bool,
    /// Writes the JSON of the value that stands in when it is absent.
    pub default: Option<fn(&mut dyn fmt::Write) -> fmt::Result>,
}

/// Strings that have names for people, which a form shows in their place (ELIC-3).
#[derive(Clone, Copy, Debug)]
pub struct Titled {
    names: &'static [&'static str],
    titles: &'static [&'static str],
    /// The code that writes them. A toolset without such does not name it, and so does not link it.
    pub(crate) print: fn(&mut Writer<'_>, &Self, is_element: bool),
}

impl Titled {
    /// Strings, and the titles of these in the same order. They are printed as `oneOf`, in arrays as `anyOf`, which clients
    /// of 2025-11-25 and later know.
    #[must_use]
    pub const fn new(names: &'static [&'static str], titles: &'static [&'static str]) -> Self {
        Self { names, titles, print: print::titled }
    }

    /// The same, printed as `enum` and `enumNames`, which clients of 2025-06-18 know.
    #[must_use]
    pub const fn with_enum_names(names: &'static [&'static str], titles: &'static [&'static str]) -> Self {
        Self { names, titles, print: print::enum_names }
    }
}

/// The float code that [`Type::Number`] needs.
#[derive(Clone, Copy, Debug)]
pub struct Float {
    /// Whether a JSON number can be held and lies between the bounds.
    pub(crate) fits: fn(text: &str, minimum: Option<f64>, maximum: Option<f64>) -> bool,
    /// Writes the bounds as members of a JSON Schema.
    pub(crate) print: fn(&mut dyn fmt::Write, minimum: Option<f64>, maximum: Option<f64>) -> fmt::Result,
    /// Writes what is expected, given whether what came was a number.
    pub(crate) describe:
        fn(&mut dyn fmt::Write, minimum: Option<f64>, maximum: Option<f64>, number: bool) -> fmt::Result,
}

impl Type {
    /// Any string.
    pub const STRING: Self = Self::String { min_length: 0, max_length: u32::MAX, max_bytes: u32::MAX };

    /// The strings that it may be, if they are few.
    #[must_use]
    pub const fn names(&self) -> Option<&'static [&'static str]> {
        match self {
            Self::Enum(names) => Some(names),
            Self::Titled(titled) => Some(titled.names),
            _ => None,
        }
    }

    /// Which of some strings a value is.
    #[doc(hidden)]
    #[must_use]
    pub fn index_of(&self, value: Value<'_>) -> Option<usize> {
        let text = value.as_text()?;
        self.names()?.iter().position(|name| name.as_bytes() == text)
    }

    /// How deep objects and arrays nest in it.
    const fn depth(&self) -> usize {
        match self {
            Self::Array { items, .. } => items.depth().saturating_add(1),
            Self::Object(object) => object.depth(),
            _ => 0,
        }
    }
}

impl Object {
    /// How deep objects and arrays nest in it, itself included. Recursive, but evaluated in constants only.
    pub(crate) const fn depth(&self) -> usize {
        let mut deepest = 0;
        let mut properties = self.properties;
        while let [property, rest @ ..] = properties {
            let depth = property.schema.depth();
            if depth > deepest {
                deepest = depth;
            }
            properties = rest;
        }
        deepest.saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn property(schema: &'static Type) -> Property {
        Property { name: "", description: None, schema, required: true, default: None }
    }

    const fn object(properties: &'static [Property]) -> Object {
        Object { properties, additional_properties: false }
    }

    const fn array(items: &'static Type) -> Type {
        Type::Array { items, min_items: 0, max_items: 9 }
    }

    /// What the limit of [`MAX_DEPTH`] is about; `tests/ui/limit_nesting.rs` shows the compile error.
    #[test]
    fn depth_is_that_of_the_deepest_property_and_one() {
        static FLAT: [Property; 2] = [property(&Type::STRING), property(&Type::Boolean)];
        static TWO: Type = Type::Object(object(&FLAT));
        static THREE: Type = array(&TWO);
        static FIRST: [Property; 3] = [property(&THREE), property(&TWO), property(&Type::Boolean)];
        static LAST: [Property; 3] = [property(&Type::Boolean), property(&TWO), property(&THREE)];
        assert_eq!(object(&[]).depth(), 1);
        assert_eq!(object(&FLAT).depth(), 1);
        assert_eq!((Type::Boolean.depth(), TWO.depth(), THREE.depth()), (0, 1, 2));
        assert_eq!((object(&FIRST).depth(), object(&LAST).depth()), (3, 3));
    }
}
