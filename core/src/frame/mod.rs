//! Bytes to messages: a strict RFC 8259 and UTF-8 validator that runs while bytes come in.
//!
//! [`Frames`] is fed bytes in any split and returns one [`Frame`] per line. While it validates it normalises into its
//! buffer: white space between tokens goes, strings are unescaped (see [`json`](crate::json), "Proven text"). The text
//! never grows, so a line of `N` bytes always fits into `Frames<N>`. Depth is bounded by a counter and a word of bits,
//! never by the stack.
//!
//! ```
//! use toolwire::frame::{Frame, Frames};
//!
//! let mut frames = Frames::<64>::new();
//! let (frame, rest) = frames.feed(b"{\"id\": 7, \"method\":");
//! assert!(frame.is_none() && rest.is_empty()); // nothing yet
//!
//! let (frame, rest) = frames.feed(b"\"p\\u0069ng\"}\n[1,]\n");
//! let Some(Frame::Message(message)) = frame else { panic!() };
//! assert_eq!(message.method.and_then(|method| method.as_str()), Some("ping"));
//!
//! let (frame, rest) = frames.feed(rest);
//! assert!(matches!(frame, Some(Frame::Malformed { offset: 3 })));
//! assert!(rest.is_empty());
//! ```

mod scanner;

use crate::json::Value;
use crate::rpc::Envelope;
use scanner::Scanner;

/// How deep objects and arrays may nest in a message (FRAME-12).
pub const MAX_DEPTH: u32 = u64::BITS;

/// What a line turned out to be. A blank line is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "whoever reads lines must handle each outcome")]
pub enum Frame<'a> {
    /// Valid JSON.
    Message(Envelope<'a>),
    /// Not JSON, or not UTF-8.
    Malformed {
        /// Where it cannot be JSON any more: the number of bytes of the line before that place.
        offset: usize,
    },
    /// JSON that does not fit into the buffer (FRAME-11), or stopped to be JSON after that.
    TooLong {
        /// The size of the buffer in bytes.
        capacity: usize,
        /// The top-level member `id`, wherever it stands.
        id: Option<Value<'a>>,
    },
    /// Nested deeper than [`MAX_DEPTH`] (FRAME-12). The rest of the line was not looked at.
    TooDeep {
        /// The top-level member `id`, if it stands before that place.
        id: Option<Value<'a>>,
    },
}

/// An incremental reader of lines, each at most `N` bytes of normalised JSON.
///
/// Besides the buffer it holds about 100 bytes on a 32-bit core.
#[derive(Clone)]
pub struct Frames<const N: usize> {
    scanner: Scanner,
    buffer: [u8; N],
}

impl<const N: usize> core::fmt::Debug for Frames<N> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Frames").field("scanner", &self.scanner).finish_non_exhaustive()
    }
}

impl<const N: usize> Default for Frames<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Frames<N> {
    /// An empty reader, at the start of a line.
    #[must_use]
    // Else the buffer is built in one place and copied to another, and takes its size twice of the stack.
    #[inline(always)]
    pub const fn new() -> Self {
        Self { scanner: Scanner::new(), buffer: [0; N] }
    }

    /// Takes bytes up to the end of the next line that is not blank. Returns what that line is, or nothing yet, and the
    /// bytes behind it.
    ///
    /// The bytes up to the rest have been taken in: do not feed them again. The frame borrows the buffer, which the
    /// next call overwrites.
    #[must_use = "the frame is lost with the next call, and the rest has not been taken in"]
    pub fn feed<'b>(&mut self, input: &'b [u8]) -> (Option<Frame<'_>>, &'b [u8]) {
        let (ended, rest) = self.advance(input);
        (if ended { self.scanner.frame(&self.buffer) } else { None }, rest)
    }

    /// As [`feed`](Self::feed), but tells only whether a line has ended. [`last`](Self::last) is what it is.
    pub(crate) fn advance<'b>(&mut self, input: &'b [u8]) -> (bool, &'b [u8]) {
        self.scanner.feed(&mut self.buffer, input)
    }

    /// The frame of the line that has ended last, until the next byte is taken in.
    pub(crate) fn last(&self) -> Option<Frame<'_>> {
        if self.scanner.is_at_end() { self.scanner.frame(&self.buffer) } else { None }
    }

    /// Whether the bytes so far end within a line that is not blank.
    #[must_use]
    pub fn is_within_line(&self) -> bool {
        self.scanner.is_within_line()
    }
}
