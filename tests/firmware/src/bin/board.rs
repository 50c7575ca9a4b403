//! The toolset `board`.

#![no_std]
#![no_main]

toolwire_firmware::image!(duplex board::Board);
