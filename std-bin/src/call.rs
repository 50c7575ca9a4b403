//! `toolwire call`: one call of one tool.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _, Write};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::{Map, Value};

use crate::arguments::{self, suggestion};
use crate::client::{CallResult, Client, Options};
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::schema::Schema;
use crate::target::{Target, targets};
use crate::terminal::harmless;

const ARGUMENTS: &str = "\
Arguments are read by the tool's schema: text as it is, numbers, true or false, one of the values of an \
enumeration, arrays and objects as JSON. A dot leads into an object: input.title=Milk. null is for --json only.

Examples:
  toolwire call demo:reservo get_quote room=Studio tier=pro hours=3
  toolwire call demo:tasks create_task input.title='Buy milk' input.priority=high
  toolwire call add --json '{\"a\": 1, \"b\": 2}' -- toolwire serve calc";

/// Call a tool and print what it answers
///
/// The arguments are checked by the tool's schema before anything is called. The text of the answer goes to standard
/// output; if the tool answers with an error, to standard error.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire call [OPTIONS] <TARGET> <TOOL> [NAME=VALUE]...\n       \
                      toolwire call [OPTIONS] <TOOL> [NAME=VALUE]... -- <COMMAND> [ARG]...",
    after_help = format!("{ARGUMENTS}\n\n{EXIT_CODES}"),
)]
pub(crate) struct Call {
    #[arg(value_name = "WORD", help = format!("Target, tool and arguments; {}", targets()))]
    words: Vec<String>,
    /// A program that serves on its standard input and output, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    /// The arguments as a JSON object, or `-` to read it from standard input; NAME=VALUE overrides its members
    #[arg(long, value_name = "OBJECT")]
    json: Option<String>,
    #[command(flatten)]
    options: Options,
}

impl Call {
    pub(crate) fn run(&self) -> Outcome {
        let (target, tool, words) = self.words()?;
        let base = self.base()?;
        let mut client = Client::connect(&target, self.options)?;
        let tools = client.tools()?;
        let tool = find(&tools, tool)?;
        let arguments = arguments::build(Schema::of_tool(tool), base, words).map_err(Failure::Usage)?;
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let result = client.call(name, arguments)?;
        if result.is_error {
            print(&result, io::stderr().is_terminal(), io::stderr().lock())?;
            return Ok(ExitCode::from(1));
        }
        print(&result, io::stdout().is_terminal(), io::stdout().lock())?;
        Ok(ExitCode::SUCCESS)
    }

    /// The words of the command line by their meaning.
    fn words(&self) -> Result<(Target, &str, &[String]), Failure> {
        let (target, rest) = match self.words.as_slice() {
            // A command is the target, so that all words belong to the tool.
            rest @ ([] | [_, ..]) if !self.command.is_empty() => {
                let target = rest.first().filter(|word| Target::is_meant_by(word));
                (Target::new(target.map(String::as_str), &self.command)?, rest)
            }
            [] => (Target::new(None, &[])?, [].as_slice()),
            [target, rest @ ..] => (Target::new(Some(target), &[])?, rest),
        };
        match rest {
            [tool, words @ ..] => Ok((target, tool, words)),
            [] => Err(Failure::usage("there is no tool to call; `toolwire tools` shows those of a target")),
        }
    }

    /// The arguments of `--json`.
    fn base(&self) -> Result<Map<String, Value>, Failure> {
        let mut input = String::new();
        let text = match self.json.as_deref() {
            None => return Ok(Map::new()),
            Some("-") => {
                let read = io::stdin().read_to_string(&mut input).context("cannot read standard input");
                read.map_err(Failure::Local)?;
                &input
            }
            Some(text) => text,
        };
        match serde_json::from_str(text) {
            Ok(Value::Object(base)) => Ok(base),
            Ok(other) => Err(Failure::usage(format!("--json: expected a JSON object, got {other}"))),
            Err(error) => Err(Failure::usage(format!("--json: expected a JSON object: {error}"))),
        }
    }
}

/// The description of the tool of that name.
fn find<'t>(tools: &'t [Value], name: &str) -> Result<&'t Value, Failure> {
    let name_of = |tool: &'t Value| tool.get("name").and_then(Value::as_str);
    tools.iter().find(|tool| name_of(tool) == Some(name)).ok_or_else(|| {
        let names: Vec<_> = tools.iter().filter_map(name_of).collect();
        match names.as_slice() {
            [] => Failure::usage(format!("there is no tool {name:?}; the server offers none")),
            _ => {
                let near = suggestion(name, names.iter().copied());
                Failure::usage(format!("there is no tool {name:?}; the server offers {}{near}", names.join(", ")))
            }
        }
    })
}

/// Prints the blocks of an answer, or what it has instead of blocks: as they came for a program, and for a terminal without
/// anything that it would obey.
fn print(result: &CallResult, is_terminal: bool, mut out: impl Write) -> io::Result<()> {
    let mut line = |text: String| writeln!(out, "{}", if is_terminal { harmless(&text) } else { text });
    for block in &result.content {
        line(text(block))?;
    }
    match &result.structured {
        Some(value) if result.content.is_empty() => line(format!("{value:#}"))?,
        _ => {}
    }
    out.flush()
}

/// The text of a block, or a short description of another one.
fn text(block: &Value) -> String {
    let member = |name| block.get(name).and_then(Value::as_str);
    let resource = block.get("resource").unwrap_or(&Value::Null);
    let of_resource = |name| resource.get(name).and_then(Value::as_str);
    let parts = match member("type") {
        Some("text") => return member("text").unwrap_or_default().to_owned(),
        Some("resource_link") => vec![member("uri").map(str::to_owned), member("mimeType").map(str::to_owned)],
        Some("resource") => {
            let size = of_resource("text").map(str::len).or_else(|| of_resource("blob").map(decoded));
            vec![of_resource("uri").map(str::to_owned), of_resource("mimeType").map(str::to_owned), size.map(bytes)]
        }
        kind => {
            let what = member("mimeType").or(kind).unwrap_or("unknown content");
            vec![Some(what.to_owned()), member("data").map(decoded).map(bytes)]
        }
    };
    format!("[{}]", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn bytes(count: usize) -> String {
    format!("{count} bytes")
}

/// How many bytes a text in base64 stands for.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn blocks_are_printed_or_described() {
        let content = [
            json!({ "type": "text", "text": "one\ntwo" }),
            json!({ "type": "image", "mimeType": "image/png", "data": "AAAAAAA=" }),
            json!({ "type": "audio", "mimeType": "audio/wav", "data": "AAAA" }),
            json!({ "type": "resource_link", "uri": "file:///x", "name": "x" }),
            json!({ "type": "resource", "resource": { "uri": "file:///x", "mimeType": "text/plain", "text": "abc" } }),
            json!({ "type": "hologram" }),
            json!(1),
        ];
        let mut out = Vec::new();
        let result = CallResult { is_error: false, content: content.to_vec(), structured: Some(json!(1)) };
        print(&result, false, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "one\ntwo\n[image/png, 5 bytes]\n[audio/wav, 3 bytes]\n[file:///x]\n[file:///x, text/plain, 3 bytes]\n\
             [hologram]\n[unknown content]\n"
        );
    }

    #[test]
    fn structured_content_alone_is_printed() {
        let mut out = Vec::new();
        let result = CallResult { is_error: false, content: vec![], structured: Some(json!({ "a": 1 })) };
        print(&result, false, &mut out).unwrap();
        assert_eq!(out, b"{\n  \"a\": 1\n}\n");
    }

    #[test]
    fn a_terminal_obeys_nothing_of_an_answer() {
        let text = "\u{1b}]0;owned\u{7}\nok";
        let content = vec![json!({ "type": "text", "text": text }), json!({ "type": "\u{1b}[2J" })];
        let result = CallResult { is_error: false, content, structured: None };
        for (is_terminal, expected) in
            [(false, "\u{1b}]0;owned\u{7}\nok\n[\u{1b}[2J]\n"), (true, "\\u{1b}]0;owned\\u{7}\nok\n[\\u{1b}[2J]\n")]
        {
            let mut out = Vec::new();
            print(&result, is_terminal, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
