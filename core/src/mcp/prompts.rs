//! `prompts/list` and `prompts/get`.

use core::fmt::{self, Display};

use super::context::Context;
use super::feature::{Eras, Exchange, Method};
use super::page::Page;
use super::params::Params;
use super::protocol::Dispatch;
use super::reply::{Replied, Reply};
use crate::content::Blocks;
use crate::json::{Object, Value};
use crate::prompt::{Conversation, Messages, Prompt, TextArguments, from_fn};
use crate::rpc::ErrorCode;

pub(super) const METHODS: [Method; 2] = [
    Method { name: "prompts/list", eras: Eras::Both, serve: list },
    Method { name: "prompts/get", eras: Eras::Both, serve: get },
];

impl Exchange<'_> {
    const fn prompts(&self) -> &'static [Prompt] {
        self.table.prompts()
    }
}

/// Writes the prompts of one page in the order of the table.
fn list(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    let prompts = exchange.prompts();
    let page = match Page::asked(exchange.params.all, prompts.len(), reply.head.config.page_size) {
        Ok(page) => page,
        Err(refusal) => return reply.refuse(refusal.code(), &refusal.reason()),
    };
    let rules = reply.head.revision.rules();
    reply.result(&|out| {
        out.raw("\"prompts\":[");
        for (at, prompt) in prompts.get(page.range.clone()).unwrap_or_default().iter().enumerate() {
            out.raw(if at == 0 { "{\"name\":" } else { ",{\"name\":" });
            out.string(prompt.name);
            out.member("title", prompt.title.filter(|_| rules.titles));
            out.member("description", Some(prompt.description));
            for (at, argument) in prompt.arguments.iter().enumerate() {
                out.raw(if at == 0 { ",\"arguments\":[{\"name\":" } else { ",{\"name\":" });
                out.string(argument.name);
                out.member("description", argument.description);
                out.raw(if argument.required { ",\"required\":true}" } else { ",\"required\":false}" });
            }
            out.raw(if prompt.arguments.is_empty() { "}" } else { "]}" });
        }
        page.close(out, rules);
    })
}

/// Answers with the message of a prompt, if there is one of that name and its arguments fit (PROMPT-3).
fn get(exchange: &mut Exchange<'_>, toolset: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    let refuse = |reply: Reply<'_>, reason: &dyn Display| reply.refuse(ErrorCode::InvalidParams, reason);
    let Some(name) = exchange.params.name.and_then(Value::as_str) else {
        return refuse(reply, &"prompts/get needs the name of a prompt, a string");
    };
    if let Err(refusal) = exchange.params.check_input(reply.head.revision) {
        return reply.refuse(refusal.code(), &refusal.reason());
    }
    let mut all = exchange.prompts().iter().enumerate();
    let Some((index, prompt)) = all.find(|(_, prompt)| prompt.name == name) else {
        return refuse(reply, &format_args!("Unknown prompt: {}", crate::json::Clipped(name)));
    };
    let Some(given) = given(exchange.params) else {
        return refuse(reply, &"arguments must be an object of strings");
    };
    let arguments = TextArguments::of(given, prompt);
    for (argument, text) in prompt.arguments.iter().zip(&arguments.0) {
        match given.get(argument.name) {
            Some(value) if text.is_none() && (argument.required || !value.is_null()) => {
                return refuse(reply, &format_args!("{}: expected a string", argument.name));
            }
            None if argument.required => {
                return refuse(reply, &format_args!("{}: missing, expected a string", argument.name));
            }
            _ => {}
        }
    }
    toolset.prompt(index, &arguments, Prompting::new(reply, prompt))
}

/// The object of a prompt's arguments, if it is one.
pub(super) fn given<'a>(params: &Params<'a>) -> Option<Object<'a>> {
    match params.arguments {
        Some(value) if !value.is_null() => value.as_object(),
        _ => Some(Object::EMPTY),
    }
}

impl<'a> TextArguments<'a> {
    /// The members of an object that are arguments of a prompt and texts.
    pub(super) fn of(given: Object<'a>, prompt: &Prompt) -> Self {
        let mut arguments = Self::default();
        for (argument, place) in prompt.arguments.iter().zip(&mut arguments.0) {
            *place = given.get(argument.name).and_then(Value::as_str);
        }
        arguments
    }
}

/// The right to answer a `prompts/get`, once: answers after the first one do nothing.
pub struct Prompting<'a> {
    context: Context<'a>,
    prompt: &'static Prompt,
}

impl fmt::Debug for Prompting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompting").field("name", &self.prompt.name).finish_non_exhaustive()
    }
}

impl<'a> Prompting<'a> {
    pub(super) const fn new(reply: Reply<'a>, prompt: &'static Prompt) -> Self {
        Self { context: Context::new(reply), prompt }
    }

    /// What the function may ask of the server.
    pub const fn context(&self) -> &Context<'a> {
        &self.context
    }

    /// Answers with one message of the user. If it fails to display itself, what it wrote so far is all there is.
    pub fn text(&self, text: &dyn Display) -> Replied {
        self.messages(&from_fn(|conversation| conversation.user().text(text)))
    }

    /// Answers with messages.
    pub fn messages(&self, messages: &dyn Messages) -> Replied {
        let Some(reply) = self.context.take() else { return Replied(()) };
        let revision = reply.head.revision;
        reply.result(&|out| {
            out.raw("\"description\":");
            out.string(self.prompt.description);
            out.raw(",\"messages\":[");
            messages.write(&mut Conversation(Blocks::new(out.reborrow(), revision)));
            out.raw("]");
        })
    }

    /// Answers that the argument at `index` of the table has a text that it cannot have (PROMPT-4). `values` are those that
    /// it can have, if they are few: suggestions are not all.
    pub fn unfit(&self, index: usize, values: &[&str]) -> Replied {
        let name = self.prompt.arguments.get(index).map_or("", |argument| argument.name);
        let reason = fmt::from_fn(|f| {
            write!(f, "{name}: expected ")?;
            for (at, value) in values.iter().enumerate() {
                write!(f, "{}\"{value}\"", if at == 0 { "one of " } else { ", " })?;
            }
            f.write_str(if values.is_empty() { "another text" } else { "" })
        });
        self.refuse(ErrorCode::InvalidParams, &reason)
    }

    /// Answers that the server is at fault.
    pub fn internal_error(&self) -> Replied {
        self.context.internal_error()
    }

    /// Answers that the prompt could not be made (PROMPT-3).
    pub fn failed(&self, error: &dyn Display) -> Replied {
        self.refuse(ErrorCode::InternalError, error)
    }

    fn refuse(&self, code: ErrorCode, reason: &dyn Display) -> Replied {
        self.context.take().map_or(Replied(()), |reply| reply.refuse(code, reason))
    }
}
