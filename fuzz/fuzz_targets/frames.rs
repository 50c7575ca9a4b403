//! See `toolwire_tests::frames`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_tests::frames(data));
