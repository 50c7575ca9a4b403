//! Results with a schema: every kind, no lint, no name that meets the user's.
#![deny(warnings, clippy::all, missing_docs, unreachable_pub, unused_qualifications)]
#![no_implicit_prelude]

use ::serde::Serialize;
use ::toolwire as wire;
use ::toolwire::toolset;

#[derive(Serialize, wire::Schema)]
#[serde(rename_all = "camelCase")]
enum Some {
    None,
    r#Type,
}

#[derive(Serialize, wire::Schema)]
#[schema(crate = wire)]
struct Ok<'a, 'b> {
    r#type: Some,
    list: &'a [&'b str],
    option: ::core::option::Option<[bool; 2]>,
    #[serde(rename(serialize = "out", deserialize = "in"), default)]
    #[schema(min = LEAST)]
    letter: i8,
}

const LEAST: i8 = -4;

struct Err;

#[toolset]
impl Err {
    /// Give.
    #[tool]
    fn give(&self) -> wire::Json<Ok<'_, '_>> {
        wire::Json(Ok { r#type: Some::Type, list: &["a"], option: ::core::option::Option::None, letter: LEAST })
    }

    /// Give, or fail.
    #[tool]
    fn try_give(fail: bool) -> ::core::result::Result<wire::Json<Ok<'static, 'static>>, &'static str> {
        if fail {
            return ::core::result::Result::Err("no");
        }
        let value = Ok { r#type: Some::None, list: &[], option: ::core::option::Option::None, letter: 0 };
        ::core::result::Result::Ok(wire::Json(value))
    }
}

fn main() {
    let mut server = wire::Server::<_, 512>::new(wire::ServerInfo::new("s", "1"), Err);
    let mut out = ::std::vec::Vec::new();
    let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"give"}}"#;
    server.receive(line, &mut out).unwrap();
    server.finish(&mut out).unwrap();
    let text = ::std::string::String::from_utf8(out).unwrap();
    let expected = r#""structuredContent":{"type":"type","list":["a"],"out":-4},"isError":false}}"#;
    ::std::assert!(text.trim_end().ends_with(expected), "{text}");
}
