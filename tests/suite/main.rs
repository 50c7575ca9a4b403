//! Tests of toolwire over all its layers, one module per subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

// Before those who use its macro.
#[macro_use]
#[path = "../common/hostile.rs"]
mod hostile_lines;

mod arguments;
mod corpus;
#[path = "../common/data.rs"]
mod data;
mod faults;
#[path = "../common/faults.rs"]
mod faults_line;
mod frames;
mod harness;
mod hostile;
mod invalid;
mod limits;
mod numbers;
mod official;
mod readme;
mod rules;
mod splits;
mod structured;
mod turns;
mod ui;
mod vectors;
