//! What a tool is: its static description, its typed arguments, its result.

use core::fmt::{self, Display};
#[cfg(feature = "async")]
use core::future::ready;

use crate::json::{self, Value};
use crate::schema::{self, Type};

use crate::prompt::{Prompting, TextArguments};
use crate::resource::{Reading, Variables};

pub use crate::mcp::context::Context;
pub use crate::mcp::elicitation::Unanswered;
pub use crate::mcp::feature::Feature;
pub use crate::mcp::logging::Level;
pub use crate::mcp::reply::Replied;
pub use crate::mcp::tools::Member;

/// The static description of a tool, as `tools/list` prints it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Tool {
    /// 1 to 64 of `A-Z a-z 0-9 _ -` (TOOLS-6).
    pub name: &'static str,
    /// What it does and when to use it, for a model (TOOLS-10).
    pub description: &'static str,
    /// What its arguments must be.
    pub input: schema::Object,
    /// What not every tool has: a title, hints about its effects, icons, metadata.
    pub more: &'static [Member],
}

/// The most arguments that a tool can have. A struct that is an argument can have any number of members.
pub const MAX_ARGUMENTS: usize = 16;

/// The arguments of a call, which have passed the check against the schema of their tool.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a>([Option<Value<'a>>; MAX_ARGUMENTS]);

impl<'a> Arguments<'a> {
    /// Finds the arguments, unless they violate `input`.
    pub(crate) fn checked(arguments: json::Object<'a>, input: &schema::Object) -> Option<Self> {
        let mut values = [None; MAX_ARGUMENTS];
        schema::check::find(arguments, input, &mut values).then_some(Self(values))
    }

    /// The values in the order of the table; `None` for what is absent.
    #[must_use]
    pub fn values<const K: usize>(&self) -> [Option<Value<'a>>; K] {
        core::array::from_fn(|at| self.0.get(at).copied().flatten())
    }
}

/// What a type offers to clients, in static tables. Made by [`#[toolset]`](crate::toolset).
pub trait Catalog {
    /// The tools, in the order in which they are listed.
    const TOOLS: &'static [Tool];

    /// What it offers besides tools.
    const FEATURES: &'static [Feature] = &[];
}

/// A type whose functions are tools. Made by [`#[toolset]`](crate::toolset).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no toolset that a server can serve line by line",
    note = "`#[toolset]` makes one of an `impl` block; with `async` functions in it, `Server::run_async` serves it"
)]
pub trait Toolset: Catalog {
    /// Runs the tool at `index` of [`TOOLS`](Catalog::TOOLS). The arguments have passed the check against its schema.
    fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> Replied;

    /// Reads the resource at `index` of the table of its [`FEATURES`](Catalog::FEATURES), with the variables of its address.
    fn read(&mut self, _index: usize, _variables: &Variables<'_>, reading: Reading<'_>) -> Replied {
        reading.internal_error()
    }

    /// Makes the prompt at `index` of the table of its [`FEATURES`](Catalog::FEATURES).
    fn prompt(&mut self, _index: usize, _arguments: &TextArguments<'_>, prompting: Prompting<'_>) -> Replied {
        prompting.internal_error()
    }
}

/// A type whose functions are tools that may wait. Made by [`#[toolset]`](crate::toolset) where one of them is `async`; each
/// [`Toolset`] is one too.
#[cfg(feature = "async")]
#[diagnostic::on_unimplemented(message = "`{Self}` is no toolset", note = "`#[toolset]` makes one of an `impl` block")]
pub trait AsyncToolset: Catalog {
    /// As [`Toolset::call`].
    fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> impl Future<Output = Replied>;

    /// As [`Toolset::read`].
    fn read(
        &mut self,
        _index: usize,
        _variables: &Variables<'_>,
        reading: Reading<'_>,
    ) -> impl Future<Output = Replied> {
        ready(reading.internal_error())
    }

    /// As [`Toolset::prompt`].
    fn prompt(
        &mut self,
        _index: usize,
        _arguments: &TextArguments<'_>,
        prompting: Prompting<'_>,
    ) -> impl Future<Output = Replied> {
        ready(prompting.internal_error())
    }
}

#[cfg(feature = "async")]
impl<T: Toolset> AsyncToolset for T {
    async fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> Replied {
        Toolset::call(self, index, arguments, context)
    }

    async fn read(&mut self, index: usize, variables: &Variables<'_>, reading: Reading<'_>) -> Replied {
        Toolset::read(self, index, variables, reading)
    }

    async fn prompt(&mut self, index: usize, arguments: &TextArguments<'_>, prompting: Prompting<'_>) -> Replied {
        Toolset::prompt(self, index, arguments, prompting)
    }
}

/// A type that can be an argument of a tool, or a member of one.
///
/// Implemented for `bool`, the integers of 8 to 64 bits, `f32`, `f64`, `&str`, [`heapless::String`],
/// [`heapless::Vec`], arrays, [`Option`] of all those, and by [`derive(Argument)`](derive@crate::Argument) for structs
/// with named fields and for enums without fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument of a tool",
    note = "arguments are bool, integers of 8 to 64 bits, f32, f64, &str, heapless::String<N>, heapless::Vec<T, N>, [T; N], Option of these, and types with #[derive(toolwire::Argument)]"
)]
pub trait Argument<'a>: Sized {
    /// The type of a bound on it: itself for numbers, [`Unbounded`] for all else.
    type Bound;

    /// What its JSON must be.
    const SCHEMA: &'static Type;

    /// Whether it must be there.
    const REQUIRED: bool = true;

    /// The value for JSON that has passed the check against [`SCHEMA`](Self::SCHEMA); `None` if it had not.
    fn decode(value: Value<'a>) -> Option<Self>;

    /// The value when it is absent; `None` if it must not be.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

/// The [`Argument::Bound`] of types that have no order in JSON Schema.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "without values")]
pub enum Unbounded {}

/// A type whose values can be printed as the `default` of an argument.
#[diagnostic::on_unimplemented(
    message = "a default of type `{Self}` cannot be printed into a schema",
    note = "defaults are bool, integers, f32, f64, strings, and enums with #[derive(toolwire::Argument)]"
)]
pub trait DefaultValue {
    /// Writes the value as JSON.
    ///
    /// # Errors
    /// Those of `out`.
    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result;
}

/// A type that can be given as text: an argument of a prompt, or a variable in the address of a resource.
///
/// Implemented for `&str`, the integers of 8 to 64 bits, by [`derive(Argument)`](derive@crate::Argument) for enums, and for
/// [`Option`] of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given as text",
    note = "it is &str, an integer of 8 to 64 bits, or an enum with #[derive(toolwire::Argument)]"
)]
pub trait TextArgument<'a>: Sized {
    /// All values that it can have, if they are few.
    const VALUES: &'static [&'static str] = &[];

    /// Whether it must be there.
    const REQUIRED: bool = true;

    /// The value that a text spells.
    fn from_text(text: &'a str) -> Option<Self>;

    /// The value when it is absent; `None` if it must not be.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

impl<'a, T: TextArgument<'a>> TextArgument<'a> for Option<T> {
    const VALUES: &'static [&'static str] = T::VALUES;
    const REQUIRED: bool = false;

    fn from_text(text: &'a str) -> Option<Self> {
        T::from_text(text).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// An argument of a prompt.
#[doc(hidden)]
#[must_use]
pub fn text_argument<'a, T: TextArgument<'a>>(text: Option<&'a str>) -> Option<T> {
    text.map_or_else(T::absent, T::from_text)
}

impl<'a> TextArgument<'a> for &'a str {
    fn from_text(text: &'a str) -> Option<Self> {
        Some(text)
    }
}

macro_rules! integers {
    ($($type:ident)*) => {$(
        impl Argument<'_> for $type {
            type Bound = Self;
            const SCHEMA: &'static Type = &Type::Integer {
                minimum: json::Integer::new(Self::MIN as i128),
                maximum: json::Integer::new(Self::MAX as i128),
            };

            fn decode(value: Value<'_>) -> Option<Self> {
                value.as_number()?.to_integer().ok()?.try_into().ok()
            }
        }

        impl TextArgument<'_> for $type {
            fn from_text(text: &str) -> Option<Self> {
                json::Integer::from_text(text)?.try_into().ok()
            }
        }

        impl DefaultValue for $type {
            fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
                json::Integer::from(*self).write(out)
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($type:ident $float:ident $read:ident;)*) => {$(
        impl Argument<'_> for $type {
            type Bound = Self;
            const SCHEMA: &'static Type =
                &Type::Number { minimum: None, maximum: None, float: &json::float::$float };

            fn decode(value: Value<'_>) -> Option<Self> {
                Some(json::float::$read(value.as_number()?.as_str()))
            }
        }

        impl DefaultValue for $type {
            fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
                // Exact, as the bounds are.
                write!(out, "{}", json::Float(f64::from(*self)))
            }
        }
    )*};
}

floats! {
    f32 F32 to_f32;
    f64 F64 to_f64;
}

impl Argument<'_> for bool {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Boolean;

    fn decode(value: Value<'_>) -> Option<Self> {
        value.as_bool()
    }
}

impl DefaultValue for bool {
    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        out.write_str(if *self { "true" } else { "false" })
    }
}

impl<'a> Argument<'a> for &'a str {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::STRING;

    fn decode(value: Value<'a>) -> Option<Self> {
        value.as_str()
    }
}

impl DefaultValue for &str {
    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        json::write_str(out, self)
    }
}

/// A capacity as a limit in a table.
#[expect(clippy::cast_possible_truncation, reason = "compared before")]
pub(crate) const fn limit(capacity: usize) -> u32 {
    if capacity < u32::MAX as usize { capacity as u32 } else { u32::MAX }
}

impl<const N: usize> Argument<'_> for heapless::String<N> {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::String { min_length: 0, max_length: limit(N), max_bytes: limit(N) };

    fn decode(value: Value<'_>) -> Option<Self> {
        value.as_str()?.try_into().ok()
    }
}

impl<'a, T: Argument<'a>, const N: usize> Argument<'a> for heapless::Vec<T, N> {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Array { items: T::SCHEMA, min_items: 0, max_items: limit(N) };

    fn decode(value: Value<'a>) -> Option<Self> {
        let mut elements = Self::new();
        for element in value.as_array()?.elements() {
            elements.push(T::decode(element)?).ok()?;
        }
        Some(elements)
    }
}

impl<'a, T: Argument<'a>, const N: usize> Argument<'a> for [T; N] {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Array { items: T::SCHEMA, min_items: limit(N), max_items: limit(N) };

    fn decode(value: Value<'a>) -> Option<Self> {
        heapless::Vec::<T, N>::decode(value)?.into_array().ok()
    }
}

impl<'a, T: Argument<'a>> Argument<'a> for Option<T> {
    type Bound = T::Bound;
    const SCHEMA: &'static Type = T::SCHEMA;
    const REQUIRED: bool = false;

    fn decode(value: Value<'a>) -> Option<Self> {
        T::decode(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

/// An argument that was checked.
#[doc(hidden)]
#[must_use]
pub fn argument<'a, T: Argument<'a>>(value: Option<Value<'a>>) -> Option<T> {
    match value {
        Some(value) if !value.is_null() => T::decode(value),
        _ => T::absent(),
    }
}

/// An argument that was checked, or its default.
#[doc(hidden)]
#[must_use]
pub fn argument_or<'a, T: Argument<'a>>(value: Option<Value<'a>>, default: impl FnOnce() -> T) -> Option<T> {
    match value {
        Some(value) if !value.is_null() => T::decode(value),
        _ => Some(default()),
    }
}

/// What a tool returned. The generated code calls `reply` on it: a function of one of the traits in [`returned`], of which
/// one fits.
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Returned<T>(pub T);

/// What a tool returned when it returned `()`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Nothing;

#[doc(hidden)]
impl<E: Display> Returned<Result<Nothing, E>> {
    pub fn reply(self, context: &Context<'_>) -> Replied {
        match self.0 {
            Ok(Nothing) => context.empty(),
            Err(error) => context.error(&error),
        }
    }
}

#[doc(hidden)]
impl Returned<Nothing> {
    pub fn reply(self, context: &Context<'_>) -> Replied {
        context.empty()
    }
}

/// What tools may return.
#[doc(hidden)]
pub mod returned {
    use core::fmt::Display;

    use super::{Context, Replied, Returned};
    use crate::content::Content;

    /// Something that displays itself.
    pub trait Text {
        fn reply(self, context: &Context<'_>) -> Replied;
    }

    impl<T: Display> Text for Returned<T> {
        fn reply(self, context: &Context<'_>) -> Replied {
            context.text(&self.0)
        }
    }

    /// Blocks of content.
    pub trait Blocks {
        fn reply(self, context: &Context<'_>) -> Replied;
    }

    impl<T: Content> Blocks for Returned<T> {
        fn reply(self, context: &Context<'_>) -> Replied {
            context.content(&self.0)
        }
    }

    /// Something that displays itself, or an error.
    pub trait TextOrError {
        fn reply(self, context: &Context<'_>) -> Replied;
    }

    impl<T: Display, E: Display> TextOrError for Returned<Result<T, E>> {
        fn reply(self, context: &Context<'_>) -> Replied {
            match self.0 {
                Ok(text) => context.text(&text),
                Err(error) => context.error(&error),
            }
        }
    }

    /// Blocks of content, or an error.
    pub trait BlocksOrError {
        fn reply(self, context: &Context<'_>) -> Replied;
    }

    impl<T: Content, E: Display> BlocksOrError for Returned<Result<T, E>> {
        fn reply(self, context: &Context<'_>) -> Replied {
            match self.0 {
                Ok(content) => context.content(&content),
                Err(error) => context.error(&error),
            }
        }
    }
}
