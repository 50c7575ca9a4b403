//! Lines of the client.

use std::time::Duration;

use toolwire::rpc::ErrorCode;

use super::link::Link;
use super::queue::Queued;
use super::{Core, Note};
use crate::bridge::answers;
use crate::bridge::message::{Line, Message, Method, Told};

impl<const N: usize> Core<N> {
    pub(super) fn client_line(&mut self, now: Duration, line: Line) {
        match line {
            Line::Malformed(offset) => {
                let reason = format!("Parse error: the line is no JSON from byte {offset} on");
                self.refuse(None, ErrorCode::ParseError, &reason);
            }
            Line::Refused { id, reason } => self.refuse(id.as_deref(), ErrorCode::InvalidRequest, &reason),
            Line::One(Message::Invalid { id, reason }) => {
                self.refuse(id.as_deref(), ErrorCode::InvalidRequest, reason);
            }
            Line::One(message) => {
                if let Some(message) = self.client_message(message) {
                    self.queue.push_back(Queued::new(now, vec![message], false));
                }
            }
            Line::Batch(entries) => {
                let (unfit, fit): (Vec<_>, Vec<_>) =
                    entries.into_iter().partition(|entry| matches!(entry, Message::Invalid { .. }));
                let errors: Vec<_> = unfit.iter().filter_map(|entry| self.refusal(entry)).collect();
                if !errors.is_empty() {
                    self.answer(&format!("[{}]", errors.join(",")));
                }
                let fit: Vec<_> = fit.into_iter().filter_map(|entry| self.client_message(entry)).collect();
                if !fit.is_empty() {
                    self.queue.push_back(Queued::new(now, fit, true));
                }
            }
        }
    }

    fn refusal(&self, entry: &Message) -> Option<String> {
        match entry {
            Message::Invalid { id, reason } => {
                Some(answers::error(id.as_deref().or(self.no_id()), ErrorCode::InvalidRequest, reason))
            }
            _ => None,
        }
    }

    /// Answers what is no request.
    fn refuse(&mut self, id: Option<&str>, code: ErrorCode, reason: &str) {
        self.answer(&answers::error(id.or(self.no_id()), code, reason));
    }

    /// What stands for an id that cannot be read (ID-6).
    fn no_id(&self) -> Option<&'static str> {
        let null = self.session.as_ref().is_some_and(|session| answers::spells_out_null(&session.version));
        null.then_some("null")
    }

    /// Takes what must not wait. Returns the others.
    fn client_message(&mut self, message: Message) -> Option<Message> {
        match message {
            Message::Notification(news) => {
                if !news.sound {
                    self.note(Note::Info(
                        "a notification of the client without \"jsonrpc\":\"2.0\" was dropped".to_owned(),
                    ));
                    return None;
                }
                match &news.kind {
                    Told::Cancelled(id) => {
                        self.cancel(id.as_deref(), &news.text);
                        None
                    }
                    Told::Initialized if self.will_be_repeated() => None,
                    _ => Some(Message::Notification(news)),
                }
            }
            Message::Response(response) => {
                if !response.sound {
                    self.note(Note::Info("a response of the client that is none was dropped".to_owned()));
                } else if !self.is_absent() {
                    self.say(response.text + "\n", None);
                }
                None
            }
            other => Some(other),
        }
    }

    /// Notes that the client has understood the handshake. Returns whether the device will be told with a repeated one.
    fn will_be_repeated(&mut self) -> bool {
        let ready = matches!(self.link, Link::Up) && !self.is_shaking_hands();
        self.session.as_mut().is_some_and(|session| {
            session.initialized = true;
            session.own || !ready
        })
    }

    /// The client does not want an answer any more (PROTOCOL 7.13).
    fn cancel(&mut self, id: Option<&str>, text: &str) {
        let Some(id) = id else { return };
        // Of several requests with this id, the last one.
        for queued in self.queue.iter_mut().rev() {
            let is_it = |message: &Message| matches!(message, Message::Request(request) if request.id == id);
            if let Some(at) = queued.messages.iter().rposition(is_it) {
                if queued.is(Method::Initialize) {
                    return;
                }
                queued.messages.remove(at);
                self.queue.retain(|queued| !queued.messages.is_empty());
                return;
            }
        }
        let pending = self.pending.iter_mut().rev().find(|pending| pending.live && pending.id == id);
        let Some(pending) = pending.filter(|pending| pending.method != Method::Initialize) else { return };
        pending.live = false;
        let line = pending.line;
        if !self.withdraw(line, |source| !source.batch) && !self.is_absent() {
            self.say(format!("{text}\n"), None);
        }
    }
}
