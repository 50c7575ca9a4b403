//! A delay without a timer.

use embedded_hal::delay::DelayNs;

/// A delay that counts, about as long as it should on a slow processor. In an emulator it is as long as that takes.
#[derive(Clone, Copy, Debug)]
pub struct Spin;

impl DelayNs for Spin {
    fn delay_ns(&mut self, ns: u32) {
        for _ in 0..ns / 256 {
            core::hint::spin_loop();
        }
    }
}
