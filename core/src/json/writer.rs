//! JSON on its way out.

use core::fmt::{self, Display, Write};
#[cfg(feature = "async")]
use core::task::Waker;

use super::{Escape, Integer};
use crate::mcp::Head;

/// Where answers go.
pub(crate) trait Port: Write {
    /// Sends on what is held back.
    fn flush(&mut self);

    /// Notes that a resource has changed. Nobody can have subscribed to one here.
    fn resource_updated(&mut self, _uri: &str) {}

    /// Whether the call that runs was cancelled. Here nothing is read while it does.
    fn is_cancelled(&mut self, _running: &Head<'_>) -> bool {
        false
    }

    /// Whether all that was written is on its way, so that there is room for an answer.
    #[cfg(feature = "async")]
    fn is_drained(&mut self) -> bool {
        true
    }

    /// Wakes a task when the call that runs is cancelled.
    #[cfg(feature = "async")]
    fn wake_when_cancelled(&mut self, _waker: &Waker) {}
}

/// For what displays itself as JSON within something else.
impl Port for fmt::Formatter<'_> {
    fn flush(&mut self) {}
}

/// A writer of JSON over a port that keeps its failures to itself: after one it takes nothing more, and whoever owns it
/// knows. So nothing here returns a result, which saves a comparison and a branch at each of a hundred places.
pub(crate) struct Writer<'w>(&'w mut dyn Port);

impl<'w> Writer<'w> {
    pub(crate) fn new(port: &'w mut dyn Port) -> Self {
        Self(port)
    }

    /// The same for a while.
    pub(crate) fn reborrow(&mut self) -> Writer<'_> {
        Writer(self.0)
    }

    /// Sends on what is held back.
    pub(crate) fn flush(&mut self) {
        self.0.flush();
    }

    /// Notes that a resource has changed.
    pub(crate) fn resource_updated(&mut self, uri: &str) {
        self.0.resource_updated(uri);
    }

    /// Whether the call that runs was cancelled.
    pub(crate) fn is_cancelled(&mut self, running: &Head<'_>) -> bool {
        self.0.is_cancelled(running)
    }

    /// Whether all that was written is on its way.
    #[cfg(feature = "async")]
    pub(crate) fn is_drained(&mut self) -> bool {
        self.0.is_drained()
    }

    /// Wakes a task when the call that runs is cancelled.
    #[cfg(feature = "async")]
    pub(crate) fn wake_when_cancelled(&mut self, waker: &Waker) {
        self.0.wake_when_cancelled(waker);
    }

    /// Writes JSON as it is.
    #[inline(never)]
    pub(crate) fn raw(&mut self, json: &str) {
        let _ = self.0.write_str(json);
    }

    /// Writes a string.
    #[inline(never)]
    pub(crate) fn string(&mut self, text: &str) {
        let _ = super::write_str(self.0, text);
    }

    /// Writes an integer.
    pub(crate) fn integer(&mut self, integer: Integer) {
        let _ = integer.write(self.0);
    }

    /// Writes `,"name":"text"` if there is text.
    pub(crate) fn member(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            write!(self, ",\"{name}\":");
            self.string(text);
        }
    }

    /// Writes the inside of a string. Returns whether `text` could display itself.
    pub(crate) fn inside(&mut self, text: &dyn Display) -> bool {
        write!(Escape(self.0), "{text}").is_ok()
    }

    /// Lets something else write JSON.
    pub(crate) fn with(&mut self, write: impl FnOnce(&mut dyn Write) -> fmt::Result) {
        let _ = write(self.0);
    }

    /// For [`write!`].
    pub(crate) fn write_fmt(&mut self, json: fmt::Arguments<'_>) {
        let _ = self.0.write_fmt(json);
    }
}
