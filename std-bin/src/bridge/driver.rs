//! The core at work: a clock, a port, and the threads that wait for it.
//!
//! One thread has the core; it waits for events and for the core's deadlines, and never for anything else. Each source
//! of bytes has a thread that hands over one piece and reads the next one only when asked to; each sink has a thread
//! that is given one piece at a time. So no more than one piece per thread is under way, and whoever is slow slows down
//! what feeds it, but nobody else.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::core::{Core, Note, Options};
use super::port::{Fault, Opened, Port, Settings};

/// The longest message in bytes.
const LONGEST: usize = 1 << 20;

/// How much is read at a time.
const CHUNK: usize = 1 << 14;

/// How much is given to a port at a time. What is given counts as written, so this is little.
const PIECE: usize = 256;

/// How soon a port that could not be opened, or was lost, is opened again: at first, and in the end.
const SOON: Duration = Duration::from_millis(250);
const LATE: Duration = Duration::from_secs(5);

/// Something that happened.
pub(super) enum Event {
    /// The client sent bytes; none: it will send no more.
    Client(io::Result<Vec<u8>>),
    /// A piece was written to the client.
    ClientWrote(io::Result<()>),
    /// It is time to end.
    Stop,
    /// The port was opened, or not.
    Opened(Result<Opened, Fault>),
    /// The device sent bytes; none: it will send no more.
    Device(u64, io::Result<Vec<u8>>),
    /// A piece was written to the device.
    DeviceWrote(u64, io::Result<()>),
}

/// What a caller must see to.
pub(crate) enum Outside {
    Client(io::Result<Vec<u8>>),
    ClientWrote(io::Result<()>),
    Stop,
}

/// An open port and its threads.
struct Connection {
    number: u64,
    since: Instant,
    /// Tells the reader to read on.
    reads: Sender<()>,
    is_reading: bool,
    pieces: Sender<Vec<u8>>,
    is_writing: bool,
    /// What was read and not taken yet.
    input: Vec<u8>,
    closed: Arc<AtomicBool>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
    }
}

/// A core, its port and its clock.
pub(crate) struct Driver {
    pub(crate) core: Core<LONGEST>,
    port: Port,
    settings: Settings,
    start: Instant,
    sender: Sender<Event>,
    events: Receiver<Event>,
    connection: Option<Connection>,
    /// How many connections there were.
    count: u64,
    /// When to open the port; `None` while that is being done.
    open_at: Option<Instant>,
    delay: Duration,
}

impl Driver {
    /// Ready to open the port with the first turn.
    pub(crate) fn new(port: Port, settings: Settings, options: Options) -> Self {
        let (sender, events) = mpsc::channel();
        let start = Instant::now();
        Self {
            core: Core::new(options),
            port,
            settings,
            start,
            sender,
            events,
            connection: None,
            count: 0,
            open_at: Some(start),
            delay: SOON,
        }
    }

    pub(super) fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// The time of the core.
    pub(crate) fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Waits for the next event, at most until `deadline`, and takes it. Returns what is left to the caller. Before,
    /// [`exchange`](Self::exchange) what there is.
    pub(crate) fn turn(&mut self, deadline: Option<Instant>) -> Option<Outside> {
        let due = self.core.next_deadline().and_then(|due| self.start.checked_add(due));
        let until = [deadline, due, self.open_at].into_iter().flatten().min();
        let event = match until {
            Some(until) => self.events.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => self.events.recv().map_err(RecvTimeoutError::from),
        };
        let now = self.now();
        let outside = event.ok().and_then(|event| self.take(now, event));
        self.core.tick(now);
        outside
    }

    fn take(&mut self, now: Duration, event: Event) -> Option<Outside> {
        let current = self.connection.as_ref().map(|connection| connection.number);
        match event {
            Event::Client(bytes) => return Some(Outside::Client(bytes)),
            Event::ClientWrote(result) => return Some(Outside::ClientWrote(result)),
            Event::Stop => return Some(Outside::Stop),
            Event::Opened(Ok(opened)) => self.connect(opened),
            Event::Opened(Err(fault)) => self.retry(&fault.to_string()),
            // What comes from an earlier connection is of no interest.
            Event::Device(number, _) | Event::DeviceWrote(number, _) if current != Some(number) => {}
            Event::Device(_, Ok(bytes)) if bytes.is_empty() => self.lose("it was closed at the other end"),
            Event::Device(_, Ok(bytes)) => {
                if let Some(connection) = &mut self.connection {
                    connection.is_reading = false;
                    connection.input = bytes;
                }
            }
            Event::DeviceWrote(_, Ok(())) => {
                if let Some(connection) = &mut self.connection {
                    connection.is_writing = false;
                }
            }
            Event::Device(_, Err(error)) | Event::DeviceWrote(_, Err(error)) => self.lose(&error.to_string()),
        }
        self.core.tick(now);
        None
    }

    /// Takes an open port.
    pub(crate) fn connect(&mut self, opened: Opened) {
        let Opened { reader, writer } = opened;
        self.count = self.count.wrapping_add(1);
        let number = self.count;
        let (reads, permits) = mpsc::channel();
        let (pieces, texts) = mpsc::channel();
        let closed = Arc::new(AtomicBool::new(false));
        let events = self.sender();
        let stop = Arc::clone(&closed);
        thread::spawn(move || read(reader, &permits, &stop, |bytes| events.send(Event::Device(number, bytes)).is_ok()));
        let events = self.sender();
        let stop = Arc::clone(&closed);
        thread::spawn(move || {
            write(writer, &texts, &stop, |done| events.send(Event::DeviceWrote(number, done)).is_ok());
        });
        self.connection = Some(Connection {
            number,
            since: Instant::now(),
            reads,
            is_reading: false,
            pieces,
            is_writing: false,
            input: Vec::new(),
            closed,
        });
        self.open_at = None;
        self.core.device_up(self.now());
    }

    /// Notes that the connection is lost.
    fn lose(&mut self, reason: &str) {
        if let Some(connection) = self.connection.take()
            && connection.since.elapsed() >= LATE
        {
            self.delay = SOON;
        }
        self.retry(reason);
    }

    fn retry(&mut self, reason: &str) {
        self.core.device_down(self.now(), reason);
        self.open_at = Instant::now().checked_add(self.delay);
        self.delay = self.delay.saturating_mul(2).min(LATE);
    }

    /// Opens the port when it is time to, and moves what can be moved between it and the core.
    pub(crate) fn exchange(&mut self) {
        if self.open_at.is_some_and(|at| at <= Instant::now()) {
            self.open_at = None;
            let (port, settings, events) = (self.port.clone(), self.settings, self.sender());
            thread::spawn(move || events.send(Event::Opened(port.open(&settings))));
        }
        let now = self.now();
        let Some(connection) = &mut self.connection else { return };
        if !connection.input.is_empty() {
            let taken = self.core.device_bytes(now, &connection.input);
            connection.input.drain(..taken);
        }
        if connection.input.is_empty() && !connection.is_reading && self.core.wants_device_input() {
            connection.is_reading = connection.reads.send(()).is_ok();
        }
        if !connection.is_writing {
            let text = self.core.to_device();
            let piece = text.get(..text.len().min(PIECE)).unwrap_or_default().to_vec();
            if !piece.is_empty() {
                let count = piece.len();
                connection.is_writing = connection.pieces.send(piece).is_ok();
                self.core.device_took(now, count);
            }
        }
    }

    /// Whether something is still on its way to an open port.
    pub(crate) fn is_writing(&self) -> bool {
        self.connection.as_ref().is_some_and(|connection| connection.is_writing || !self.core.to_device().is_empty())
    }

    /// What there is to tell the user.
    pub(crate) fn notes(&mut self) -> impl Iterator<Item = Note> {
        core::iter::from_fn(|| self.core.note_for_user())
    }
}

/// Reads a piece each time that it may. The last one is empty, or an error.
pub(super) fn read(
    mut source: impl Read,
    permits: &Receiver<()>,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(io::Result<Vec<u8>>) -> bool,
) {
    let mut buffer = vec![0; CHUNK];
    for () in permits {
        let result = loop {
            match source.read(&mut buffer) {
                Err(error) if is_for_now(&error) && !stop.load(Ordering::Relaxed) => {}
                result => break result.map(|count| buffer.get(..count).unwrap_or_default().to_vec()),
            }
        };
        let last = !result.as_ref().is_ok_and(|bytes| !bytes.is_empty());
        if !hand_over(result) || last {
            return;
        }
    }
}

/// Writes each piece.
pub(super) fn write(
    mut sink: impl Write,
    pieces: &Receiver<Vec<u8>>,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(io::Result<()>) -> bool,
) {
    for piece in pieces {
        let mut rest = piece.as_slice();
        let result = loop {
            match sink.write(rest) {
                Ok(0) if !rest.is_empty() => break Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => rest = rest.get(count..).unwrap_or_default(),
                Err(error) if is_for_now(&error) && !stop.load(Ordering::Relaxed) => {}
                Err(error) => break Err(error),
            }
            if rest.is_empty() {
                // Not flushed: for a serial port that means to wait until all of it is on the wire.
                break Ok(());
            }
        };
        let last = result.is_err();
        if !hand_over(result) || last {
            return;
        }
    }
}

fn is_for_now(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
