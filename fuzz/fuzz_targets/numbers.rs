//! See `toolwire_tests::numbers`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_tests::numbers(data));
