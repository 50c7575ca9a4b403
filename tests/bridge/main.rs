//! The bridge: its core as transcripts and under random streams, and the binary against scripted devices.

#[cfg(unix)]
mod binary;
mod random;
mod requirements;
mod wire;
