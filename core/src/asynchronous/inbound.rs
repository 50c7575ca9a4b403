//! Bytes on their way in: put down by a task that waits for them, taken up by one that serves.

use core::cell::Cell;
use core::future::poll_fn;
use core::task::Poll;

use embedded_io_async::Read;

use crate::frame::Frames;

/// What was read, and not yet taken in.
pub(super) struct Inbound<'b> {
    /// The place for bytes. Who reads has it meanwhile, and `start` is `end`.
    buffer: Cell<&'b mut [u8]>,
    start: Cell<usize>,
    end: Cell<usize>,
    has_ended: Cell<bool>,
    /// Counts what may let somebody else go on.
    pub(super) changes: Cell<u32>,
}

impl<'b> Inbound<'b> {
    pub(super) fn new(buffer: &'b mut [u8]) -> Self {
        Self {
            buffer: Cell::new(buffer),
            start: Cell::new(0),
            end: Cell::new(0),
            has_ended: Cell::new(false),
            changes: Cell::new(0),
        }
    }

    /// Reads until the input ends, each time that all was taken in.
    pub(super) async fn read_from<R: Read>(&self, reader: &mut R) -> Result<(), R::Error> {
        loop {
            poll_fn(|_| if self.start == self.end { Poll::Ready(()) } else { Poll::Pending }).await;
            let buffer = self.buffer.take();
            let count = reader.read(buffer).await?;
            self.buffer.set(buffer);
            self.start.set(0);
            self.end.set(count);
            self.has_ended.set(count == 0);
            self.change();
            if count == 0 {
                return Ok(());
            }
        }
    }

    /// Takes in what was read, up to the end of a line. Returns whether that was reached.
    pub(super) fn feed<const N: usize>(&self, frames: &mut Frames<N>) -> bool {
        let (start, end) = (self.start.get(), self.end.get());
        if start == end {
            return false;
        }
        let buffer = self.buffer.take();
        let (has_ended, rest) = frames.advance(buffer.get(start..end).unwrap_or_default());
        self.start.set(end.saturating_sub(rest.len()));
        self.buffer.set(buffer);
        self.change();
        has_ended
    }

    /// Takes in bytes up to the end of the next line. Returns false when there is none.
    pub(super) async fn read_line<const N: usize>(&self, frames: &mut Frames<N>) -> bool {
        poll_fn(|_| {
            if self.feed(frames) {
                Poll::Ready(true)
            } else if self.has_ended.get() {
                // The last line may lack its newline.
                Poll::Ready(frames.is_within_line() && frames.advance(b"\n").0)
            } else {
                Poll::Pending
            }
        })
        .await
    }

    fn change(&self) {
        self.changes.update(|changes| changes.wrapping_add(1));
    }
}
