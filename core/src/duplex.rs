//! A loop that reads on while a tool runs.

use core::{fmt, mem};

use embedded_io::{Read, ReadReady, Write};

use crate::Server;
use crate::frame::Frames;
use crate::json::Port;
use crate::mcp::Head;
use crate::mcp::meanwhile::{self, Meanwhile};
use crate::mcp::questions::{Met, Questions};
use crate::server::Wire;
use crate::tool::{Feature, Toolset};

impl<T: Toolset, const N: usize, const LISTENERS: usize> Server<T, N, LISTENERS> {
    /// Reads and answers until the input ends, as [`run`](Self::run) does, and reads on while a tool runs. So
    ///
    /// - a tool learns that its call was cancelled: [`Context::is_cancelled`](crate::Context::is_cancelled) (CANCEL-1);
    /// - `ping` and `server/discover` are answered whenever a running tool asks that (PING-1);
    /// - a tool may ask the user, one question per call, also in 2025-06-18 and 2025-11-25: see
    ///   [`Context::ask`](crate::Context::ask). Meanwhile other requests are served, but none that asks or is cancelled.
    ///
    /// `second` takes what comes while the first buffer holds the call. One message can wait there; what is behind it is
    /// left to the driver, and seen when the tool has returned.
    ///
    /// # Errors
    /// Those of `io`.
    pub fn run_duplex<IO: Read + Write + ReadReady>(
        &mut self,
        io: &mut IO,
        second: &mut Frames<N>,
    ) -> Result<(), IO::Error> {
        self.run_duplex_with(io, second, &mut [0; 64])
    }

    /// As [`run_duplex`](Self::run_duplex), reading as many bytes at a time as `buffer` has.
    ///
    /// # Errors
    /// Those of `io`.
    pub fn run_duplex_with<IO: Read + Write + ReadReady>(
        &mut self,
        io: &mut IO,
        second: &mut Frames<N>,
        buffer: &mut [u8],
    ) -> Result<(), IO::Error> {
        let Self { frames, protocol, served, torn } = self;
        let mut input = Input { buffer, start: 0, end: 0, has_ended: false };
        let mut questions = Questions::default();
        // `other` is for what comes while a tool runs, or keeps a call whose question is open.
        let (mut current, mut other) = (frames, second);
        let mut waits = false;
        loop {
            if !mem::take(&mut waits) && !input.read_line(io, current)? {
                return io.flush();
            }
            let Some(mut frame) = current.last() else { continue };
            let (call, next) = if questions.is_open() { (other.last(), None) } else { (None, Some(&mut *other)) };
            let swaps = next.is_some();
            let mut wire = Wire::new(io, torn)?;
            let elicitation = match questions.meet(frame, call, &mut wire) {
                Met::Answer(elicitation) => {
                    frame = call.unwrap_or(frame);
                    Some(elicitation)
                }
                Met::Other => questions.next(),
                Met::Cancelled => {
                    wire.end(torn)?;
                    continue;
                }
            };
            let mut ahead = Ahead { wire, next, input: &mut input, waits: &mut waits, features: T::FEATURES };
            match const { Feature::subscribable(T::FEATURES) } {
                None => protocol.answer(frame, elicitation.as_ref(), served, &mut ahead),
                Some(table) => protocol.answer_and_update(frame, elicitation.as_ref(), served, table, &mut ahead),
            }
            let Ahead { wire, .. } = ahead;
            if let Some(elicitation) = &elicitation {
                questions.note(elicitation);
            }
            wire.end(torn)?;
            if swaps {
                mem::swap(&mut current, &mut other);
            }
        }
    }
}

/// Bytes that were read, and not yet taken in.
struct Input<'b> {
    buffer: &'b mut [u8],
    start: usize,
    end: usize,
    has_ended: bool,
}

impl Input<'_> {
    /// Reads up to the end of the next line. Returns false when there is none.
    fn read_line<IO: Read + Write, const N: usize>(
        &mut self,
        io: &mut IO,
        frames: &mut Frames<N>,
    ) -> Result<bool, IO::Error> {
        while !self.feed(frames) {
            if self.has_ended {
                // The last line may lack its newline.
                return Ok(frames.is_within_line() && frames.advance(b"\n").0);
            }
            io.flush()?;
            self.fill(io)?;
        }
        Ok(true)
    }

    /// Takes in what was read, up to the end of a line. Returns whether that was reached.
    fn feed<const N: usize>(&mut self, frames: &mut Frames<N>) -> bool {
        let (has_ended, rest) = frames.advance(self.buffer.get(self.start..self.end).unwrap_or_default());
        self.start = self.end.saturating_sub(rest.len());
        has_ended
    }

    /// Reads, once all is taken in.
    fn fill<R: Read>(&mut self, reader: &mut R) -> Result<(), R::Error> {
        (self.start, self.end) = (0, reader.read(self.buffer)?);
        self.has_ended = self.end == 0;
        Ok(())
    }
}

/// A wire from which is read while a tool runs.
struct Ahead<'d, 'b, IO: Write, const N: usize> {
    wire: Wire<'d, IO>,
    /// What takes in that, if it is not in use.
    next: Option<&'d mut Frames<N>>,
    input: &'d mut Input<'b>,
    /// A message lies in `next` and waits for the end of the tool.
    waits: &'d mut bool,
    features: &'static [Feature],
}

impl<IO: Write, const N: usize> fmt::Write for Ahead<'_, '_, IO, N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.wire.write_str(text)
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.wire.write_char(character)
    }
}

impl<IO: Read + Write + ReadReady, const N: usize> Port for Ahead<'_, '_, IO, N> {
    fn flush(&mut self) {
        self.wire.flush();
    }

    /// Takes in as many bytes as the buffer has, so that who sends without end does not keep the tool from its work.
    fn is_cancelled(&mut self, running: &Head<'_>) -> bool {
        let Self { wire, next: Some(next), input, waits, features } = self else { return false };
        let mut left = input.buffer.len();
        loop {
            while !**waits && input.feed(next) {
                let Some(frame) = next.last() else { break };
                match meanwhile::receive(frame, running, features, wire) {
                    Meanwhile::Cancelled => return true,
                    Meanwhile::Waits => **waits = true,
                    Meanwhile::Done => {}
                }
            }
            if **waits || input.has_ended || left == 0 {
                return false;
            }
            let read = wire.with(|io| if io.read_ready()? { input.fill(io).map(Some) } else { Ok(None) });
            let Some(Some(())) = read else { return false };
            left = left.saturating_sub(input.end);
        }
    }
}
