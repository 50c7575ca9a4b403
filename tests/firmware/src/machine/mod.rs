//! The registers of the machines. Each has `start` to switch the UART on, `has_byte` and `take` to receive, and `put`,
//! which waits, to send.

#[cfg_attr(machine = "lm3s6965evb", path = "lm3s6965evb.rs")]
#[cfg_attr(machine = "microbit", path = "microbit.rs")]
#[cfg_attr(machine = "sifive_e", path = "sifive_e.rs")]
mod this;

pub(crate) use this::*;

/// A register of 32 bits.
#[derive(Clone, Copy)]
struct Register(usize);

impl Register {
    fn read(self) -> u32 {
        // SAFETY: the address is that of a register of this machine; see its module.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    fn write(self, value: u32) {
        // SAFETY: the address is that of a register of this machine, which controls no memory; see its module.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }
}
