//! `toolwire call`: one call of one tool.

use std::io::{self, IsTerminal as _, Read as _, Write};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Map, Value};

use crate::arguments::{self, suggestion};
use crate::client::{Client, Options};
use crate::content;
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::output;
use crate::schema::Schema;
use crate::target::Words;
use crate::terminal::harmless;
use crate::watcher::Watcher;

const ARGUMENTS: &str = "\
Arguments are read by the tool's schema: text as it is, numbers, true or false, one of the values of an \
enumeration, arrays and objects as JSON. A dot leads into an object: input.title=Milk. null is for --arguments only.

Examples:
  toolwire call demo:reservo get_quote room=Studio tier=pro hours=3
  toolwire call demo:tasks create_task input.title='Buy milk' input.priority=high
  toolwire call add --arguments '{\"a\": 1, \"b\": 2}' -- toolwire serve calc";

/// Call a tool and print what it answers
///
/// The arguments are checked by the tool's schema before anything is called. The text of the answer goes to standard
/// output; if the tool answers with an error, to standard error. On a terminal, the progress of the call is shown, and the
/// tool may ask questions. Ctrl-C cancels the call.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire call [OPTIONS] <TARGET> <TOOL> [NAME=VALUE]...\n       \
                      toolwire call [OPTIONS] <TOOL> [NAME=VALUE]... -- <COMMAND> [ARG]...",
    after_help = format!("{ARGUMENTS}\n\n{EXIT_CODES}"),
)]
pub(crate) struct Call {
    #[command(flatten)]
    words: Words,
    /// The arguments as a JSON object, or `-` to read it from standard input; NAME=VALUE overrides its members
    #[arg(long, value_name = "OBJECT")]
    arguments: Option<String>,
    /// Print the whole result as the server gave it, a JSON object, also that of an error
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Call {
    pub(crate) fn run(&self) -> Outcome {
        let (target, tool, words) = self.words.split("tool to call; `toolwire tools` shows those of a target")?;
        let base = self.base()?;
        let mut watcher = Watcher::default();
        let mut client = Client::connect_with(&target, self.options, Watcher::capabilities())?;
        let tools = client.tools()?;
        let tool = find(&tools, tool)?;
        let arguments = arguments::build(Schema::of_tool(tool), base, words).map_err(Failure::Usage)?;
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let result = client.call(name, arguments, &mut watcher)?;
        drop(watcher);
        let answer = Answer::new(&result)?;
        if self.json {
            output::print_json(&result)?;
        } else if answer.is_error {
            answer.print(io::stderr().is_terminal(), io::stderr().lock())?;
        } else {
            answer.print(io::stdout().is_terminal(), io::stdout().lock())?;
        }
        Ok(ExitCode::from(u8::from(answer.is_error)))
    }

    /// The arguments of `--arguments`.
    fn base(&self) -> Result<Map<String, Value>, Failure> {
        let mut input = String::new();
        let text = match self.arguments.as_deref() {
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
            Ok(other) => Err(Failure::usage(format!("--arguments: expected a JSON object, got {other}"))),
            Err(error) => Err(Failure::usage(format!("--arguments: expected a JSON object: {error}"))),
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

/// What a tool answered.
#[derive(Debug)]
struct Answer<'r> {
    is_error: bool,
    content: &'r [Value],
    structured: Option<&'r Value>,
}

impl<'r> Answer<'r> {
    fn new(result: &'r Value) -> anyhow::Result<Self> {
        let structured = result.get("structuredContent");
        let content = match result.get("content") {
            Some(Value::Array(content)) => content.as_slice(),
            None if structured.is_some() => &[],
            _ => bail!("the server's answer to tools/call has no content"),
        };
        Ok(Self { is_error: result.get("isError") == Some(&Value::Bool(true)), content, structured })
    }

    /// Prints the blocks, or what there is instead of blocks: as they came for a program, and for a terminal without anything
    /// that it would obey.
    fn print(&self, is_terminal: bool, mut out: impl Write) -> io::Result<()> {
        let mut line = |text: String| writeln!(out, "{}", if is_terminal { harmless(&text) } else { text });
        for block in self.content {
            line(content::text(block))?;
        }
        match self.structured {
            Some(value) if self.content.is_empty() => line(format!("{value:#}"))?,
            _ => {}
        }
        out.flush()
    }
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
        let answer = Answer { is_error: false, content: &content, structured: Some(&json!(1)) };
        answer.print(false, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "one\ntwo\n[image/png, 5 bytes]\n[audio/wav, 3 bytes]\n[file:///x]\n[file:///x, text/plain, 3 bytes]\n\
             [hologram]\n[unknown content]\n"
        );
    }

    #[test]
    fn structured_content_alone_is_printed() {
        let mut out = Vec::new();
        let answer = Answer { is_error: false, content: &[], structured: Some(&json!({ "a": 1 })) };
        answer.print(false, &mut out).unwrap();
        assert_eq!(out, b"{\n  \"a\": 1\n}\n");
    }

    #[test]
    fn a_terminal_obeys_nothing_of_an_answer() {
        let text = "\u{1b}]0;owned\u{7}\nok";
        let content = [json!({ "type": "text", "text": text }), json!({ "type": "\u{1b}[2J" })];
        let answer = Answer { is_error: false, content: &content, structured: None };
        for (is_terminal, expected) in
            [(false, "\u{1b}]0;owned\u{7}\nok\n[\u{1b}[2J]\n"), (true, "\\u{1b}]0;owned\\u{7}\nok\n[\\u{1b}[2J]\n")]
        {
            let mut out = Vec::new();
            answer.print(is_terminal, &mut out).unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
