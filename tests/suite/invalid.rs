//! Input that looks wrong, in memory. The tests on the device have the same.

#[path = "../common/invalid.rs"]
mod common;

use crate::harness::Peer;

#[test]
fn every_entry_gets_its_answer() {
    common::every_entry_gets_its_answer(&[], |revision, line| Peer::in_revision("board", revision).send(line));
}
