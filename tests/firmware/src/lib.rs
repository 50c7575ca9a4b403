//! What the images share: a driver for the UART, the start, and the end after a panic.
//!
//! The drivers are as small as they can be: registers that are polled. Neither pins nor the baud rate are set up, as the
//! emulator has neither.

#![no_std]

mod machine;
pub mod semihosting;
mod spin;
mod uart;

#[doc(hidden)]
pub use embassy_futures::block_on;
pub use spin::Spin;
#[doc(hidden)]
pub use toolwire::frame::Frames;
#[doc(hidden)]
pub use toolwire::{Server, ServerInfo, toolset};
pub use uart::Uart;

#[doc(hidden)]
#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[doc(hidden)]
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;

/// The bytes of a message that the servers here take.
pub const FRAME: usize = 2048;

/// The image of a toolset: a server that starts on reset and never ends.
///
/// The server is static, so that the linker knows of it: an image that does not fit into RAM does not link. It is put
/// there on start. As the initial value of the static, its whole buffer would be in flash too, as zeros.
#[macro_export]
macro_rules! image {
    ($module:ident::$toolset:ident) => {
        $crate::image!(toolwire_demos::$module::INFO, toolwire_demos::$module::$toolset);
    };
    ($info:expr, $toolset:ty) => {
        $crate::image!(plain $info, $toolset, <$toolset>::new());
    };
    (plain $info:expr, $toolset:ty, $value:expr) => {
        $crate::image!(0, $info, $toolset, $value, |server| server.run(&mut $crate::Uart::new()));
    };
    // One with a place for a listener.
    (listening $info:expr, $toolset:ty, $value:expr) => {
        $crate::image!(1, $info, $toolset, $value, |server| server.run(&mut $crate::Uart::new()));
    };
    // One that reads on while a tool runs, with a place for a listener.
    (duplex $info:expr, $toolset:ty, $value:expr) => {
        $crate::image!(1, $info, $toolset, $value, |server| {
            server.run_duplex(&mut $crate::Uart::new(), $crate::second_buffer!())
        });
    };
    // One whose tools wait, and which has 512 bytes for an answer.
    (waiting $info:expr, $toolset:ty, $value:expr) => {
        $crate::image!(0, $info, $toolset, $value, |server| {
            let (mut reader, mut writer, mut answer) = ($crate::Uart::new(), $crate::Uart::new(), [0; 512]);
            let second = $crate::second_buffer!();
            $crate::block_on(server.run_async(&mut reader, &mut writer, second, &mut answer))
        });
    };
    ($listeners:expr, $info:expr, $toolset:ty, $value:expr, |$server:ident| $run:expr) => {
        $crate::server!(put_in_place, $info, $toolset, $crate::FRAME, $listeners, $value);

        #[$crate::entry]
        fn main() -> ! {
            let $server = put_in_place();
            let Ok(()) = $run;
            $crate::semihosting::exit(true)
        }
    };
}

/// The place for a message that comes while a tool runs.
#[doc(hidden)]
#[macro_export]
macro_rules! second_buffer {
    () => {{
        use core::mem::MaybeUninit;

        // A function of its own, as that of `server!`.
        #[inline(never)]
        fn second_buffer() -> &'static mut $crate::Frames<{ $crate::FRAME }> {
            static mut SECOND: MaybeUninit<$crate::Frames<{ $crate::FRAME }>> = MaybeUninit::uninit();

            // SAFETY: this runs once, and nothing else names the static.
            let place = unsafe { &mut *(&raw mut SECOND) };
            place.write($crate::Frames::new())
        }

        second_buffer()
    }};
}

/// A function that puts a server in its place, and is called once.
#[macro_export]
macro_rules! server {
    ($name:ident, $info:expr, $toolset:ty, $capacity:expr) => {
        $crate::server!($name, $info, $toolset, $capacity, 0, <$toolset>::new());
    };
    ($name:ident, $info:expr, $toolset:ty, $capacity:expr, $listeners:expr, $value:expr) => {
        // A function of its own: what it has on the stack, which is a second buffer, is gone when the server runs.
        #[inline(never)]
        fn $name() -> &'static mut $crate::Server<$toolset, { $capacity }, { $listeners }> {
            use core::mem::MaybeUninit;

            static mut SERVER: MaybeUninit<$crate::Server<$toolset, { $capacity }, { $listeners }>> =
                MaybeUninit::uninit();

            // SAFETY: this runs once, and nothing else names the static.
            let place = unsafe { &mut *(&raw mut SERVER) };
            place.write($crate::Server::new($info, $value))
        }
    };
}

/// An image of a lamp with two tools, and one of a lamp with something more: what that costs is between them. The first word
/// says how the server runs, see [`image!`].
#[macro_export]
macro_rules! lamp_image {
    ($run:ident $(, $option:ident)?: $($more:tt)*) => {
        struct Lamp {
            is_on: bool,
            level: u8,
        }

        impl Lamp {
            const fn new() -> Self {
                Self { is_on: false, level: 100 }
            }
        }

        #[$crate::toolset($($option)?)]
        impl Lamp {
            /// Switch the lamp on or off, and set its brightness.
            #[tool(idempotent)]
            fn set_lamp(
                &mut self,
                /// `true` for on.
                on: bool,
                /// Brightness in percent.
                #[argument(min = 1, max = 100)]
                level: u8,
            ) -> &'static str {
                (self.is_on, self.level) = (on, level);
                "Done."
            }

            /// Tell how bright the lamp is, in percent.
            #[tool(read_only)]
            fn get_level(&self) -> u8 {
                if self.is_on { self.level } else { 0 }
            }

            $($more)*
        }

        $crate::image!($run $crate::ServerInfo::new("lamp", "1.0.0"), Lamp, Lamp::new());
    };
}

#[cfg(not(feature = "no-panic"))]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    semihosting::exit(false)
}

/// Does not link if a panic is reachable.
#[cfg(feature = "no-panic")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn a_panic_is_reachable() -> !;
    }
    // SAFETY: never linked.
    unsafe { a_panic_is_reachable() }
}

#[cfg(target_arch = "arm")]
mod vectors {
    use cortex_m_rt::exception;

    use crate::semihosting;

    unsafe extern "C" {
        fn DefaultHandler();
    }

    /// No interrupt is switched on, so this is the shortest table that cortex-m-rt takes.
    #[unsafe(link_section = ".vector_table.interrupts")]
    #[unsafe(no_mangle)]
    static __INTERRUPTS: [unsafe extern "C" fn(); 1] = [DefaultHandler];

    // SAFETY: it does not return.
    #[exception(trampoline = false)]
    unsafe fn HardFault() -> ! {
        semihosting::exit(false)
    }

    // SAFETY: it does not return.
    #[exception]
    unsafe fn DefaultHandler(_: i16) -> ! {
        semihosting::exit(false)
    }
}

/// What cortex-m-rt and riscv-rt jump to on what has no handler.
#[cfg(target_arch = "riscv32")]
#[unsafe(no_mangle)]
extern "C" fn abort() -> ! {
    semihosting::exit(false)
}
