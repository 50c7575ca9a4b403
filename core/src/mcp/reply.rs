//! Answers, streamed to the wire as they come into being.

use core::fmt::{self, Display, Write};

use super::ServerInfo;
use super::meta;
use super::revision::Revision;
use crate::json::{self, Escape};
use crate::rpc::{ErrorCode, Id};

/// The right to answer one request, once: every way to use it up writes an answer, and nothing else makes a
/// [`Replied`].
pub struct Reply<'r> {
    pub(super) out: &'r mut dyn Write,
    pub(super) id: Option<Id<'r>>,
    pub(super) revision: Revision,
    pub(super) info: &'r ServerInfo,
    /// Whether the result carries the server's identity (META-8).
    pub(super) server_info: bool,
    /// What stands before the answer, and its end with what stands behind it: alone on its line, or in an array.
    pub(super) ends: (&'static str, &'static str),
}

/// The proof that a request was answered.
#[derive(Debug)]
#[must_use = "a request is answered exactly once"]
pub struct Replied(pub(super) fmt::Result);

impl fmt::Debug for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reply").field("id", &self.id).field("revision", &self.revision).finish_non_exhaustive()
    }
}

impl<'r> Reply<'r> {
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
        self.result(|out| {
            let Some(text) = text else { return out.write_str("\"content\":[],\"isError\":false") };
            out.write_str("\"content\":[{\"type\":\"text\",\"text\":\"")?;
            // When it is the wire that failed, what follows fails too.
            let failed = write!(Escape(out), "{text}").is_err();
            out.write_str(if failed || is_error { "\"}],\"isError\":true" } else { "\"}],\"isError\":false" })
        })
    }

    /// The same with the server's identity in the result, if the revision has that.
    pub(super) fn with_server_info(self) -> Self {
        Self { server_info: true, ..self }
    }

    /// Answers with a result; `members` writes what is in it.
    pub(super) fn result(self, members: impl FnOnce(&mut dyn Write) -> fmt::Result) -> Replied {
        Replied(self.try_result(members))
    }

    fn try_result(self, members: impl FnOnce(&mut dyn Write) -> fmt::Result) -> fmt::Result {
        let Self { out, id, revision, info, server_info, ends: (before, behind) } = self;
        open(out, id, revision, before)?;
        out.write_str(",\"result\":{")?;
        let modern = revision.rules().modern;
        if modern {
            out.write_str("\"resultType\":\"complete\",")?;
        }
        members(out)?;
        if modern && server_info {
            write!(out, ",\"_meta\":{{\"{}\":", meta::SERVER_INFO)?;
            info.write(out, revision)?;
            out.write_str("}")?;
        }
        out.write_str(behind)
    }

    /// Answers with an error.
    pub(super) fn refuse(self, code: ErrorCode, message: &dyn Display) -> Replied {
        self.refuse_with(code, message, |_| Ok(()))
    }

    /// Answers with an error; `data` writes `,"data":…`.
    pub(super) fn refuse_with(
        self,
        code: ErrorCode,
        message: &dyn Display,
        data: impl FnOnce(&mut dyn Write) -> fmt::Result,
    ) -> Replied {
        Replied(self.try_refuse(code, message, data))
    }

    fn try_refuse(
        self,
        code: ErrorCode,
        message: &dyn Display,
        data: impl FnOnce(&mut dyn Write) -> fmt::Result,
    ) -> fmt::Result {
        let Self { out, id, revision, ends: (before, behind), .. } = self;
        open(out, id, revision, before)?;
        write!(out, ",\"error\":{{\"code\":{},\"message\":\"", code.code())?;
        write!(Escape(out), "{message}")?;
        out.write_str("\"")?;
        data(out)?;
        out.write_str(behind)
    }

    /// Answers that the revision asked for is not spoken here (META-3).
    pub(super) fn unsupported(self, requested: &str) -> Replied {
        self.refuse_with(meta::UNSUPPORTED, &"this protocol version is not supported", |out| {
            write!(out, ",\"data\":{{\"supported\":[\"{}\"],\"requested\":", Revision::MODERN.rules().name)?;
            json::write_str(out, requested)?;
            out.write_str("}")
        })
    }
}

/// Writes an answer up to its id (ID-6).
fn open(out: &mut dyn Write, id: Option<Id<'_>>, revision: Revision, before: &str) -> fmt::Result {
    if !before.is_empty() {
        out.write_str(before)?;
    }
    match id {
        Some(id) => {
            out.write_str("{\"jsonrpc\":\"2.0\",\"id\":")?;
            id.write(out)
        }
        None if revision.rules().null_id => out.write_str("{\"jsonrpc\":\"2.0\",\"id\":null"),
        None => out.write_str("{\"jsonrpc\":\"2.0\""),
    }
}
