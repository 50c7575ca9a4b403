//! Nordic nRF51822, Cortex-M0: tasks and events.

use super::Register;

const START_RECEIVER: Register = Register(0x4000_2000);
const START_TRANSMITTER: Register = Register(0x4000_2008);
const RECEIVED: Register = Register(0x4000_2108);
const SENT: Register = Register(0x4000_211C);
const ENABLE: Register = Register(0x4000_2500);
const RECEIVE: Register = Register(0x4000_2518);
const SEND: Register = Register(0x4000_251C);

pub(crate) fn start() {
    ENABLE.write(4);
    START_RECEIVER.write(1);
    START_TRANSMITTER.write(1);
}

pub(crate) fn has_byte() -> bool {
    RECEIVED.read() != 0
}

pub(crate) fn take() -> u8 {
    // The event first: reading sets it again if another byte waits.
    RECEIVED.write(0);
    RECEIVE.read().to_le_bytes()[0]
}

pub(crate) fn put(byte: u8) {
    SENT.write(0);
    SEND.write(byte.into());
    while SENT.read() == 0 {}
}
