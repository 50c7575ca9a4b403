//! See `toolwire_tests::session_structured`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_tests::session_structured(data));
