//! Lines of the client that wait for their turn.

use std::time::Duration;

use super::Core;
use crate::bridge::message::{Message, Method, Request, Told};

/// From how many queued bytes on the client is not read; what is queued may exceed it by one line.
pub(super) const QUEUED: usize = 1 << 20;

/// A line of the client that waits for its turn.
#[derive(Debug)]
pub(super) struct Queued {
    pub(super) messages: Vec<Message>,
    pub(super) batch: bool,
    pub(super) size: usize,
    pub(super) since: Duration,
}

impl Queued {
    pub(super) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.messages.iter().filter_map(|message| match message {
            Message::Request(request) => Some(request),
            _ => None,
        })
    }

    pub(super) fn is(&self, method: Method) -> bool {
        !self.batch && self.requests().any(|request| request.is_legacy(method))
    }

    pub(super) fn is_initialized(&self) -> bool {
        let told = |message: &Message| matches!(message, Message::Notification(news) if news.kind == Told::Initialized);
        self.messages.iter().all(told)
    }

    pub(super) fn text(&self) -> String {
        let texts: Vec<_> = self.messages.iter().filter_map(Message::text).collect();
        if self.batch { format!("[{}]\n", texts.join(",")) } else { texts.concat() + "\n" }
    }
}

impl<const N: usize> Core<N> {
    pub(super) fn enqueue(&mut self, now: Duration, messages: Vec<Message>, batch: bool) {
        let size = messages.iter().filter_map(Message::text).map(str::len).sum::<usize>();
        self.queued = self.queued.saturating_add(size);
        self.queue.push_back(Queued { messages, batch, size, since: now });
    }

    pub(super) fn dequeue(&mut self) -> Option<Queued> {
        let queued = self.queue.pop_front()?;
        self.queued = self.queued.saturating_sub(queued.size);
        Some(queued)
    }
}
