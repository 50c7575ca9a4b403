//! Requests of the bridge's own.

use std::time::Duration;

use super::queue::Queued;
use super::sending::Pending;
use super::{Core, Note, add};
use crate::bridge::answers;
use crate::bridge::message::{OWN, Response};

/// How many requests of its own the bridge tries in a freshly opened device, and how far apart.
pub(super) const TRIES: u32 = 4;

pub(super) const APART: Duration = Duration::from_secs(1);

/// How long a silent device may take to prove that it listens.
const PROOF: Duration = Duration::from_secs(2);

/// Why the bridge sends requests of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To find out whether a freshly opened device listens, before anything is sent to it.
    Probe,
    /// The same, while the client's own harmless request is on its way.
    Watch,
    /// To repeat the client's handshake.
    Handshake,
    /// To find out whether a device that was silent listens.
    Proof,
}

/// The bridge's own requests under way.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) purpose: Purpose,
    pub(super) handshake: bool,
    pub(super) tries: u32,
    pub(super) next: Duration,
    /// The ids, each with the number of its line.
    pub(super) sent: Vec<(String, u64)>,
}

impl<const N: usize> Core<N> {
    pub(super) fn start(&mut self, now: Duration, purpose: Purpose, tries: u32) {
        let handshake = match purpose {
            Purpose::Handshake => true,
            Purpose::Probe | Purpose::Watch => false,
            // A device that was silent and printed something else may have been restarted.
            Purpose::Proof => {
                self.session.is_some() && self.pending.iter().any(|pending| !pending.live && pending.noisy)
            }
        };
        self.own = Some(Own { purpose, handshake, tries, next: now, sent: Vec::new() });
    }

    /// Sends the next try when it is due, or gives up.
    pub(super) fn go_on(&mut self, now: Duration) {
        let Some(mut own) = self.own.take_if(|own| own.next <= now) else { return };
        if own.tries == 0 {
            return self.give_up(now, &own);
        }
        own.tries = own.tries.saturating_sub(1);
        own.next = add(now, APART);
        if own.purpose == Purpose::Proof {
            // A cancelled request may keep the device busy as long as it could have taken without that.
            let busy = self.pending.iter().filter(|pending| !pending.live).filter_map(|pending| pending.deadline).max();
            own.next = add(now, PROOF).max(busy.unwrap_or_default());
        }
        let id = self.own_id();
        let text = if own.handshake {
            answers::request(&id, "initialize", self.hello())
        } else {
            answers::request(&id, "ping", None)
        };
        let line = self.say(text + "\n", None);
        own.sent.push((id, line));
        self.own = Some(own);
    }

    /// An id that no request of the client has.
    fn own_id(&mut self) -> String {
        loop {
            self.owns = self.owns.saturating_add(1);
            let id = format!("{OWN}{}\"", self.owns);
            let queued = self.queue.iter().flat_map(Queued::requests);
            if !queued
                .map(|request| &request.id)
                .chain(self.pending.iter().map(|pending| &pending.id))
                .any(|one| *one == id)
            {
                return id;
            }
        }
    }

    /// Takes an answer to a request of the bridge's own. Returns whether it was one.
    pub(super) fn own_answer(&mut self, now: Duration, id: &str, response: &Response) -> bool {
        let Some(own) = self.own.take_if(|own| own.sent.iter().any(|(sent, _)| sent == id)) else { return false };
        let line = own.sent.iter().find(|(sent, _)| sent == id).map_or(0, |(_, line)| *line);
        self.proven = true;
        // What was before it and is not answered by now never will be.
        self.pending.retain(|pending| pending.live || pending.line > line);
        if own.handshake {
            self.shaken(now, response);
        } else if own.purpose == Purpose::Watch {
            self.lost(now);
        }
        true
    }

    /// The client's first request was lost in a device that did not listen yet. It was one that can be made up for.
    pub(super) fn lost(&mut self, now: Duration) {
        let Some(at) = self.pending.iter().position(|pending| pending.live) else { return };
        if self.pending.get(at).is_some_and(Pending::is_hello) {
            self.note(Note::Info("the device did not listen yet; the handshake is repeated".to_owned()));
            return self.start(now, Purpose::Handshake, TRIES);
        }
        if let Some(ping) = self.pending.remove(at) {
            self.answer(&answers::result(&ping.id, "{}"));
            self.answered(now);
        }
    }

    /// The device does not answer the bridge.
    fn give_up(&mut self, now: Duration, own: &Own) {
        // What the device has not even begun to take, it need not.
        let is_own = |line| own.sent.iter().any(|(_, sent)| *sent == line);
        self.to_device.retain(|outgoing| outgoing.begun > 0 || !is_own(outgoing.line));
        self.note(Note::Info("the device does not answer the bridge itself; going on".to_owned()));
        match own.purpose {
            Purpose::Probe | Purpose::Watch => self.proven = true,
            Purpose::Handshake => self.resume(),
            Purpose::Proof => {
                for pending in self.pending.iter_mut().filter(|pending| !pending.live) {
                    pending.holds = false;
                }
                let text = answers::not_asked(&self.options.port);
                let timeout = self.options.timeout;
                self.fail_queued(|queued| add(queued.since, timeout) <= now, &text);
            }
        }
    }

    pub(super) fn is_shaking_hands(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.purpose == Purpose::Handshake)
    }
}
