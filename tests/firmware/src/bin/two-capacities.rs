//! The toolset `board` in servers of two capacities, of which one runs. What they do not share is what a capacity costs.

#![no_std]
#![no_main]

use toolwire_demos::board::{Board, INFO};
use toolwire_firmware::{FRAME, Uart, semihosting};

toolwire_firmware::server!(first, INFO, Board, FRAME, 1, Board::new());
toolwire_firmware::server!(second, INFO, Board, FRAME / 2, 1, Board::new());

#[toolwire_firmware::entry]
fn main() -> ! {
    let mut uart = Uart::new();
    let Ok(()) = if core::hint::black_box(true) { first().run(&mut uart) } else { second().run(&mut uart) };
    semihosting::exit(true)
}
