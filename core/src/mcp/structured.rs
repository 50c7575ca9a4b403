//! Results of tools that are JSON (CALL-4, CALL-5).

use core::fmt;

use super::context::Context;
use super::reply::{Replied, Reply};
use crate::json::serializer::{Error, Source, State};
use crate::rpc::ErrorCode;
use crate::schema::Type;

impl Context<'_> {
    /// Answers a call with a value, if it is what its schema says. If not, the server is at fault.
    pub(crate) fn structured(&self, schema: &'static Type, source: &Source<'_>) -> Replied {
        self.take().map_or(Replied(()), |reply| answer(reply, &Json { schema, source }))
    }
}

/// A value as JSON.
struct Json<'a> {
    schema: &'static Type,
    source: &'a Source<'a>,
}

impl Json<'_> {
    fn write(&self, out: &mut dyn fmt::Write) -> Result<(), Error> {
        State::new(out).write(self.schema, self.source)
    }
}

impl fmt::Display for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f).map_err(|_| fmt::Error)
    }
}

fn answer(reply: Reply<'_>, json: &Json<'_>) -> Replied {
    let mut nowhere = Nowhere;
    let mut trial = State::new(&mut nowhere);
    if trial.write(json.schema, json.source).is_err() {
        let message = format_args!("the result of this tool is not what its outputSchema says: {trial}");
        return reply.refuse(ErrorCode::InternalError, &message);
    }
    let structured = reply.head.revision.rules().titles;
    reply.result(&|out| {
        out.raw("\"content\":[{\"type\":\"text\",\"text\":\"");
        // It fails only if the value has changed since the trial.
        let mut fits = out.inside(json);
        out.raw("\"}]");
        if fits && structured {
            out.raw(",\"structuredContent\":");
            out.with(|out| {
                fits = json.write(out).is_ok();
                Ok(())
            });
        }
        out.raw(if fits { ",\"isError\":false" } else { ",\"isError\":true" });
    })
}

/// Takes everything.
struct Nowhere;

impl fmt::Write for Nowhere {
    fn write_str(&mut self, _text: &str) -> fmt::Result {
        Ok(())
    }

    // As core has it, but shorter.
    fn write_char(&mut self, _character: char) -> fmt::Result {
        Ok(())
    }
}
