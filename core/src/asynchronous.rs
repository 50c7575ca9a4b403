//! A loop over asynchronous I/O, for toolsets whose functions may wait.
//!
//! Three futures share two buffers and are polled as one: `Inbound::read_from` puts down what was read; [`serve`] takes that
//! up, runs tools, and puts down what is to be written; `Outbound::write_to` takes that up. None of them wakes another: they
//! are polled in turn until nothing changes. So `serve` never waits for I/O itself, and goes on reading while a tool waits.

mod inbound;
mod outbound;

use core::future::poll_fn;
use core::mem;
use core::pin::pin;
use core::task::Poll;

use embedded_io_async::{Read, Write};

use crate::Server;
use crate::frame::{Frame, Frames};
use crate::json::{Array, Writer};
use crate::mcp::deferred::{self, Deferred, Deferring, Place};
use crate::mcp::elicitation::Elicitation;
use crate::mcp::meanwhile::{self, Meanwhile};
use crate::mcp::questions::{Met, Questions};
use crate::mcp::reply::Replied;
use crate::mcp::{Head, Protocol, Served, subscriptions};
use crate::rpc::{Message, Request};
use crate::tool::{AsyncToolset, Feature};
use inbound::Inbound;
use outbound::{Outbound, Outlet, Running};

impl<T: AsyncToolset, const N: usize, const LISTENERS: usize> Server<T, N, LISTENERS> {
    /// Reads and answers until the input ends, over asynchronous I/O, one request at a time. For toolsets with `async`
    /// functions, and for others. While a function waits, this reads on, as [`run_duplex`](Self::run_duplex) does:
    ///
    /// - a function learns that its call was cancelled: [`Context::is_cancelled`](crate::Context::is_cancelled) and
    ///   [`Context::cancelled`](crate::Context::cancelled) (CANCEL-1);
    /// - `ping` and `server/discover` are answered (PING-1);
    /// - a tool may ask the user also in 2025-06-18 and 2025-11-25: see [`Context::ask`](crate::Context::ask).
    ///
    /// It is a future like any other, for every executor, and it is not `Send`. A driver that can be split gives `reader` and
    /// `writer`. `second` takes what comes while the first buffer holds the call; one message can wait there.
    ///
    /// `answer` holds what a function returns until it is sent, since text that displays itself cannot wait for a wire. A
    /// result that takes more than its `M` bytes, at least 64, is answered with -32603; lists and other answers of the server
    /// itself have any length. A notification for which there is no room is not sent.
    ///
    /// A function is always run to its end, but for an error of the I/O, or if this future is dropped: then the function ends
    /// where it waits, and the server is at a line's start again only after a newline from the client.
    ///
    /// # Errors
    /// Those of `reader` and `writer`. A writer that takes no bytes, against its contract, ends the loop.
    pub async fn run_async<R: Read, W: Write<Error = R::Error>, const M: usize>(
        &mut self,
        reader: &mut R,
        writer: &mut W,
        second: &mut Frames<N>,
        answer: &mut [u8; M],
    ) -> Result<(), R::Error> {
        const { assert!(M >= 64, "a buffer for answers has at least 64 bytes") }
        let Self { frames, protocol, served, torn } = self;
        let mut chunk = [0; 64];
        let (input, out) = (Inbound::new(&mut chunk), Outbound::new(answer));
        let work = Work { protocol, served, input: &input, out: &out, updated: 0 };
        let mut serving = pin!(serve(frames, second, work));
        let (mut reading, mut writing) = (pin!(input.read_from(reader)), pin!(out.write_to(writer, torn)));
        let (mut has_served, mut has_read) = (false, false);
        poll_fn(|task| {
            loop {
                let before = (input.changes.get(), out.changes.get());
                if !has_served && serving.as_mut().poll(task).is_ready() {
                    has_served = true;
                    out.finish();
                }
                if let Poll::Ready(result) = writing.as_mut().poll(task) {
                    return Poll::Ready(result);
                }
                if !has_read && let Poll::Ready(result) = reading.as_mut().poll(task) {
                    has_read = true;
                    if result.is_err() {
                        return Poll::Ready(result);
                    }
                }
                if before == (input.changes.get(), out.changes.get()) {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}

/// Answers line by line until the input ends.
async fn serve<T: AsyncToolset, const N: usize, const LISTENERS: usize>(
    frames: &mut Frames<N>,
    second: &mut Frames<N>,
    mut work: Work<'_, T, LISTENERS>,
) {
    let mut questions = Questions::default();
    // `other` is for what comes while a tool runs, or keeps a call whose question is open.
    let (mut current, mut other) = (frames, second);
    let mut waits = false;
    loop {
        if !mem::take(&mut waits) && !work.input.read_line(current).await {
            return;
        }
        let Some(mut frame) = current.last() else { continue };
        let (call, next) = if questions.is_open() { (other.last(), None) } else { (None, Some(&mut *other)) };
        let swaps = next.is_some();
        work.out.drained().await;
        let mut outlet = Outlet { out: work.out, running: &Running::default(), table: None };
        let met = questions.meet(frame, call, &mut outlet);
        work.out.end_line();
        let elicitation = match met {
            Met::Answer(elicitation) => {
                frame = call.unwrap_or(frame);
                Some(elicitation)
            }
            Met::Other => questions.next(),
            Met::Cancelled => continue,
        };
        work.answer(frame, elicitation.as_ref(), Ahead { next, waits: &mut waits }).await;
        if let Some(elicitation) = &elicitation {
            questions.note(elicitation);
        }
        if swaps {
            mem::swap(&mut current, &mut other);
        }
    }
}

/// What answers need.
struct Work<'w, T, const LISTENERS: usize> {
    protocol: &'w mut Protocol,
    served: &'w mut Served<T, LISTENERS>,
    input: &'w Inbound<'w>,
    out: &'w Outbound<'w>,
    /// The resources that functions have reported as updated since the line began.
    updated: u32,
}

/// What takes in messages while a function waits.
struct Ahead<'d, const N: usize> {
    next: Option<&'d mut Frames<N>>,
    /// A message lies in `next` and waits for the end of the function.
    waits: &'d mut bool,
}

impl<T: AsyncToolset, const LISTENERS: usize> Work<'_, T, LISTENERS> {
    const TABLE: Option<&'static [crate::resource::Resource]> = Feature::subscribable(T::FEATURES);

    /// Answers a line, if it is to be answered, and tells of what was updated meanwhile.
    async fn answer<const N: usize>(
        &mut self,
        frame: Frame<'_>,
        elicitation: Option<&Elicitation<'_>>,
        ahead: Ahead<'_, N>,
    ) {
        match frame {
            Frame::Message(envelope) => {
                if Self::TABLE.is_some() {
                    subscriptions::cancel(&mut self.served.listeners, &envelope);
                }
                match Message::new(envelope) {
                    Message::Batch(entries) if self.protocol.takes_batch(entries) => self.batch(entries, ahead).await,
                    message => _ = self.message(message, elicitation, Place::Line, ahead).await,
                }
            }
            fault => {
                let Self { protocol, served, out, .. } = self;
                let listeners = &mut served.listeners;
                out.send(|port| protocol.answer(fault, None, &mut Deferring::of::<T>(listeners), port)).await;
            }
        }
        if let Some(table) = Self::TABLE {
            let Self { protocol, served, out, updated, .. } = self;
            let updated = mem::take(updated);
            out.send(|port| protocol.tell(table, updated, &mut served.listeners, port)).await;
        }
    }

    /// Answers the entries of an array in order, in one array (BATCH-3).
    async fn batch<const N: usize>(&mut self, entries: Array<'_>, ahead: Ahead<'_, N>) {
        // No other answer may stand within the array.
        let Ahead { waits, .. } = ahead;
        let mut place = Place::First;
        for entry in entries.elements() {
            let ahead = Ahead::<N> { next: None, waits: &mut *waits };
            if self.message(deferred::entry_of_batch(entry), None, place, ahead).await {
                place = Place::Later;
            }
        }
        if place == Place::Later {
            self.out.send(|port| Writer::new(port).raw(deferred::END_OF_BATCH)).await;
        }
    }

    /// Answers a message, if it is to be answered. Returns whether it was.
    async fn message<const N: usize>(
        &mut self,
        message: Message<'_>,
        elicitation: Option<&Elicitation<'_>>,
        place: Place,
        ahead: Ahead<'_, N>,
    ) -> bool {
        let Self { protocol, served: Served { listeners, .. }, out, .. } = self;
        // What is answered in parts is answered from the same state each time.
        let (session, listening) = (protocol.session, listeners.clone());
        let (mut answered, mut deferred) = (false, None);
        out.send(|port| {
            protocol.session = session;
            listeners.clone_from(&listening);
            let mut deferring = Deferring::of::<T>(listeners);
            answered = protocol.message(message, None, &mut deferring, port, place);
            deferred = deferring.deferred;
        })
        .await;
        if let (Some(deferred), Message::Request(request)) = (deferred, message) {
            self.run(deferred, &request, elicitation, place, ahead).await;
        }
        answered
    }

    /// Answers a request with what a function returns, and reads on while it waits.
    async fn run<const N: usize>(
        &mut self,
        deferred: Deferred,
        request: &Request<'_>,
        elicitation: Option<&Elicitation<'_>>,
        place: Place,
        mut ahead: Ahead<'_, N>,
    ) {
        let Self { protocol, served, input, out, updated } = self;
        let head = protocol.head(request, place, elicitation);
        let running = Running::default();
        let mut outlet = Outlet { out, running: &running, table: Self::TABLE };
        let Replied(()) = {
            let mut function = pin!(deferred.run(request, &head, &mut served.toolset, &mut outlet));
            poll_fn(|task| {
                let replied = function.as_mut().poll(task);
                if replied.is_pending() {
                    ahead.receive(&head, &running, T::FEATURES, input, out);
                }
                replied
            })
            .await
        };
        *updated |= running.updates.get();
        if running.is_cancelled.get() {
            return out.discard_line();
        }
        let asked = elicitation.filter(|elicitation| elicitation.asked.get().is_some());
        if !out.end_answer() || asked.is_some() && running.is_lost.get() {
            if let Some(elicitation) = asked {
                elicitation.asked.set(None);
            }
            out.send(|port| deferred::refuse_too_long(&head, port)).await;
        }
    }
}

impl<const N: usize> Ahead<'_, N> {
    /// Takes in what has come, and answers it if that is possible at once.
    fn receive(
        &mut self,
        head: &Head<'_>,
        running: &Running,
        features: &'static [Feature],
        input: &Inbound<'_>,
        out: &Outbound<'_>,
    ) {
        let Self { next: Some(next), waits } = self else { return };
        while !**waits && input.feed(next) {
            let Some(frame) = next.last() else { return };
            match meanwhile::receive(frame, head, features, &mut Outlet { out, running, table: None }) {
                Meanwhile::Cancelled => running.cancel(),
                Meanwhile::Waits => **waits = true,
                // Without room for an answer it is for later.
                Meanwhile::Done => **waits = !out.end_answer(),
            }
        }
    }
}
