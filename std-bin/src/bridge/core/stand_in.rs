//! Answers that the bridge makes up.

use std::time::Duration;

use toolwire::rpc::ErrorCode;

use super::link::Link;
use super::own::{Own, Purpose};
use super::queue::Queued;
use super::session::Session;
use super::{Core, Note, add, short};
use crate::bridge::answers;
use crate::bridge::message::Method;
use crate::bridge::noise::harmless;

/// How many dead requests are remembered.
const DEAD: usize = 64;

/// How long a ping waits for its turn before the bridge answers it. Most calls end sooner, so that answers keep the order
/// of their requests; no client gives up sooner.
pub(super) const PING: Duration = Duration::from_secs(3);

/// How long the queue may wait for a device that is away after the client has gone.
const FAREWELL: Duration = Duration::from_secs(2);

impl<const N: usize> Core<N> {
    /// Answers requests that have waited for too long.
    pub(super) fn expire(&mut self, now: Duration) {
        let (port, limit) = (self.options.port.clone(), self.options.timeout);
        let mut late = Vec::new();
        for pending in &mut self.pending {
            if pending.live && pending.deadline.is_some_and(|deadline| deadline <= now) {
                pending.live = false;
                late.push((pending.id.clone(), pending.line, pending.noisy));
            }
        }
        if late.is_empty() {
            return;
        }
        self.own.take_if(|own| own.purpose == Purpose::Watch);
        self.noise.tear(now);
        let mut unsent: Vec<_> = late.iter().map(|(_, line, _)| *line).collect();
        unsent.retain(|line| self.withdraw(*line, |_| true));
        for (id, line, noisy) in late {
            let text =
                if unsent.contains(&line) { answers::not_asked(&port) } else { answers::silence(&port, limit, noisy) };
            self.fail(&id, &text);
            let id = harmless(short(&id).as_bytes());
            self.note(Note::Warning(format!("no answer from the device on {port} to the request {id}")));
        }
        let mut beyond = self.pending.iter().filter(|pending| !pending.live).count().saturating_sub(DEAD);
        self.pending.retain(|pending| {
            let is_forgotten = !pending.live && beyond > 0;
            beyond = beyond.saturating_sub(is_forgotten.into());
            !is_forgotten
        });
    }

    /// Whether requests wait for others.
    pub(super) fn is_held_up(&self) -> bool {
        let opening = |own: &Own| matches!(own.purpose, Purpose::Probe | Purpose::Handshake);
        matches!(self.link, Link::Up) && !self.own.as_ref().is_some_and(opening)
    }

    /// Answers for the device what it cannot answer now.
    pub(super) fn stand_in(&mut self, now: Duration) {
        if let Link::Down { since, reason } = &self.link
            && add(*since, self.options.wait) <= now
        {
            let awaited = answers::awaited(&self.options.port, reason);
            while let Some(queued) = self.queue.pop_front() {
                self.stand_in_for(&queued, &awaited);
            }
        }
        if self.is_held_up() {
            while let Some(at) =
                self.queue.iter().position(|queued| queued.is(Method::Ping) && add(queued.since, PING) <= now)
            {
                let Some(queued) = self.queue.remove(at) else { return };
                for request in queued.requests() {
                    self.answer(&answers::result(&request.id, "{}"));
                }
            }
        }
        if self.announce && self.session.as_ref().is_some_and(|session| session.initialized) {
            self.announce = false;
            self.answer(answers::TOOLS_CHANGED);
        }
    }

    /// Answers in the bridge's own name.
    fn stand_in_for(&mut self, queued: &Queued, awaited: &str) {
        let mut texts = Vec::new();
        for request in queued.requests() {
            let offer_tools = self.session.as_ref().map_or(!self.seen, |session| session.own);
            let (text, version) = answers::in_own_name(request, offer_tools, awaited);
            texts.push(text);
            if let Some(version) = version.filter(|_| !queued.batch) {
                self.session = Some(Session { params: request.params.clone(), version, initialized: false, own: true });
            }
        }
        match (queued.batch, texts.as_slice()) {
            (_, []) => {}
            (true, texts) => self.answer(&format!("[{}]", texts.join(","))),
            (false, texts) => self.answer(&texts.concat()),
        }
    }

    /// How long answers are waited for after the client has gone.
    pub(super) fn patience(&self) -> Duration {
        match self.link {
            _ if self.stopped => Duration::ZERO,
            Link::Down { .. } => FAREWELL.min(self.options.timeout),
            _ => self.options.timeout,
        }
    }

    /// Ends what still waits when the client has been gone for long enough.
    pub(super) fn farewell(&mut self, now: Duration) {
        if self.ended.is_none_or(|ended| add(ended, self.patience()) > now) {
            return;
        }
        self.fail_pending(&answers::ending(&self.options.port));
        self.fail_queued(|_| true, &answers::not_asked(&self.options.port));
        self.queue.clear();
        self.to_device.clear();
        self.own = None;
    }

    /// Answers the pending requests with an error, and forgets them.
    pub(super) fn fail_pending(&mut self, text: &str) {
        for pending in core::mem::take(&mut self.pending) {
            if pending.live {
                self.fail(&pending.id, text);
            }
        }
    }

    /// Answers a request with an error.
    pub(super) fn fail(&mut self, id: &str, text: &str) {
        self.answer(&answers::error(Some(id), ErrorCode::InternalError, text));
    }

    /// Answers queued requests with an error.
    pub(super) fn fail_queued(&mut self, which: impl Fn(&Queued) -> bool, text: &str) {
        let queue = core::mem::take(&mut self.queue);
        for queued in queue {
            if which(&queued) && queued.requests().next().is_some() {
                queued.requests().for_each(|request| self.fail(&request.id, text));
            } else {
                self.queue.push_back(queued);
            }
        }
    }
}
