//! A server on standard input and output without std and without an allocator. If a dependency pulls in std, this stops
//! with E0152; one allocation, and it stops with "no global memory allocator". A panic would not link either: its handler
//! calls a function that does not exist, so that the linker shows whether one is reachable.

#![no_std]
#![no_main]

use core::ffi::{c_int, c_void};

use embedded_io::{ErrorKind, ErrorType, Read, ReadReady, Write};
use toolwire::Server;
use toolwire::frame::Frames;

#[link(name = "c")]
unsafe extern "C" {
    fn read(file: c_int, buffer: *mut c_void, count: usize) -> isize;
    fn write(file: c_int, buffer: *const c_void, count: usize) -> isize;
    #[cfg(not(feature = "floats"))]
    fn a_panic_is_reachable() -> !;
}

/// No panic may be left: `board` prints a float, and parses none.
#[cfg(not(feature = "floats"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never linked.
    unsafe { a_panic_is_reachable() }
}

/// Core's parser of floats has panics, which its authors hold to be unreachable.
#[cfg(feature = "floats")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

struct Stdio;

impl ErrorType for Stdio {
    type Error = ErrorKind;
}

impl Read for Stdio {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        // SAFETY: the pointer and the length are those of a buffer that can be written to.
        let count = unsafe { read(0, buffer.as_mut_ptr().cast(), buffer.len()) };
        usize::try_from(count).map_err(|_| ErrorKind::Other)
    }
}

impl ReadReady for Stdio {
    fn read_ready(&mut self) -> Result<bool, ErrorKind> {
        Ok(false)
    }
}

impl Write for Stdio {
    fn write(&mut self, text: &[u8]) -> Result<usize, ErrorKind> {
        // SAFETY: the pointer and the length are those of a text.
        let count = unsafe { write(1, text.as_ptr().cast(), text.len()) };
        usize::try_from(count).map_err(|_| ErrorKind::Other)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    #[cfg(not(feature = "floats"))]
    let mut server = Server::<_, 2048, 2>::new(toolwire_demos::board::INFO, toolwire_demos::board::Board::new());
    #[cfg(feature = "floats")]
    let mut server = Server::<_, 2048, 2>::new(toolwire_demos::calc::INFO, toolwire_demos::calc::Calc::new());
    c_int::from(server.run_duplex(&mut Stdio, &mut Frames::new()).is_err())
}
