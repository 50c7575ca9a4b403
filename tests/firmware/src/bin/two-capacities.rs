//! The toolset `reservo` in servers of two capacities, of which one runs. What they do not share is what a capacity costs.

#![no_std]
#![no_main]

use toolwire_demos::reservo::{INFO, Reservo};
use toolwire_firmware::{FRAME, Uart, semihosting};

toolwire_firmware::server!(first, INFO, Reservo, FRAME);
toolwire_firmware::server!(second, INFO, Reservo, FRAME / 2);

#[toolwire_firmware::entry]
fn main() -> ! {
    let mut uart = Uart::new();
    let Ok(()) = if core::hint::black_box(true) { first().run(&mut uart) } else { second().run(&mut uart) };
    semihosting::exit(true)
}
