//! SiFive FE310, RV32IMAC.

use super::Register;

const TRANSMIT: Register = Register(0x1001_3000);
const RECEIVE: Register = Register(0x1001_3004);
const TRANSMIT_CONTROL: Register = Register(0x1001_3008);
const RECEIVE_CONTROL: Register = Register(0x1001_300C);
const INTERRUPTS_PENDING: Register = Register(0x1001_3014);

/// The receive FIFO holds more bytes than the watermark, which is 0.
const RECEIVE_WATERMARK: u32 = 1 << 1;
const FULL: u32 = 1 << 31;

pub(crate) fn start() {
    TRANSMIT_CONTROL.write(1);
    RECEIVE_CONTROL.write(1);
}

pub(crate) fn has_byte() -> bool {
    INTERRUPTS_PENDING.read() & RECEIVE_WATERMARK != 0
}

pub(crate) fn take() -> u8 {
    RECEIVE.read().to_le_bytes()[0]
}

pub(crate) fn put(byte: u8) {
    while TRANSMIT.read() & FULL != 0 {}
    TRANSMIT.write(byte.into());
}
