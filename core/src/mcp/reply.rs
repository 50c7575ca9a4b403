//! Answers, streamed to the wire as they come into being.

use core::fmt::{self, Display};

use super::ServerInfo;
use super::revision::Revision;
use crate::json::Writer;
use crate::rpc::{ErrorCode, Id};

/// The right to answer one request, once: every way to use it up writes an answer, and nothing else makes a
/// [`Replied`].
pub struct Reply<'r> {
    pub(super) out: Writer<'r>,
    pub(super) head: &'r Head<'r>,
}

/// What all answers to a request have in common.
pub(super) struct Head<'h> {
    pub(super) id: Option<Id<'h>>,
    pub(super) revision: Revision,
    pub(super) info: &'h ServerInfo,
    /// Whether results carry the server's identity, in revisions that have that (META-8).
    pub(super) server_info: bool,
    pub(super) place: Place,
}

/// Where an answer stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
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
pub struct Replied(pub(super) ());

impl fmt::Debug for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("id", &self.head.id).finish_non_exhaustive()
    }
}

impl Reply<'_> {
    /// Answers a call with one block of text. If `text` fails to display itself, what it wrote so far becomes the text
    /// of a failed call.
    pub fn text(self, text: &dyn Display) -> Replied {
        self.content(Some(text), false)
    }

    /// Answers a call with what went wrong in the tool, for the model to read (CALL-7).
    pub fn error(self, error: &dyn Display) -> Replied {
        self.content(Some(error), true)
    }

    /// Answers a call that has nothing to say.
    pub fn empty(self) -> Replied {
        self.content(None, false)
    }

    /// Answers that the server is at fault.
    pub fn internal_error(self) -> Replied {
        self.refuse(ErrorCode::InternalError, &"the server failed; this is a fault in its firmware")
    }

    fn content(self, text: Option<&dyn Display>, is_error: bool) -> Replied {
        self.result(&|out| {
            let Some(text) = text else { return out.raw("\"content\":[],\"isError\":false") };
            out.raw("\"content\":[{\"type\":\"text\",\"text\":\"");
            // When it is the wire that failed, what follows does not come through either.
            let displayed = out.inside(text);
            out.raw(if displayed && !is_error { "\"}],\"isError\":false" } else { "\"}],\"isError\":true" });
        })
    }

    /// Answers with a result; `members` writes what is in it. Behind a pointer, so that the frame around the members exists
    /// once.
    pub(super) fn result(self, members: &dyn Fn(&mut Writer<'_>)) -> Replied {
        let Self { mut out, head } = self;
        head.open(&mut out);
        out.raw(",\"result\":{");
        let modern = head.revision.rules().modern;
        if modern {
            out.raw("\"resultType\":\"complete\",");
        }
        members(&mut out);
        if modern && head.server_info {
            out.raw(",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
            head.info.write(&mut out, head.revision);
            out.raw("}");
        }
        head.close(&mut out)
    }

    /// Answers with an error.
    pub(super) fn refuse(self, code: ErrorCode, message: &dyn Display) -> Replied {
        self.refuse_version(code, message, None)
    }

    /// Answers that the revision asked for is not spoken here (META-3).
    pub(super) fn unsupported(self, requested: &str) -> Replied {
        let code = ErrorCode::UnsupportedProtocolVersion;
        self.refuse_version(code, &"this protocol version is not supported", Some(requested))
    }

    fn refuse_version(self, code: ErrorCode, message: &dyn Display, requested: Option<&str>) -> Replied {
        let Self { mut out, head } = self;
        head.open(&mut out);
        out.raw(",\"error\":{\"code\":");
        out.integer(code.code().into());
        out.raw(",\"message\":\"");
        out.inside(message);
        out.raw("\"");
        if let Some(requested) = requested {
            out.raw(",\"data\":{\"supported\":[");
            out.string(Revision::MODERN.rules().name);
            out.raw("],\"requested\":");
            out.string(requested);
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
