//! Stellaris LM3S6965, Cortex-M3: a PL011.

use super::Register;

const RUN_MODE_CLOCK_GATING: Register = Register(0x400F_E104);
const DATA: Register = Register(0x4000_C000);
const FLAGS: Register = Register(0x4000_C018);
const LINE_CONTROL: Register = Register(0x4000_C02C);
const CONTROL: Register = Register(0x4000_C030);

const RECEIVE_EMPTY: u32 = 1 << 4;
const TRANSMIT_FULL: u32 = 1 << 5;
const FIFOS_8_BITS: u32 = 0x70;
const ENABLE_BOTH_WAYS: u32 = 0x301;

pub(crate) fn start() {
    RUN_MODE_CLOCK_GATING.write(RUN_MODE_CLOCK_GATING.read() | 1);
    LINE_CONTROL.write(FIFOS_8_BITS);
    CONTROL.write(ENABLE_BOTH_WAYS);
}

pub(crate) fn has_byte() -> bool {
    FLAGS.read() & RECEIVE_EMPTY == 0
}

pub(crate) fn take() -> u8 {
    DATA.read().to_le_bytes()[0]
}

pub(crate) fn put(byte: u8) {
    while FLAGS.read() & TRANSMIT_FULL != 0 {}
    DATA.write(byte.into());
}
