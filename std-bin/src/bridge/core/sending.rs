//! What is written to the device, and what waits for its answers.

use std::time::Duration;

use super::link::Link;
use super::own::{APART, Purpose, TRIES};
use super::queue::Queued;
use super::{Core, add};
use crate::bridge::message::{Message, Method, Request};

/// A line for the device.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) text: String,
    pub(super) begun: usize,
    /// Where it came from, as long as nothing of it was written.
    pub(super) source: Option<Queued>,
    pub(super) line: u64,
}

/// A request that was given to the device, at least in part.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) id: String,
    pub(super) method: Method,
    /// Whether the client is still to be answered.
    pub(super) live: bool,
    pub(super) token: Option<String>,
    /// What `initialize` said, to be said again.
    pub(super) params: Option<String>,
    pub(super) legacy: bool,
    /// Which line it was in.
    pub(super) line: u64,
    pub(super) written: bool,
    /// `None`: it may take for ever.
    pub(super) deadline: Option<Duration>,
    /// Whether the device has printed anything else since it was written.
    pub(super) noisy: bool,
    /// Whether it keeps the next one waiting.
    pub(super) holds: bool,
}

impl Pending {
    /// Whether the client waits for the answer to its handshake.
    pub(super) fn is_hello(&self) -> bool {
        self.live && self.method == Method::Initialize
    }
}

impl<const N: usize> Core<N> {
    /// Gives a line to the device.
    pub(super) fn say(&mut self, text: String, source: Option<Queued>) -> u64 {
        self.lines = self.lines.saturating_add(1);
        self.to_device.push_back(Outgoing { text, begun: 0, source, line: self.lines });
        self.lines
    }

    /// `count` bytes of [`to_device`](Self::to_device) are being written: whatever happens, they count as written.
    pub fn device_took(&mut self, now: Duration, count: usize) {
        if let Some(front) = self.to_device.front_mut().filter(|_| count > 0) {
            front.source = None;
            front.begun = front.begun.saturating_add(count);
            let line = front.line;
            let written = front.begun >= front.text.len();
            let deadline = add(now, self.options.timeout);
            for pending in self.pending.iter_mut().filter(|pending| pending.line == line) {
                pending.deadline = Some(deadline);
                pending.written |= written;
            }
            if written {
                self.to_device.pop_front();
            }
        }
        self.tick(now);
    }

    /// Queues again what was not begun, but for what only the device that is gone would understand.
    pub(super) fn take_back(&mut self) {
        while let Some(Outgoing { source, line, .. }) = self.to_device.pop_back() {
            let Some(mut source) = source else { continue };
            let of_it = |one: &Pending| one.line == line;
            let live = |id: &str| self.pending.iter().any(|one| of_it(one) && one.live && one.id == id);
            source.messages.retain(|message| matches!(message, Message::Request(request) if live(&request.id)));
            self.pending.retain(|one| !of_it(one));
            if !source.messages.is_empty() {
                self.queue.push_front(source);
            }
        }
    }

    /// Does not send such a line of requests, if nothing of it was written. Returns whether that is so.
    pub(super) fn withdraw(&mut self, line: u64, which: impl Fn(&Queued) -> bool) -> bool {
        let unsent = |outgoing: &Outgoing| outgoing.line == line && outgoing.source.as_ref().is_some_and(&which);
        let Some(at) = self.to_device.iter().position(unsent) else { return false };
        self.to_device.remove(at);
        self.pending.retain(|pending| pending.line != line || pending.live);
        true
    }

    /// Gives the device what may be given to it.
    pub(super) fn pump(&mut self, now: Duration) {
        while self.may_send(now) {
            let Some(queued) = self.queue.pop_front() else { return };
            let text = queued.text();
            let requests: Vec<_> = queued.requests().map(|request| self.pend(now, request)).collect();
            let source = (!requests.is_empty()).then_some(queued);
            let line = self.say(text, source);
            self.pending.extend(requests.into_iter().map(|pending| Pending { line, ..pending }));
        }
    }

    fn pend(&self, now: Duration, request: &Request) -> Pending {
        Pending {
            id: request.id.clone(),
            method: request.method,
            live: true,
            token: request.token.clone(),
            params: request.params.clone(),
            legacy: request.is_legacy(Method::Initialize),
            line: 0,
            written: false,
            deadline: Some(add(now, self.options.timeout)),
            noisy: false,
            // It is answered when it ends, which may be never.
            holds: request.method != Method::Listen,
        }
    }

    /// Whether the next line of the queue may be sent. Does what must be done before.
    fn may_send(&mut self, now: Duration) -> bool {
        let (Link::Up, None, Some(next)) = (&self.link, &self.own, self.queue.front()) else { return false };
        if !self.proven {
            let harmless = next.is(Method::Initialize) || next.is(Method::Ping);
            return self.may_send_first(now, harmless);
        }
        next.requests().next().is_none() || self.may_send_request(now)
    }

    /// The same for the first line after an opening: one that is harmless finds out itself whether the device listens.
    fn may_send_first(&mut self, now: Duration, harmless: bool) -> bool {
        let is_probe = harmless && self.pending.is_empty();
        if is_probe {
            self.start(now, Purpose::Watch, TRIES);
            if let Some(own) = &mut self.own {
                own.next = add(now, APART);
            }
        } else {
            self.start(now, Purpose::Probe, TRIES);
            self.go_on(now);
        }
        is_probe
    }

    /// The same for a line with requests, which must not be too many for the device.
    fn may_send_request(&mut self, now: Duration) -> bool {
        let mut held: Vec<_> = self.pending.iter().filter(|one| one.holds).map(|one| (one.line, one.live)).collect();
        held.dedup_by_key(|(line, _)| *line);
        if held.len() < self.options.in_flight.max(1) {
            return true;
        }
        let dead = self.pending.iter().any(|one| one.holds && !one.live);
        let live = self.pending.iter().any(|one| one.holds && one.live);
        if dead && (!live || self.options.in_flight > 1) {
            self.start(now, Purpose::Proof, 1);
            self.go_on(now);
        }
        false
    }
}
