//! `toolwire tools`: what a server offers.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Args;
use comfy_table::{ContentArrangement, Table, TableComponent, presets};
use serde_json::Value;

use crate::client::{Client, Options};
use crate::failure::{EXIT_CODES, Outcome};
use crate::schema::{Schema, plain};
use crate::target::{Target, targets};
use crate::terminal::harmless;

/// Show the tools that a server offers
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire tools [OPTIONS] <TARGET>\n       toolwire tools [OPTIONS] -- <COMMAND> [ARG]...",
    after_help = EXIT_CODES,
)]
pub(crate) struct Tools {
    #[arg(help = targets())]
    target: Option<String>,
    /// A program that serves on its standard input and output, and its arguments
    #[arg(last = true)]
    command: Vec<OsString>,
    /// Print the tools as the server describes them, a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Tools {
    pub(crate) fn run(&self) -> Outcome {
        let target = Target::new(self.target.as_deref(), &self.command)?;
        let tools = Client::connect(&target, self.options)?.tools()?;
        let mut out = io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &tools).map_err(io::Error::from)?;
            writeln!(out)?;
        } else if tools.is_empty() {
            log::warn!("the server offers no tools");
        } else {
            // A table pads its last column.
            for line in table(&tools, width()).lines() {
                writeln!(out, "{}", line.trim_end())?;
            }
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The columns of the terminal, or of the one that `COLUMNS` speaks of. None: lines are as long as they are.
fn width() -> Option<u16> {
    let wanted = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0);
    wanted.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0))
}

/// A row for each tool, and one for each of its parameters, with the parameters of objects as `call` takes them.
fn table(tools: &[Value], width: Option<u16>) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_style(TableComponent::HeaderLines, '─');
    if let Some(width) = width {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(["NAME", "PARAMETERS", "REQUIRED", "DESCRIPTION"]);
    for (at, tool) in tools.iter().enumerate() {
        if at > 0 {
            table.add_row([""; 4]);
        }
        let schema = Schema::of_tool(tool);
        let name = clean(tool.get("name").and_then(Value::as_str).unwrap_or_default());
        table.add_row([name, String::new(), String::new(), clean(&description(tool))]);
        add_parameters(&mut table, schema, "", DEPTH);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

/// How deep parameters of parameters are shown.
const DEPTH: usize = 4;

fn add_parameters(table: &mut Table, object: Schema<'_>, path: &str, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for object in object.choices() {
        for (name, schema) in object.properties() {
            let default = schema.default().map_or_else(String::new, |value| format!(" = {}", plain(value)));
            let required = if object.requires(name) { "yes" } else { "no" };
            let text = schema.description().unwrap_or_default();
            let parameter = format!("{path}{name}: {schema}{default}");
            table.add_row([String::new(), clean(&parameter), required.to_owned(), clean(text)]);
            add_parameters(table, schema, &format!("{path}{name}."), depth);
        }
    }
}

/// Title, description, and what the annotations say beyond their defaults.
fn description(tool: &Value) -> String {
    let annotations = tool.get("annotations");
    let annotation = |name| annotations.and_then(|annotations| annotations.get(name));
    let title = tool.get("title").or_else(|| annotation("title")).and_then(Value::as_str);
    let hints: Vec<_> = [
        ("readOnlyHint", true, "read-only"),
        ("destructiveHint", true, "destructive"),
        ("destructiveHint", false, "not destructive"),
        ("idempotentHint", true, "idempotent"),
        ("openWorldHint", false, "closed world"),
    ]
    .into_iter()
    .filter(|(name, hint, _)| annotation(name) == Some(&Value::Bool(*hint)))
    .map(|(_, _, word)| word)
    .collect();
    let mut parts = Vec::new();
    parts.extend(title.map(|title| format!("{title}:")));
    parts.extend(tool.get("description").and_then(Value::as_str).map(str::to_owned));
    parts.extend((!hints.is_empty()).then(|| format!("[{}]", hints.join(", "))));
    parts.join(" ")
}

/// Without ends of lines, and without anything that a terminal obeys.
fn clean(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    harmless(&words.join(" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_table_has_a_row_for_each_tool_and_parameter() {
        let tools = [
            json!({
                "name": "move", "title": "Move", "description": "Move\nit.",
                "inputSchema": { "type": "object", "required": ["to"], "properties": {
                    "to": { "type": "object", "required": ["x"], "properties": {
                        "x": { "type": "integer", "minimum": 0, "maximum": 9, "description": "Where." },
                    } },
                    "how": { "enum": ["slow", "fast"], "default": "slow" },
                    "why": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                } },
                "annotations": { "destructiveHint": false, "idempotentHint": true },
            }),
            json!({ "name": "\u{1b}[2J" }),
        ];
        let text = table(&tools, None).to_string();
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        assert_eq!(
            lines,
            [
                "NAME       PARAMETERS             REQUIRED  DESCRIPTION",
                &*"─".repeat(90),
                "move                                        Move: Move it. [not destructive, idempotent]",
                "           to: object             yes",
                "           to.x: integer 0..9     yes       Where.",
                "           how: slow|fast = slow  no",
                "           why: string or null    no",
                "",
                "\\u{1b}[2J",
            ],
            "{text}"
        );
    }

    #[test]
    fn a_table_fits_its_width() {
        let tools = [json!({ "name": "t", "description": "long ".repeat(100), "inputSchema": {} })];
        let text = table(&tools, Some(40)).to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
}
