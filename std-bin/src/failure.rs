//! Why a command ends without success, and with which exit code.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::interrupt::{self, Interrupted};
use crate::terminal::harmless;

/// The exit codes, for `--help`.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0  it worked
  1  the tool answered with an error, or the output could not be written
  2  wrong usage: unknown tool, wrong or missing arguments; nothing was called
  3  the server could not be reached, broke off, was silent for too long, or broke the protocol
  130  interrupted; what the server was doing was cancelled";

/// What a command returns.
pub(crate) type Outcome = Result<ExitCode, Failure>;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What was asked for cannot be done: a sentence for each fault.
    Usage(Vec<String>),
    /// The server.
    Server(anyhow::Error),
    /// Our own input or output.
    Local(anyhow::Error),
    /// The user.
    Interrupted,
}

impl Failure {
    /// Wrong usage with one fault.
    pub(crate) fn usage(fault: impl Into<String>) -> Self {
        Self::Usage(vec![fault.into()])
    }

    /// Reports on standard error, whatever the log level is. What a server said does nothing to the terminal. A closed standard output is the reader's wish, no failure.
    pub(crate) fn report(&self) -> ExitCode {
        let (lines, code) = match self {
            Self::Local(error) if is_closed(error) => return ExitCode::SUCCESS,
            Self::Usage(faults) => (faults.clone(), 2),
            Self::Server(error) => (vec![format!("{error:#}")], 3),
            Self::Local(error) => (vec![format!("{error:#}")], 1),
            Self::Interrupted => (vec![Interrupted.to_string()], interrupt::CODE),
        };
        let mut out = io::stderr().lock();
        for line in lines {
            // There is nowhere left to complain to.
            let _ = writeln!(out, "error: {}", harmless(&line));
        }
        ExitCode::from(code)
    }
}

fn is_closed(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Errors without a kind of their own come from talking to a server.
impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        if error.is::<Interrupted>() { Self::Interrupted } else { Self::Server(error) }
    }
}

/// Errors of input and output without a context come from our own.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Local(anyhow::Error::new(error).context("cannot write the output"))
    }
}
