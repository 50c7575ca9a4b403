//! Lines of the client that wait for their turn.

use std::time::Duration;

use crate::bridge::message::{Message, Method, Request, Told};

/// From how many queued bytes on the client is not read; what is queued may exceed it by one line.
pub(super) const QUEUED: usize = 1 << 20;

/// A line of the client that waits for its turn.
#[derive(Debug)]
pub(super) struct Queued {
    pub(super) messages: Vec<Message>,
    pub(super) batch: bool,
    pub(super) since: Duration,
    size: usize,
}

impl Queued {
    pub(super) fn new(since: Duration, messages: Vec<Message>, batch: bool) -> Self {
        let size = messages.iter().filter_map(Message::text).map(str::len).sum();
        Self { messages, batch, since, size }
    }

    /// How many bytes it took when it came.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

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
