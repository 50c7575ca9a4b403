//! A device in the emulator, and a client's end of the line to it.

use std::fmt::Debug;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::emulator::Machine;

/// How long a device may take for an answer. It has the processor for itself in less than a tenth of that.
const PATIENCE: Duration = Duration::from_secs(60);

/// What [`Device::send`] sends last, and its answer. A ping would be answered while a tool runs.
const LAST: [&str; 2] = [
    r#"{"jsonrpc":"2.0","id":"last","method":"last"}"#,
    r#"{"jsonrpc":"2.0","id":"last","error":{"code":-32601,"message":"Method not found"}}"#,
];

/// A device. It is switched off when it goes out of scope; that it has not ended by itself before, as it does after a
/// panic, is checked then.
#[derive(Debug)]
pub(crate) struct Device {
    emulator: Child,
    line: TcpStream,
    /// What has come behind the lines that were read.
    rest: Vec<u8>,
    /// It has answered, so its UART is set up, and what is written from now on arrives.
    awake: bool,
    /// It should end by itself.
    may_end: bool,
}

impl Device {
    /// Boots an image, or says why it cannot: see [`Machine::has`].
    pub(crate) fn boot(machine: Machine, image: &str) -> Option<Self> {
        machine.has(image).then(|| Self::start(machine, image))
    }

    fn start(machine: Machine, image: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let mut emulator = machine.start(image, &format!("tcp:{address},nodelay=on"));
        let deadline = Instant::now() + PATIENCE;
        let line = loop {
            match listener.accept() {
                Ok((line, _)) => break line,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => panic!("{error}"),
            }
            if emulator.try_wait().unwrap().is_some() || Instant::now() > deadline {
                panic!("it does not boot: {}", last_words(&mut emulator));
            }
            thread::sleep(Duration::from_millis(1));
        };
        line.set_nonblocking(false).unwrap();
        line.set_nodelay(true).unwrap();
        line.set_read_timeout(Some(PATIENCE)).unwrap();
        line.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { emulator, line, rest: Vec::new(), awake: false, may_end: false }
    }

    /// Does the handshake in a revision that has one.
    pub(crate) fn shake_hands(&mut self, revision: &str) {
        let params =
            json!({"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        let request = json!({"jsonrpc": "2.0", "id": "r", "method": "initialize", "params": params});
        let [answer] = &self.send(request.to_string().as_bytes())[..] else { panic!("not one answer") };
        assert!(answer.contains(&format!(r#""protocolVersion":"{revision}""#)), "{answer}");
        assert_eq!(self.send(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), [""; 0]);
    }

    /// Sends a line, without its newline, and returns the lines that come back, without theirs.
    pub(crate) fn send(&mut self, line: &[u8]) -> Vec<String> {
        // It answers in order, so with the answer to a further request all others are there.
        self.write(&[line, b"\n", LAST[0].as_bytes(), b"\n"].concat());
        let mut answers = Vec::new();
        loop {
            match self.read_line() {
                answer if answer == LAST[1] => return answers,
                answer => answers.push(answer),
            }
        }
    }

    /// For an image that answers nothing.
    pub(crate) fn that_is_mute(mut self) -> Self {
        self.awake = true;
        self
    }

    /// Waits until the device answers. What comes while it sets up its UART is lost, on the emulator as on any board.
    fn wake(&mut self) {
        self.line.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        for attempt in 0..120 {
            let id = format!("awake-{attempt}");
            let request = format!("\n{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "ping"}));
            self.line.write_all(request.as_bytes()).unwrap();
            let answer = format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "result": {}}));
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = self.line.read(&mut bytes) {
                self.rest.extend_from_slice(&bytes[..count]);
                if self.rest.ends_with(answer.as_bytes()) {
                    self.rest.clear();
                    self.awake = true;
                    self.line.set_read_timeout(Some(PATIENCE)).unwrap();
                    return;
                }
            }
        }
        self.fail("the device does not answer");
    }

    /// Writes bytes as they are.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        if !self.awake {
            self.wake();
        }
        if let Err(error) = self.line.write_all(bytes) {
            self.fail(&format!("while writing: {error}"));
        }
    }

    /// Reads a line, without its newline, which may not have a carriage return before it.
    pub(crate) fn read_line(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<u8> = self.rest.drain(..=end).collect();
                line.pop();
                assert!(!line.contains(&b'\r'), "a carriage return: {line:?}");
                return String::from_utf8(line).unwrap();
            }
            let mut bytes = [0; 4096];
            match self.line.read(&mut bytes) {
                _ if Instant::now() > deadline => self.fail("no whole line in time"),
                Ok(0) => self.fail("the line is closed"),
                Ok(count) => self.rest.extend_from_slice(&bytes[..count]),
                Err(error) => self.fail(&format!("no answer: {error}")),
            }
        }
    }

    /// Waits until the device ends the emulator, and returns the exit code of that and what the device had sent.
    pub(crate) fn wait(mut self) -> (Option<i32>, String) {
        self.may_end = true;
        if let Err(error) = self.line.read_to_end(&mut self.rest) {
            assert_eq!(error.kind(), ErrorKind::ConnectionReset, "the device goes on: {error}");
        }
        let status = self.emulator.wait().unwrap();
        (status.code(), String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned())
    }

    fn fail(&mut self, reason: &str) -> ! {
        let rest = String::from_utf8_lossy(&self.rest).into_owned();
        panic!("{reason}; half a line: {rest:?}; {}", last_words(&mut self.emulator))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let ended = self.emulator.try_wait();
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
        if let Ok(Some(status)) = ended
            && !self.may_end
            && !thread::panicking()
        {
            panic!("the device has ended: {status}");
        }
    }
}

/// How the emulator ended, and what it printed.
fn last_words(emulator: &mut Child) -> String {
    // After a panic it ends by itself, if just about now.
    thread::sleep(Duration::from_millis(100));
    let ended = emulator.try_wait().unwrap();
    let _ = emulator.kill();
    let _ = emulator.wait();
    let mut printed = String::new();
    if let Some(mut stderr) = emulator.stderr.take() {
        let _ = stderr.read_to_string(&mut printed);
    }
    match ended {
        Some(status) => format!("the emulator has ended, as after a panic of the device: {status} {printed}"),
        None => format!("the emulator runs {printed}"),
    }
}
