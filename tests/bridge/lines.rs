//! The core in front of real servers: the lines of `tests/data` get the answers that they get without it.

use toolwire::{Server, Toolset};
use toolwire_demos::board::{self, Board};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};

use crate::wire::Wire;
use crate::{invalid, vectors};

/// A device that answers at once.
pub(crate) struct Line<T> {
    wire: Wire,
    server: Server<T, 2048, 1>,
}

impl<T: Toolset> Line<T> {
    pub(crate) fn new(server: Server<T, 2048, 1>) -> Self {
        let mut wire = Wire::new();
        wire.up();
        Self { wire, server }
    }

    pub(crate) fn send(&mut self, line: &[u8]) -> Vec<String> {
        self.send_in_pieces(line, usize::MAX)
    }

    pub(crate) fn send_in_pieces(&mut self, line: &[u8], size: usize) -> Vec<String> {
        for piece in [line, b"\n"].concat().chunks(size) {
            assert_eq!(self.wire.core.client_bytes(self.wire.now, piece), piece.len());
        }
        loop {
            let sent = self.wire.sent();
            if sent.is_empty() {
                return self.wire.got();
            }
            let mut answers = Vec::new();
            let text = sent.join("\n") + "\n";
            let Ok(()) = self.server.receive(text.as_bytes(), &mut answers);
            assert_eq!(self.wire.core.device_bytes(self.wire.now, &answers), answers.len());
        }
    }
}

#[test]
fn vectors_are_exact() {
    let mut line = Line::new(Server::new(calc::INFO, Calc::new()));
    vectors::replies_are_exact("calc", |text| line.send(text));
    let mut line = Line::new(Server::new(reservo::INFO, Reservo::new()));
    vectors::replies_are_exact("reservo", |text| line.send(text));
    let mut line = Line::new(Server::new(tasks::INFO, Tasks::new()));
    vectors::tasks(|text| line.send(text));
}

/// An error of the device without an id, which is about the only request under way, gets that request's id; what is no
/// message in a batch is answered by the bridge, before the device answers the rest.
const OTHERWISE: &[&str] = &[
    "batch-before-session",
    "batch-2024-11-05",
    "batch-2025-06-18",
    "batch-2025-11-25",
    "batch-modern",
    "batch-mixed",
];

#[test]
fn every_entry_gets_its_answer() {
    invalid::every_entry_gets_its_answer(OTHERWISE, |revision, text| {
        let mut line = Line::new(Server::new(board::INFO, Board::new()));
        if !["none", "2026-07-28"].contains(&revision) {
            let hello = crate::wire::HELLO.replace("2025-06-18", revision);
            assert_eq!(line.send(hello.as_bytes()).len(), 1);
            assert!(line.send(crate::wire::INITIALIZED.as_bytes()).is_empty());
        }
        line.send(text)
    });
}
