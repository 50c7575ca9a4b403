//! `toolwire resources`: what can be read of a server.

use std::process::ExitCode;

use clap::Args;
use comfy_table::Table;
use serde_json::{Value, json};

use crate::client::{Client, Options, Refused};
use crate::failure::{EXIT_CODES, Outcome};
use crate::output;
use crate::target::Alone;
use crate::terminal::one_line;

/// Show the resources that a server offers
///
/// Words in braces stand for what one fills in: `sensor://{id}/latest` is read as `sensor://t0/latest`.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire resources [OPTIONS] <TARGET>\n       \
                      toolwire resources [OPTIONS] -- <COMMAND> [ARG]...",
    after_help = EXIT_CODES,
)]
pub(crate) struct Resources {
    #[command(flatten)]
    target: Alone,
    /// Print them as the server describes them, a JSON object with `resources` and `resourceTemplates`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
}

impl Resources {
    pub(crate) fn run(&self) -> Outcome {
        let mut client = Client::connect(&self.target.target()?, self.options)?;
        let (resources, templates) = list(&mut client)?;
        if self.json {
            output::print_json(&json!({ "resources": resources, "resourceTemplates": templates }))?;
        } else if resources.is_empty() && templates.is_empty() {
            log::warn!("the server offers no resources");
        } else {
            output::print(&output::lines(table(&resources, &templates, output::width())))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The resources of a server, and its templates.
pub(crate) fn list(client: &mut Client) -> anyhow::Result<(Vec<Value>, Vec<Value>)> {
    if client.offers("resources").is_none() {
        return Ok((Vec::new(), Vec::new()));
    }
    let resources = client.list("resources/list", "resources")?;
    match client.list("resources/templates/list", "resourceTemplates") {
        Ok(templates) => Ok((resources, templates)),
        // Not every server that has resources has templates.
        Err(error) if error.downcast_ref().is_some_and(Refused::is_unknown_method) => Ok((resources, Vec::new())),
        Err(error) => Err(error),
    }
}

fn table(resources: &[Value], templates: &[Value], width: Option<u16>) -> Table {
    let mut table = output::table(["URI", "TYPE", "DESCRIPTION"], width);
    for resource in resources.iter().chain(templates) {
        let member = |name| resource.get(name).and_then(Value::as_str);
        let uri = member("uri").or_else(|| member("uriTemplate")).unwrap_or_default();
        let title = member("title").or_else(|| member("name"));
        let size = resource.get("size").and_then(Value::as_u64);
        let mut parts = Vec::new();
        parts.extend(
            title.map(|title| if member("description").is_some() { format!("{title}:") } else { title.to_owned() }),
        );
        parts.extend(member("description").map(str::to_owned));
        parts.extend(size.map(|size| format!("[{size} bytes]")));
        table.add_row([one_line(uri), one_line(member("mimeType").unwrap_or_default()), one_line(&parts.join(" "))]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_row_for_each_resource_and_template() {
        let resources = [
            json!({ "uri": "a://b", "name": "b", "title": "B", "description": "One\ntwo.", "mimeType": "text/plain", "size": 3 }),
            json!({ "uri": "a://\u{1b}[2J", "name": "c" }),
        ];
        let templates = [json!({ "uriTemplate": "a://{id}", "name": "d", "description": "Any." })];
        assert_eq!(
            output::lines(table(&resources, &templates, None)),
            format!(
                "URI            TYPE        DESCRIPTION\n{}\n\
                 a://b          text/plain  B: One two. [3 bytes]\n\
                 a://\\u{{1b}}[2J              c\n\
                 a://{{id}}                   d: Any.\n",
                "─".repeat(50)
            )
        );
    }
}
