//! See `toolwire_tests::arguments`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| toolwire_tests::arguments(data));
