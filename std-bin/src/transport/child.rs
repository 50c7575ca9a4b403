//! A server as a child process, on its standard input and output.
//!
//! Two threads, so that neither a server that does not read nor one that does not write can hold up the caller: one
//! writes what it is sent, one reads lines into a bounded channel. The child's standard error is ours.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::process::{self, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};

use super::Transport;

/// How long the child may take to end by itself after its input was closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often to look whether the child has ended, which nothing wakes us for.
const PERIOD: Duration = Duration::from_millis(10);

/// The longest line in bytes, so that a child without newlines does not take all memory.
const LONGEST: u64 = 256 << 20;

/// How many lines may wait to be read.
const LINES: usize = 64;

/// A running child.
#[derive(Debug)]
pub(crate) struct Child {
    child: process::Child,
    /// `None` once its input is closed.
    input: Option<Sender<String>>,
    lines: Receiver<io::Result<Vec<u8>>>,
}

impl Child {
    /// Starts `program`, found as the system finds programs.
    pub(crate) fn start(program: &OsStr, args: &[OsString]) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A terminal sends Ctrl-C to a whole group. The child shall hear of it from us, as a cancellation.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
        let stdin = child.stdin.take().context("the child has no standard input")?;
        let stdout = child.stdout.take().context("the child has no standard output")?;
        let (input, texts) = mpsc::channel();
        let (sender, lines) = mpsc::sync_channel(LINES);
        thread::spawn(move || write(stdin, &texts));
        thread::spawn(move || read(stdout, &sender));
        Ok(Self { child, input: Some(input), lines })
    }

    /// Why no further line will come, as far as the child tells within some time.
    fn end(&mut self) -> anyhow::Error {
        match self.wait(Instant::now() + PATIENCE) {
            Some(status) => anyhow!("the server ended ({status})"),
            None => anyhow!("the server closed its standard output"),
        }
    }

    /// Waits for the child to end. Meanwhile it takes the lines that nobody wants, for a child may wait for that.
    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < deadline => {}
                result => return result.ok().flatten(),
            }
            if let Err(RecvTimeoutError::Disconnected) = self.lines.recv_timeout(PERIOD) {
                thread::sleep(PERIOD / 10);
            }
        }
    }
}

impl Transport for Child {
    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        // A child that has closed its input is noticed by its silence or its end, which say more than "broken pipe".
        let _ = self.input.as_ref().map(|input| input.send(line.to_owned()));
        Ok(())
    }

    fn receive(&mut self, deadline: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(line)) => Ok(Some(line)),
            Ok(Err(error)) => Err(error).context("cannot read from the server"),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }
}

/// Closes the child's input, which tells it to end, and waits for that; in the end by force.
impl Drop for Child {
    fn drop(&mut self) {
        self.input = None;
        if self.wait(Instant::now() + PATIENCE).is_none() {
            log::info!("the server did not end when its input was closed; it is killed");
            if let Err(error) = self.child.kill().and_then(|()| self.child.wait()) {
                log::warn!("cannot kill the server: {error}");
            }
        }
    }
}

/// Writes until there is nothing more to write, or until nobody reads it.
fn write(mut stdin: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if let Err(error) = stdin.write_all(text.as_bytes()) {
            log::debug!("cannot write to the server: {error}");
            return;
        }
    }
}

/// Reads lines until there is none, or until nobody wants them.
fn read(stdout: impl Read, lines: &SyncSender<io::Result<Vec<u8>>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let result = match stdout.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if line.last() == Some(&b'\n') => line.pop().map_or(Ok(Vec::new()), |_| Ok(line)),
            Ok(_) if line.len() as u64 == LONGEST => Err(io::Error::other("a line is too long")),
            result => result.map(|_| line),
        };
        let last = result.is_err();
        if lines.send(result).is_err() || last {
            return;
        }
    }
}
