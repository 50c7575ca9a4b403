//! The wire: the first UART of the machine, polled.

use core::convert::Infallible;
use core::future::poll_fn;
use core::task::Poll;

use embedded_io::{ErrorType, Read, ReadReady, Write};

use crate::machine;

/// The first UART of the machine.
#[derive(Debug)]
pub struct Uart(());

impl Uart {
    /// Switches the UART on.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it touches the machine")]
    pub fn new() -> Self {
        machine::start();
        Self(())
    }
}

impl ErrorType for Uart {
    type Error = Infallible;
}

impl Read for Uart {
    /// Waits for a byte, and returns that alone: on a line that is slower than the processor there is no second one.
    // A function of its own, so that the instructions spent here are not counted as work of the server.
    #[inline(never)]
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let Some(place) = buffer.first_mut() else { return Ok(0) };
        while !machine::has_byte() {}
        *place = machine::take();
        Ok(1)
    }
}

impl ReadReady for Uart {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(machine::has_byte())
    }
}

impl Write for Uart {
    // A function of its own, as above.
    #[inline(never)]
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        for &byte in bytes {
            machine::put(byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io_async::Read for Uart {
    /// As the blocking one, for an executor that polls without end: nothing wakes it.
    async fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        poll_fn(|_| if machine::has_byte() { Poll::Ready(()) } else { Poll::Pending }).await;
        Read::read(self, buffer)
    }
}

impl embedded_io_async::Write for Uart {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        Write::write(self, bytes)
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
