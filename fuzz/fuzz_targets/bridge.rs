//! See `toolwire_cli::bridge::fuzzing`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_cli::bridge::fuzzing::play(data));
