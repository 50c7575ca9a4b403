//! The command: standard input and output, signals, and standard error.

use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use super::core::{Note, Options};
use super::driver::{self, Driver, Event, Outside};
use super::port::{PORTS, Port, Settings, available};
use crate::client::seconds;
use crate::failure::{Failure, Outcome};

const EXIT_CODES: &str = "\
The bridge runs as long as its standard input is open, whether the device is there or not. What the device prints beside \
its messages, and news of the port, go to standard error.

Exit codes:
  0  standard input or standard output was closed, or a signal told it to end
  1  standard input or output failed
  2  wrong usage: nothing was opened";

/// How long the client may take to read the last answers, and the user to read the last news.
const LAST: Duration = Duration::from_millis(500);

/// How many lines for standard error may wait. Nobody may read them.
const LINES: usize = 256;

/// Connect an MCP client on standard input and output to the device on a port
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Bridge {
    #[arg(help = format!("The port: {PORTS}"))]
    port: String,
    #[command(flatten)]
    settings: Settings,
    /// How many seconds the device may be silent before a request is answered with an error
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: Duration,
    /// How many seconds requests wait for a device that is not connected
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    wait_for_device: Duration,
    /// How many requests the device is given at a time; more than it can take are lost in its receive buffer
    #[arg(long, value_name = "COUNT", default_value = "1", value_parser = clap::value_parser!(u16).range(1..))]
    in_flight: u16,
}

impl Bridge {
    pub(crate) fn run(self) -> Outcome {
        let Some(port) = Port::new(&self.port) else {
            let there: Vec<_> = available().into_iter().map(|port| port.port_name).collect();
            let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            let word = &self.port;
            return Err(Failure::usage(format!("{word:?} is no port: a port is {PORTS}; connected now: {there}")));
        };
        let mut options = Options::new(port.to_string());
        options.timeout = self.timeout;
        options.wait = self.wait_for_device;
        options.in_flight = self.in_flight.into();
        let driver = Driver::new(port, self.settings, options);
        let events = driver.sender();
        let stop = ctrlc::set_handler(move || drop(events.send(Event::Stop)));
        if let Err(error) = stop {
            log::warn!("signals end this at once, without answers to what is pending: {error}");
        }
        Stdio::new(driver).run().map(|()| ExitCode::SUCCESS)
    }
}

/// A driver between standard input and output.
struct Stdio {
    driver: Driver,
    reads: mpsc::Sender<()>,
    is_reading: bool,
    pieces: mpsc::Sender<Vec<u8>>,
    is_writing: bool,
    /// What was read and not taken yet.
    input: Vec<u8>,
    is_open: bool,
    log: Log,
}

impl Stdio {
    fn new(driver: Driver) -> Self {
        let (reads, permits) = mpsc::channel();
        let (pieces, texts) = mpsc::channel();
        let events = driver.sender();
        thread::spawn(move || {
            let hand_over = |bytes| events.send(Event::Client(bytes)).is_ok();
            driver::read(io::stdin().lock(), &permits, &AtomicBool::new(false), hand_over);
        });
        let events = driver.sender();
        thread::spawn(move || {
            // Not locked for ever: the end of the process flushes it.
            let hand_over = |done| events.send(Event::ClientWrote(done)).is_ok();
            driver::write(Flushing, &texts, &AtomicBool::new(false), hand_over);
        });
        Self {
            driver,
            reads,
            is_reading: false,
            pieces,
            is_writing: false,
            input: Vec::new(),
            is_open: true,
            log: Log::new(),
        }
    }

    fn run(mut self) -> Result<(), Failure> {
        let result = loop {
            self.exchange();
            if self.driver.core.is_finished() && !self.is_writing {
                break Ok(());
            }
            match self.driver.turn(None) {
                None => {}
                Some(Outside::Client(Ok(bytes))) if bytes.is_empty() => {
                    self.is_open = false;
                    self.driver.core.client_eof(self.driver.now());
                }
                Some(Outside::Client(Ok(bytes))) => {
                    self.is_reading = false;
                    self.input = bytes;
                }
                Some(Outside::Client(Err(error))) => break Err(error),
                Some(Outside::ClientWrote(Ok(()))) => self.is_writing = false,
                Some(Outside::ClientWrote(Err(error))) if error.kind() == io::ErrorKind::BrokenPipe => break Ok(()),
                Some(Outside::ClientWrote(Err(error))) => break Err(error),
                Some(Outside::Stop) => {
                    self.finish();
                    break Ok(());
                }
            }
        };
        self.say();
        self.log.finish();
        result.map_err(|error| Failure::Local(anyhow::Error::new(error).context("standard input or output failed")))
    }

    /// Moves what can be moved between the core and the client.
    fn exchange(&mut self) {
        // What the device has said first: it may end what the client cancels now.
        self.driver.exchange();
        let now = self.driver.now();
        let core = &mut self.driver.core;
        if !self.input.is_empty() {
            let taken = core.client_bytes(now, &self.input);
            self.input.drain(..taken);
        }
        if self.is_open && self.input.is_empty() && !self.is_reading && core.wants_client_input() {
            self.is_reading = self.reads.send(()).is_ok();
        }
        self.driver.exchange();
        let core = &mut self.driver.core;
        if !self.is_writing && !core.to_client().is_empty() {
            let piece = core.to_client().to_vec();
            let count = piece.len();
            self.is_writing = self.pieces.send(piece).is_ok();
            core.client_took(now, count);
        }
        self.say();
    }

    /// Answers what is pending, as far as the client reads that soon.
    fn finish(&mut self) {
        self.driver.core.stop(self.driver.now());
        let deadline = Instant::now().checked_add(LAST);
        while (self.is_writing || !self.driver.core.to_client().is_empty()) && Some(Instant::now()) < deadline {
            self.exchange();
            match self.driver.turn(deadline) {
                Some(Outside::ClientWrote(Ok(()))) => self.is_writing = false,
                Some(Outside::ClientWrote(Err(_))) => return,
                _ => {}
            }
        }
    }

    fn say(&mut self) {
        for note in self.driver.notes() {
            self.log.add(note);
        }
    }
}

/// Standard output without a buffer.
struct Flushing;

impl io::Write for Flushing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut out = io::stdout().lock();
        let count = out.write(bytes)?;
        out.flush()?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard error, which nobody may read: what does not fit is left out.
struct Log {
    lines: SyncSender<String>,
    done: Receiver<()>,
}

impl Log {
    fn new() -> Self {
        let (lines, texts) = mpsc::sync_channel::<String>(LINES);
        let (finished, done) = mpsc::sync_channel(1);
        thread::spawn(move || {
            for line in texts {
                if line.is_empty() || writeln!(io::stderr(), "{line}").is_err() {
                    break;
                }
            }
            finished.send(())
        });
        Self { lines, done }
    }

    fn add(&self, note: Note) {
        let (level, text) = match note {
            Note::Device(text) => (log::Level::Warn, text),
            Note::Info(text) => (log::Level::Info, format!("toolwire: {text}")),
            Note::Warning(text) => (log::Level::Warn, format!("toolwire: {text}")),
        };
        if level <= log::max_level()
            && let Err(TrySendError::Full(_)) = self.lines.try_send(text)
        {
            // There is nowhere left to complain to.
        }
    }

    /// Waits for the last line.
    fn finish(&self) {
        if self.lines.try_send(String::new()).is_ok() {
            let _ = self.done.recv_timeout(LAST);
        }
    }
}
