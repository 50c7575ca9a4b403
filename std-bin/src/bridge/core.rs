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

use std::collections::VecDeque;
use std::time::Duration;

use toolwire::frame::Frames;
use toolwire::rpc::ErrorCode;

use super::answers;
use super::message::{Line, Message, Method, Notification, OWN, Request, Response, Told};
use super::noise::{Noise, harmless};

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

/// From how many queued bytes on the client is not read; what is queued may exceed it by one line.
const QUEUED: usize = 1 << 20;

/// From how many bytes for the client, or for the device, on their source is not read.
const BUFFERED: usize = 1 << 18;

/// How many dead requests are remembered.
const DEAD: usize = 64;

/// How long a freshly opened device must be quiet to be written to, and how long it may be noisy.
const QUIET: Duration = Duration::from_millis(100);
const NOISY: Duration = Duration::from_secs(1);

/// How many requests of its own the bridge tries in a freshly opened device, and how far apart.
const TRIES: u32 = 4;
const APART: Duration = Duration::from_secs(1);

/// How long a silent device may take to prove that it listens.
const PROOF: Duration = Duration::from_secs(2);

/// How long a ping waits for its turn before the bridge answers it. Most calls end sooner, so that answers keep the order
/// of their requests; no client gives up sooner.
const PING: Duration = Duration::from_secs(3);

/// How long the queue may wait for a device that is away after the client has gone.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long what the device has already said may still come after a client has begun to read again.
const GRACE: Duration = Duration::from_secs(1);

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

/// A request that was given to the device, at least in part.
#[derive(Debug)]
struct Pending {
    id: String,
    method: Method,
    /// Whether the client is still to be answered.
    live: bool,
    token: Option<String>,
    /// What `initialize` said, to be said again.
    params: Option<String>,
    legacy: bool,
    /// Which line it was in.
    line: u64,
    written: bool,
    /// `None`: it may take for ever.
    deadline: Option<Duration>,
    /// Whether the device has printed anything else since it was written.
    noisy: bool,
    /// Whether it keeps the next one waiting.
    holds: bool,
}

/// A line of the client that waits for its turn.
#[derive(Debug)]
struct Queued {
    messages: Vec<Message>,
    batch: bool,
    size: usize,
    since: Duration,
}

impl Queued {
    fn requests(&self) -> impl Iterator<Item = &Request> {
        self.messages.iter().filter_map(|message| match message {
            Message::Request(request) => Some(request),
            _ => None,
        })
    }

    fn is(&self, method: Method) -> bool {
        !self.batch && self.requests().any(|request| request.is_legacy(method))
    }

    fn is_initialized(&self) -> bool {
        let told = |message: &Message| matches!(message, Message::Notification(news) if news.kind == Told::Initialized);
        self.messages.iter().all(told)
    }

    fn text(&self) -> String {
        let texts: Vec<_> = self.messages.iter().filter_map(Message::text).collect();
        if self.batch { format!("[{}]\n", texts.join(",")) } else { texts.concat() + "\n" }
    }
}

impl Message {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Request(Request { text, .. })
            | Self::Notification(Notification { text, .. })
            | Self::Response(Response { text, .. }) => Some(text),
            Self::Invalid { .. } => None,
        }
    }
}

/// A line for the device.
#[derive(Debug)]
struct Outgoing {
    text: String,
    begun: usize,
    /// Where it came from, as long as nothing of it was written.
    source: Option<Queued>,
    line: u64,
}

/// What became of the device.
#[derive(Clone, Debug)]
enum Link {
    Down {
        since: Duration,
        reason: String,
    },
    /// Freshly opened: what comes is stale.
    Settling {
        quiet: Duration,
        noisy: Duration,
    },
    Up,
}

/// Why the bridge sends requests of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To find out whether a freshly opened device listens, before anything is sent to it.
    Probe,
    /// The same, while the client's own harmless request is on its way.
    Watch,
    /// To repeat the client's handshake.
    Handshake,
    /// To find out whether a device that was silent listens.
    Proof,
}

/// The bridge's own requests under way.
#[derive(Debug)]
struct Own {
    purpose: Purpose,
    handshake: bool,
    tries: u32,
    next: Duration,
    /// The ids, each with the number of its line.
    sent: Vec<(String, u64)>,
}

/// The handshake of the client.
#[derive(Debug)]
struct Session {
    params: Option<String>,
    version: String,
    initialized: bool,
    /// Whether the bridge has answered it in its own name.
    own: bool,
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
    queued: usize,
    pending: VecDeque<Pending>,
    lines: u64,
    owns: u64,
    link: Link,
    /// Whether the device has shown that it listens, or was given up to show it.
    proven: bool,
    /// Whether it was there before.
    seen: bool,
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
            queued: 0,
            pending: VecDeque::new(),
            lines: 0,
            owns: 0,
            link: Link::Down { since: Duration::ZERO, reason: "not opened yet".to_owned() },
            proven: false,
            seen: false,
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

    /// The port is open.
    pub fn device_up(&mut self, now: Duration) {
        if !self.is_absent() {
            self.device_down(now, "it was opened again");
        }
        self.noise.forget();
        *self.device = Frames::new();
        self.to_device.clear();
        self.pending.clear();
        (self.own, self.proven) = (None, false);
        self.link = Link::Settling { quiet: add(now, QUIET), noisy: add(now, NOISY) };
        self.say("\n".to_owned(), None);
        self.note(if self.seen {
            Note::Warning(format!("the device on {} is back", self.options.port))
        } else {
            Note::Info(format!("the device on {} is there", self.options.port))
        });
        self.seen = true;
        self.tick(now);
    }

    /// The port is not open any more, or could not be opened.
    pub fn device_down(&mut self, now: Duration, reason: &str) {
        let since = match self.link {
            Link::Down { since, .. } => since,
            _ => now,
        };
        if !matches!(self.link, Link::Down { .. }) {
            let port = self.options.port.clone();
            self.note(Note::Warning(format!("the device on {port} is gone ({reason}); waiting for it")));
            self.noise.end(now);
            // What was not begun is queued again, but for what only the old device would understand.
            while let Some(outgoing) = self.to_device.pop_back() {
                let Some(mut source) = outgoing.source else { continue };
                let live = |request: &Request| {
                    self.pending.iter().any(|one| one.live && one.line == outgoing.line && one.id == request.id)
                };
                source.messages.retain(|message| matches!(message, Message::Request(request) if live(request)));
                self.pending.retain(|pending| pending.line != outgoing.line);
                if !source.messages.is_empty() {
                    self.queued = self.queued.saturating_add(source.size);
                    self.queue.push_front(source);
                }
            }
            let text = answers::gone(&port, reason);
            self.fail_pending(|_| true, &text);
            self.pending.clear();
            self.forget_initialized();
            self.own = None;
        }
        self.link = Link::Down { since, reason: reason.to_owned() };
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

    /// `count` bytes of [`to_device`](Self::to_device) are being written: whatever happens, they count as written.
    pub fn device_took(&mut self, now: Duration, count: usize) {
        if let Some(front) = self.to_device.front_mut().filter(|_| count > 0) {
            front.source = None;
            front.begun = front.begun.saturating_add(count);
            let line = front.line;
            let written = front.begun >= front.text.len();
            let deadline = add(now, self.options.timeout);
            for pending in self.pending.iter_mut().filter(|pending| pending.line == line) {
                pending.deadline = Some(deadline);
                pending.written |= written;
            }
            if written {
                self.to_device.pop_front();
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

/// How many notes wait to be taken.
const NOTES: usize = 256;

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
            && self.queued < QUEUED
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
}

/// Lines of the client.
impl<const N: usize> Core<N> {
    fn client_line(&mut self, now: Duration, line: Line) {
        match line {
            Line::Malformed(offset) => {
                let reason = format!("Parse error: the line is no JSON from byte {offset} on");
                self.refuse(None, ErrorCode::ParseError, &reason);
            }
            Line::Refused { id, reason } => self.refuse(id.as_deref(), ErrorCode::InvalidRequest, &reason),
            Line::One(Message::Invalid { id, reason }) => {
                self.refuse(id.as_deref(), ErrorCode::InvalidRequest, reason);
            }
            Line::One(message) => {
                if let Some(message) = self.client_message(message) {
                    self.enqueue(now, vec![message], false);
                }
            }
            Line::Batch(entries) => {
                let (unfit, fit): (Vec<_>, Vec<_>) =
                    entries.into_iter().partition(|entry| matches!(entry, Message::Invalid { .. }));
                let errors: Vec<_> = unfit.iter().filter_map(|entry| self.refusal(entry)).collect();
                if !errors.is_empty() {
                    self.answer(&format!("[{}]", errors.join(",")));
                }
                let fit: Vec<_> = fit.into_iter().filter_map(|entry| self.client_message(entry)).collect();
                if !fit.is_empty() {
                    self.enqueue(now, fit, true);
                }
            }
        }
    }

    fn refusal(&self, entry: &Message) -> Option<String> {
        match entry {
            Message::Invalid { id, reason } => {
                Some(answers::error(id.as_deref().or(self.no_id()), ErrorCode::InvalidRequest, reason))
            }
            _ => None,
        }
    }

    /// Takes what must not wait. Returns the others.
    fn client_message(&mut self, message: Message) -> Option<Message> {
        match message {
            Message::Notification(news) => {
                if !news.sound {
                    self.note(Note::Info(
                        "a notification of the client without \"jsonrpc\":\"2.0\" was dropped".to_owned(),
                    ));
                    return None;
                }
                match &news.kind {
                    Told::Cancelled(id) => {
                        self.cancel(id.as_deref(), &news.text);
                        None
                    }
                    Told::Initialized => {
                        let ready = matches!(self.link, Link::Up) && !self.is_shaking_hands();
                        // A handshake that is repeated includes it.
                        let repeated = self.session.as_mut().is_some_and(|session| {
                            session.initialized = true;
                            session.own || !ready
                        });
                        (!repeated).then_some(Message::Notification(news))
                    }
                    _ => Some(Message::Notification(news)),
                }
            }
            Message::Response(response) => {
                if !response.sound {
                    self.note(Note::Info("a response of the client that is none was dropped".to_owned()));
                } else if !self.is_absent() {
                    self.say(response.text + "\n", None);
                }
                None
            }
            other => Some(other),
        }
    }

    fn is_absent(&self) -> bool {
        matches!(self.link, Link::Down { .. })
    }

    fn is_shaking_hands(&self) -> bool {
        self.own.as_ref().is_some_and(|own| own.purpose == Purpose::Handshake)
    }

    fn enqueue(&mut self, now: Duration, messages: Vec<Message>, batch: bool) {
        let size = messages.iter().filter_map(Message::text).map(str::len).sum::<usize>();
        self.queued = self.queued.saturating_add(size);
        self.queue.push_back(Queued { messages, batch, size, since: now });
    }

    fn dequeue(&mut self) -> Option<Queued> {
        let queued = self.queue.pop_front()?;
        self.queued = self.queued.saturating_sub(queued.size);
        Some(queued)
    }

    /// The client does not want an answer any more (PROTOCOL 7.13).
    fn cancel(&mut self, id: Option<&str>, text: &str) {
        let Some(id) = id else { return };
        // Of several requests with this id, the last one.
        for queued in self.queue.iter_mut().rev() {
            let is_it = |message: &Message| matches!(message, Message::Request(request) if request.id == id);
            if let Some(at) = queued.messages.iter().rposition(is_it) {
                if queued.is(Method::Initialize) {
                    return;
                }
                queued.messages.remove(at);
                self.queue.retain(|queued| !queued.messages.is_empty());
                self.queued = self.queue.iter().map(|queued| queued.size).sum();
                return;
            }
        }
        let pending = self.pending.iter_mut().rev().find(|pending| pending.live && pending.id == id);
        let Some(pending) = pending.filter(|pending| pending.method != Method::Initialize) else { return };
        pending.live = false;
        let line = pending.line;
        let unsent =
            |outgoing: &Outgoing| outgoing.line == line && outgoing.source.as_ref().is_some_and(|one| !one.batch);
        if let Some(at) = self.to_device.iter().position(unsent) {
            self.to_device.remove(at);
            self.pending.retain(|pending| pending.line != line);
        } else if !self.is_absent() {
            self.say(format!("{text}\n"), None);
        }
    }

    /// Gives a line to the device.
    fn say(&mut self, text: String, source: Option<Queued>) -> u64 {
        self.lines = self.lines.saturating_add(1);
        self.to_device.push_back(Outgoing { text, begun: 0, source, line: self.lines });
        self.lines
    }

    /// Answers what is no request.
    fn refuse(&mut self, id: Option<&str>, code: ErrorCode, reason: &str) {
        self.answer(&answers::error(id.or(self.no_id()), code, reason));
    }

    /// What stands for an id that cannot be read (ID-6).
    fn no_id(&self) -> Option<&'static str> {
        let null = self.session.as_ref().is_some_and(|session| answers::spells_out_null(&session.version));
        null.then_some("null")
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

/// Lines of the device.
impl<const N: usize> Core<N> {
    fn device_line(&mut self, now: Duration, line: Line) {
        let passed = match line {
            Line::One(message) => self.device_message(now, message).map(|text| vec![text.unwrap_or_default()]),
            Line::Batch(entries) => {
                let passed: Vec<_> = entries.into_iter().map(|entry| self.device_message(now, entry)).collect();
                passed.iter().any(Option::is_some).then(|| passed.into_iter().flatten().flatten().collect())
            }
            Line::Malformed(_) | Line::Refused { .. } => None,
        };
        match passed.as_deref() {
            // Noise.
            None => {
                self.noise.end(now);
                self.pending.iter_mut().for_each(|pending| pending.noisy = true);
            }
            Some(texts) => {
                self.noise.forget();
                let texts: Vec<_> = texts.iter().filter(|text| !text.is_empty()).map(String::as_str).collect();
                match texts.as_slice() {
                    [] => {}
                    [text] => self.answer(text),
                    many => self.answer(&format!("[{}]", many.join(","))),
                }
            }
        }
    }

    /// Takes a message of the device. `None`: it is none. Otherwise the text for the client, if it concerns the client.
    fn device_message(&mut self, now: Duration, message: Message) -> Option<Option<String>> {
        let settled = matches!(self.link, Link::Up);
        match message {
            Message::Invalid { .. } => None,
            Message::Notification(news) if !news.sound => None,
            Message::Notification(news) => {
                let passed = settled && self.passes(now, &news);
                self.prove(passed);
                Some(passed.then_some(news.text))
            }
            Message::Request(request) => {
                let echo = request.id.starts_with(OWN) || self.pending.iter().any(|pending| pending.id == request.id);
                if echo {
                    self.note(Note::Info("an echo of a request was dropped".to_owned()));
                }
                self.prove(settled && !echo);
                Some((settled && !echo).then_some(request.text))
            }
            Message::Response(response) => self.device_response(now, response, settled),
        }
    }

    /// Whether a notification concerns the client.
    fn passes(&mut self, now: Duration, news: &Notification) -> bool {
        let deadline = add(now, self.options.timeout);
        match &news.kind {
            Told::Initialized | Told::RootsChanged => false,
            Told::Progress(token) => {
                let it = |pending: &&mut Pending| token.is_some() && pending.token == *token;
                let Some(pending) = self.pending.iter_mut().find(it) else { return true };
                pending.deadline = pending.deadline.map(|_| deadline);
                let live = pending.live;
                self.answered(now);
                live
            }
            Told::Cancelled(id) => {
                !self.pending.iter().any(|pending| !pending.live && Some(&pending.id) == id.as_ref())
            }
            Told::Other(subscription) => {
                let it = |pending: &&mut Pending| {
                    pending.method == Method::Listen && Some(&pending.id) == subscription.as_ref()
                };
                let Some(pending) = self.pending.iter_mut().find(it) else { return true };
                // It is answered when it ends, which may be never.
                pending.deadline = None;
                pending.live
            }
        }
    }

    fn device_response(&mut self, now: Duration, response: Response, settled: bool) -> Option<Option<String>> {
        let Some(id) = &response.id else {
            return if response.sound { Some(self.unaddressed(now, &response)) } else { None };
        };
        if id.starts_with(OWN) && self.own_answer(now, id, &response) {
            return Some(None);
        }
        let it = |pending: &Pending| pending.written && pending.id == *id;
        let Some(pending) = self.pending.iter().position(it).and_then(|at| self.pending.remove(at)) else {
            // Somebody's JSON log looks like this too.
            if response.sound {
                self.note(Note::Info(format!(
                    "an answer to nothing was dropped, id {}",
                    harmless(short(id).as_bytes())
                )));
            }
            return response.sound.then_some(None);
        };
        self.prove(settled && response.sound);
        self.answered(now);
        if !pending.live {
            return Some(None);
        }
        if self.own.as_ref().is_some_and(|own| own.purpose == Purpose::Watch) {
            self.own = None;
        }
        if !response.sound {
            self.answer(&answers::error(Some(id), ErrorCode::InternalError, &answers::unsound(&self.options.port)));
            return Some(None);
        }
        if let (Method::Initialize, true, Some(version)) = (pending.method, pending.legacy, response.version) {
            self.session = Some(Session { params: pending.params, version, initialized: false, own: false });
        }
        Some(Some(response.text))
    }

    /// An error that says not for what it is. The device could not read a line: if only one can be meant, that is answered.
    fn unaddressed(&mut self, now: Duration, response: &Response) -> Option<String> {
        let error = response.error.as_deref()?;
        let mut lines: Vec<_> = self.pending.iter().filter(|one| one.live && one.written).map(|one| one.line).collect();
        lines.dedup();
        let [line] = lines[..] else {
            self.note(Note::Info(format!(
                "an error of the device without an id was dropped: {}",
                harmless(short(error).as_bytes())
            )));
            return None;
        };
        if !self.proven {
            // It may be about what was on the line before.
            return None;
        }
        let meant = self.pending.iter().filter(|one| one.live && one.line == line);
        let texts: Vec<_> = meant.map(|one| answers::failed(Some(&one.id), error)).collect();
        self.pending.retain(|one| !one.live || one.line != line);
        self.answered(now);
        Some(match texts.as_slice() {
            [text] => text.clone(),
            texts => format!("[{}]", texts.join(",")),
        })
    }

    /// Notes that the device has said something to the point.
    fn prove(&mut self, proof: bool) {
        if proof && !self.proven {
            self.proven = true;
            self.own.take_if(|own| own.purpose == Purpose::Probe);
        }
    }

    /// Notes that there was an answer.
    fn answered(&mut self, now: Duration) {
        self.ended = self.ended.map(|ended| ended.max(now));
    }
}

/// The start of a text.
fn short(text: &str) -> String {
    text.chars().take(100).collect()
}

/// Requests of the bridge's own.
impl<const N: usize> Core<N> {
    fn start(&mut self, now: Duration, purpose: Purpose, tries: u32) {
        let handshake = match purpose {
            Purpose::Handshake => true,
            Purpose::Probe | Purpose::Watch => false,
            // A device that was silent and printed something else may have been restarted.
            Purpose::Proof => {
                self.session.is_some() && self.pending.iter().any(|pending| !pending.live && pending.noisy)
            }
        };
        self.own = Some(Own { purpose, handshake, tries, next: now, sent: Vec::new() });
    }

    /// Sends the next try when it is due, or gives up.
    fn go_on(&mut self, now: Duration) {
        let Some(mut own) = self.own.take_if(|own| own.next <= now) else { return };
        if own.tries == 0 {
            return self.give_up(now, &own);
        }
        own.tries = own.tries.saturating_sub(1);
        own.next = add(now, APART);
        if own.purpose == Purpose::Proof {
            // A cancelled request may keep the device busy as long as it could have taken without that.
            let busy = self.pending.iter().filter(|pending| !pending.live).filter_map(|pending| pending.deadline).max();
            own.next = add(now, PROOF).max(busy.unwrap_or_default());
        }
        let id = self.own_id();
        let text = if own.handshake {
            answers::request(&id, "initialize", self.hello())
        } else {
            answers::request(&id, "ping", None)
        };
        let line = self.say(text + "\n", None);
        own.sent.push((id, line));
        self.own = Some(own);
    }

    /// The parameters of the handshake to be repeated: one that was lost on its way, or that of the session.
    fn hello(&self) -> Option<&str> {
        match self.pending.iter().find(|pending| pending.live && pending.method == Method::Initialize) {
            Some(lost) => lost.params.as_deref(),
            None => self.session.as_ref()?.params.as_deref(),
        }
    }

    /// An id that no request of the client has.
    fn own_id(&mut self) -> String {
        loop {
            self.owns = self.owns.saturating_add(1);
            let id = format!("{OWN}{}\"", self.owns);
            let queued = self.queue.iter().flat_map(Queued::requests);
            if !queued
                .map(|request| &request.id)
                .chain(self.pending.iter().map(|pending| &pending.id))
                .any(|one| *one == id)
            {
                return id;
            }
        }
    }

    /// Takes an answer to a request of the bridge's own. Returns whether it was one.
    fn own_answer(&mut self, now: Duration, id: &str, response: &Response) -> bool {
        let Some(own) = self.own.take_if(|own| own.sent.iter().any(|(sent, _)| sent == id)) else { return false };
        let line = own.sent.iter().find(|(sent, _)| sent == id).map_or(0, |(_, line)| *line);
        self.proven = true;
        // What was before it and is not answered by now never will be.
        self.pending.retain(|pending| pending.live || pending.line > line);
        if own.handshake {
            self.shaken(now, response);
        } else if own.purpose == Purpose::Watch {
            self.lost(now);
        }
        true
    }

    /// The client's first request was lost in a device that did not listen yet. It was one that can be made up for.
    fn lost(&mut self, now: Duration) {
        let Some(at) = self.pending.iter().position(|pending| pending.live) else { return };
        if self.pending.get(at).is_some_and(|pending| pending.method == Method::Initialize) {
            self.note(Note::Info("the device did not listen yet; the handshake is repeated".to_owned()));
            return self.start(now, Purpose::Handshake, TRIES);
        }
        if let Some(ping) = self.pending.remove(at) {
            self.answer(&answers::result(&ping.id, "{}"));
            self.answered(now);
        }
    }

    /// The device has taken the repeated handshake, or refused it.
    fn shaken(&mut self, now: Duration, response: &Response) {
        if let Some(error) = &response.error {
            let error = harmless(short(error).as_bytes());
            self.note(Note::Warning(format!("the device refused the handshake that was repeated: {error}")));
        }
        let lost = |pending: &Pending| pending.live && pending.method == Method::Initialize;
        match self.pending.iter().position(lost).and_then(|at| self.pending.remove(at)) {
            Some(hello) => {
                self.answered(now);
                match (&response.result, &response.error, &response.version) {
                    (Some(result), _, version) => {
                        self.answer(&answers::result(&hello.id, result));
                        if let Some(version) = version.clone() {
                            let params = hello.params;
                            self.session = Some(Session { params, version, initialized: false, own: false });
                        }
                    }
                    (None, error, _) => {
                        let error = error.as_deref().unwrap_or("null");
                        self.answer(&answers::failed(Some(&hello.id), error));
                    }
                }
            }
            None => {
                let version = self.session.as_ref().map(|session| session.version.clone());
                if response.version.is_some() && response.version != version {
                    self.note(Note::Warning("the device chose another revision than before".to_owned()));
                }
            }
        }
        self.resume();
    }

    /// Goes on with a device that was told of the session.
    fn resume(&mut self) {
        self.proven = true;
        let Some(session) = &mut self.session else { return };
        self.announce |= core::mem::take(&mut session.own);
        if session.initialized {
            self.say(answers::INITIALIZED.to_owned() + "\n", None);
        }
        self.forget_initialized();
    }

    /// Removes from the queue what a repeated handshake includes.
    fn forget_initialized(&mut self) {
        if self.session.as_ref().is_some_and(|session| session.initialized) {
            self.queue.retain(|queued| !queued.is_initialized());
            self.queued = self.queue.iter().map(|queued| queued.size).sum();
        }
    }

    /// The device does not answer the bridge.
    fn give_up(&mut self, now: Duration, own: &Own) {
        // What the device has not even begun to take, it need not.
        let is_own = |line| own.sent.iter().any(|(_, sent)| *sent == line);
        self.to_device.retain(|outgoing| outgoing.begun > 0 || !is_own(outgoing.line));
        self.note(Note::Info("the device does not answer the bridge itself; going on".to_owned()));
        match own.purpose {
            Purpose::Probe | Purpose::Watch => self.proven = true,
            Purpose::Handshake => self.resume(),
            Purpose::Proof => {
                for pending in self.pending.iter_mut().filter(|pending| !pending.live) {
                    pending.holds = false;
                }
                let text = answers::not_asked(&self.options.port);
                let timeout = self.options.timeout;
                self.fail_queued(|queued| add(queued.since, timeout) <= now, &text);
            }
        }
    }
}

/// The passing of time.
impl<const N: usize> Core<N> {
    /// Ends the time in which everything is stale.
    fn settle_down(&mut self, now: Duration) {
        if !matches!(self.link, Link::Settling { quiet, noisy } if quiet <= now || noisy <= now) {
            return;
        }
        self.noise.end(now);
        if self.device.is_within_line() {
            // The rest of the line of an earlier session must not spoil the first answer.
            *self.device = Frames::new();
        }
        self.link = Link::Up;
        if self.session.is_some() {
            self.start(now, Purpose::Handshake, TRIES);
        }
    }

    /// Answers requests that have waited for too long.
    fn expire(&mut self, now: Duration) {
        let (port, limit) = (self.options.port.clone(), self.options.timeout);
        let mut late = Vec::new();
        for pending in &mut self.pending {
            if pending.live && pending.deadline.is_some_and(|deadline| deadline <= now) {
                pending.live = false;
                late.push((pending.id.clone(), pending.line, pending.noisy));
            }
        }
        if late.is_empty() {
            return;
        }
        self.own.take_if(|own| own.purpose == Purpose::Watch);
        self.noise.tear(now);
        for (id, line, noisy) in late {
            let unsent = self.to_device.iter().any(|outgoing| outgoing.line == line && outgoing.source.is_some());
            let text = if unsent { answers::not_asked(&port) } else { answers::silence(&port, limit, noisy) };
            self.answer(&answers::error(Some(&id), ErrorCode::InternalError, &text));
            let id = harmless(short(&id).as_bytes());
            self.note(Note::Warning(format!("no answer from the device on {port} to the request {id}")));
            if unsent {
                self.to_device.retain(|outgoing| outgoing.line != line);
                self.pending.retain(|pending| pending.line != line || pending.live);
            }
        }
        let dead = self.pending.iter().filter(|pending| !pending.live).count();
        for _ in DEAD..dead {
            if let Some(at) = self.pending.iter().position(|pending| !pending.live) {
                self.pending.remove(at);
            }
        }
    }

    /// Whether requests wait for others.
    fn is_held_up(&self) -> bool {
        let opening = |own: &Own| matches!(own.purpose, Purpose::Probe | Purpose::Handshake);
        matches!(self.link, Link::Up) && !self.own.as_ref().is_some_and(opening)
    }

    /// Answers for the device what it cannot answer now.
    fn stand_in(&mut self, now: Duration) {
        if let Link::Down { since, reason } = &self.link
            && add(*since, self.options.wait) <= now
        {
            let awaited = answers::awaited(&self.options.port, reason);
            while let Some(queued) = self.dequeue() {
                self.stand_in_for(&queued, &awaited);
            }
        }
        if self.is_held_up() {
            while let Some(at) =
                self.queue.iter().position(|queued| queued.is(Method::Ping) && add(queued.since, PING) <= now)
            {
                let Some(queued) = self.queue.remove(at) else { return };
                self.queued = self.queued.saturating_sub(queued.size);
                for request in queued.requests() {
                    self.answer(&answers::result(&request.id, "{}"));
                }
            }
        }
        if self.announce && self.session.as_ref().is_some_and(|session| session.initialized) {
            self.announce = false;
            self.answer(answers::TOOLS_CHANGED);
        }
    }

    /// Answers in the bridge's own name.
    fn stand_in_for(&mut self, queued: &Queued, awaited: &str) {
        let mut texts = Vec::new();
        for request in queued.requests() {
            let offer_tools = self.session.as_ref().map_or(!self.seen, |session| session.own);
            let (text, version) = answers::in_own_name(request, offer_tools, awaited);
            texts.push(text);
            if let Some(version) = version.filter(|_| !queued.batch) {
                self.session = Some(Session { params: request.params.clone(), version, initialized: false, own: true });
            }
        }
        match (queued.batch, texts.as_slice()) {
            (_, []) => {}
            (true, texts) => self.answer(&format!("[{}]", texts.join(","))),
            (false, texts) => self.answer(&texts.concat()),
        }
    }

    /// How long answers are waited for after the client has gone.
    fn patience(&self) -> Duration {
        match self.link {
            _ if self.stopped => Duration::ZERO,
            Link::Down { .. } => FAREWELL.min(self.options.timeout),
            _ => self.options.timeout,
        }
    }

    /// Ends what still waits when the client has been gone for long enough.
    fn farewell(&mut self, now: Duration) {
        if self.ended.is_none_or(|ended| add(ended, self.patience()) > now) {
            return;
        }
        let text = answers::ending(&self.options.port);
        self.fail_pending(|_| true, &text);
        self.fail_queued(|_| true, &answers::not_asked(&self.options.port));
        self.queue.clear();
        self.queued = 0;
        self.to_device.clear();
        self.pending.clear();
        self.own = None;
    }

    /// Answers pending requests with an error.
    fn fail_pending(&mut self, which: impl Fn(&Pending) -> bool, text: &str) {
        let mut failed = Vec::new();
        for pending in self.pending.iter_mut().filter(|pending| pending.live && which(pending)) {
            pending.live = false;
            failed.push(pending.id.clone());
        }
        for id in failed {
            self.answer(&answers::error(Some(&id), ErrorCode::InternalError, text));
        }
    }

    /// Answers queued requests with an error.
    fn fail_queued(&mut self, which: impl Fn(&Queued) -> bool, text: &str) {
        let queue = core::mem::take(&mut self.queue);
        for queued in queue {
            if which(&queued) && queued.requests().next().is_some() {
                for request in queued.requests() {
                    self.answer(&answers::error(Some(&request.id), ErrorCode::InternalError, text));
                }
            } else {
                self.queue.push_back(queued);
            }
        }
        self.queued = self.queue.iter().map(|queued| queued.size).sum();
    }

    /// Gives the device what may be given to it.
    fn pump(&mut self, now: Duration) {
        while self.may_send(now) {
            let Some(queued) = self.dequeue() else { return };
            let text = queued.text();
            let requests: Vec<_> = queued.requests().map(|request| self.pend(now, request)).collect();
            let source = (!requests.is_empty()).then_some(queued);
            let line = self.say(text, source);
            self.pending.extend(requests.into_iter().map(|pending| Pending { line, ..pending }));
        }
    }

    fn pend(&self, now: Duration, request: &Request) -> Pending {
        Pending {
            id: request.id.clone(),
            method: request.method,
            live: true,
            token: request.token.clone(),
            params: request.params.clone(),
            legacy: request.is_legacy(Method::Initialize),
            line: 0,
            written: false,
            deadline: Some(add(now, self.options.timeout)),
            noisy: false,
            // It is answered when it ends, which may be never.
            holds: request.method != Method::Listen,
        }
    }

    /// Whether the next line of the queue may be sent. Does what must be done before.
    fn may_send(&mut self, now: Duration) -> bool {
        let (Link::Up, None, Some(next)) = (&self.link, &self.own, self.queue.front()) else { return false };
        if !self.proven {
            let harmless = next.is(Method::Initialize) || next.is(Method::Ping);
            if !harmless || !self.pending.is_empty() {
                self.start(now, Purpose::Probe, TRIES);
                self.go_on(now);
                return false;
            }
            self.start(now, Purpose::Watch, TRIES);
            if let Some(own) = &mut self.own {
                own.next = add(now, APART);
            }
            return true;
        }
        if next.requests().next().is_none() {
            return true;
        }
        let mut held: Vec<_> = self.pending.iter().filter(|one| one.holds).map(|one| (one.line, one.live)).collect();
        held.dedup_by_key(|(line, _)| *line);
        if held.len() < self.options.in_flight.max(1) {
            return true;
        }
        let dead = self.pending.iter().any(|one| one.holds && !one.live);
        let live = self.pending.iter().any(|one| one.holds && one.live);
        if dead && (!live || self.options.in_flight > 1) {
            self.start(now, Purpose::Proof, 1);
            self.go_on(now);
        }
        false
    }
}

/// A later moment. The clock does not come near its end.
const fn add(moment: Duration, time: Duration) -> Duration {
    moment.saturating_add(time)
}
