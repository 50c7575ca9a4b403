//! The bridge without its ports, threads and clock: bytes in, bytes out, time as an argument.
//!
//! ```text
//! client_bytes ─► Frames ─► queue ─► to_device      one request at a time, each written at most once
//!                             │ pending: written, not answered
//!    to_client ◄──────────────┴──── Frames ◄─ device_bytes
//! ```
//!
//! A request is in exactly one place: in the queue, in what is to be written, or among the pending ones. It leaves the
//! last of these with its one answer: the device's, or one that the bridge makes up. A pending request that was
//! answered by the bridge, or that the client has cancelled, stays as a *dead* one for a while, so that a late answer is
//! recognised and dropped.
//!
//! Before the first request after an opening, and after a request that found no answer, the bridge finds out by a
//! request of its own whether the device listens. A device takes its messages in order, so its answer to that request
//! also proves that nothing is still to come for those before.
//!
//! The files follow a line on its way: `client` takes it, `queue` holds it, `sending` gives it to the device and knows what
//! is pending, `device` takes the answer; `stand_in` answers where the device does not. `link` is the port, `own` are the
//! bridge's own requests, `session` is the handshake that they repeat.

mod client;
mod device;
mod link;
mod own;
mod queue;
mod sending;
mod session;
mod stand_in;

use std::collections::VecDeque;
use std::time::Duration;

use toolwire::frame::Frames;

use self::link::{Link, QUIET};
use self::own::Own;
use self::queue::{QUEUED, Queued};
use self::sending::{Outgoing, Pending};
use self::session::Session;
use self::stand_in::PING;
use super::message::{Line, Method};
use super::noise::Noise;

/// Sizes and times.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What the port is called in texts.
    pub port: String,
    /// How long a device may be silent before its request is answered with an error.
    pub timeout: Duration,
    /// How long requests wait for a device that is not there.
    pub wait: Duration,
    /// How many requests the device is given at a time.
    pub in_flight: usize,
    /// From how many queued messages on the client is not read.
    pub queue: usize,
}

impl Options {
    /// The usual ones.
    #[must_use]
    pub fn new(port: impl Into<String>) -> Self {
        Self { port: port.into(), timeout: Duration::from_secs(30), wait: WAIT, in_flight: 1, queue: 256 }
    }
}

/// See [`Options::wait`]. Some clients cut their first request off after a few seconds.
const WAIT: Duration = Duration::from_secs(3);

/// From how many bytes for the client, or for the device, on their source is not read.
const BUFFERED: usize = 1 << 18;

/// How long what the device has already said may still come after a client has begun to read again.
const GRACE: Duration = Duration::from_secs(1);

/// How many notes wait to be taken.
const NOTES: usize = 256;

/// Something to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A line that the device printed, made harmless and marked.
    Device(String),
    /// News of the bridge.
    Info(String),
    /// News that the user must act on.
    Warning(String),
}

/// The bridge: see the [module](self). `N` is the longest message in bytes.
#[derive(Debug)]
pub struct Core<const N: usize> {
    options: Options,
    client: Box<Frames<N>>,
    device: Box<Frames<N>>,
    to_client: Vec<u8>,
    to_device: VecDeque<Outgoing>,
    noise: Noise,
    notes: VecDeque<Note>,
    queue: VecDeque<Queued>,
    pending: VecDeque<Pending>,
    lines: u64,
    owns: u64,
    link: Link,
    /// Whether the device has shown that it listens, or was given up to show it.
    proven: bool,
    /// Whether it was there before.
    seen: bool,
    /// Whether the user was told that it is not there.
    awaited: bool,
    own: Option<Own>,
    session: Option<Session>,
    /// The client is to be told that there are tools now.
    announce: bool,
    /// The client is gone since then; the last answer moves it.
    ended: Option<Duration>,
    stopped: bool,
    blocked: bool,
}

/// What comes from outside.
impl<const N: usize> Core<N> {
    /// A bridge to a device that is not there yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            client: Box::default(),
            device: Box::default(),
            to_client: Vec::new(),
            to_device: VecDeque::new(),
            noise: Noise::default(),
            notes: VecDeque::new(),
            queue: VecDeque::new(),
            pending: VecDeque::new(),
            lines: 0,
            owns: 0,
            link: Link::Down { since: Duration::ZERO, reason: "not opened yet".to_owned() },
            proven: false,
            seen: false,
            awaited: false,
            own: None,
            session: None,
            announce: false,
            ended: None,
            stopped: false,
            blocked: false,
        }
    }

    /// Takes bytes of the client, as many as there is room for. Returns how many.
    pub fn client_bytes(&mut self, now: Duration, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        while !rest.is_empty() && self.wants_client_input() {
            let (frame, behind) = self.client.feed(rest);
            let line = frame.map(Line::new);
            rest = behind;
            if let Some(line) = line {
                self.client_line(now, line);
            }
        }
        self.tick(now);
        bytes.len().saturating_sub(rest.len())
    }

    /// The client will send nothing more.
    pub fn client_eof(&mut self, now: Duration) {
        if self.ended.is_none() {
            if self.client.is_within_line() {
                let line = self.client.feed(b"\n").0.map(Line::new);
                if let Some(line) = line {
                    self.client_line(now, line);
                }
            }
            self.ended = Some(now);
        }
        self.tick(now);
    }

    /// The bridge must end at once: what is pending is answered.
    pub fn stop(&mut self, now: Duration) {
        self.ended.get_or_insert(now);
        self.stopped = true;
        self.tick(now);
    }

    /// Takes bytes of the device, as many as there is room for. Returns how many.
    pub fn device_bytes(&mut self, now: Duration, bytes: &[u8]) -> usize {
        let mut rest = bytes;
        match &mut self.link {
            Link::Down { .. } => return bytes.len(),
            Link::Settling { quiet, .. } if !bytes.is_empty() => *quiet = add(now, QUIET),
            _ => {}
        }
        while !rest.is_empty() && self.wants_device_input() {
            let (frame, behind) = self.device.feed(rest);
            let line = frame.map(Line::new);
            let taken = rest.len().saturating_sub(behind.len());
            self.noise.push(rest.get(..taken).unwrap_or_default());
            rest = behind;
            if let Some(line) = line {
                self.device_line(now, line);
            }
        }
        self.tick(now);
        bytes.len().saturating_sub(rest.len())
    }

    /// `count` bytes of [`to_client`](Self::to_client) were taken.
    pub fn client_took(&mut self, now: Duration, count: usize) {
        self.to_client.drain(..count.min(self.to_client.len()));
        if self.blocked && self.wants_device_input() {
            self.blocked = false;
            for pending in &mut self.pending {
                pending.deadline = pending.deadline.map(|deadline| deadline.max(add(now, GRACE)));
            }
        }
        self.tick(now);
    }

    /// Does what is due. Every other call does so too.
    pub fn tick(&mut self, now: Duration) {
        self.settle_down(now);
        self.go_on(now);
        if !self.blocked {
            self.expire(now);
        }
        self.stand_in(now);
        self.farewell(now);
        self.pump(now);
        self.blocked = !self.wants_device_input();
        while self.notes.len() < NOTES
            && let Some(line) = self.noise.pop()
        {
            self.notes.push_back(Note::Device(line));
        }
    }
}

/// What goes outside.
impl<const N: usize> Core<N> {
    /// What is to be written to the client: whole lines, as long as all of it is.
    #[must_use]
    pub fn to_client(&self) -> &[u8] {
        &self.to_client
    }

    /// What is to be written to the device next.
    #[must_use]
    pub fn to_device(&self) -> &[u8] {
        let front = self.to_device.front();
        front.and_then(|front| front.text.as_bytes().get(front.begun..)).unwrap_or_default()
    }

    /// The next thing to tell the user.
    pub fn note_for_user(&mut self) -> Option<Note> {
        self.notes.pop_front()
    }

    /// When [`tick`](Self::tick) has something to do, if nothing else happens.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Duration> {
        let link = match self.link {
            Link::Settling { quiet, noisy } => Some(quiet.min(noisy)),
            Link::Down { since, .. } if !self.queue.is_empty() => Some(add(since, self.options.wait)),
            _ => None,
        };
        let pending = self.pending.iter().filter(|pending| pending.live && !self.blocked);
        let deadlines = pending.filter_map(|pending| pending.deadline);
        let pings = self.queue.iter().filter(|queued| self.is_held_up() && queued.is(Method::Ping));
        let ping = pings.map(|queued| add(queued.since, PING)).next();
        let farewell = self.ended.filter(|_| self.is_busy()).map(|ended| add(ended, self.patience()));
        let own = self.own.as_ref().map(|own| own.next);
        deadlines.chain(ping).chain(link).chain(farewell).chain(own).min()
    }

    /// Whether there is room for a line of the client.
    #[must_use]
    pub fn wants_client_input(&self) -> bool {
        self.queue.len() < self.options.queue
            && self.queue.iter().map(Queued::size).sum::<usize>() < QUEUED
            && self.to_client.len() < BUFFERED
            && self.to_device.iter().map(|outgoing| outgoing.text.len()).sum::<usize>() < BUFFERED
    }

    /// Whether there is room for a line of the device.
    #[must_use]
    pub fn wants_device_input(&self) -> bool {
        self.to_client.len() < BUFFERED
    }

    /// Whether there is nothing left to do, and nothing can come.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.ended.is_some() && !self.is_busy() && self.to_client.is_empty()
    }

    /// Whether anybody waits for the device.
    fn is_busy(&self) -> bool {
        !self.queue.is_empty() || !self.to_device.is_empty() || self.pending.iter().any(|pending| pending.live)
    }

    /// How many requests are on their way, dead ones included.
    #[doc(hidden)]
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.pending.len().saturating_add(self.queue.len())
    }

    /// How many bytes of messages wait for either side.
    #[doc(hidden)]
    #[must_use]
    pub fn held(&self) -> usize {
        let written = self.to_device.iter().map(|outgoing| outgoing.text.len());
        let queued = self.queue.iter().map(Queued::size);
        written.chain(queued).fold(self.to_client.len(), usize::saturating_add)
    }

    fn answer(&mut self, text: &str) {
        self.to_client.extend_from_slice(text.as_bytes());
        self.to_client.push(b'\n');
    }

    fn note(&mut self, note: Note) {
        if self.notes.len() < NOTES {
            self.notes.push_back(note);
        }
    }
}

/// The start of a text.
fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

/// A later moment. The clock does not come near its end.
const fn add(moment: Duration, time: Duration) -> Duration {
    moment.saturating_add(time)
}
