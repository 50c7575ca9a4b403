//! The macros of [`toolwire`](https://docs.rs/toolwire), which re-exports them. Use them from there: their output names
//! items of `toolwire`, and the compiled examples are in its documentation.

use proc_macro::TokenStream;

mod argument;
mod docs;
mod errors;
mod member;
mod naming;
mod options;
mod output;
mod prompt;
mod property;
mod resource;
mod serde;
mod tool;
mod toolset;

/// Makes the functions of an inherent `impl` block that are marked `#[tool]` the tools of its type.
///
/// The block stays as it is; its type gains implementations of `toolwire::Catalog`, the static tables of the
/// tools, and of `toolwire::Toolset`, a dispatcher that decodes their arguments.
///
/// ```text
/// #[toolset]
/// impl<P: OutputPin> Lamp<P> {
///     /// Switch the lamp for a while.
///     #[tool(title = "Lamp", idempotent, destructive = false)]
///     fn lamp_set(
///         &mut self,
///         /// `true` for light.
///         on: bool,
///         /// How long, in seconds.
///         #[argument(default = 60, min = 1, max = 3600)]
///         seconds: u16,
///     ) -> Result<impl Display, PinError> { .. }
/// }
/// ```
///
/// # The block
///
/// Lifetimes, generic parameters and a `where` clause of the block are taken over. `#[toolset(crate = path)]` names the
/// `toolwire` crate where it is not `::toolwire`. `#[toolset(logging)]` declares that tools send messages to the client's
/// log, with `Context::log`. Functions without `#[tool]` are left alone. A tool under `#[cfg(..)]`
/// is a tool only where that holds.
///
/// # Tools
///
/// The doc comment is the tool's description and must be there: a model reads it to decide what to call and when.
/// Lines of a paragraph are joined by a space, paragraphs by an empty line. The options of `#[tool(..)]` are
///
/// | option | meaning |
/// | --- | --- |
/// | `name = ".."` | the tool's name, 1 to 64 of `A-Z a-z 0-9 _ -`; otherwise the function's |
/// | `any_name` | `name` may be what MCP allows and some clients refuse: 1 to 128, also `.` |
/// | `title = ".."` | a name for people |
/// | `read_only` | it changes nothing |
/// | `destructive` | it may destroy something |
/// | `idempotent` | calling it again with the same arguments changes nothing more |
/// | `open_world` | it deals with a world beyond the device |
/// | `icon = ".."` | the address of a picture, `https://` or `data:image/`; also `icon("..", mime_type = "..", sizes = "48x48", theme = "dark")`, and more than once |
/// | `meta("com.example/key" = value, ..)` | metadata for some client: strings, numbers, `true` and `false` |
/// | `additional_properties` | arguments that it does not know are ignored, not refused |
///
/// The others are flags: `read_only` is `read_only = true`. A hint that is left out is not sent.
///
/// A tool takes `&self`, `&mut self` or no receiver, and returns nothing, something that implements `Display` or
/// `toolwire::Content`, `toolwire::Json` of a type with a schema, or a `Result` of these with an error that implements `Display`. A parameter of type `&Context<'_>` is given what
/// the server offers to a running tool. Every other parameter is an argument.
///
/// # Arguments
///
/// The type of an argument implements `toolwire::Argument`; it says what JSON the argument takes and whether it must be
/// there. The doc comment of the parameter is its description. The options of `#[argument(..)]` are
///
/// | option | meaning |
/// | --- | --- |
/// | `rename = ".."` | its name in JSON, 1 to 64 of `A-Z a-z 0-9 _ - .`; otherwise the parameter's |
/// | `default = value` | what it is when it is absent; printed in the schema |
/// | `min = value`, `max = value` | the least and the greatest number; constants of the argument's type |
/// | `min_length = n`, `max_length = n` | the least and the greatest number of characters of a string |
/// | `min_items = n`, `max_items = n` | the least and the greatest number of elements of an array |
///
/// # Resources
///
/// A function or constant that is marked `#[resource(..)]` is something that clients read. Its doc comment is its
/// description. The options are
///
/// | option | meaning |
/// | --- | --- |
/// | `uri = ".."` | its address, such as `device://log`; must be there |
/// | `name = ".."` | a name for programs; otherwise the function's, or that of the constant in lower case |
/// | `title = ".."` | a name for people |
/// | `mime_type = ".."` | what its contents are, such as `text/plain` |
/// | `constant` | the contents never change, so that clients may keep them; a constant needs not say so |
/// | `subscribe` | clients may ask to be told when it changes, which `Context::resource_updated` and `Server::resource_updated` tell; for an address without variables, and the server needs places for listeners: `Server::<_, 1024, 2>` |
///
/// A function takes `&self`, `&mut self` or no receiver, and returns something that implements `Display`, bytes as
/// `toolwire::Bytes`, an `Option` of these, where `None` says that there is no such resource, or a `Result` with an error
/// that implements `Display`. Variables of the address such as `{id}` in `sensor://{id}/latest` make it a family of
/// resources; the function has a parameter for each, of the same name and of a type that implements
/// `toolwire::tool::TextArgument`: `&str`, an integer, or an enum with `#[derive(Argument)]`. An address whose variables
/// are not of these types is that of no resource.
///
/// A constant is a `&str` or `toolwire::Bytes`.
///
/// # Prompts
///
/// A function that is marked `#[prompt(..)]` is something that people choose from a menu: it returns the text of a message
/// to a model. Its doc comment is its description and must be there. The options are `name = ".."` and `title = ".."`. It
/// takes `&self`, `&mut self` or no receiver, and returns something that implements `Display`, or
/// `toolwire::prompt::Messages` for several messages, or for pictures; or a `Result` of these with an error that implements
/// `Display`. One parameter may be `&Context<'_>`, to ask the user. The others are arguments that people fill in, of types
/// that implement `toolwire::tool::TextArgument`; an `Option` may be left out. Their doc comments are descriptions, and
/// `#[argument(suggest = ["..", ".."])]` names texts that clients offer. The values of enums are offered without that.
#[proc_macro_attribute]
pub fn toolset(options: TokenStream, item: TokenStream) -> TokenStream {
    toolset::expand(options.into(), item.into()).into()
}

/// Marks a function as a tool, inside an `impl` block marked `#[toolset]`, which describes it. Refused anywhere else.
#[proc_macro_attribute]
pub fn tool(_options: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(item.into()).into()
}

/// Marks a function or constant as a resource, inside an `impl` block marked `#[toolset]`, which describes it. Refused
/// anywhere else.
#[proc_macro_attribute]
pub fn resource(_options: TokenStream, item: TokenStream) -> TokenStream {
    resource::expand(&item.into()).into()
}

/// Marks a function as a prompt, inside an `impl` block marked `#[toolset]`, which describes it. Refused anywhere else.
#[proc_macro_attribute]
pub fn prompt(_options: TokenStream, item: TokenStream) -> TokenStream {
    prompt::expand(item.into()).into()
}

/// Makes a type an argument of tools: implements `toolwire::Argument`.
///
/// ```text
/// #[derive(Argument)]
/// enum Priority { Low, Medium, High }     // "low", "medium", "high"
///
/// #[derive(Argument)]
/// struct NewTask<'a> {
///     /// A short title.
///     #[argument(min_length = 1, max_length = 200)]
///     title: &'a str,
///     #[argument(default = Priority::Medium)]
///     priority: Priority,
/// }
/// ```
///
/// - A struct with named fields becomes an object. It may have one lifetime, that of the message that it borrows from.
///   Fields are documented and take the options of `#[argument(..)]` like the parameters of a tool, see `#[toolset]`.
/// - An enum whose variants have no fields becomes a choice of strings: the names of the variants in `snake_case`. Its
///   values can be defaults of arguments.
///
/// The options of `#[argument(..)]` on the type itself are
///
/// | option | meaning |
/// | --- | --- |
/// | `rename_all = ".."` | how fields or variants are spelled: `lowercase`, `UPPERCASE`, `PascalCase`, `camelCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case` or `SCREAMING-KEBAB-CASE` |
/// | `additional_properties` | members that a struct does not know are ignored, not refused |
/// | `crate = path` | the `toolwire` crate where it is not `::toolwire` |
///
/// A variant takes `#[argument(rename = "..")]`, and `#[argument(title = "..")]`, a name for people that a form shows in place
/// of it.
#[proc_macro_derive(Argument, attributes(argument))]
pub fn argument(item: TokenStream) -> TokenStream {
    argument::expand(item.into()).into()
}

/// Gives a type a schema, for results of tools: implements `toolwire::Schema`.
///
/// ```text
/// #[derive(serde::Serialize, Schema)]
/// #[serde(rename_all = "camelCase")]
/// struct Reading<'a> {
///     /// In degrees Celsius.
///     #[schema(min = -40.0, max = 85.0)]
///     celsius: f32,
///     #[serde(skip_serializing_if = "str::is_empty")]
///     sensor_name: &'a str,
/// }
/// ```
///
/// The schema says what serde's derive prints:
///
/// - A struct with named fields becomes an object with these members and no others. Doc comments are descriptions and may be
///   left out. A member is required unless it is an `Option` or serde leaves it out at times.
/// - An enum whose variants have no fields becomes a choice of strings: the names of the variants.
///
/// Of the attributes of serde, `rename`, `rename_all`, `skip`, `skip_serializing` and `skip_serializing_if` are followed, and
/// others that change what is printed are refused. A field takes `min`, `max`, `min_length`, `max_length`, `min_items` and
/// `max_items` in `#[schema(..)]`, as an argument does in `#[argument(..)]`; a value beyond them is an error of the server. The
/// type itself takes `#[schema(crate = path)]`.
#[proc_macro_derive(Schema, attributes(schema))]
pub fn schema(item: TokenStream) -> TokenStream {
    output::expand(item.into()).into()
}
