//! Questions to the user in the revisions with a handshake: who keeps a call while its question is open needs this.

use core::cell::Cell;

use super::elicitation::{Elicitation, are_forms_possible, is_id, write_id};
use super::initialize;
use super::meta::Meta;
use crate::frame::Frame;
use crate::json::{Object, Port, Value, Writer};
use crate::rpc::{Envelope, Message};

/// The state of questions on a line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Questions {
    /// Whether the client of the session shows forms (S2C-1).
    possible: bool,
    /// How many were asked.
    count: u32,
    /// The key of the one that is open.
    open: Option<&'static str>,
}

/// What a line is for a question.
pub(crate) enum Met<'a> {
    /// The answer: the call that has asked is to be run again.
    Answer(Elicitation<'a>),
    /// The end of the call that has asked: nothing is to be run.
    Cancelled,
    /// Nothing.
    Other,
}

impl Questions {
    /// Whether a question is open, so that its call must be kept.
    pub(crate) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// What a tool that runs now needs to ask, if it may: there is one question at a time.
    pub(crate) fn next<'a>(&self) -> Option<Elicitation<'a>> {
        let may = self.possible && self.open.is_none();
        may.then_some(Elicitation { number: self.count, answered: None, asked: Cell::new(None) })
    }

    /// Notes what a tool has asked.
    pub(crate) fn note(&mut self, elicitation: &Elicitation<'_>) {
        self.open = elicitation.asked.get();
        self.count = self.count.wrapping_add(self.open.is_some().into());
    }

    /// Looks at a line. `call` is the one that has asked the open question.
    pub(crate) fn meet<'a>(&mut self, frame: Frame<'a>, call: Option<Frame<'_>>, out: &mut dyn Port) -> Met<'a> {
        let Frame::Message(envelope) = frame else { return Met::Other };
        if let Some(possible) = shows_forms(&envelope) {
            // A new session knows nothing of it.
            *self = Self { possible, open: None, ..*self };
            return Met::Other;
        }
        let (Some(key), Some(Frame::Message(call))) = (self.open, call) else { return Met::Other };
        let number = self.count.wrapping_sub(1);
        if envelope.cancelled().is_some_and(|id| Some(id) == call.id.and_then(crate::rpc::Id::new)) {
            self.open = None;
            cancel(number, out);
            return Met::Cancelled;
        }
        if !matches!(Message::new(envelope), Message::Response) || !envelope.id.is_some_and(|id| is_id(id, number)) {
            return Met::Other;
        }
        let answer = envelope.result.filter(|result| result.as_object().is_some());
        Met::Answer(Elicitation { number: self.count, answered: Some((key, answer)), asked: Cell::new(None) })
    }
}

/// Whether a client shows forms, if a message is a handshake that succeeds.
fn shows_forms(envelope: &Envelope<'_>) -> Option<bool> {
    envelope.method.filter(|method| method.as_text() == Some(b"initialize"))?;
    let Message::Request(request) = Message::new(*envelope) else { return None };
    let params = request.params?.as_object()?;
    let is_tagged = params.get("_meta").and_then(Value::as_object).and_then(Meta::of).is_some();
    let succeeds = !is_tagged && initialize::negotiate(params).is_ok();
    let capabilities = params.get("capabilities").and_then(Value::as_object).unwrap_or(Object::EMPTY);
    succeeds.then(|| are_forms_possible(capabilities))
}

/// Tells the client that a question needs no answer any more (CANCEL-5).
fn cancel(number: u32, out: &mut dyn Port) {
    let mut out = Writer::new(out);
    out.raw("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"");
    out.with(|out| write_id(out, number));
    out.raw("\"}}\n");
}
