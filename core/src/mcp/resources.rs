//! `resources/list`, `resources/templates/list` and `resources/read`.

use core::fmt::{self, Display};
#[cfg(feature = "async")]
use core::{future::poll_fn, task::Poll};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use super::cache::{CONSTANT, FLEETING};
use super::feature::{Eras, Exchange, Method};
use super::page::Page;
use super::protocol::Dispatch;
use super::reply::{Replied, Reply};
use crate::json::Value;
use crate::resource::{Resource, Variables};
use crate::rpc::ErrorCode;

pub(super) const METHODS: [Method; 3] = [
    Method { name: "resources/list", eras: Eras::Both, serve: list },
    Method { name: "resources/templates/list", eras: Eras::Both, serve: list_templates },
    Method { name: "resources/read", eras: Eras::Both, serve: read },
];

impl Exchange<'_> {
    pub(super) const fn resources(&self) -> &'static [Resource] {
        self.table.resources()
    }
}

fn list(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    write_list(exchange, false, reply)
}

fn list_templates(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    write_list(exchange, true, reply)
}

/// Writes the resources, or the templates, of one page in the order of the table.
fn write_list(exchange: &Exchange<'_>, templates: bool, reply: Reply<'_>) -> Replied {
    let all = || exchange.resources().iter().filter(|resource| resource.is_template() == templates);
    let count = all().count();
    let page = match Page::asked(exchange.params.all, count, reply.head.config.page_size) {
        Ok(page) => page,
        Err(refusal) => return reply.refuse(refusal.code(), &refusal.reason()),
    };
    let rules = reply.head.revision.rules();
    reply.result(&|out| {
        out.raw(if templates { "\"resourceTemplates\":[" } else { "\"resources\":[" });
        let before = page.range.start;
        for (at, resource) in all().enumerate().take(page.range.end).skip(before) {
            out.raw(if at == before { "" } else { "," });
            out.raw(if templates { "{\"uriTemplate\":" } else { "{\"uri\":" });
            out.string(resource.uri);
            out.member("name", Some(resource.name));
            out.member("title", resource.title.filter(|_| rules.titles));
            out.member("description", resource.description);
            out.member("mimeType", resource.mime_type);
            if let Some(size) = resource.size {
                out.raw(",\"size\":");
                out.integer(size.into());
            }
            out.raw("}");
        }
        page.close(out, rules);
    })
}

/// Reads a resource, if there is one of that address.
fn read(exchange: &mut Exchange<'_>, toolset: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    let Some(uri) = exchange.params.all.get("uri").and_then(Value::as_str) else {
        return reply.refuse(ErrorCode::InvalidParams, &"resources/read needs the uri of a resource, a string");
    };
    if let Err(refusal) = exchange.params.check_input(reply.head.revision) {
        return reply.refuse(refusal.code(), &refusal.reason());
    }
    let mut all = exchange.resources().iter().enumerate();
    let found = all.find_map(|(index, resource)| Some((index, resource, Variables::of(resource.uri, uri)?)));
    let Some((index, resource, variables)) = found else { return not_found(uri, reply) };
    let Reply { mut out, head } = reply;
    toolset.read(index, &variables, Reading::new(Reply { out: out.reborrow(), head }, uri, resource))
}

/// Answers that there is no such resource (RES-3, RES-4).
pub(super) fn not_found(uri: &str, reply: Reply<'_>) -> Replied {
    let modern = reply.head.revision.rules().modern;
    let code = if modern { ErrorCode::InvalidParams } else { ErrorCode::ResourceNotFound };
    reply.refuse_data(code, &"Resource not found", Some(("\"uri\":", uri)))
}

/// The right to answer a `resources/read`, once.
pub struct Reading<'a> {
    reply: Reply<'a>,
    uri: &'a str,
    resource: &'static Resource,
}

impl fmt::Debug for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reading").field("uri", &self.uri).finish_non_exhaustive()
    }
}

impl<'a> Reading<'a> {
    pub(super) const fn new(reply: Reply<'a>, uri: &'a str, resource: &'static Resource) -> Self {
        Self { reply, uri, resource }
    }

    /// Waits until there is room for an answer.
    #[cfg(feature = "async")]
    #[doc(hidden)]
    pub async fn ready(&mut self) {
        let out = &mut self.reply.out;
        poll_fn(|_| if out.is_drained() { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    /// Answers with text. If it fails to display itself, what it wrote so far is all there is.
    pub fn text(self, text: &dyn Display) -> Replied {
        self.contents("text", text)
    }

    /// Answers with bytes, in base64 (RES-5).
    pub fn bytes(self, bytes: &[u8]) -> Replied {
        self.contents("blob", &Base64Display::new(bytes, &STANDARD))
    }

    /// Answers that there is no such resource after all: a variable of its address says nothing.
    pub fn not_found(self) -> Replied {
        not_found(self.uri, self.reply)
    }

    /// Answers that the server is at fault.
    pub fn internal_error(self) -> Replied {
        self.reply.internal_error()
    }

    /// Answers that the resource could not be read (RES-3).
    pub fn failed(self, error: &dyn Display) -> Replied {
        self.reply.refuse(ErrorCode::InternalError, error)
    }

    fn contents(self, kind: &str, contents: &dyn Display) -> Replied {
        let Self { reply, uri, resource } = self;
        let modern = reply.head.revision.rules().modern;
        reply.result(&|out| {
            out.raw("\"contents\":[{\"uri\":");
            out.string(uri);
            out.member("mimeType", resource.mime_type);
            out.raw(",\"");
            out.raw(kind);
            out.raw("\":\"");
            out.inside(contents);
            out.raw("\"}]");
            out.raw(match (modern, resource.constant) {
                (false, _) => "",
                (true, true) => CONSTANT,
                (true, false) => FLEETING,
            });
        })
    }
}
