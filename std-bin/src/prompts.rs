//! `toolwire prompts` and `toolwire prompt`: what a person may pick from a menu, and what it then says.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use comfy_table::Table;
use serde_json::{Map, Value, json};

use crate::arguments::{self, suggestion};
use crate::client::{Client, Options};
use crate::content;
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::output;
use crate::schema::Schema;
use crate::target::{Alone, Words};
use crate::terminal::{harmless, one_line};
use crate::watcher::Watcher;

/// Show the prompts that a server offers
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire prompts [OPTIONS] <TARGET>\n       toolwire prompts [OPTIONS] -- <COMMAND> [ARG]...",
    after_help = EXIT_CODES,
)]
pub(crate) struct Prompts {
    #[command(flatten)]
    target: Alone,
    /// Print the prompts as the server describes them, a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Prompts {
    pub(crate) fn run(&self) -> Outcome {
        let prompts = list(&mut Client::connect(&self.target.target()?, self.options)?)?;
        if self.json {
            output::print_json(&Value::Array(prompts))?;
        } else if prompts.is_empty() {
            log::warn!("the server offers no prompts");
        } else {
            output::print(&output::lines(table(&prompts, output::width())))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

const EXAMPLES: &str = "\
Examples:
  toolwire prompt demo:board diagnose symptom='no light'
  toolwire prompt /dev/ttyACM0 diagnose symptom='too hot' detail='since noon'";

/// Print what a prompt says to a model
///
/// One message is printed as it is; of more than one, each begins with whose it is.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire prompt [OPTIONS] <TARGET> <PROMPT> [NAME=VALUE]...\n       \
                      toolwire prompt [OPTIONS] <PROMPT> [NAME=VALUE]... -- <COMMAND> [ARG]...",
    after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"),
)]
pub(crate) struct Prompt {
    #[command(flatten)]
    words: Words,
    /// Print the whole result as the server gave it, a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Prompt {
    pub(crate) fn run(&self) -> Outcome {
        let (target, name, words) = self.words.split("prompt to get; `toolwire prompts` shows those of a target")?;
        let mut watcher = Watcher::default();
        let mut client = Client::connect_with(&target, self.options, Watcher::capabilities())?;
        let prompts = list(&mut client)?;
        let schema = schema(find(&prompts, name)?);
        let arguments = arguments::build(Schema::new(&schema), Map::new(), words).map_err(Failure::Usage)?;
        let params = json!({ "name": name, "arguments": arguments });
        let result = client.request("prompts/get", params, &mut watcher)?;
        drop(watcher);
        if self.json {
            output::print_json(&result)?;
        } else {
            let is_terminal = io::stdout().is_terminal();
            let shown = |text: &String| if is_terminal { harmless(text) } else { text.clone() };
            let lines: Vec<_> = texts(&result)?.iter().map(|text| shown(text) + "\n").collect();
            output::print(&lines.concat())?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list(client: &mut Client) -> anyhow::Result<Vec<Value>> {
    match client.offers("prompts") {
        Some(_) => client.list("prompts/list", "prompts"),
        None => Ok(Vec::new()),
    }
}

fn name_of(described: &Value) -> Option<&str> {
    described.get("name").and_then(Value::as_str)
}

/// The description of the prompt of that name.
fn find<'p>(prompts: &'p [Value], name: &str) -> Result<&'p Value, Failure> {
    prompts.iter().find(|prompt| name_of(prompt) == Some(name)).ok_or_else(|| {
        let names: Vec<_> = prompts.iter().filter_map(name_of).collect();
        let offer = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let near = suggestion(name, names.iter().copied());
        Failure::usage(format!("there is no prompt {name:?}; the server offers {offer}{near}"))
    })
}

/// The arguments of a prompt, of which each has a name, a description, and whether it must be there.
fn arguments_of(prompt: &Value) -> impl Iterator<Item = (&str, Option<&str>, bool)> {
    prompt.get("arguments").and_then(Value::as_array).into_iter().flatten().filter_map(|argument| {
        let description = argument.get("description").and_then(Value::as_str);
        Some((name_of(argument)?, description, argument.get("required") == Some(&Value::Bool(true))))
    })
}

/// The schema of the arguments of a prompt: they are texts.
fn schema(prompt: &Value) -> Value {
    let properties: Map<_, _> =
        arguments_of(prompt).map(|(name, _, _)| (name.to_owned(), json!({ "type": "string" }))).collect();
    let required: Vec<_> = arguments_of(prompt).filter(|(_, _, required)| *required).map(|(name, _, _)| name).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn table(prompts: &[Value], width: Option<u16>) -> Table {
    let mut table = output::table(["NAME", "ARGUMENTS", "REQUIRED", "DESCRIPTION"], width);
    for (at, prompt) in prompts.iter().enumerate() {
        if at > 0 {
            table.add_row([""; 4]);
        }
        let member = |name| prompt.get(name).and_then(Value::as_str);
        let title = member("title").map(|title| format!("{title}:"));
        let parts: Vec<_> = title.into_iter().chain(member("description").map(str::to_owned)).collect();
        let name = one_line(name_of(prompt).unwrap_or_default());
        table.add_row([name, String::new(), String::new(), one_line(&parts.join(" "))]);
        for (name, description, required) in arguments_of(prompt) {
            let required = if required { "yes" } else { "no" };
            let text = one_line(description.unwrap_or_default());
            table.add_row([String::new(), one_line(name), required.to_owned(), text]);
        }
    }
    table
}

/// The messages of the result of `prompts/get`, as one reads them.
fn texts(result: &Value) -> anyhow::Result<Vec<String>> {
    let messages = result.get("messages").and_then(Value::as_array);
    let messages = messages.context("the server's answer to prompts/get has no messages")?;
    let text = |message: &Value| {
        let text = content::text(message.get("content").unwrap_or(&Value::Null));
        match message.get("role").and_then(Value::as_str) {
            Some(role) if messages.len() > 1 => format!("{role}: {text}"),
            _ => text,
        }
    };
    Ok(messages.iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_several_messages_begins_with_its_role() {
        let message = |role, text| json!({ "role": role, "content": { "type": "text", "text": text } });
        let shown = |messages: &[Value]| texts(&json!({ "messages": messages })).unwrap();
        assert_eq!(shown(&[message("user", "one")]), ["one"]);
        assert_eq!(shown(&[message("user", "one"), message("assistant", "two")]), ["user: one", "assistant: two"]);
    }
}
