//! The port: whether it is open, and whether what comes from it is fresh.

use std::time::Duration;

use toolwire::frame::Frames;

use super::own::{Purpose, TRIES};
use super::{Core, Note, add};
use crate::bridge::answers;

/// How long a freshly opened device must be quiet to be written to, and how long it may be noisy.
pub(super) const QUIET: Duration = Duration::from_millis(100);

const NOISY: Duration = Duration::from_secs(1);

/// What became of the device.
#[derive(Clone, Debug)]
pub(super) enum Link {
    Down {
        since: Duration,
        reason: String,
    },
    /// Freshly opened: what comes is stale.
    Settling {
        quiet: Duration,
        noisy: Duration,
    },
    Up,
}

impl<const N: usize> Core<N> {
    pub(super) fn is_absent(&self) -> bool {
        matches!(self.link, Link::Down { .. })
    }

    /// The port is open.
    pub fn device_up(&mut self, now: Duration) {
        if !self.is_absent() {
            self.device_down(now, "it was opened again");
        }
        self.noise.forget();
        *self.device = Frames::new();
        self.to_device.clear();
        self.pending.clear();
        (self.own, self.proven) = (None, false);
        self.link = Link::Settling { quiet: add(now, QUIET), noisy: add(now, NOISY) };
        self.say("\n".to_owned(), None);
        let state = if self.seen { "back" } else { "there" };
        let news = format!("the device on {} is {state}", self.options.port);
        // Nobody asks about one that was there all the time.
        self.note(if self.awaited { Note::Warning(news) } else { Note::Info(news) });
        (self.seen, self.awaited) = (true, false);
        self.tick(now);
    }

    /// The port is not open any more, or could not be opened.
    pub fn device_down(&mut self, now: Duration, reason: &str) {
        let since = match self.link {
            Link::Down { since, .. } => since,
            _ => now,
        };
        let port = self.options.port.clone();
        if !self.is_absent() {
            self.note(Note::Warning(format!("the device on {port} is gone ({reason}); waiting for it")));
            self.noise.end(now);
            self.take_back();
            self.fail_pending(&answers::gone(&port, reason));
            self.forget_initialized();
            self.own = None;
        } else if !self.awaited {
            self.note(Note::Warning(format!("no device on {port} yet ({reason}); waiting for it")));
        }
        self.awaited = true;
        self.link = Link::Down { since, reason: reason.to_owned() };
        self.tick(now);
    }

    /// Ends the time in which everything is stale.
    pub(super) fn settle_down(&mut self, now: Duration) {
        if !matches!(self.link, Link::Settling { quiet, noisy } if quiet <= now || noisy <= now) {
            return;
        }
        self.noise.end(now);
        if self.device.is_within_line() {
            // The rest of the line of an earlier session must not spoil the first answer.
            *self.device = Frames::new();
        }
        self.link = Link::Up;
        if self.session.is_some() {
            self.start(now, Purpose::Handshake, TRIES);
        }
    }
}
