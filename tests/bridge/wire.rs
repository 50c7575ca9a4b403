//! A core between a client and a device that a test plays, with a clock that the test turns.

use std::time::Duration;

use serde_json::Value;
use toolwire_cli::bridge::core::{Core, Note, Options};

/// The longest message in these tests.
pub(crate) const LONGEST: usize = 4096;

pub(crate) struct Wire {
    pub(crate) core: Core<LONGEST>,
    pub(crate) now: Duration,
    notes: Vec<Note>,
}

impl Wire {
    /// A core whose device is not there yet.
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::new("/dev/ttyX");
        change(&mut options);
        Self { core: Core::new(options), now: Duration::ZERO, notes: Vec::new() }
    }

    /// A core whose device is there and has shown that it listens.
    pub(crate) fn ready() -> Self {
        Self::ready_with(|_| {})
    }

    pub(crate) fn ready_with(change: impl FnOnce(&mut Options)) -> Self {
        let mut wire = Self::with(change);
        wire.up();
        wire.client(PING);
        assert_eq!(wire.sent(), [PING]);
        wire.device(PONG);
        assert_eq!(wire.got(), [PONG]);
        wire
    }

    /// The port opens and settles.
    pub(crate) fn up(&mut self) {
        self.core.device_up(self.now);
        assert_eq!(self.core.to_device(), b"\n");
        self.core.device_took(self.now, 1);
        self.wait(0.1);
    }

    pub(crate) fn down(&mut self) {
        self.core.device_down(self.now, "unplugged");
    }

    /// The client sends a line.
    pub(crate) fn client(&mut self, line: &str) {
        let text = format!("{line}\n");
        assert_eq!(self.core.client_bytes(self.now, text.as_bytes()), text.len());
    }

    /// The device sends a line.
    pub(crate) fn device(&mut self, line: &str) {
        let text = format!("{line}\n");
        assert_eq!(self.core.device_bytes(self.now, text.as_bytes()), text.len());
    }

    /// What was sent to the device.
    pub(crate) fn sent(&mut self) -> Vec<String> {
        let mut text = Vec::new();
        while !self.core.to_device().is_empty() {
            let piece = self.core.to_device().to_vec();
            self.core.device_took(self.now, piece.len());
            text.extend(piece);
        }
        lines(&text)
    }

    /// What the client got.
    pub(crate) fn got(&mut self) -> Vec<String> {
        let text = self.core.to_client().to_vec();
        self.core.client_took(self.now, text.len());
        lines(&text)
    }

    /// The only thing that the client got, as an error with this id.
    #[track_caller]
    pub(crate) fn error(&mut self, id: &Value) -> String {
        let got = self.got();
        let [line] = got.as_slice() else { panic!("not one answer: {got:?}") };
        let answer: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(&answer["id"], id, "{answer}");
        assert_eq!(answer["error"]["code"], -32603, "{answer}");
        answer["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// Time passes, and what is due is done when it is.
    pub(crate) fn wait(&mut self, seconds: f64) {
        let until = self.now + Duration::from_secs_f64(seconds);
        while let Some(due) = self.core.next_deadline().filter(|due| *due <= until) {
            assert!(due >= self.now, "a deadline is overdue");
            self.now = due;
            self.core.tick(due);
            assert!(self.core.next_deadline().is_none_or(|next| next > due), "a deadline stays");
        }
        self.now = until;
        self.core.tick(until);
    }

    /// What the user was told, as one text.
    pub(crate) fn notes(&mut self) -> String {
        self.notes.extend(core::iter::from_fn(|| self.core.note_for_user()));
        let texts = self.notes.drain(..).filter_map(|note| match note {
            Note::Device(text) | Note::Warning(text) => Some(text + "\n"),
            _ => None,
        });
        texts.collect()
    }
}

fn lines(text: &[u8]) -> Vec<String> {
    let text = str::from_utf8(text).expect("UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'), "no whole lines: {text:?}");
    text.lines().map(str::to_owned).collect()
}

pub(crate) const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
pub(crate) const PONG: &str = r#"{"jsonrpc":"2.0","id":"p","result":{}}"#;

pub(crate) fn call(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"t"}}}}"#)
}

pub(crate) fn answer(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[]}}}}"#)
}

pub(crate) fn cancelled(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
}

pub(crate) const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}"#;
pub(crate) const WELCOME: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"d","version":"1"}}}"#;
pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A line with its id replaced by the `number`th of the bridge's own.
pub(crate) fn own(line: &str, number: u32) -> String {
    let id = ["\"id\":0", "\"id\":\"p\""].into_iter().find(|id| line.contains(id)).expect("an id of these");
    line.replacen(id, &format!("\"id\":\"toolwire-bridge-{number}\""), 1)
}
