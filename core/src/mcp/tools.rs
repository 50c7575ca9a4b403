//! `tools/list` and `tools/call`.

use core::fmt;

use super::page::Page;
use super::params::{Params, Refusal, object, required_text};
use super::protocol::Dispatch;
use super::reply::{Replied, Reply};
use super::revision::Revision;
use crate::json::{self, Object, Writer};
use crate::rpc::ErrorCode;
use crate::schema;
use crate::tool::{Arguments, Context, MAX_ARGUMENTS, Tool};

/// A member that not every tool has, as JSON behind another. It is text already, so that what a toolset does not use costs
/// it nothing. The macros make it.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    since: Revision,
    json: &'static str,
    /// A schema that is its value, with the code that writes it.
    schema: Option<(&'static schema::Object, Printer)>,
}

type Printer = fn(&mut Writer<'_>, &'static schema::Object);

impl Member {
    const fn since(since: Revision, json: &'static str) -> Self {
        Self { since, json, schema: None }
    }

    /// What the result is, if that is JSON.
    ///
    /// # Panics
    /// If it is no object; in constants that stops the compiler.
    #[doc(hidden)]
    #[must_use]
    #[expect(clippy::panic, reason = "for constants, where it stops the compiler")]
    pub const fn output(schema: &'static schema::Type) -> Self {
        let schema::Type::Object(object) = schema else {
            panic!("the result of a tool is an object: put the value into a struct");
        };
        assert!(object.depth() <= schema::MAX_DEPTH, "the result of a tool nests too deep");
        Self {
            schema: Some((object, schema::print::write)),
            ..Self::since(Revision::V2025_06_18, ",\"outputSchema\":")
        }
    }

    /// Hints about the effects of the tool.
    #[doc(hidden)]
    #[must_use]
    pub const fn annotations(json: &'static str) -> Self {
        Self::since(Revision::V2025_03_26, json)
    }

    /// A name for people.
    #[doc(hidden)]
    #[must_use]
    pub const fn title(json: &'static str) -> Self {
        Self::since(Revision::V2025_06_18, json)
    }

    /// Metadata.
    #[doc(hidden)]
    #[must_use]
    pub const fn meta(json: &'static str) -> Self {
        Self::since(Revision::V2025_06_18, json)
    }

    /// Pictures for people.
    #[doc(hidden)]
    #[must_use]
    pub const fn icons(json: &'static str) -> Self {
        Self::since(Revision::V2025_11_25, json)
    }
}

/// Writes the tools of one page in the order of the table (TOOLS-5).
pub(super) fn list(params: &Params<'_>, tools: &'static [Tool], reply: Reply<'_>) -> Result<Replied, Refusal> {
    let page = Page::asked(params.all, tools.len(), reply.head.config.page_size)?;
    crate::log::info!("tools/list: {} tools", tools.len());
    let revision = reply.head.revision;
    Ok(reply.result(&|out| {
        out.raw("\"tools\":[");
        for (at, tool) in tools.get(page.range.clone()).unwrap_or_default().iter().enumerate() {
            out.raw(if at == 0 { "" } else { "," });
            write(out, tool, revision);
        }
        page.close(out, revision.rules());
    }))
}

fn write(out: &mut Writer<'_>, tool: &'static Tool, revision: Revision) {
    out.raw("{\"name\":");
    out.string(tool.name);
    out.member("description", Some(tool.description));
    out.raw(",\"inputSchema\":");
    schema::print::write(out, &tool.input);
    for member in tool.more.iter().filter(|member| member.since <= revision) {
        out.raw(member.json);
        if let Some((object, print)) = member.schema {
            print(out, object);
        }
    }
    out.raw("}");
}

/// Runs a tool, if there is one of that name and its arguments fit.
pub(super) fn call(params: &Params<'_>, tools: &mut dyn Dispatch, reply: Reply<'_>) -> Result<Replied, Refusal> {
    let call = Call::new(params, reply.head.revision)?;
    let table = tools.tools();
    let found = table.iter().enumerate().find(|(_, tool)| tool.name.as_bytes() == call.name);
    let Some((index, tool)) = found else {
        crate::log::info!("tools/call: unknown tool");
        let name = json::Clipped(core::str::from_utf8(call.name).unwrap_or_default());
        return Ok(reply.refuse(ErrorCode::InvalidParams, &format_args!("Unknown tool: {name}")));
    };
    crate::log::info!("tools/call: {}", tool.name);
    Ok(match Arguments::checked(call.arguments, &tool.input) {
        Some(arguments) => tools.call(index, &arguments, Context::new(reply)),
        None => reply.content(Some(&Violations(call.arguments, &tool.input)), true),
    })
}

/// The parameters of a call.
pub(super) struct Call<'a> {
    name: &'a [u8],
    pub(super) arguments: Object<'a>,
}

impl<'a> Call<'a> {
    pub(super) fn new(params: &Params<'a>, revision: Revision) -> Result<Self, Refusal> {
        let name = required_text(params.name, Refusal::ToolName)?;
        let arguments = object(params.arguments, Refusal::Arguments)?.unwrap_or(Object::EMPTY);
        params.check_input(revision)?;
        Ok(Self { name, arguments })
    }
}

/// What is wrong with arguments, as text.
struct Violations<'a>(Object<'a>, &'static schema::Object);

impl fmt::Display for Violations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        schema::explain::write(f, self.0, self.1);
        Ok(())
    }
}

/// Whether a table can be served: sound names, each once, and schemas that are not too deep. For constants.
pub(crate) const fn assert_sound(mut tools: &[Tool]) {
    while let [tool, rest @ ..] = tools {
        assert!(is_name(tool.name.as_bytes()), "a tool's name is 1 to 128 of A-Z a-z 0-9 _ - . (TOOLS-6)");
        assert!(
            tool.input.properties.len() <= MAX_ARGUMENTS,
            "a tool has at most 16 arguments: put them into a struct"
        );
        assert!(tool.input.depth() <= schema::MAX_DEPTH, "the arguments of a tool nest too deep");
        let mut others = rest;
        while let [other, rest @ ..] = others {
            assert!(!is_same(tool.name.as_bytes(), other.name.as_bytes()), "two tools have the same name");
            others = rest;
        }
        tools = rest;
    }
}

const fn is_name(name: &[u8]) -> bool {
    let mut rest = name;
    while let [byte, behind @ ..] = rest {
        if !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')) {
            return false;
        }
        rest = behind;
    }
    !name.is_empty() && name.len() <= 128
}

const fn is_same(mut a: &[u8], mut b: &[u8]) -> bool {
    loop {
        match (a, b) {
            ([], []) => return true,
            ([first, a_rest @ ..], [other, b_rest @ ..]) if *first == *other => (a, b) = (a_rest, b_rest),
            _ => return false,
        }
    }
}

/// Here at run time, where a panic can be caught; `tests/ui/tool_*name.rs` and `tests/ui/limit_*.rs` show the compile errors.
#[cfg(test)]
mod tests {
    extern crate alloc;
    extern crate std;
    use super::*;
    use alloc::string::String;
    use std::panic::catch_unwind;

    const PLAIN: schema::Object = schema::Object { properties: &[], additional_properties: false };
    const FLAG: schema::Property = schema::Property {
        name: "flag",
        description: None,
        schema: &schema::Type::Boolean,
        required: true,
        default: None,
    };

    const fn tool(name: &'static str, input: schema::Object) -> Tool {
        Tool { name, description: "", input, more: &[] }
    }

    fn is_sound(tools: &[Tool]) -> bool {
        catch_unwind(|| assert_sound(tools)).is_ok()
    }

    #[test]
    fn tools_6_a_name_has_1_to_128_characters_of_these() {
        for byte in 0..=u8::MAX {
            let allowed = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.".contains(&byte);
            for name in [&[byte][..], &[b'a', byte], &[byte, b'a'], &[b'a', byte, b'a']] {
                assert_eq!(is_name(name), allowed, "{}", name.escape_ascii());
            }
        }
        for (length, allowed) in [(0, false), (1, true), (127, true), (128, true), (129, false)] {
            assert_eq!(is_name("x".repeat(length).as_bytes()), allowed, "{length}");
        }
    }

    #[test]
    fn tools_6_names_are_unique_and_case_sensitive() {
        let names = ["", "a", "b", "A", "aa", "ab", "ba", "aab"];
        for a in names {
            for b in names {
                assert_eq!(is_same(a.as_bytes(), String::from(b).as_bytes()), a == b, "{a:?} {b:?}");
            }
        }
        assert!(is_sound(&[]));
        assert!(is_sound(&[tool("a", PLAIN), tool("b", PLAIN), tool("A", PLAIN)]));
        assert!(!is_sound(&[tool("a", PLAIN), tool("b", PLAIN), tool("a", PLAIN)]));
        assert!(!is_sound(&[tool("b", PLAIN), tool("a", PLAIN), tool("a", PLAIN)]));
        assert!(!is_sound(&[tool("a", PLAIN), tool("b b", PLAIN)]));
    }

    #[test]
    fn tables_have_limits() {
        const fn flags(properties: &'static [schema::Property]) -> Tool {
            tool("a", schema::Object { properties, additional_properties: false })
        }
        static MOST: [schema::Property; MAX_ARGUMENTS] = [FLAG; _];
        static ONE_MORE: [schema::Property; MAX_ARGUMENTS + 1] = [FLAG; _];
        assert!(is_sound(&[flags(&MOST)]));
        assert!(!is_sound(&[flags(&ONE_MORE)]));

        static SEVEN: schema::Type = nested(&nested(&nested(&nested(&nested(&nested(&nested(FLAG.schema)))))));
        static EIGHT: schema::Type = nested(&SEVEN);
        const fn nested(items: &'static schema::Type) -> schema::Type {
            schema::Type::Array { items, min_items: 0, max_items: 1 }
        }
        const fn deep(schema: &'static schema::Type) -> schema::Property {
            schema::Property { schema, ..FLAG }
        }
        static FITS: [schema::Property; 1] = [deep(&SEVEN)];
        static TOO_DEEP: [schema::Property; 1] = [deep(&EIGHT)];
        assert!(is_sound(&[flags(&FITS)]));
        assert!(!is_sound(&[flags(&TOO_DEEP)]));
    }
}
