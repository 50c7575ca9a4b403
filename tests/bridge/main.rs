//! The bridge: its core as transcripts and under random streams, and the binary against scripted devices.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
mod binary;
mod corpus;
#[path = "../common/data.rs"]
mod data;
mod faults;
#[path = "../common/faults.rs"]
mod faults_line;
mod hostile;
#[path = "../common/hostile.rs"]
mod hostile_lines;
#[path = "../common/invalid.rs"]
mod invalid;
mod lines;
mod random;
mod requirements;
#[path = "../common/vectors.rs"]
mod vectors;
mod wire;
