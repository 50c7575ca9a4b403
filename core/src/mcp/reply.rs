//! Answers, streamed to the wire as they come into being.

use core::fmt::{self, Display};

use super::elicitation::Elicitation;
use super::logging::Level;
use super::protocol::Config;
use super::revision::{Revision, modern_name};
use crate::content::{Blocks, Content};
use crate::json::{Object, Writer};
use crate::rpc::{ErrorCode, Id};

/// The right to answer one request, once: every way to use it up writes an answer, and nothing else makes a
/// [`Replied`].
pub(crate) struct Reply<'r> {
    pub(super) out: Writer<'r>,
    pub(super) head: &'r Head<'r>,
}

/// What all answers to a request have in common.
pub(crate) struct Head<'h> {
    pub(super) id: Option<Id<'h>>,
    pub(super) revision: Revision,
    pub(super) config: &'h Config,
    /// Whether results carry the server's identity, in revisions that have that (META-8).
    pub(super) server_info: bool,
    pub(super) place: Place,
    /// The least level of messages to the client's log in legacy revisions, if there is one.
    pub(super) log_level: Option<Level>,
    /// The request's parameters.
    pub(super) params: Object<'h>,
    /// How a tool asks the user in legacy revisions, where that is possible.
    pub(super) elicitation: Option<&'h Elicitation<'h>>,
}

/// Where an answer stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Alone on its line.
    Line,
    /// First in an array.
    First,
    /// Behind another one in an array.
    Later,
}

/// The proof that a request was answered.
#[derive(Debug)]
#[must_use = "a request is answered exactly once"]
pub struct Replied(pub(crate) ());

impl fmt::Debug for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("id", &self.head.id).finish_non_exhaustive()
    }
}

impl Reply<'_> {
    /// Answers that the server is at fault.
    pub(super) fn internal_error(self) -> Replied {
        self.refuse(ErrorCode::InternalError, &"internal error: a fault of the firmware")
    }

    /// Answers a call with one block of text, or none.
    pub(super) fn content(self, text: Option<&dyn Display>, is_error: bool) -> Replied {
        self.result(&|out| {
            let Some(text) = text else { return out.raw("\"content\":[],\"isError\":false") };
            out.raw("\"content\":[{\"type\":\"text\",\"text\":\"");
            // When it is the wire that failed, what follows does not come through either.
            let displayed = out.inside(text);
            out.raw(if displayed && !is_error { "\"}],\"isError\":false" } else { "\"}],\"isError\":true" });
        })
    }

    /// Answers a call with blocks.
    pub(super) fn blocks(self, content: &dyn Content) -> Replied {
        let revision = self.head.revision;
        self.result(&|out| {
            out.raw("\"content\":[");
            let mut blocks = Blocks::new(out.reborrow(), revision);
            content.write(&mut blocks);
            let failed = blocks.has_failed();
            out.raw(if failed { "],\"isError\":true" } else { "],\"isError\":false" });
        })
    }

    /// Answers with a result; `members` writes what is in it. Behind a pointer, so that the frame around the members exists
    /// once.
    pub(super) fn result(self, members: &dyn Fn(&mut Writer<'_>)) -> Replied {
        self.result_of("\"resultType\":\"complete\",", members)
    }

    /// Answers with a result that begins with its type, which legacy revisions do not know.
    pub(super) fn result_of(self, result_type: &str, members: &dyn Fn(&mut Writer<'_>)) -> Replied {
        let Self { mut out, head } = self;
        head.open(&mut out);
        out.raw(",\"result\":{");
        let modern = head.revision.rules().modern;
        if modern {
            out.raw(result_type);
        }
        members(&mut out);
        if modern && head.server_info {
            out.raw(",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
            head.config.info.write(&mut out, head.revision);
            out.raw("}");
        }
        head.close(&mut out)
    }

    /// Answers with an error.
    pub(super) fn refuse(self, code: ErrorCode, message: &dyn Display) -> Replied {
        self.refuse_data(code, message, None)
    }

    /// Answers that the revision asked for is not spoken here (META-3).
    pub(super) fn unsupported(self, requested: &str) -> Replied {
        let code = ErrorCode::UnsupportedProtocolVersion;
        let data = (concat!("\"supported\":[\"", modern_name!(), "\"],\"requested\":"), requested);
        self.refuse_data(code, &"unsupported protocol version", Some(data))
    }

    /// Answers with an error, and what a program may want to know of it: a string, behind the start of an object.
    pub(super) fn refuse_data(self, code: ErrorCode, message: &dyn Display, data: Option<(&str, &str)>) -> Replied {
        let Self { mut out, head } = self;
        head.open(&mut out);
        out.raw(",\"error\":{\"code\":");
        out.integer(code.code().into());
        out.raw(",\"message\":\"");
        out.inside(message);
        out.raw("\"");
        if let Some((start, text)) = data {
            out.raw(",\"data\":{");
            out.raw(start);
            out.string(text);
            out.raw("}");
        }
        head.close(&mut out)
    }
}

impl Head<'_> {
    /// Writes an answer up to its id (ID-6).
    fn open(&self, out: &mut Writer<'_>) {
        out.raw(match self.place {
            Place::Line => "",
            Place::First => "[",
            Place::Later => ",",
        });
        out.raw("{\"jsonrpc\":\"2.0\"");
        match self.id {
            Some(id) => {
                out.raw(",\"id\":");
                out.with(|out| id.write(out));
            }
            None => out.raw(if self.revision.rules().null_id { ",\"id\":null" } else { "" }),
        }
    }

    /// Writes the end of a result or an error, and that of the line.
    fn close(&self, out: &mut Writer<'_>) -> Replied {
        out.raw(if self.place == Place::Line { "}}\n" } else { "}}" });
        Replied(())
    }
}
