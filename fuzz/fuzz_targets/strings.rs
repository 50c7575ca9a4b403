//! See `toolwire_tests::strings`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_tests::strings(data));
