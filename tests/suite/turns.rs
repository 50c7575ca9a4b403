//! An executor whose time is counted in turns: each polls everything once. So tests of what waits are exact.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

fn now() -> u64 {
    NOW.get()
}

/// Runs a future to its end.
pub(crate) fn run<F: Future>(future: F) -> F::Output {
    run_for(u32::MAX, future).expect("it never ends")
}

/// Runs a future for some turns at most, and drops it then.
pub(crate) fn run_for<F: Future>(most: u32, future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut task = Context::from_waker(Waker::noop());
    for _ in 0..most.min(1_000_000) {
        if let Poll::Ready(output) = future.as_mut().poll(&mut task) {
            return Some(output);
        }
        NOW.set(now() + 1);
    }
    None
}

/// Waits for the next turn.
pub(crate) fn turn() -> impl Future<Output = ()> {
    turns(1)
}

/// Waits for some turns.
pub(crate) fn turns(count: u64) -> impl Future<Output = ()> {
    let then = now() + count;
    poll_fn(move |_| if now() < then { Poll::Pending } else { Poll::Ready(()) })
}

/// Asynchronous I/O over something that is not, and shared: it is asked at most once a turn, if it is not ready.
pub(crate) struct Half<'s, S> {
    inner: &'s RefCell<S>,
    /// The turn for which it is not ready.
    idle: Option<u64>,
}

impl<'s, S> Half<'s, S> {
    pub(crate) fn new(inner: &'s RefCell<S>) -> Self {
        Self { inner, idle: None }
    }
}

impl<S: embedded_io::ErrorType> embedded_io_async::ErrorType for Half<'_, S> {
    type Error = S::Error;
}

impl<S: embedded_io::Read + embedded_io::ReadReady> embedded_io_async::Read for Half<'_, S> {
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, S::Error> {
        poll_fn(|_| {
            if self.idle == Some(now()) {
                return Poll::Pending;
            }
            let mut inner = self.inner.borrow_mut();
            match inner.read_ready() {
                Ok(true) => Poll::Ready(inner.read(buffer)),
                Ok(false) => {
                    self.idle = Some(now());
                    Poll::Pending
                }
                Err(error) => Poll::Ready(Err(error)),
            }
        })
        .await
    }
}

impl<S: embedded_io::Write> embedded_io_async::Write for Half<'_, S> {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, S::Error> {
        self.inner.borrow_mut().write(bytes)
    }

    async fn flush(&mut self) -> Result<(), S::Error> {
        self.inner.borrow_mut().flush()
    }
}
