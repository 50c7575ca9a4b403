//! Panics on the first byte: the tests must notice.

#![no_std]
#![no_main]

use embedded_io::Read as _;
use toolwire_firmware::Uart;

#[toolwire_firmware::entry]
fn main() -> ! {
    let mut byte = [0];
    let Ok(count) = Uart::new().read(&mut byte);
    panic!("{count} byte: {byte:?}");
}
