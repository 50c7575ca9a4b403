//! Lines of the device.

use std::time::Duration;

use super::link::Link;
use super::own::Purpose;
use super::sending::Pending;
use super::session::Session;
use super::{Core, Note, add, short};
use crate::bridge::answers;
use crate::bridge::message::{Line, Message, Method, Notification, OWN, Response, Told};
use crate::bridge::noise::harmless;

impl<const N: usize> Core<N> {
    pub(super) fn device_line(&mut self, now: Duration, line: Line) {
        let is_batch = matches!(line, Line::Batch(_));
        let passed = match line {
            Line::One(message) => self.device_message(now, message).map(|text| vec![text.unwrap_or_default()]),
            Line::Batch(entries) => {
                let passed: Vec<_> = entries.into_iter().map(|entry| self.device_message(now, entry)).collect();
                passed.iter().any(Option::is_some).then(|| passed.into_iter().flatten().flatten().collect())
            }
            Line::Malformed(_) | Line::Refused { .. } => None,
        };
        match passed.as_deref() {
            // Noise.
            None => {
                self.noise.end(now);
                self.pending.iter_mut().for_each(|pending| pending.noisy = true);
            }
            Some(texts) => {
                self.noise.forget();
                let texts: Vec<_> = texts.iter().filter(|text| !text.is_empty()).map(String::as_str).collect();
                match texts.as_slice() {
                    [] => {}
                    [text] if !is_batch => self.answer(text),
                    many => self.answer(&format!("[{}]", many.join(","))),
                }
            }
        }
    }

    /// Takes a message of the device. `None`: it is none. Otherwise the text for the client, if it concerns the client.
    fn device_message(&mut self, now: Duration, message: Message) -> Option<Option<String>> {
        let settled = matches!(self.link, Link::Up);
        match message {
            Message::Invalid { .. } => None,
            Message::Notification(news) if !news.sound => None,
            Message::Notification(news) => {
                let passed = settled && self.passes(now, &news);
                self.prove(passed);
                Some(passed.then_some(news.text))
            }
            Message::Request(request) => {
                let echo = request.id.starts_with(OWN) || self.pending.iter().any(|pending| pending.id == request.id);
                if echo {
                    self.note(Note::Info("an echo of a request was dropped".to_owned()));
                }
                self.prove(settled && !echo);
                Some((settled && !echo).then_some(request.text))
            }
            Message::Response(response) => self.device_response(now, response, settled),
        }
    }

    /// Whether a notification concerns the client.
    fn passes(&mut self, now: Duration, news: &Notification) -> bool {
        let deadline = add(now, self.options.timeout);
        match &news.kind {
            Told::Initialized | Told::RootsChanged => false,
            Told::Progress(token) => {
                let it = |pending: &&mut Pending| token.is_some() && pending.token == *token;
                let Some(pending) = self.pending.iter_mut().find(it) else { return true };
                pending.deadline = pending.deadline.map(|_| deadline);
                let live = pending.live;
                self.answered(now);
                live
            }
            Told::Cancelled(id) => {
                !self.pending.iter().any(|pending| !pending.live && Some(&pending.id) == id.as_ref())
            }
            Told::Other(subscription) => {
                let it = |pending: &&mut Pending| {
                    pending.method == Method::Listen && Some(&pending.id) == subscription.as_ref()
                };
                let Some(pending) = self.pending.iter_mut().find(it) else { return true };
                // It is answered when it ends, which may be never.
                pending.deadline = None;
                pending.live
            }
        }
    }

    fn device_response(&mut self, now: Duration, response: Response, settled: bool) -> Option<Option<String>> {
        let Some(id) = &response.id else {
            return if response.sound { Some(self.unaddressed(now, &response)) } else { None };
        };
        if id.starts_with(OWN) && self.own_answer(now, id, &response) {
            return Some(None);
        }
        let it = |pending: &Pending| pending.written && pending.id == *id;
        let Some(pending) = self.pending.iter().position(it).and_then(|at| self.pending.remove(at)) else {
            // Somebody's JSON log looks like this too.
            if response.sound {
                self.note(Note::Info(format!(
                    "an answer to nothing was dropped, id {}",
                    harmless(short(id).as_bytes())
                )));
            }
            return response.sound.then_some(None);
        };
        self.prove(settled && response.sound);
        self.answered(now);
        if !pending.live {
            return Some(None);
        }
        if self.own.as_ref().is_some_and(|own| own.purpose == Purpose::Watch) {
            self.own = None;
        }
        if !response.sound {
            self.fail(id, &answers::unsound(&self.options.port));
            return Some(None);
        }
        if let (Method::Initialize, true, Some(version)) = (pending.method, pending.legacy, response.version) {
            self.session = Some(Session { params: pending.params, version, initialized: false, own: false });
        }
        Some(Some(response.text))
    }

    /// An error that says not for what it is. The device could not read a line: if only one can be meant, that is answered.
    fn unaddressed(&mut self, now: Duration, response: &Response) -> Option<String> {
        let error = response.error.as_deref()?;
        let mut lines: Vec<_> = self.pending.iter().filter(|one| one.live && one.written).map(|one| one.line).collect();
        lines.dedup();
        let [line] = lines[..] else {
            self.note(Note::Info(format!(
                "an error of the device without an id was dropped: {}",
                harmless(short(error).as_bytes())
            )));
            return None;
        };
        if !self.proven {
            // It may be about what was on the line before.
            return None;
        }
        let meant = self.pending.iter().filter(|one| one.live && one.line == line);
        let texts: Vec<_> = meant.map(|one| answers::failed(Some(&one.id), error)).collect();
        self.pending.retain(|one| !one.live || one.line != line);
        self.answered(now);
        Some(match texts.as_slice() {
            [text] => text.clone(),
            texts => format!("[{}]", texts.join(",")),
        })
    }

    /// Notes that the device has said something to the point.
    pub(super) fn prove(&mut self, proof: bool) {
        if proof && !self.proven {
            self.proven = true;
            self.own.take_if(|own| own.purpose == Purpose::Probe);
        }
    }

    /// Notes that there was an answer.
    pub(super) fn answered(&mut self, now: Duration) {
        self.ended = self.ended.map(|ended| ended.max(now));
    }
}
