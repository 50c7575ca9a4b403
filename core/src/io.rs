//! Loops that drive a server over `embedded-io`.

use embedded_io::{Read, Write};

use crate::Server;
use crate::tool::Toolset;

impl<T: Toolset, const N: usize, const LISTENERS: usize> Server<T, N, LISTENERS> {
    /// Reads and answers until the input ends, 64 bytes at a time.
    ///
    /// # Errors
    /// Those of `io`.
    pub fn run<IO: Read + Write>(&mut self, io: &mut IO) -> Result<(), IO::Error> {
        self.run_with(io, &mut [0; 64])
    }

    /// Reads and answers until the input ends, as many bytes at a time as `buffer` has. It flushes before it reads, so
    /// answers may be held back only while requests are waiting.
    ///
    /// # Errors
    /// Those of `io`.
    pub fn run_with<IO: Read + Write>(&mut self, io: &mut IO, buffer: &mut [u8]) -> Result<(), IO::Error> {
        loop {
            let count = io.read(buffer)?;
            if count == 0 {
                self.finish(io)?;
                return io.flush();
            }
            self.receive(buffer.get(..count).unwrap_or_default(), io)?;
            io.flush()?;
        }
    }
}
