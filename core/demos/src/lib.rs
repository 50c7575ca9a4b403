//! The toolsets that the binary, the firmware, the tests and the fuzzers share. `no_std`, without a heap.

#![no_std]

pub mod board;
pub mod calc;
pub mod conformance;
pub mod reservo;
pub mod tasks;
