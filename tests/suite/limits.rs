//! The limits of the README, at each and one beyond. What must not compile beyond its limit is in `tests/ui/limit_*.rs`, and
//! for the names of tools in `tests/ui/tool_bad_name.rs`.

use core::fmt::Display;
use std::path::Path;

use serde_json::{Value, json};
use toolwire::{Argument, Server, ServerInfo, toolset};
use toolwire_demos::board::{self, Board};

use crate::harness::Peer;
use crate::hostile_lines::{filled, ping};

/// The rows of the table, and the tests that are about them.
const ROWS: [(&str, &str); 10] = [
    ("size of a message", "size_of_a_message"),
    ("nesting of a message", "nesting_of_a_message"),
    ("size of an id", "size_of_an_id"),
    ("arguments of a tool", "arguments_of_a_tool"),
    ("nesting of a tool's schema", "nesting_of_a_schema"),
    ("names of tools", "names_of_tools"),
    ("arguments of a prompt", "arguments_of_a_prompt"),
    ("variables in the address of a resource", "variables_of_an_address"),
    ("suggestions in an answer", "suggestions"),
    ("tools", "many_tools"),
];

#[test]
fn every_row_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("../README.md")).unwrap();
    let table = readme.split("\n## Limits\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows: Vec<_> = table.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |")).collect();
    let rows: Vec<_> = rows.iter().map(|(first, _)| *first).filter(|first| !["limit", "---"].contains(first)).collect();
    assert_eq!(rows, ROWS.map(|(row, _)| row));
    let here = std::fs::read_to_string(root.join("suite/limits.rs")).unwrap();
    for (_, test) in ROWS {
        assert!(here.contains(&format!("#[test]\nfn {test}()")), "{test}");
    }
}

/// The id or the code of the only answer to a line, of a server that takes so many bytes.
fn seen<const N: usize>(line: &str) -> (Value, Value) {
    let answer = Peer::with(Server::<Board, N, 1>::new(board::INFO, Board::new())).one(line.as_bytes());
    (answer["id"].clone(), if answer["result"].is_object() { json!("ok") } else { answer["error"]["code"].clone() })
}

/// For 1 MiB behind `toolwire serve`: `a_message_may_have_a_mebibyte` in `tests/cli/serve.rs`.
#[test]
fn size_of_a_message() {
    assert_eq!(seen::<512>(&filled(512)), (json!(1), json!("ok")));
    assert_eq!(seen::<512>(&filled(513)), (json!(1), json!(-32600)));
    // White space and the overhead of escapes do not count.
    let padded = filled(512).replace(',', &(",".to_owned() + &" ".repeat(300))).replace("xxx", r"x\u0078x");
    assert!(padded.len() > 1500);
    assert_eq!(seen::<512>(&padded), (json!(1), json!("ok")));
}

#[test]
fn nesting_of_a_message() {
    // The message itself is a level.
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":{open}{close}}}"#)
    };
    assert_eq!(seen::<512>(&nested(64)), (json!(1), json!("ok")));
    assert_eq!(seen::<512>(&nested(65)), (json!(1), json!(-32600)));
    let late = nested(65).replace(r#""id":1,"#, "").replace("]}", r#"],"id":1}"#);
    assert_eq!(seen::<512>(&late), (json!(null), json!(-32600)));
}

#[test]
fn size_of_an_id() {
    let id = |size: usize| "i".repeat(size - ping("\"\"").len());
    assert_eq!(seen::<512>(&ping(&json!(id(512)).to_string())), (json!(id(512)), json!("ok")));
    // The message is too long, but its id came whole.
    assert_eq!(seen::<512>(&ping(&json!(id(513)).to_string())), (json!(id(513)), json!(-32600)));
    // It did not, so there is none in the answer.
    assert_eq!(seen::<512>(&ping(&json!("i".repeat(513)).to_string())), (json!(null), json!(-32600)));
}

struct Wide;

#[toolset]
impl Wide {
    /// Add sixteen numbers.
    #[tool]
    #[expect(clippy::too_many_arguments, reason = "the most there may be")]
    fn sum(
        a1: u8,
        a2: u8,
        a3: u8,
        a4: u8,
        a5: u8,
        a6: u8,
        a7: u8,
        a8: u8,
        a9: u8,
        a10: u8,
        a11: u8,
        a12: u8,
        a13: u8,
        a14: u8,
        a15: u8,
        a16: u8,
    ) -> impl Display {
        u32::from(a1)
            + u32::from(a2)
            + u32::from(a3)
            + u32::from(a4)
            + u32::from(a5)
            + u32::from(a6)
            + u32::from(a7)
            + u32::from(a8)
            + u32::from(a9)
            + u32::from(a10)
            + u32::from(a11)
            + u32::from(a12)
            + u32::from(a13)
            + u32::from(a14)
            + u32::from(a15)
            + u32::from(a16)
    }

    /// Add the members of a struct.
    #[tool]
    fn members(input: Members) -> impl Display {
        u32::from(input.a1)
            + u32::from(input.a2)
            + u32::from(input.a3)
            + u32::from(input.a4)
            + u32::from(input.a5)
            + u32::from(input.a6)
            + u32::from(input.a7)
            + u32::from(input.a8)
            + u32::from(input.a9)
            + u32::from(input.a10)
            + u32::from(input.a11)
            + u32::from(input.a12)
            + u32::from(input.a13)
            + u32::from(input.a14)
            + u32::from(input.a15)
            + u32::from(input.a16)
            + u32::from(input.a17)
            + u32::from(input.a18)
            + u32::from(input.a19)
            + u32::from(input.a20)
            + u32::from(input.a21)
            + u32::from(input.a22)
            + u32::from(input.a23)
            + u32::from(input.a24)
            + u32::from(input.a25)
            + u32::from(input.a26)
            + u32::from(input.a27)
            + u32::from(input.a28)
            + u32::from(input.a29)
            + u32::from(input.a30)
            + u32::from(input.a31)
            + u32::from(input.a32)
    }

    /// Tell what lies deepest.
    #[tool]
    fn deep(x: L2) -> impl Display {
        x.x.x.x.x.x.x.x
    }

    /// Tell nothing.
    #[tool]
    fn nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn() -> &'static str {
        "here"
    }
}

#[derive(Argument)]
struct Members {
    a1: u8,
    a2: u8,
    a3: u8,
    a4: u8,
    a5: u8,
    a6: u8,
    a7: u8,
    a8: u8,
    a9: u8,
    a10: u8,
    a11: u8,
    a12: u8,
    a13: u8,
    a14: u8,
    a15: u8,
    a16: u8,
    a17: u8,
    a18: u8,
    a19: u8,
    a20: u8,
    a21: u8,
    a22: u8,
    a23: u8,
    a24: u8,
    a25: u8,
    a26: u8,
    a27: u8,
    a28: u8,
    a29: u8,
    a30: u8,
    a31: u8,
    a32: u8,
}

#[derive(Argument)]
struct L2 {
    x: L3,
}

#[derive(Argument)]
struct L3 {
    x: L4,
}

#[derive(Argument)]
struct L4 {
    x: L5,
}

#[derive(Argument)]
struct L5 {
    x: L6,
}

#[derive(Argument)]
struct L6 {
    x: L7,
}

#[derive(Argument)]
struct L7 {
    x: L8,
}

#[derive(Argument)]
struct L8 {
    x: u8,
}

fn wide() -> Peer {
    Peer::of(ServerInfo::new("wide", "1"), Wide)
}

#[test]
fn arguments_of_a_tool() {
    let numbers = |count: u32| (1..=count).map(|at| (format!("a{at}"), json!(at))).collect::<serde_json::Map<_, _>>();
    assert_eq!(wide().call("sum", &numbers(16).into()), ("136".to_owned(), false));
    let (text, is_error) = wide().call("sum", &numbers(17).into());
    assert!(is_error && text.starts_with("a17: unknown argument"), "{text}");
    assert_eq!(wide().call("members", &json!({ "input": numbers(32) })), ("528".to_owned(), false));
}

#[test]
fn nesting_of_a_schema() {
    let deepest = json!({"x": {"x": {"x": {"x": {"x": {"x": {"x": {"x": 7}}}}}}}});
    assert_eq!(wide().call("deep", &deepest), ("7".to_owned(), false));
    let deeper = json!({"x": {"x": {"x": {"x": {"x": {"x": {"x": {"x": {"x": 7}}}}}}}}});
    let (text, is_error) = wide().call("deep", &deeper);
    assert!(is_error && text.starts_with("x.x.x.x.x.x.x.x: "), "{text}");
    let listed = wide().request("tools/list", &json!({}));
    let mut schema = &listed["result"]["tools"][2]["inputSchema"];
    for _ in 0..8 {
        assert_eq!(schema["type"], "object");
        schema = &schema["properties"]["x"];
    }
    assert_eq!(schema["type"], "integer");
}

#[test]
fn names_of_tools() {
    assert_eq!(wide().call(&"n".repeat(64), &json!({})), ("here".to_owned(), false));
    for beyond in ["n".repeat(63), "n".repeat(65), String::new()] {
        let answer = wide().request("tools/call", &json!({ "name": beyond }));
        assert_eq!(answer["error"]["code"], -32602, "{beyond}");
    }
}

/// More than anybody has.
struct Many;

macro_rules! many {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];

        #[toolset]
        impl Many {
            $(
                /// Tell its name.
                #[tool]
                fn $name() -> &'static str {
                    stringify!($name)
                }
            )*
        }
    };
}

many! { t00 t01 t02 t03 t04 t05 t06 t07 t10 t11 t12 t13 t14 t15 t16 t17 t20 t21 t22 t23 t24 t25 t26 t27 t30 t31 t32 t33 t34 t35 t36 t37 t40 t41 t42 t43 t44 t45 t46 t47 t50 t51 t52 t53 t54 t55 t56 t57 t60 t61 t62 t63 t64 t65 t66 t67 t70 t71 t72 t73 t74 t75 t76 t77 }

#[test]
fn many_tools() {
    let mut peer = Peer::of(ServerInfo::new("many", "1"), Many);
    let listed = peer.request("tools/list", &json!({}));
    let listed: Vec<_> =
        listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(listed, NAMES);
    for name in NAMES {
        assert_eq!(peer.call(name, &json!({})), ((*name).to_owned(), false));
    }
}

struct Edge;

/// 101 texts.
#[expect(clippy::large_const_arrays, reason = "the table of a toolset is a constant")]
const TEXTS: [&str; 101] = ["x"; 101];

#[toolset]
impl Edge {
    /// As many arguments as a prompt may have.
    #[prompt]
    #[expect(clippy::too_many_arguments, reason = "as many as a prompt may have")]
    fn prompt(a: &str, b: &str, c: &str, d: &str, e: &str, f: &str, g: &str, h: &str) -> String {
        [a, b, c, d, e, f, g, h].concat()
    }

    /// As many variables as an address may have.
    #[resource(uri = "edge://{a}/{b}/{c}/{d}")]
    fn resource(a: &str, b: &str, c: &str, d: &str) -> String {
        [a, b, c, d].concat()
    }

    /// More suggestions than an answer has.
    #[prompt]
    fn suggesting(#[argument(suggest = TEXTS)] text: &str) -> &str {
        text
    }
}

fn edge() -> Peer {
    Peer::of(ServerInfo::new("edge", "1"), Edge)
}

/// One more does not compile: `tests/ui/prompt_nine_arguments.rs`.
#[test]
fn arguments_of_a_prompt() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let arguments: serde_json::Map<_, _> = names.iter().map(|name| ((*name).to_owned(), json!(name))).collect();
    let answer = edge().request("prompts/get", &json!({"name": "prompt", "arguments": arguments}));
    assert_eq!(answer["result"]["messages"][0]["content"]["text"], "abcdefgh");
}

/// One more does not compile: `tests/ui/resource_five_variables.rs`.
#[test]
fn variables_of_an_address() {
    let answer = edge().request("resources/read", &json!({"uri": "edge://1/2/3/4"}));
    assert_eq!(answer["result"]["contents"][0]["text"], "1234");
}

#[test]
fn suggestions() {
    let params =
        json!({"ref": {"type": "ref/prompt", "name": "suggesting"}, "argument": {"name": "text", "value": ""}});
    let answer = edge().request("completion/complete", &params);
    let completion = &answer["result"]["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(101), &json!(true)));
}
