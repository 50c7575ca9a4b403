//! Results of tools that are JSON, for programs: a value, and the schema of its type.

use serde_core::Serialize;

use crate::json::{self, Integer};
use crate::schema::Type;
use crate::tool::{Context, Replied, Returned, Unbounded, limit};

/// A result that is JSON, of a tool that returns `Json<T>` or `Result<Json<T>, E>`.
///
/// The tool gets an `outputSchema`, which is `T`'s [`Schema`]; a result is sent as `structuredContent`, and once more as text,
/// for clients and models that read that only. Revisions before 2025-06-18 have the text alone.
///
/// A result is held against the schema before a byte of it is sent. One that is not what that says, such as a temperature
/// that is no number, is answered by an error of the server, which names the place. What is `None` is left out. Maps can
/// have the members of the schema only, and members must come in its order, as those of derived types do.
///
/// ```
/// # use toolwire::{Json, Schema, Server, ServerInfo, toolset};
/// #[derive(serde::Serialize, Schema)]
/// struct Reading {
///     /// In degrees Celsius.
///     #[schema(min = -40.0, max = 85.0)]
///     celsius: f32,
///     humidity: Option<u8>,
/// }
///
/// struct Station;
///
/// #[toolset]
/// impl Station {
///     /// Read the thermometer.
///     #[tool(read_only)]
///     fn read(&self) -> Json<Reading> {
///         Json(Reading { celsius: 21.5, humidity: None })
///     }
/// }
/// # let mut server = Server::<_, 512>::new(ServerInfo::new("station", "1"), Station);
/// # let mut uart = Vec::new();
/// # server.receive(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"read\"}}\n", &mut uart)?;
/// # assert_eq!(
/// #     core::str::from_utf8(&uart)?,
/// #     r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"celsius\":21.5}"}],"structuredContent":{"celsius":21.5},"isError":false}}"#.to_owned() + "\n"
/// # );
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// The macro knows it by its name: behind a type alias, the tool gets no `outputSchema`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made where a value is returned")]
pub struct Json<T>(pub T);

/// A type whose JSON a schema describes: the result of a tool, or a part of one.
///
/// Implemented for `bool`, `char`, the integers of 8 to 64 bits, `f32`, `f64`, `str`, [`heapless::String`],
/// [`heapless::Vec`], arrays, slices, references and [`Option`] of all those, and by
/// [`derive(Schema)`](derive@crate::Schema) for structs with named fields and for enums without fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema, so it cannot be in the result of a tool",
    note = "results are of bool, char, integers of 8 to 64 bits, f32, f64, &str, heapless::String<N>, heapless::Vec<T, N>, [T; N], &[T], Option of these, and types with #[derive(toolwire::Schema)]"
)]
pub trait Schema {
    /// The type of a bound on it: itself for numbers, [`Unbounded`] for all else.
    type Bound;

    /// What its JSON is.
    const SCHEMA: &'static Type;

    /// Whether it is always there.
    const REQUIRED: bool = true;
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Schema for $type {
            type Bound = Self;
            const SCHEMA: &'static Type = &Type::Integer {
                minimum: Integer::new(Self::MIN as i128),
                maximum: Integer::new(Self::MAX as i128),
            };
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ident $float:ident)*) => {$(
        impl Schema for $type {
            type Bound = Self;
            const SCHEMA: &'static Type = &Type::Number { minimum: None, maximum: None, float: &json::float::$float };
        }
    )*};
}

floats! { f32 F32_RESULT f64 F64_RESULT }

macro_rules! plain {
    ($($type:ty: $schema:expr;)*) => {$(
        impl Schema for $type {
            type Bound = Unbounded;
            const SCHEMA: &'static Type = &$schema;
        }
    )*};
}

plain! {
    bool: Type::Boolean;
    str: Type::STRING;
    char: Type::String { min_length: 1, max_length: 1, max_bytes: 4 };
}

impl<const N: usize> Schema for heapless::String<N> {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::String { min_length: 0, max_length: limit(N), max_bytes: limit(N) };
}

impl<T: Schema, const N: usize> Schema for heapless::Vec<T, N> {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Array { items: T::SCHEMA, min_items: 0, max_items: limit(N) };
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Array { items: T::SCHEMA, min_items: limit(N), max_items: limit(N) };
}

impl<T: Schema> Schema for [T] {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Array { items: T::SCHEMA, min_items: 0, max_items: u32::MAX };
}

impl<T: Schema + ?Sized> Schema for &T {
    type Bound = T::Bound;
    const SCHEMA: &'static Type = T::SCHEMA;
    const REQUIRED: bool = T::REQUIRED;
}

impl<T: Schema> Schema for Option<T> {
    type Bound = T::Bound;
    const SCHEMA: &'static Type = T::SCHEMA;
    const REQUIRED: bool = false;
}

#[doc(hidden)]
impl<T: Serialize + Schema> Returned<Json<T>> {
    pub fn reply(self, context: &Context<'_>) -> Replied {
        let Self(Json(value)) = self;
        context.structured(T::SCHEMA, &|serializer| value.serialize(serializer))
    }
}

#[doc(hidden)]
impl<T: Serialize + Schema, E: core::fmt::Display> Returned<Result<Json<T>, E>> {
    pub fn reply(self, context: &Context<'_>) -> Replied {
        match self.0 {
            Ok(value) => Returned(value).reply(context),
            Err(error) => context.error(&error),
        }
    }
}
