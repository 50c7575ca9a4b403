//! Names that the generated code uses too, and a scope in which the prelude's are something else.

#![allow(dead_code, non_camel_case_types, non_upper_case_globals)]

use toolwire::{Argument, toolset};

struct Option;
struct Some;
struct None;
struct Result;
struct String;
mod core {}
mod std {}

const index: u8 = 1;
const reply: u8 = 2;

#[derive(Argument)]
struct Fields {
    value: u8,
    object: u8,
    out: u8,
    __value: u8,
    __object: u8,
}

#[derive(Argument)]
enum Variants {
    Some,
    None,
    Bound,
}

struct Names;

#[toolset]
impl Names {
    /// Named like the parameters of `Toolset::call`.
    #[tool]
    fn call(
        &mut self,
        reply_: u8,
        arguments: u8,
        context: u8,
        self_: u8,
        value: Fields,
        out: Variants,
        __index: u8,
        __reply: u8,
        __arguments: u8,
        __context: u8,
        __argument_0: u8,
        #[argument(default = index + reply)] __out: u8,
    ) -> u8 {
        let _ = (reply_, arguments, context, self_, __index, __reply, __arguments, __context, __argument_0, __out);
        let _ = (value.value, value.object, value.out, value.__value, value.__object);
        let _ = out;
        1
    }

    /// Named like a function of a trait.
    #[tool]
    fn reply(self: &Self) {}

    /// Conditional, so that positions are counted.
    #[cfg(all())]
    #[tool]
    fn text(&self) {}
}

macro_rules! lamp {
    ($name:ident, $description:literal, $least:expr, $level:ty) => {
        struct $name;

        #[toolset]
        impl $name {
            #[doc = $description]
            #[tool(name = $description, idempotent = true)]
            fn level(
                &self,
                #[doc = $description]
                #[argument(min = $least, default = $least)]
                level: $level,
            ) -> $level {
                level
            }
        }
    };
}

lamp!(Lamp, "lamp", 1, u8);

fn main() {
    let _ = (Names, Lamp);
}
