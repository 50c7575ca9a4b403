//! What a device prints that is no message: made harmless, bounded, and marked.
//!
//! It comes from a stranger and goes to a terminal. Control characters, escape sequences, characters that turn the
//! direction of text, and bytes that are no UTF-8 are shown as escapes. Colours, which are common in logs, are left out.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::time::Duration;

/// How much of a line is shown, in bytes.
const SHOWN: usize = 1000;

/// How many lines are shown in a second.
const RATE: u32 = 100;

/// How many lines wait to be taken.
const WAITING: usize = 256;

/// A collector of lines.
#[derive(Debug, Default)]
pub(super) struct Noise {
    /// The start of the line that is coming in.
    line: Vec<u8>,
    /// How many bytes of it there are beyond that.
    beyond: usize,
    /// Whether a part of it was shown already.
    torn: bool,
    /// What is ready.
    lines: VecDeque<String>,
    second: Duration,
    count: u32,
    left_out: u64,
}

impl Noise {
    /// Takes bytes of a line.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        // Blank lines before it are no part of it.
        let bytes = if self.line.is_empty() { bytes.trim_ascii_start() } else { bytes };
        let (shown, beyond) = bytes.split_at(bytes.len().min(SHOWN.saturating_sub(self.line.len())));
        self.line.extend_from_slice(shown);
        self.beyond = self.beyond.saturating_add(beyond.len());
    }

    /// The line was a message.
    pub(super) fn forget(&mut self) {
        self.line.clear();
        (self.beyond, self.torn) = (0, false);
    }

    /// The line was none.
    pub(super) fn end(&mut self, now: Duration) {
        self.show(now);
        self.torn = false;
    }

    /// Shows what there is of a line that may go on.
    pub(super) fn tear(&mut self, now: Duration) {
        if self.show(now) {
            self.torn = true;
        }
    }

    fn show(&mut self, now: Duration) -> bool {
        let line = self.line.trim_ascii_end();
        let any = !line.is_empty();
        if any {
            let more = if self.beyond > 0 { format!("… ({} bytes more)", self.beyond) } else { String::new() };
            let start = if self.torn { "…" } else { "" };
            let text = format!("device: {start}{}{more}", harmless(line));
            self.add(now, text);
        }
        self.line.clear();
        self.beyond = 0;
        any
    }

    fn add(&mut self, now: Duration, text: String) {
        if now.saturating_sub(self.second) >= Duration::from_secs(1) {
            (self.second, self.count) = (now, 0);
        }
        if self.count >= RATE || self.lines.len() >= WAITING {
            self.left_out = self.left_out.saturating_add(1);
            return;
        }
        self.count = self.count.saturating_add(1);
        if self.left_out > 0 {
            self.lines.push_back(format!("device: ({} lines left out)", self.left_out));
            self.left_out = 0;
        }
        self.lines.push_back(text);
    }

    /// The next line to be shown.
    pub(super) fn pop(&mut self) -> Option<String> {
        self.lines.pop_front()
    }
}

/// The text without anything that does more to a terminal than to show itself.
pub(super) fn harmless(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some(character) = rest.chars().next() {
            if let Some(behind) = colour(rest) {
                rest = behind;
                continue;
            }
            match character {
                '"' | '\'' | '\\' => out.push(character),
                other => out.extend(other.escape_debug()),
            }
            rest = rest.get(character.len_utf8()..).unwrap_or_default();
        }
        for byte in chunk.invalid() {
            // A string takes all there is.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out
}

/// What stands behind the escape sequence for a colour at the start, if there is one.
fn colour(text: &str) -> Option<&str> {
    let (parameters, behind) = text.strip_prefix("\u{1b}[")?.split_once('m')?;
    parameters.bytes().all(|byte| byte.is_ascii_digit() || byte == b';').then_some(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_passes() {
        let table: [(&[u8], &str); 8] = [
            (b"plain \"text\" \\ '", "plain \"text\" \\ '"),
            (b"\x1b[0;32mI (31) boot\x1b[0m", "I (31) boot"),
            (b"\x1b[2J\x1b]0;title\x07", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
            (b"\x1b[31", "\\u{1b}[31"),
            (b"\xff\xfe\x80ok", "\\xff\\xfe\\x80ok"),
            ("é 漢 🦀".as_bytes(), "é 漢 🦀"),
            ("\u{202e}\u{9b}\u{200b}".as_bytes(), "\\u{202e}\\u{9b}\\u{200b}"),
            (b"a\rb\tc\0", "a\\rb\\tc\\0"),
        ];
        for (bytes, expected) in table {
            assert_eq!(harmless(bytes), expected);
        }
    }

    #[test]
    fn lines_are_bounded_in_length_and_number() {
        let mut noise = Noise::default();
        noise.push(&[b'x'; 5000]);
        noise.end(Duration::ZERO);
        let line = noise.pop().unwrap();
        assert!(line.len() < 1100 && line.ends_with("x… (4000 bytes more)"), "{line}");
        for _ in 0..1000 {
            noise.push(b"again\r\n");
            noise.end(Duration::ZERO);
        }
        assert_eq!(core::iter::from_fn(|| noise.pop()).count(), RATE as usize - 1);
        noise.push(b"later");
        noise.end(Duration::from_secs(1));
        assert_eq!(noise.pop().as_deref(), Some("device: (901 lines left out)"));
        assert_eq!(noise.pop().as_deref(), Some("device: later"));
    }

    #[test]
    fn a_line_without_an_end_is_shown_in_parts() {
        let mut noise = Noise::default();
        noise.push(b"\r\n  prompt>");
        noise.tear(Duration::ZERO);
        noise.push(b" more");
        noise.end(Duration::ZERO);
        assert_eq!([noise.pop(), noise.pop()].map(Option::unwrap), ["device: prompt>", "device: …more"]);
    }
}
