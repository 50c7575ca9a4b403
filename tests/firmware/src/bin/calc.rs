//! The toolset `calc`.

#![no_std]
#![no_main]

toolwire_firmware::image!(calc::Calc);
