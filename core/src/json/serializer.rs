//! Values of the user's types as JSON, held against a schema while they are written.
//!
//! There is no buffer: a value is serialized twice, first into nothing, which shows whether it fits, and then onto the wire.
//! How deep this nests, the schema says; the calls between serde and here nest as the user's types do.

use core::fmt::{self, Display, Write};

use serde_core::Serialize;
use serde_core::ser::{self, Impossible};

use super::{Float, Integer, Writer};
use crate::schema::check::{characters, is_within};
use crate::schema::explain::expected;
use crate::schema::{MAX_DEPTH, Object, Property, Type};

/// A value that serializes itself.
pub(crate) type Source<'a> = dyn Fn(Serializer<'_, '_>) -> Result<(), Error> + 'a;

/// What is being written, and where it stands.
pub(crate) struct State<'w> {
    out: &'w mut dyn Write,
    levels: heapless::Vec<Level, MAX_DEPTH>,
    fault: Fault,
    /// Something was written.
    begun: bool,
}

/// An object or array that is not at its end.
struct Level {
    content: Content,
    /// The number of the property or element behind the one that came last.
    next: usize,
    /// Something stands in it, so that a comma comes before what follows.
    filled: bool,
}

#[derive(Clone, Copy)]
enum Content {
    Object(&'static Object),
    /// With its own schema, and that of its elements.
    Array(&'static Type, &'static Type),
}

/// What is wrong at the place where the levels lead.
#[derive(Clone, Copy)]
enum Fault {
    /// The type's own implementation says so, or does what JSON has no counterpart for.
    Own,
    /// A value is not what its schema says.
    Unfit(&'static Type),
    /// So many elements are not what the schema of their array says.
    Count(&'static Type),
    /// A required member is absent.
    Missing(&'static Property),
    /// A member is no property.
    Unknown(&'static str),
    /// A member comes behind one that the schema has later, or twice.
    Order(&'static Property),
}

/// That a value does not fit; the [`State`] knows why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Error;

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not what its schema says")
    }
}

impl core::error::Error for Error {}

impl ser::Error for Error {
    fn custom<T: Display>(_message: T) -> Self {
        Self
    }
}

impl From<fmt::Error> for Error {
    fn from(_: fmt::Error) -> Self {
        Self
    }
}

impl<'w> State<'w> {
    pub(crate) const fn new(out: &'w mut dyn Write) -> Self {
        Self { out, levels: heapless::Vec::new(), fault: Fault::Own, begun: false }
    }

    /// Writes a value. If it does not fit, what is open is closed, so that JSON has been written all the same.
    pub(crate) fn write(&mut self, schema: &'static Type, source: &Source<'_>) -> Result<(), Error> {
        let written = source(Serializer { state: self, expected: schema, property: None });
        if written.is_err() {
            if !self.begun {
                self.out.write_str("null")?;
            }
            for level in self.levels.iter().rev() {
                self.out.write_str(level.end())?;
            }
        }
        written
    }

    fn fail(&mut self, fault: Fault) -> Error {
        self.fault = fault;
        Error
    }

    /// Writes what comes before a value.
    fn begin(&mut self, property: Option<&Property>) -> fmt::Result {
        self.begun = true;
        if let Some(level) = self.levels.last_mut() {
            if level.filled {
                self.out.write_str(",")?;
            }
            level.filled = true;
        }
        if let Some(property) = property {
            super::write_str(self.out, property.name)?;
            self.out.write_str(":")?;
        }
        Ok(())
    }

    fn open(&mut self, content: Content) -> Result<(), Error> {
        let level = Level { content, next: 0, filled: false };
        self.out.write_str(level.start())?;
        // Deeper schemas than fit do not compile: see `Server::new`.
        self.levels.push(level).map_err(|_| Error)
    }

    /// The property of a member that comes next.
    fn member(&mut self, name: &str, known: Option<&'static str>) -> Result<&'static Property, Error> {
        let Some(Level { content: Content::Object(object), next, .. }) = self.levels.last() else {
            return Err(self.fail(Fault::Own));
        };
        let (object, next) = (*object, *next);
        let Some((at, property)) = object.properties.iter().enumerate().find(|(_, property)| property.name == name)
        else {
            return Err(self.fail(Fault::Unknown(known.unwrap_or("a member"))));
        };
        if at < next {
            return Err(self.fail(Fault::Order(property)));
        }
        self.pass(object, at)?;
        if let Some(level) = self.levels.last_mut() {
            level.next = at.saturating_add(1);
        }
        Ok(property)
    }

    /// Sees to it that no required member is missing before the property of that number.
    fn pass(&mut self, object: &'static Object, end: usize) -> Result<(), Error> {
        let next = self.levels.last().map_or(0, |level| level.next);
        let passed = object.properties.get(next..end).unwrap_or_default();
        match passed.iter().find(|property| property.required) {
            Some(missing) => Err(self.fail(Fault::Missing(missing))),
            None => Ok(()),
        }
    }

    /// The property whose value comes next.
    fn named(&self) -> Option<&'static Property> {
        let Level { content: Content::Object(object), next, .. } = self.levels.last()? else { return None };
        object.properties.get(next.checked_sub(1)?)
    }

    /// The schema of the element that comes next.
    fn element(&mut self) -> Result<&'static Type, Error> {
        let Some(Level { content: Content::Array(schema, items), next, .. }) = self.levels.last_mut() else {
            return Err(self.fail(Fault::Own));
        };
        let (schema, items) = (*schema, *items);
        *next = next.saturating_add(1);
        match *schema {
            Type::Array { max_items, .. } if is_within(*next, 0, max_items) => Ok(items),
            _ => Err(self.fail(Fault::Count(schema))),
        }
    }

    /// Writes the end of an object or array.
    fn close(&mut self) -> Result<(), Error> {
        let Some(level) = self.levels.last() else { return Err(self.fail(Fault::Own)) };
        let (content, next, end) = (level.content, level.next, level.end());
        match content {
            Content::Object(object) => self.pass(object, object.properties.len())?,
            Content::Array(schema, _) => {
                if let Type::Array { min_items, .. } = *schema
                    && !is_within(next, min_items, u32::MAX)
                {
                    return Err(self.fail(Fault::Count(schema)));
                }
            }
        }
        self.out.write_str(end)?;
        self.levels.pop();
        Ok(())
    }
}

impl Level {
    const fn start(&self) -> &'static str {
        match self.content {
            Content::Object(_) => "{",
            Content::Array(..) => "[",
        }
    }

    const fn end(&self) -> &'static str {
        match self.content {
            Content::Object(_) => "}",
            Content::Array(..) => "]",
        }
    }
}

/// What is wrong, in words: `list[2].celsius: expected number of at most 85`.
impl Display for State<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = Writer::new(f);
        let (fault, last) = (self.fault, self.levels.len().saturating_sub(1));
        let mut whole = true;
        for (depth, level) in self.levels.iter().enumerate() {
            let name = match (level.content, fault, level.next.checked_sub(1)) {
                (_, Fault::Missing(property) | Fault::Order(property), _) if depth == last => property.name,
                (_, Fault::Unknown(name), _) if depth == last => name,
                (_, Fault::Count(_), _) if depth == last => break,
                (_, _, None) => break,
                (Content::Array(..), _, Some(at)) => {
                    out.raw("[");
                    out.integer(Integer::count(at));
                    out.raw("]");
                    continue;
                }
                (Content::Object(object), _, Some(at)) => {
                    object.properties.get(at).map_or("", |property| property.name)
                }
            };
            out.raw(if whole { "" } else { "." });
            out.raw(name);
            whole = false;
        }
        out.raw(match (fault, whole) {
            (Fault::Own, true) => "it could not be serialized",
            (Fault::Own, false) => ": could not be serialized",
            (Fault::Unfit(_) | Fault::Count(_), true) => "expected ",
            (Fault::Unfit(_) | Fault::Count(_), false) => ": expected ",
            (Fault::Missing(_), _) => ": missing, expected ",
            (Fault::Unknown(_), _) => ": unknown",
            (Fault::Order(_), _) => ": twice, or not in the order of the schema",
        });
        match fault {
            Fault::Unfit(schema) | Fault::Count(schema) | Fault::Missing(&Property { schema, .. }) => {
                expected(&mut out, schema, None);
            }
            Fault::Own | Fault::Unknown(_) | Fault::Order(_) => {}
        }
        Ok(())
    }
}

/// Writes one value.
pub(crate) struct Serializer<'s, 'w> {
    state: &'s mut State<'w>,
    expected: &'static Type,
    /// The property whose value it is.
    property: Option<&'static Property>,
}

impl<'s, 'w> Serializer<'s, 'w> {
    fn refuse<T>(self) -> Result<T, Error> {
        Err(self.state.fail(Fault::Unfit(self.expected)))
    }

    /// Writes a value that fits.
    fn value(self, write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> Result<(), Error> {
        self.state.begin(self.property)?;
        Ok(write(self.state.out)?)
    }

    fn integer(self, integer: Option<Integer>) -> Result<(), Error> {
        let Some(integer) = integer else { return self.refuse() };
        match *self.expected {
            Type::Integer { minimum, maximum } if !integer.is_less(minimum) && !maximum.is_less(integer) => {}
            Type::Number { minimum: None, maximum: None, .. } => {}
            _ => return self.refuse(),
        }
        self.value(|out| integer.write(out))
    }

    fn float(self, value: f64, text: &dyn Display) -> Result<(), Error> {
        match *self.expected {
            Type::Number { minimum, maximum, .. }
                if value.is_finite()
                    && minimum.is_none_or(|minimum| value >= minimum)
                    && maximum.is_none_or(|maximum| value <= maximum) => {}
            _ => return self.refuse(),
        }
        self.value(|out| write!(out, "{text}"))
    }

    fn array(self) -> Result<Compound<'s, 'w>, Error> {
        let expected = self.expected;
        match *expected {
            Type::Array { items, .. } => self.compound(Content::Array(expected, items)),
            _ => self.refuse(),
        }
    }

    fn object(self) -> Result<Compound<'s, 'w>, Error> {
        match self.expected {
            Type::Object(object) => self.compound(Content::Object(object)),
            _ => self.refuse(),
        }
    }

    fn compound(self, content: Content) -> Result<Compound<'s, 'w>, Error> {
        self.state.begin(self.property)?;
        self.state.open(content)?;
        Ok(Compound { state: self.state })
    }
}

/// Counts what passes.
#[derive(Default)]
struct Count {
    characters: usize,
    bytes: usize,
}

impl Write for Count {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.characters = self.characters.saturating_add(characters(text.as_bytes()));
        self.bytes = self.bytes.saturating_add(text.len());
        Ok(())
    }
}

macro_rules! integers {
    ($($function:ident $type:ident;)*) => {$(
        fn $function(self, value: $type) -> Result<(), Error> {
            self.integer(Some(value.into()))
        }
    )*};
}

impl<'s, 'w> ser::Serializer for Serializer<'s, 'w> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, 'w>;
    type SerializeTuple = Compound<'s, 'w>;
    type SerializeTupleStruct = Compound<'s, 'w>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Compound<'s, 'w>;
    type SerializeStruct = Compound<'s, 'w>;
    type SerializeStructVariant = Impossible<(), Error>;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
    }

    fn serialize_i128(self, value: i128) -> Result<(), Error> {
        let narrow = i64::try_from(value).map(Integer::from).ok();
        self.integer(narrow.or_else(|| u64::try_from(value).map(Integer::from).ok()))
    }

    fn serialize_u128(self, value: u128) -> Result<(), Error> {
        self.integer(u64::try_from(value).map(Integer::from).ok())
    }

    fn serialize_f32(self, value: f32) -> Result<(), Error> {
        self.float(value.into(), &Float(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), Error> {
        self.float(value, &Float(value))
    }

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        match self.expected {
            Type::Boolean => self.value(|out| out.write_str(if value { "true" } else { "false" })),
            _ => self.refuse(),
        }
    }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        let fits = match *self.expected {
            Type::String { min_length, max_length, max_bytes } => {
                is_within(characters(value.as_bytes()), min_length, max_length) && is_within(value.len(), 0, max_bytes)
            }
            Type::Enum(names) => names.contains(&value),
            Type::Titled(_) => self.expected.names().is_some_and(|names| names.contains(&value)),
            _ => false,
        };
        if fits { self.value(|out| super::write_str(out, value)) } else { self.refuse() }
    }

    fn collect_str<T: ?Sized + Display>(self, value: &T) -> Result<(), Error> {
        let mut count = Count::default();
        write!(count, "{value}")?;
        match *self.expected {
            Type::String { min_length, max_length, max_bytes }
                if is_within(count.characters, min_length, max_length) && is_within(count.bytes, 0, max_bytes) =>
            {
                self.value(|out| {
                    out.write_str("\"")?;
                    write!(super::Escape(out), "{value}")?;
                    out.write_str("\"")
                })
            }
            _ => self.refuse(),
        }
    }

    /// As a list of numbers, as all formats of text have it.
    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    /// A member that need not be there is left out.
    fn serialize_none(self) -> Result<(), Error> {
        if self.property.is_some_and(|property| !property.required) { Ok(()) } else { self.refuse() }
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq, Error> {
        self.array()
    }

    fn serialize_tuple(self, _len: usize) -> Result<Self::SerializeTuple, Error> {
        self.array()
    }

    fn serialize_tuple_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeTupleStruct, Error> {
        self.array()
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        self.refuse()
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap, Error> {
        self.object()
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Self::SerializeStruct, Error> {
        self.object()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant, Error> {
        self.refuse()
    }
}

/// Writes what is in an object or array.
pub(crate) struct Compound<'s, 'w> {
    state: &'s mut State<'w>,
}

impl<'w> Compound<'_, 'w> {
    fn element(&mut self) -> Result<Serializer<'_, 'w>, Error> {
        let expected = self.state.element()?;
        Ok(Serializer { state: self.state, expected, property: None })
    }

    fn member(&mut self, property: &'static Property) -> Serializer<'_, 'w> {
        Serializer { state: self.state, expected: property.schema, property: Some(property) }
    }
}

macro_rules! arrays {
    ($($kind:ident $function:ident)*) => {$(
        impl ser::$kind for Compound<'_, '_> {
            type Ok = ();
            type Error = Error;

            fn $function<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
                value.serialize(self.element()?)
            }

            fn end(self) -> Result<(), Error> {
                self.state.close()
            }
        }
    )*};
}

arrays! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
}

impl ser::SerializeStruct for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        let property = self.state.member(name, Some(name))?;
        value.serialize(self.member(property))
    }

    fn end(self) -> Result<(), Error> {
        self.state.close()
    }
}

impl ser::SerializeMap for Compound<'_, '_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Error> {
        key.serialize(Key(self.state))
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Error> {
        match self.state.named() {
            Some(property) => value.serialize(self.member(property)),
            None => Err(self.state.fail(Fault::Own)),
        }
    }

    fn end(self) -> Result<(), Error> {
        self.state.close()
    }
}

/// Takes the name of a member, which is a string.
struct Key<'s, 'w>(&'s mut State<'w>);

impl Key<'_, '_> {
    fn refuse<T>(self) -> Result<T, Error> {
        Err(self.0.fail(Fault::Unknown("a member whose name is no string")))
    }
}

macro_rules! no_keys {
    ($($function:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        fn $function(self, $($argument: $type),*) -> Result<$result, Error> {
            self.refuse()
        }
    )*};
}

impl ser::Serializer for Key<'_, '_> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Impossible<(), Error>;
    type SerializeTuple = Impossible<(), Error>;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Impossible<(), Error>;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    fn serialize_str(self, name: &str) -> Result<(), Error> {
        self.0.member(name, None).map(|_| ())
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<(), Error> {
        self.0.member(variant, Some(variant)).map(|_| ())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _value: &T) -> Result<(), Error> {
        self.refuse()
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<(), Error> {
        self.refuse()
    }

    fn collect_str<T: ?Sized + Display>(self, _value: &T) -> Result<(), Error> {
        self.refuse()
    }

    no_keys! {
        serialize_bool(_value: bool) -> ();
        serialize_i8(_value: i8) -> ();
        serialize_i16(_value: i16) -> ();
        serialize_i32(_value: i32) -> ();
        serialize_i64(_value: i64) -> ();
        serialize_u8(_value: u8) -> ();
        serialize_u16(_value: u16) -> ();
        serialize_u32(_value: u32) -> ();
        serialize_u64(_value: u64) -> ();
        serialize_f32(_value: f32) -> ();
        serialize_f64(_value: f64) -> ();
        serialize_char(_value: char) -> ();
        serialize_bytes(_value: &[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(_name: &'static str) -> ();
        serialize_seq(_len: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(_len: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(_name: &'static str, _len: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _len: usize) -> Self::SerializeTupleVariant;
        serialize_map(_len: Option<usize>) -> Self::SerializeMap;
        serialize_struct(_name: &'static str, _len: usize) -> Self::SerializeStruct;
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _len: usize) -> Self::SerializeStructVariant;
    }
}
