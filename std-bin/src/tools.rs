//! `toolwire tools`: what a server offers.

use std::process::ExitCode;

use clap::Args;
use comfy_table::Table;
use serde_json::Value;

use crate::client::{Client, Options};
use crate::failure::{EXIT_CODES, Outcome};
use crate::output;
use crate::schema::{Schema, plain};
use crate::target::Alone;
use crate::terminal::one_line;

/// Show the tools that a server offers
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire tools [OPTIONS] <TARGET>\n       toolwire tools [OPTIONS] -- <COMMAND> [ARG]...",
    after_help = EXIT_CODES,
)]
pub(crate) struct Tools {
    #[command(flatten)]
    target: Alone,
    /// Print the tools as the server describes them, a JSON array
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Tools {
    pub(crate) fn run(&self) -> Outcome {
        let tools = Client::connect(&self.target.target()?, self.options)?.tools()?;
        if self.json {
            output::print_json(&Value::Array(tools))?;
        } else if tools.is_empty() {
            log::warn!("the server offers no tools");
        } else {
            output::print(&output::lines(table(&tools, output::width())))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A row for each tool, and one for each of its parameters, with the parameters of objects as `call` takes them.
fn table(tools: &[Value], width: Option<u16>) -> Table {
    let mut table = output::table(["NAME", "PARAMETERS", "REQUIRED", "DESCRIPTION"], width);
    for (at, tool) in tools.iter().enumerate() {
        if at > 0 {
            table.add_row([""; 4]);
        }
        let schema = Schema::of_tool(tool);
        let name = one_line(tool.get("name").and_then(Value::as_str).unwrap_or_default());
        table.add_row([name, String::new(), String::new(), one_line(&description(tool))]);
        add_parameters(&mut table, schema, "", DEPTH);
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
            table.add_row([String::new(), one_line(&parameter), required.to_owned(), one_line(text)]);
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
        let text = output::lines(table(&tools, None));
        let lines: Vec<_> = text.lines().collect();
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
        let text = output::lines(table(&tools, Some(40)));
        assert!(text.lines().all(|line| line.chars().count() <= 40), "{text}");
    }
}
