//! `completion/complete`: what an argument of a prompt or a variable of an address may be.

use super::feature::{Eras, Exchange, Method, Table};
use super::protocol::Dispatch;
use super::reply::{Replied, Reply};
use super::revision::Revision;
use crate::json::{Integer, Value};
use crate::prompt::Prompt;
use crate::resource::Resource;
use crate::rpc::ErrorCode;

pub(super) const METHODS: [Method; 1] = [Method { name: "completion/complete", eras: Eras::Both, serve: complete }];

/// How many values an answer has at most (COMP-2).
const MOST: usize = 100;

/// Answers with the values that start with what is there.
fn complete(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    if !is_context(exchange, reply.head.revision) {
        return reply.refuse(ErrorCode::InvalidParams, &"context must be an object, and so must its arguments");
    }
    let Table::Completions { prompts, resources } = exchange.table else { return reply.internal_error() };
    let found = match asked(exchange) {
        Some(Asked { reference, name, value }) => values(prompts, resources, &reference, name).map(|all| (all, value)),
        None => {
            let reason =
                "completion/complete needs ref, a ref/prompt or ref/resource, and argument with name and value";
            return reply.refuse(ErrorCode::InvalidParams, &reason);
        }
    };
    let Some((all, value)) = found else {
        return reply.refuse(ErrorCode::InvalidParams, &"there is no such argument");
    };
    let fitting = || all.iter().filter(|candidate| candidate.as_bytes().starts_with(value.as_bytes()));
    let total = fitting().count();
    reply.result(&|out| {
        out.raw("\"completion\":{\"values\":[");
        for (at, value) in fitting().take(MOST).enumerate() {
            out.raw(if at == 0 { "" } else { "," });
            out.string(value);
        }
        out.raw("],\"total\":");
        out.integer(Integer::count(total));
        out.raw(if total > MOST { ",\"hasMore\":true}" } else { ",\"hasMore\":false}" });
    })
}

/// Whether the context has its form, where the revision knows it (PARAM-3). Nothing depends on what it says.
fn is_context(exchange: &Exchange<'_>, revision: Revision) -> bool {
    let is_object = |value: Value<'_>| value.is_null() || value.as_object().is_some();
    match exchange.params.all.get("context") {
        Some(context) if revision >= Revision::V2025_06_18 => {
            is_object(context) && context.as_object().and_then(|context| context.get("arguments")).is_none_or(is_object)
        }
        _ => true,
    }
}

/// What is to be completed.
struct Asked<'a> {
    reference: Reference<'a>,
    name: &'a str,
    value: &'a str,
}

enum Reference<'a> {
    Prompt(&'a str),
    Resource(&'a str),
}

fn asked<'a>(exchange: &Exchange<'a>) -> Option<Asked<'a>> {
    let [reference, argument] = exchange.params.all.select(&["ref", "argument"]);
    let [kind, name, uri] = reference?.as_object()?.select(&["type", "name", "uri"]);
    let reference = match kind?.as_text()? {
        b"ref/prompt" => Reference::Prompt(name?.as_str()?),
        b"ref/resource" => Reference::Resource(uri?.as_str()?),
        _ => return None,
    };
    let [name, value] = argument?.as_object()?.select(&["name", "value"]);
    Some(Asked { reference, name: name.and_then(Value::as_str)?, value: value.and_then(Value::as_str)? })
}

/// The values that an argument or variable may have (COMP-5).
fn values(
    prompts: &'static [Prompt],
    resources: &'static [Resource],
    reference: &Reference<'_>,
    name: &str,
) -> Option<&'static [&'static str]> {
    match reference {
        Reference::Prompt(prompt) => {
            let prompt = prompts.iter().find(|known| known.name == *prompt)?;
            let argument = prompt.arguments.iter().find(|argument| argument.name == name)?;
            Some(argument.values)
        }
        Reference::Resource(uri) => {
            let resource = resources.iter().find(|resource| resource.uri == *uri)?;
            let variable = resource.variables.iter().find(|variable| variable.name == name)?;
            Some(variable.values)
        }
    }
}
