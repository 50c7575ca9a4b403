//! What a running function may ask of the server. Code that it does not ask for is not linked.

use core::cell::Cell;
use core::fmt::{self, Display};
#[cfg(feature = "async")]
use core::{future::poll_fn, task::Poll};

use super::reply::{Place, Replied, Reply};
use crate::content::Content;
use crate::rpc::Id;

/// What the server offers to a function while it runs, and the right to answer the request, once.
///
/// It is used by shared reference, so that what the function returns may borrow from it.
pub struct Context<'a> {
    reply: Cell<Option<Reply<'a>>>,
    /// The progress reported last.
    progress: Cell<Option<u32>>,
    cancelled: Cell<bool>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("progress", &self.progress).finish_non_exhaustive()
    }
}

impl<'a> Context<'a> {
    pub(super) const fn new(reply: Reply<'a>) -> Self {
        Self { reply: Cell::new(Some(reply)), progress: Cell::new(None), cancelled: Cell::new(false) }
    }

    /// Answers a call with one block of text. If `text` fails to display itself, what it wrote so far becomes the text of a
    /// failed call.
    ///
    /// This and the other answers do nothing if there was one before.
    pub fn text(&self, text: &dyn Display) -> Replied {
        self.answer(Some(text), false)
    }

    /// Answers a call with blocks of content.
    pub fn content(&self, content: &dyn Content) -> Replied {
        self.reply.take().map_or(Replied(()), |reply| reply.blocks(content))
    }

    /// Answers a call with what went wrong in the tool, for the model to read (CALL-7).
    pub fn error(&self, error: &dyn Display) -> Replied {
        self.answer(Some(error), true)
    }

    /// Answers a call that has nothing to say.
    pub fn empty(&self) -> Replied {
        self.answer(None, false)
    }

    fn answer(&self, text: Option<&dyn Display>, is_error: bool) -> Replied {
        self.reply.take().map_or(Replied(()), |reply| reply.content(text, is_error))
    }

    /// Answers that the server is at fault.
    pub fn internal_error(&self) -> Replied {
        self.reply.take().map_or(Replied(()), Reply::internal_error)
    }

    /// Tells the client how far the work is: `done` of `total`, in any unit. It is sent at once.
    ///
    /// Nothing is sent if the client did not ask for it (PROG-1), if `done` is not more than before (PROG-2), or if the
    /// answer is part of a batch (BATCH-7). A few times per second is often enough (PROG-4).
    pub fn progress(&self, done: u32, total: impl Into<Option<u32>>) {
        self.report(done, total.into(), None);
    }

    /// As [`progress`](Self::progress), with words about it; sent from 2025-03-26 on (PROG-3).
    pub fn progress_with(&self, done: u32, total: impl Into<Option<u32>>, message: &dyn Display) {
        self.report(done, total.into(), Some(message));
    }

    fn report(&self, done: u32, total: Option<u32>, message: Option<&dyn Display>) {
        if self.progress.get().is_some_and(|before| done <= before) {
            return;
        }
        self.progress.set(Some(done));
        self.with(|reply| send(reply, done, total, message));
    }

    /// Whether the client has cancelled the call (CANCEL-1). Then nothing that the tool says or returns is sent any more
    /// (CANCEL-2): it should stop, leave things in order, and return.
    ///
    /// A tool that takes long asks often. It is always false unless the server reads while a tool runs, as
    /// [`Server::run_duplex`](crate::Server::run_duplex) does, and in a batch.
    pub fn is_cancelled(&self) -> bool {
        if let Some(mut reply) = self.take() {
            self.cancelled.set(reply.head.place == Place::Line && reply.out.is_cancelled(reply.head));
            if !self.cancelled.get() {
                self.put_back(reply);
            }
        }
        self.cancelled.get()
    }

    /// Tells those who have subscribed to a resource that it has changed, as soon as the call is answered. `uri` is its address
    /// in `#[resource(uri = "..", subscribe)]`; nothing happens for another one. Outside of tools, see
    /// [`Server::resource_updated`](crate::Server::resource_updated).
    pub fn resource_updated(&self, uri: &str) {
        self.with(|reply| reply.out.resource_updated(uri));
    }

    /// The right to answer, if it is still there.
    pub(super) fn take(&self) -> Option<Reply<'a>> {
        self.reply.take()
    }

    /// Gives the right to answer back.
    pub(super) fn put_back(&self, reply: Reply<'a>) {
        self.reply.set(Some(reply));
    }

    /// Does something before the answer, unless that was given.
    pub(super) fn with(&self, send: impl FnOnce(&mut Reply<'a>)) {
        if let Some(mut reply) = self.take() {
            send(&mut reply);
            self.put_back(reply);
        }
    }
}

#[cfg(feature = "async")]
impl Context<'_> {
    /// Waits until the client cancels the call, see [`is_cancelled`](Self::is_cancelled): for an `async` tool that selects
    /// between that and its work.
    pub fn cancelled(&self) -> impl Future<Output = ()> {
        poll_fn(|task| {
            if self.is_cancelled() {
                return Poll::Ready(());
            }
            self.with(|reply| reply.out.wake_when_cancelled(task.waker()));
            Poll::Pending
        })
    }

    /// Waits until there is room for an answer. If the call was cancelled meanwhile, the right to answer is gone then.
    #[doc(hidden)]
    pub fn ready(&self) -> impl Future<Output = ()> {
        poll_fn(|_| {
            let mut is_ready = true;
            if !self.is_cancelled() {
                self.with(|reply| is_ready = reply.out.is_drained());
            }
            if is_ready { Poll::Ready(()) } else { Poll::Pending }
        })
    }
}

/// Sends the notification, if the client has given a token for it.
fn send(reply: &mut Reply<'_>, done: u32, total: Option<u32>, message: Option<&dyn Display>) {
    let Reply { out, head } = reply;
    let token = head.params.get("_meta").and_then(|meta| meta.as_object()?.get("progressToken")).and_then(Id::new);
    let Some(token) = token.filter(|_| head.place == Place::Line) else { return };
    out.raw("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
    out.with(|out| token.write(out));
    out.raw(",\"progress\":");
    out.integer(done.into());
    if let Some(total) = total {
        out.raw(",\"total\":");
        out.integer(total.into());
    }
    if let Some(message) = message.filter(|_| head.revision.rules().annotations) {
        out.raw(",\"message\":\"");
        out.inside(message);
        out.raw("\"");
    }
    out.raw("}}\n");
    out.flush();
}
