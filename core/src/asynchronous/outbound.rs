//! Bytes on their way out: put down by code that cannot wait, taken up by a task that does.

use core::cell::Cell;
use core::fmt;
use core::future::poll_fn;
use core::task::{Poll, Waker};

use embedded_io_async::Write;

use crate::json::Port;
use crate::mcp::{Head, subscriptions};
use crate::resource::Resource;

/// How many bytes are handed to a writer at a time.
const CHUNK: usize = 64;

/// What is to be written: `start..mark` may go, `mark..end` is a line that is not whole yet.
pub(super) struct Outbound<'b> {
    buffer: Cell<&'b mut [u8]>,
    start: Cell<usize>,
    mark: Cell<usize>,
    end: Cell<usize>,
    /// Something did not fit behind `mark`.
    is_overfull: Cell<bool>,
    /// An answer lies before `mark`, and not only what a client can do without.
    has_answer: Cell<bool>,
    /// What was taken last does not end a line.
    is_within_line: Cell<bool>,
    /// Nothing more will come.
    is_finished: Cell<bool>,
    /// Counts what may let somebody else go on.
    pub(super) changes: Cell<u32>,
}

impl<'b> Outbound<'b> {
    pub(super) fn new(buffer: &'b mut [u8]) -> Self {
        Self {
            buffer: Cell::new(buffer),
            start: Cell::new(0),
            mark: Cell::new(0),
            end: Cell::new(0),
            is_overfull: Cell::new(false),
            has_answer: Cell::new(false),
            is_within_line: Cell::new(false),
            is_finished: Cell::new(false),
            changes: Cell::new(0),
        }
    }

    /// Hands everything to a writer, and flushes that whenever there is no more. `torn` says whether the last line was written
    /// in part. Ends when all is finished, or the writer takes nothing, against its contract.
    pub(super) async fn write_to<W: Write>(&self, writer: &mut W, torn: &mut bool) -> Result<(), W::Error> {
        if *torn {
            *torn = writer.write(b"\n").await? == 0;
        }
        loop {
            let mut chunk = [0; CHUNK];
            let count = poll_fn(|_| self.take(&mut chunk)).await;
            let Some(count) = count else { return Ok(()) };
            let mut rest = chunk.get(..count).unwrap_or_default();
            while let [_, ..] = rest {
                let written = writer.write(rest).await?;
                let Some((taken, behind)) = rest.split_at_checked(written).filter(|_| written > 0) else {
                    return Ok(());
                };
                *torn = taken.last() != Some(&b'\n');
                rest = behind;
            }
            if self.start == self.mark {
                writer.flush().await?;
            }
        }
    }

    /// Moves what may go into `chunk`, as far as there is room. `None` when nothing will come.
    fn take(&self, chunk: &mut [u8]) -> Poll<Option<usize>> {
        let buffer = self.buffer.take();
        let bytes = buffer.get(self.start.get()..self.mark.get()).unwrap_or_default();
        let count = copy(bytes, chunk);
        let last = bytes.get(..count).and_then(<[u8]>::last).copied();
        self.buffer.set(buffer);
        let Some(last) = last else {
            return if self.is_finished.get() { Poll::Ready(None) } else { Poll::Pending };
        };
        self.is_within_line.set(last != b'\n');
        self.start.update(|start| start.saturating_add(count));
        self.change();
        Poll::Ready(Some(count))
    }

    /// Nothing more will come.
    pub(super) fn finish(&self) {
        self.is_finished.set(true);
        self.change();
    }

    /// Waits until all has been taken, so that the buffer is free.
    pub(super) async fn drained(&self) {
        poll_fn(|_| if self.is_drained() { Poll::Ready(()) } else { Poll::Pending }).await;
    }

    fn is_drained(&self) -> bool {
        let is_drained = self.start == self.mark && self.mark == self.end;
        if is_drained {
            self.start.set(0);
            self.mark.set(0);
            self.end.set(0);
            self.has_answer.set(false);
        }
        is_drained
    }

    /// Sends what can be written any number of times, in as many parts as the buffer needs.
    pub(super) async fn send(&self, mut write: impl FnMut(&mut dyn Port)) {
        let mut sent = 0_usize;
        loop {
            self.drained().await;
            let mut part = Part { out: self, skip: sent, is_last: true };
            write(&mut part);
            let is_last = part.is_last;
            sent = sent.saturating_add(self.end.get());
            self.commit();
            if is_last {
                return;
            }
        }
    }

    /// Lets the line go that was written, or takes it back if it did not fit. Returns whether it did.
    pub(super) fn end_line(&self) -> bool {
        let fits = !self.is_overfull.get();
        if fits {
            self.commit();
        } else {
            self.discard_line();
        }
        fits
    }

    /// Takes back the line that was written.
    pub(super) fn discard_line(&self) {
        self.is_overfull.set(false);
        self.end.set(self.mark.get());
    }

    /// As [`end_line`](Self::end_line), for an answer: it will not be given up for another one.
    pub(super) fn end_answer(&self) -> bool {
        let fits = self.end_line();
        self.has_answer.update(|has_answer| has_answer || fits);
        fits
    }

    fn commit(&self) {
        if self.mark != self.end {
            self.mark.set(self.end.get());
            self.change();
        }
    }

    /// Adds bytes to the line, or notes that they do not fit. Before that, lines that wait are given up, if they are no answers
    /// and none of them is on its way: what a function that does not wait has sent of its progress.
    fn push(&self, bytes: &[u8]) {
        if self.is_overfull.get() {
            return;
        }
        let buffer = self.buffer.take();
        if buffer.len().saturating_sub(self.end.get()) < bytes.len() {
            self.keep(buffer, self.start.get());
        }
        if buffer.len().saturating_sub(self.end.get()) < bytes.len()
            && !self.is_within_line.get()
            && !self.has_answer.get()
        {
            self.keep(buffer, self.mark.get());
        }
        let room = buffer.get_mut(self.end.get()..).filter(|room| room.len() >= bytes.len());
        self.is_overfull.set(room.is_none());
        let count = room.map_or(0, |room| copy(bytes, room));
        self.end.update(|end| end.saturating_add(count));
        self.buffer.set(buffer);
    }

    /// Moves what lies behind `from` to the start of the buffer.
    fn keep(&self, buffer: &mut [u8], from: usize) {
        let cells = Cell::from_mut(buffer).as_slice_of_cells();
        let kept = cells.get(from..self.end.get()).unwrap_or_default();
        cells.iter().zip(kept).for_each(|(place, byte)| place.set(byte.get()));
        self.start.set(0);
        self.mark.update(|mark| mark.saturating_sub(from));
        self.end.set(kept.len());
    }

    fn change(&self) {
        self.changes.update(|changes| changes.wrapping_add(1));
    }
}

/// Copies as many bytes as there is room for, and returns how many. Unlike `copy_from_slice`, it has no panic.
fn copy(bytes: &[u8], room: &mut [u8]) -> usize {
    room.iter_mut().zip(bytes).map(|(place, byte)| *place = *byte).count()
}

/// A port for a part of what is too long for the buffer: behind the first `skip` bytes, as many as there is room for.
struct Part<'o, 'b> {
    out: &'o Outbound<'b>,
    skip: usize,
    is_last: bool,
}

impl fmt::Write for Part<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let (skipped, end) = (self.skip.min(text.len()), self.out.end.get());
        self.skip = self.skip.saturating_sub(skipped);
        let bytes = text.as_bytes().get(skipped..).unwrap_or_default();
        let buffer = self.out.buffer.take();
        let count = copy(bytes, buffer.get_mut(end..).unwrap_or_default());
        self.out.buffer.set(buffer);
        self.out.end.set(end.saturating_add(count));
        self.is_last &= count == bytes.len();
        Ok(())
    }

    // As core has it, but not once more for each type.
    fn write_char(&mut self, character: char) -> fmt::Result {
        crate::json::write_char(self, character)
    }
}

impl Port for Part<'_, '_> {
    fn flush(&mut self) {}
}

/// What a call that runs and those around it know of each other.
#[derive(Default)]
pub(super) struct Running {
    pub(super) is_cancelled: Cell<bool>,
    waker: Cell<Option<Waker>>,
    /// The resources that were reported as updated: a bit for each, by its place in the table.
    pub(super) updates: Cell<u32>,
    /// The last notification or question was given up.
    pub(super) is_lost: Cell<bool>,
}

impl Running {
    pub(super) fn cancel(&self) {
        self.is_cancelled.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// A port for a call.
pub(super) struct Outlet<'o, 'b> {
    pub(super) out: &'o Outbound<'b>,
    pub(super) running: &'o Running,
    /// The resources, if some of them may be subscribed to.
    pub(super) table: Option<&'static [Resource]>,
}

impl fmt::Write for Outlet<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.push(text.as_bytes());
        if self.out.is_overfull.get() { Err(fmt::Error) } else { Ok(()) }
    }

    // As core has it, but not once more for each type.
    fn write_char(&mut self, character: char) -> fmt::Result {
        crate::json::write_char(self, character)
    }
}

impl Port for Outlet<'_, '_> {
    /// It stands behind a notification or a question.
    fn flush(&mut self) {
        self.running.is_lost.set(!self.out.end_line());
    }

    fn resource_updated(&mut self, uri: &str) {
        let bit = self.table.and_then(|table| subscriptions::bit(table, uri)).unwrap_or(0);
        self.running.updates.update(|updates| updates | bit);
    }

    fn is_cancelled(&mut self, _: &Head<'_>) -> bool {
        self.running.is_cancelled.get()
    }

    fn is_drained(&mut self) -> bool {
        self.out.is_drained()
    }

    fn wake_when_cancelled(&mut self, waker: &Waker) {
        self.running.waker.set(Some(waker.clone()));
    }
}
