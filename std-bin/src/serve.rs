//! `toolwire serve`: an MCP server on standard input and output.

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use toolwire::frame::Frames;
use toolwire::{Server, ServerInfo, Toolset};
use toolwire_demos::board::{self, Board};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::conformance::{self, Conformance};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};

use crate::failure::{Failure, Outcome};

/// The longest message in bytes.
const LONGEST: usize = 1 << 20;

/// How many may listen to resources at a time.
const LISTENERS: usize = 4;

/// As much as a pipe holds, so that one call takes all there is.
const CHUNK: usize = 1 << 16;

/// A toolset of this binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Demo {
    /// Adds numbers and echoes text
    Calc,
    /// Books rooms by the hour
    Reservo,
    /// A to-do list and a few small tools
    Tasks,
    /// A simulated board with an LED and a thermometer
    Board,
    /// What the official conformance suite calls
    Conformance,
}

impl Demo {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// Serve a toolset to an MCP client on standard input and output
#[derive(Debug, Args)]
pub(crate) struct Serve {
    toolset: Demo,
}

impl Serve {
    pub(crate) fn run(&self) -> Outcome {
        let served = match self.toolset {
            Demo::Calc => serve(calc::INFO, Calc::new()),
            Demo::Reservo => serve(reservo::INFO, Reservo::new()),
            Demo::Tasks => serve(tasks::INFO, Tasks::new()),
            Demo::Board => serve(board::INFO, Board::with_delay(Sleep)),
            Demo::Conformance => serve(conformance::INFO, Conformance::new()),
        };
        served.map(|()| ExitCode::SUCCESS).map_err(Failure::Local)
    }
}

/// Answers until the input ends, or until nobody reads the answers any more.
fn serve<T: Toolset>(info: ServerInfo, toolset: T) -> anyhow::Result<()> {
    log::info!("serving {} tools on standard input and output", T::TOOLS.len());
    let mut server = Box::new(Server::<T, LONGEST, LISTENERS>::new(info, toolset));
    let mut second = Box::new(Frames::new());
    match server.run_duplex_with(&mut Stdio::new(), &mut second, &mut vec![0; CHUNK]) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => log::info!("standard output was closed"),
        result => result.context("standard input or output failed")?,
    }
    Ok(())
}

/// Standard input, and standard output behind a buffer that is written when it is full or flushed.
struct Stdio {
    input: io::StdinLock<'static>,
    output: io::StdoutLock<'static>,
    answers: Vec<u8>,
}

impl Stdio {
    fn new() -> Self {
        Self { input: io::stdin().lock(), output: io::stdout().lock(), answers: Vec::with_capacity(2 * CHUNK) }
    }
}

impl embedded_io::ErrorType for Stdio {
    type Error = io::Error;
}

impl embedded_io::Read for Stdio {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.input.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => return result,
            }
        }
    }
}

impl embedded_io::ReadReady for Stdio {
    /// Reading takes more at a time than the standard library holds back, so that what is there is seen by the system.
    #[cfg(unix)]
    fn read_ready(&mut self) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use rustix::io::Errno;

        let mut input = [PollFd::new(&self.input, PollFlags::IN)];
        match poll(&mut input, Some(&Timespec::default())) {
            Err(Errno::INTR) => Ok(false),
            ready => Ok(ready? > 0),
        }
    }

    /// Whether there is something cannot be told: what comes while a tool runs is read when it has returned.
    #[cfg(not(unix))]
    fn read_ready(&mut self) -> io::Result<bool> {
        Ok(false)
    }
}

impl embedded_io::Write for Stdio {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.answers.extend_from_slice(text);
        if self.answers.len() >= CHUNK {
            self.write_out()?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_out()?;
        self.output.flush()
    }
}

impl Stdio {
    fn write_out(&mut self) -> io::Result<()> {
        self.output.write_all(&self.answers)?;
        self.answers.clear();
        Ok(())
    }
}

/// A delay that lets others run.
struct Sleep;

impl embedded_hal::delay::DelayNs for Sleep {
    fn delay_ns(&mut self, ns: u32) {
        std::thread::sleep(Duration::from_nanos(ns.into()));
    }

    fn delay_ms(&mut self, ms: u32) {
        std::thread::sleep(Duration::from_millis(ms.into()));
    }
}
