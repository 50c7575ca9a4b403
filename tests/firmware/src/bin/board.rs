//! The toolset `board`, with all that it offers.

#![no_std]
#![no_main]

use toolwire_demos::board::{self, Board};
use toolwire_firmware::Spin;

toolwire_firmware::image!(duplex board::INFO, Board<Spin>, Board::with_delay(Spin));
