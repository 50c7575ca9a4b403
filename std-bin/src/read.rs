//! `toolwire read`: what a resource says now.

use std::io::{self, IsTerminal as _, Write};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use serde_json::{Value, json};

use crate::arguments::suggestion;
use crate::client::{Client, Listener, Options, Refused};
use crate::content::bytes;
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::output;
use crate::resources;
use crate::target::{Target, Words};
use crate::terminal::{harmless, one_line};

const EXAMPLES: &str = "\
Examples:
  toolwire read demo:board device://info
  toolwire read demo:board sensor://t0/latest
  toolwire read /dev/ttyACM0 camera://still > still.png";

/// Read a resource and print what it says
///
/// Text and bytes go to standard output as they are; what a terminal would obey is escaped on one.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire read [OPTIONS] <TARGET> <URI>\n       \
                      toolwire read [OPTIONS] <URI> -- <COMMAND> [ARG]...",
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
)]
pub(crate) struct Read {
    #[command(flatten)]
    words: Words,
    /// Print the whole result as the server gave it, a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Read {
    pub(crate) fn run(&self) -> Outcome {
        let (target, uri) = target_and_uri(&self.words)?;
        let mut client = Client::connect(&target, self.options)?;
        let result = read(&mut client, uri, &mut ())?;
        if self.json {
            output::print_json(&result)?;
        } else {
            let is_terminal = io::stdout().is_terminal();
            print(&contents(&result)?, is_terminal, io::stdout().lock())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The two words that commands take which read a resource.
pub(crate) fn target_and_uri(words: &Words) -> Result<(Target, &str), Failure> {
    match words.split("URI to read; `toolwire resources` shows those of a target")? {
        (target, uri, []) => Ok((target, uri)),
        (_, _, [word, ..]) => Err(Failure::usage(format!("one URI is read at a time, and {word:?} is too much"))),
    }
}

/// Reads a resource. One that is not there is the user's mistake.
pub(crate) fn read(client: &mut Client, uri: &str, listener: &mut dyn Listener) -> Result<Value, Failure> {
    let refused = match client.request("resources/read", json!({ "uri": uri }), listener) {
        Err(error) if error.downcast_ref().is_some_and(Refused::is_about_parameters) => error,
        Err(error) if client.offers("resources").is_none() => error.context("the server offers no resources"),
        result => return Ok(result?),
    };
    let (resources, templates) = resources::list(client)?;
    let member = |name| move |one: &Value| one.get(name).and_then(Value::as_str).map(str::to_owned);
    let mut known: Vec<_> = resources.iter().filter_map(member("uri")).collect();
    known.extend(templates.iter().filter_map(member("uriTemplate")));
    let near = suggestion(uri, known.iter().map(String::as_str));
    let offer = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Err(Failure::usage(format!("{refused:#}; there are {offer}{near}")))
}

/// What one resource of an answer says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    Text(String),
    /// Bytes, and what they are.
    Bytes(Vec<u8>, String),
}

/// The contents of the result of `resources/read`.
pub(crate) fn contents(result: &Value) -> anyhow::Result<Vec<Contents>> {
    let contents = result.get("contents").and_then(Value::as_array);
    let contents = contents.context("the server's answer to resources/read has no contents")?;
    contents.iter().map(one).collect()
}

fn one(contents: &Value) -> anyhow::Result<Contents> {
    let member = |name| contents.get(name).and_then(Value::as_str);
    match (member("text"), member("blob")) {
        (Some(text), _) => Ok(Contents::Text(text.to_owned())),
        (None, Some(blob)) => {
            let bytes = BASE64_STANDARD.decode(blob).context("the server's answer to resources/read is no base64")?;
            Ok(Contents::Bytes(bytes, member("mimeType").unwrap_or("bytes").to_owned()))
        }
        (None, None) => bail!("the server's answer to resources/read has neither text nor a blob"),
    }
}

/// Prints contents: as they are for a program, and for a terminal without anything that it would obey, on whole lines.
pub(crate) fn print(contents: &[Contents], is_terminal: bool, mut out: impl Write) -> io::Result<()> {
    for one in contents {
        match one {
            Contents::Text(text) if is_terminal => writeln!(out, "{}", harmless(text.trim_end_matches('\n')))?,
            Contents::Text(text) => out.write_all(text.as_bytes())?,
            Contents::Bytes(data, kind) if is_terminal => {
                let size = bytes(data.len());
                writeln!(out, "[{}, {size}; they are written where standard output is no terminal]", one_line(kind))?;
            }
            Contents::Bytes(data, _) => out.write_all(data)?,
        }
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bytes_are_printed_as_they_are_but_on_a_terminal() {
        let result = json!({ "contents": [
            { "uri": "a://b", "text": "one\u{1b}[2J\ntwo" },
            { "uri": "a://c", "mimeType": "image/\npng", "blob": "AP8=" },
        ] });
        let contents = contents(&result).unwrap();
        let printed = |is_terminal| {
            let mut out = Vec::new();
            print(&contents, is_terminal, &mut out).unwrap();
            out
        };
        assert_eq!(printed(false), b"one\x1b[2J\ntwo\0\xff");
        assert_eq!(
            String::from_utf8(printed(true)).unwrap(),
            "one\\u{1b}[2J\ntwo\n[image/ png, 2 bytes; they are written where standard output is no terminal]\n"
        );
    }

    #[test]
    fn an_answer_that_is_none_is_refused() {
        let table = [
            (json!({}), "the server's answer to resources/read has no contents"),
            (json!({ "contents": [{}] }), "the server's answer to resources/read has neither text nor a blob"),
            (json!({ "contents": [{ "blob": "?" }] }), "the server's answer to resources/read is no base64"),
        ];
        for (result, expected) in table {
            assert_eq!(contents(&result).unwrap_err().to_string(), expected);
        }
    }
}
