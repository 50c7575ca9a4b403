//! JSON on its way out.

use core::fmt::{self, Display, Write};

use super::{Escape, Integer};

/// A writer of JSON over a sink that keeps its failures to itself: after one it takes nothing more, and whoever owns it
/// knows. So nothing here returns a result, which saves a comparison and a branch at each of a hundred places.
pub(crate) struct Writer<'w>(&'w mut dyn Write);

impl<'w> Writer<'w> {
    pub(crate) fn new(sink: &'w mut dyn Write) -> Self {
        Self(sink)
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
