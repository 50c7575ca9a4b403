//! What must hold for the core whatever client and device do, as a function of random bytes.
//!
//! The bytes are a little program: a byte that says what happens, and what that needs. A client and a device are played
//! that mostly keep to the protocol, since pure noise would not get far, but that also send noise.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;

use super::core::{Core, Options};

/// The longest message.
const LONGEST: usize = 512;

/// Ids of requests start here, so that noise rarely hits one.
const FIRST: u64 = 7000;

struct Play {
    core: Core<LONGEST>,
    now: Duration,
    up: bool,
    /// The requests that were sent, and how often they were answered.
    answers: BTreeMap<u64, u32>,
    cancelled: BTreeSet<u64>,
    /// How many answers to other things than these requests there may still be.
    others: usize,
    client_line: bool,
    /// The requests of which a byte was written.
    begun: BTreeSet<u64>,
    device_line: bool,
    /// All that was written to the device, with a mark between connections.
    written: Vec<u8>,
    /// Where the last line of it begins that was not looked at.
    heard: usize,
    /// The requests that the device has heard and not answered.
    open: Vec<String>,
    read: Vec<u8>,
    tail: Vec<u8>,
}

/// Plays `program`, and sees to it that each request gets exactly one answer and is begun to be written at most once,
/// that nothing but messages reaches either side, that nothing is answered that was not asked, and that memory is bounded.
///
/// # Panics
/// If that is not so.
pub fn play(program: &[u8]) {
    let mut options = Options::new("port");
    options.timeout = Duration::from_secs(5);
    options.queue = 8;
    options.in_flight = 1 + usize::from(program.first().is_some_and(|byte| byte & 1 == 1));
    let mut play = Play {
        core: Core::new(options),
        now: Duration::ZERO,
        up: false,
        answers: BTreeMap::new(),
        cancelled: BTreeSet::new(),
        others: 0,
        client_line: false,
        begun: BTreeSet::new(),
        device_line: false,
        written: Vec::new(),
        heard: 0,
        open: Vec::new(),
        read: Vec::new(),
        tail: Vec::new(),
    };
    let mut bytes = program.iter().copied();
    while let Some(code) = bytes.next() {
        play.step(code, &mut bytes);
        play.check();
    }
    play.end();
}

impl Play {
    fn step(&mut self, code: u8, bytes: &mut impl Iterator<Item = u8>) {
        let argument = bytes.next().unwrap_or_default();
        match code % 24 {
            0..=3 => self.request(argument),
            4 => drop(self.client_message("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")),
            5 => self.cancel(argument),
            6 => drop(self.client_message("{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"result\":{}}")),
            7 => {
                // Without the digit that each id of a request has, so that noise is never about one of them.
                let raw: Vec<u8> = bytes.take(argument.into()).map(|byte| if byte == b'7' { b'8' } else { byte }).collect();
                self.client_bytes(&raw);
            }
            8 => {
                let lines = ["nope", "[]", "{\"id\":1}", "[1,{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]"];
                let sent = self.client_message(lines[usize::from(argument % 4)]);
                self.others += usize::from(sent);
            }
            9..=13 => self.reply(argument),
            14 => {
                let raw: Vec<u8> = bytes.take(argument.into()).collect();
                self.device_bytes(&raw);
            }
            15 => self.device_bytes(
                [
                    &b"boot\r\n"[..],
                    b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"\"}}\n",
                    b"{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"method\":\"ping\"}\n",
                    b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":1}}\n",
                    b"{\"jsonrpc\":\"2.0\",\"id\":\"toolwire-bridge-1\",\"result\":{}}\n",
                    b"\n",
                ][usize::from(argument % 6)],
            ),
            16 | 17 => self.take(argument.into()),
            18 | 19 => self.take(usize::MAX),
            20 => self.read(if argument < 128 { argument.into() } else { usize::MAX }),
            21 => self.wait(Duration::from_millis(u64::from(argument) * 30)),
            22 => {
                self.core.device_up(self.now);
                self.forget_device();
                self.up = true;
            }
            _ => {
                self.core.device_down(self.now, "away");
                self.forget_device();
                self.up = false;
            }
        }
    }

    fn request(&mut self, argument: u8) {
        let id = FIRST + self.answers.len() as u64;
        let request = |id: u64, method: &str| {
            format!(
                "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{{\"protocolVersion\":\"2025-06-18\",\
                 \"_meta\":{{\"progressToken\":{}}}}}}}",
                id % 3
            )
        };
        let method = ["tools/call", "initialize", "ping", "tools/list", "tools/call", "subscriptions/listen"];
        let method = method[usize::from(argument % 6)];
        let (text, ids) = match argument / 6 % 8 {
            0 => (format!("[{},{}]", request(id, method), request(id + 1, "x")), vec![id, id + 1]),
            1 => (request(id, &"x".repeat(LONGEST)), vec![id]),
            _ => (request(id, method), vec![id]),
        };
        if self.client_message(&text) {
            self.answers.extend(ids.into_iter().map(|id| (id, 0)));
        }
    }

    fn cancel(&mut self, argument: u8) {
        let ids: Vec<u64> = self.answers.keys().copied().collect();
        let at = ids.len().saturating_sub(1 + usize::from(argument % 4));
        if let Some(id) = ids.get(at) {
            let text = format!(
                "{{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":{id}}}}}"
            );
            if self.client_message(&text) {
                self.cancelled.insert(*id);
            }
        }
    }

    /// Sends a whole line, if there is room for it and the line before is whole.
    fn client_message(&mut self, text: &str) -> bool {
        if self.client_line {
            self.client_bytes(b"\n");
        }
        let fits = self.core.wants_client_input() && !self.client_line;
        if fits {
            let line = format!("{text}\n");
            assert_eq!(self.core.client_bytes(self.now, line.as_bytes()), line.len(), "a line is taken whole");
        }
        fits
    }

    fn client_bytes(&mut self, bytes: &[u8]) {
        let taken = self.core.client_bytes(self.now, bytes);
        // A line has one answer, but a batch has one per entry.
        self.others += bytes[..taken].iter().filter(|byte| matches!(byte, b'\n' | b'[' | b'{' | b',')).count();
        if let Some(last) = taken.checked_sub(1).and_then(|last| bytes.get(last)) {
            self.client_line = *last != b'\n';
        }
    }

    fn device_bytes(&mut self, bytes: &[u8]) {
        self.core.device_bytes(self.now, bytes);
    }

    fn reply(&mut self, argument: u8) {
        if self.open.is_empty() {
            return;
        }
        let at = if argument.is_multiple_of(4) { usize::from(argument) % self.open.len() } else { 0 };
        // Sometimes twice.
        let request = if argument % 32 == 1 { self.open[at].clone() } else { self.open.remove(at) };
        let Ok(request) = serde_json::from_str::<Value>(&request) else { return };
        let reply = |request: &Value| {
            request.get("id").map(|id| {
                let result = format!("{{\"protocolVersion\":\"2025-06-18\",\"for\":{id}}}");
                format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
            })
        };
        let text = match &request {
            Value::Array(batch) => format!("[{}]", batch.iter().filter_map(reply).collect::<Vec<_>>().join(",")),
            request => reply(request).unwrap_or_default(),
        };
        self.device_bytes(format!("{text}\n").as_bytes());
    }

    fn forget_device(&mut self) {
        self.written.extend(b"\n#\n");
        self.heard = self.written.len();
        self.device_line = false;
        self.open.clear();
    }

    /// The device takes bytes.
    fn take(&mut self, most: usize) {
        let mut left = most;
        while left > 0 && !self.core.to_device().is_empty() {
            let line = self.core.to_device();
            if !self.device_line {
                let ids = if line == b"\n" { Vec::new() } else { check_for_device(line) };
                for id in ids.into_iter().filter(|id| self.answers.contains_key(id)) {
                    assert!(self.begun.insert(id), "{id}: begun twice");
                }
            }
            let piece = line[..line.len().min(left)].to_vec();
            self.device_line = piece.len() < line.len();
            left -= piece.len();
            self.core.device_took(self.now, piece.len());
            self.written.extend(piece);
        }
        while let Some(end) = self.written[self.heard..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.written[self.heard..self.heard + end]).into_owned();
            self.heard += end + 1;
            if !line.is_empty() {
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("to the device: {line}"));
                let asks = |message: &Value| message.get("id").is_some() && message.get("method").is_some();
                if asks(&message) || message.as_array().is_some_and(|batch| batch.iter().any(asks)) {
                    self.open.push(line);
                }
            }
        }
    }

    /// The client takes bytes.
    fn read(&mut self, most: usize) {
        let text = self.core.to_client();
        let text = text[..text.len().min(most)].to_vec();
        self.core.client_took(self.now, text.len());
        self.tail.extend(text);
        while let Some(end) = self.tail.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.tail.drain(..=end).collect();
            self.read.extend(&line);
            let message: Value = serde_json::from_slice(&line).unwrap_or_else(|_| panic!("to the client: {line:?}"));
            match &message {
                Value::Array(batch) => batch.iter().for_each(|message| self.got(message)),
                message => self.got(message),
            }
        }
    }

    fn got(&mut self, message: &Value) {
        check_message(message);
        if message.get("method").is_some() {
            return;
        }
        let Some(id) = message.get("id").and_then(Value::as_u64).filter(|id| self.answers.contains_key(id)) else {
            assert!(self.others > 0, "nobody asked for {message}");
            self.others -= 1;
            return;
        };
        *self.answers.entry(id).or_default() += 1;
        let result = message.get("result").and_then(|result| result.get("for"));
        let ours = |id: &Value| id.as_str().is_some_and(|id| id.starts_with("toolwire-bridge-"));
        assert!(result.is_none_or(|whose| *whose == id || ours(whose)), "another's result: {message}");
    }

    fn wait(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(due) = self.core.next_deadline().filter(|due| *due <= until) {
            self.now = due.max(self.now);
            self.core.tick(self.now);
            let next = self.core.next_deadline();
            assert!(next.is_none_or(|next| next > self.now), "nothing is done at {:?}", self.now);
        }
        self.now = until;
        self.core.tick(until);
    }

    fn check(&mut self) {
        while self.core.note_for_user().is_some() {}
        // In flight, dead, and queued: a few at the very most.
        assert!(self.core.remembered() < 100, "{}", self.core.remembered());
        // Twice what is buffered for each side, and some lines.
        assert!(self.core.held() < 1 << 20, "{}", self.core.held());
    }

    /// The client goes, and nobody helps.
    fn end(mut self) {
        self.read(usize::MAX);
        if self.client_line {
            self.client_bytes(b"\n");
        }
        // There may have been no room for that, but the end ends a line too.
        self.others += usize::from(self.client_line);
        self.core.client_eof(self.now);
        for _ in 0..1000 {
            if self.core.is_finished() {
                break;
            }
            self.wait(Duration::from_secs(1));
            self.take(usize::MAX);
            self.read(usize::MAX);
        }
        assert!(self.core.is_finished(), "it does not end");
        for (id, count) in &self.answers {
            let right = if self.cancelled.contains(id) { *count <= 1 } else { *count == 1 };
            assert!(right, "{id}: answered {count} times: {}", String::from_utf8_lossy(&self.read));
        }
    }
}

/// Checks a line for the device. Returns the ids of its requests that are numbers.
fn check_for_device(line: &[u8]) -> Vec<u64> {
    let shown = line.escape_ascii();
    assert!(line.strip_suffix(b"\n").is_some_and(|text| !text.contains(&b'\n')), "no line for the device: {shown}");
    let line: Value = serde_json::from_slice(line).unwrap_or_else(|_| panic!("to the device: {shown}"));
    let messages = line.as_array().map_or(core::slice::from_ref(&line), Vec::as_slice);
    assert!(!messages.is_empty(), "an empty batch for the device");
    messages.iter().for_each(check_message);
    let requests = messages.iter().filter(|message| message.get("method").is_some());
    requests.filter_map(|request| request.get("id").and_then(Value::as_u64)).collect()
}

/// Checks that this is a request, a notification or a response (MSG-1 to MSG-5).
fn check_message(message: &Value) {
    assert_eq!(message["jsonrpc"], "2.0", "{message}");
    let id = message.get("id");
    let readable = id.is_some_and(|id| id.is_string() || id.is_number());
    if let Some(method) = message.get("method") {
        assert!(method.is_string() && (readable || id.is_none()), "{message}");
        return;
    }
    match (message.get("result"), message.get("error")) {
        (Some(_), None) => assert!(readable, "{message}"),
        (None, Some(error)) => {
            assert!(readable || id.is_none_or(Value::is_null), "{message}");
            assert!(error["code"].is_number() && error["message"].is_string(), "{message}");
        }
        _ => panic!("neither a result nor an error: {message}"),
    }
}
