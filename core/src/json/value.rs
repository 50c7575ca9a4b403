//! Proven JSON text, read without copying.

use super::number::Number;
use super::scan;

/// The byte that stands before and after every string in proven text. It occurs in no UTF-8.
pub(crate) const QUOTE: u8 = 0xFF;

/// One JSON value of a message that [`Frames`](crate::frame::Frames) has proven.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Value<'a>(&'a [u8]);

/// The type of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "JSON will not get another type")]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// A number of any size and precision.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// The type's name in JSON Schema.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl<'a> Value<'a> {
    /// Takes exactly one value in proven text. Other text does no harm, but makes no sense.
    pub(crate) const fn proven(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The proven text: JSON without white space, whose strings are unescaped UTF-8 between bytes 0xFF.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The type.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.0 {
            [b'{', ..] => Kind::Object,
            [b'[', ..] => Kind::Array,
            [QUOTE, ..] => Kind::String,
            [b't' | b'f', ..] => Kind::Boolean,
            [b'-' | b'0'..=b'9', ..] => Kind::Number,
            _ => Kind::Null,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(self) -> bool {
        matches!(self.kind(), Kind::Null)
    }

    /// A boolean's value.
    #[must_use]
    pub const fn as_bool(self) -> Option<bool> {
        match self.0 {
            [b't', ..] => Some(true),
            [b'f', ..] => Some(false),
            _ => None,
        }
    }

    /// A string's characters as UTF-8.
    #[must_use]
    pub const fn as_text(self) -> Option<&'a [u8]> {
        match self.0 {
            [QUOTE, text @ .., QUOTE] => Some(text),
            _ => None,
        }
    }

    /// A string, borrowed from the message also where it came with escapes.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        core::str::from_utf8(self.as_text()?).ok()
    }

    /// A number.
    #[must_use]
    pub const fn as_number(self) -> Option<Number<'a>> {
        match self.kind() {
            Kind::Number => Some(Number::proven(self.0)),
            _ => None,
        }
    }

    /// An object.
    #[must_use]
    pub const fn as_object(self) -> Option<Object<'a>> {
        match self.0 {
            [b'{', members @ .., b'}'] => Some(Object(members)),
            _ => None,
        }
    }

    /// An array.
    #[must_use]
    pub const fn as_array(self) -> Option<Array<'a>> {
        match self.0 {
            [b'[', elements @ .., b']'] => Some(Array(elements)),
            _ => None,
        }
    }
}

impl core::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        super::write_value(f, *self)
    }
}

/// An object's members.
#[derive(Clone, Copy)]
pub struct Object<'a>(&'a [u8]);

impl<'a> Object<'a> {
    /// The object without members.
    pub const EMPTY: Self = Self(&[]);

    /// The members as they came: name, as UTF-8, and value.
    #[must_use]
    pub const fn members(self) -> Members<'a> {
        Members(self.0)
    }

    /// The value of the last member with that name (MSG-7).
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        let mut found = None;
        for (key, value) in self.members() {
            if key == name.as_bytes() {
                found = Some(value);
            }
        }
        found
    }
}

impl<'a> Object<'a> {
    /// The values of the last members with these names, in one pass.
    #[must_use]
    pub fn select<const K: usize>(self, names: &[&str; K]) -> [Option<Value<'a>>; K] {
        let mut values = [None; K];
        self.fill(names.iter().copied(), &mut values);
        values
    }

    /// Puts the values of the last members with these names in their order. Returns whether there are no others.
    pub(crate) fn fill<'n>(
        self,
        names: impl Iterator<Item = &'n str> + Clone,
        values: &mut [Option<Value<'a>>],
    ) -> bool {
        let mut known = true;
        for (key, value) in self.members() {
            match names.clone().zip(values.iter_mut()).find(|(name, _)| name.as_bytes() == key) {
                Some((_, place)) => *place = Some(value),
                None => known = false,
            }
        }
        known
    }
}

impl core::fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let members = self.members().map(|(name, value)| (core::str::from_utf8(name).unwrap_or_default(), value));
        f.debug_map().entries(members).finish()
    }
}

/// The members of an [`Object`].
#[derive(Clone, Copy, Debug)]
pub struct Members<'a>(&'a [u8]);

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        let [QUOTE, rest @ ..] = self.0 else { return None };
        let (name, rest) = rest.split_at_checked(scan::find(rest, QUOTE))?;
        let (value, rest) = split(rest.get(2..)?)?;
        self.0 = rest.get(1..).unwrap_or_default();
        Some((name, Value(value)))
    }
}

/// An array's elements.
#[derive(Clone, Copy)]
pub struct Array<'a>(&'a [u8]);

impl<'a> Array<'a> {
    /// The array without elements.
    pub const EMPTY: Self = Self(&[]);

    /// The elements in order.
    #[must_use]
    pub const fn elements(self) -> Elements<'a> {
        Elements(self.0)
    }

    /// Whether it has no elements.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl core::fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.elements()).finish()
    }
}

/// The elements of an [`Array`].
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a>(&'a [u8]);

impl<'a> Iterator for Elements<'a> {
    type Item = Value<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let (value, rest) = split(self.0)?;
        self.0 = rest.get(1..).unwrap_or_default();
        Some(Value(value))
    }
}

/// The value at the start of proven text, and the rest.
fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = match *text.first()? {
        b'{' | b'[' => end_of_container(text),
        QUOTE => end_of_string(text, 0),
        _ => text.iter().position(|byte| matches!(byte, b',' | b'}' | b']')).unwrap_or(text.len()),
    };
    text.split_at_checked(end)
}

/// The position after the string that starts at `start`.
fn end_of_string(text: &[u8], start: usize) -> usize {
    let first = start.wrapping_add(1);
    let inside = text.get(first..).unwrap_or_default();
    first.wrapping_add(scan::find(inside, QUOTE)).wrapping_add(1)
}

/// The position after the object or array at the start. A counter stands for the stack.
fn end_of_container(text: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(byte) = text.get(at) {
        let next = at.wrapping_add(1);
        match byte {
            b'{' | b'[' => depth = depth.wrapping_add(1),
            b'}' | b']' if depth == 1 => return next,
            b'}' | b']' => depth = depth.wrapping_sub(1),
            &QUOTE => {
                at = end_of_string(text, at);
                continue;
            }
            _ => {}
        }
        at = next;
    }
    text.len()
}
