//! The user's wish to end: Ctrl-C, or the system's request to end.

use std::error::Error;
use std::fmt;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of a command that was interrupted, as shells have it.
pub(crate) const CODE: u8 = 130;

/// Whether the user has interrupted this process.
static HAS_COME: AtomicBool = AtomicBool::new(false);

/// From now on, an interruption is only noted. The second one ends the process, whatever it does.
pub(crate) fn listen() {
    let listens = ctrlc::set_handler(|| {
        if HAS_COME.swap(true, Ordering::Relaxed) {
            process::exit(CODE.into());
        }
    });
    if let Err(error) = listens {
        log::warn!("signals end this at once, and nothing is cancelled: {error}");
    }
}

pub(crate) fn has_come() -> bool {
    HAS_COME.load(Ordering::Relaxed)
}

/// Whether it has come, and from now on as if it had not: it has been seen to.
pub(crate) fn take() -> bool {
    HAS_COME.swap(false, Ordering::Relaxed)
}

/// The user has interrupted what was done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl Error for Interrupted {}
