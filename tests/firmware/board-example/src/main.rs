//! A Raspberry Pi Pico as an MCP server on its UART0: TX is GP0 (pin 1), RX is GP1 (pin 2), at 115200 baud.

#![no_std]
#![no_main]

use core::fmt::{self, Display};

use embedded_hal::digital::{OutputPin as _, PinState};
use rp2040_hal::clocks::{Clock as _, init_clocks_and_plls};
use rp2040_hal::fugit::RateExtU32 as _;
use rp2040_hal::gpio::bank0::Gpio25;
use rp2040_hal::gpio::{FunctionSioOutput, Pin, Pins, PullDown};
use rp2040_hal::uart::{DataBits, StopBits, UartConfig, UartPeripheral};
use rp2040_hal::{Sio, Timer, Watchdog, entry, pac};
use toolwire::{Server, ServerInfo, toolset};

/// The crystal on the board, in hertz.
const CRYSTAL: u32 = 12_000_000;

struct Pico {
    led: Pin<Gpio25, FunctionSioOutput, PullDown>,
    timer: Timer,
}

#[toolset]
impl Pico {
    /// Switch the green LED of the board on or off.
    #[tool(idempotent)]
    fn set_led(
        &mut self,
        /// `true` for on.
        on: bool,
    ) -> &'static str {
        // This pin cannot fail.
        let Ok(()) = self.led.set_state(PinState::from(on));
        if on { "The LED is on." } else { "The LED is off." }
    }

    /// Tell for how many seconds the board has been running.
    #[tool(read_only)]
    fn uptime(&self) -> impl Display {
        let seconds = self.timer.get_counter().ticks() / 1_000_000;
        fmt::from_fn(move |f| write!(f, "{seconds} s"))
    }
}

#[entry]
fn main() -> ! {
    let mut parts = pac::Peripherals::take().unwrap();
    let mut watchdog = Watchdog::new(parts.WATCHDOG);
    let (xosc, system, usb) = (parts.XOSC, parts.PLL_SYS, parts.PLL_USB);
    let clocks = init_clocks_and_plls(CRYSTAL, xosc, parts.CLOCKS, system, usb, &mut parts.RESETS, &mut watchdog);
    let clocks = clocks.ok().unwrap();
    let pins = Pins::new(parts.IO_BANK0, parts.PADS_BANK0, Sio::new(parts.SIO).gpio_bank0, &mut parts.RESETS);

    let wires = (pins.gpio0.into_function(), pins.gpio1.into_function());
    let uart = UartPeripheral::new(parts.UART0, wires, &mut parts.RESETS);
    let settings = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let mut uart = uart.enable(settings, clocks.peripheral_clock.freq()).unwrap();

    let timer = Timer::new(parts.TIMER, &mut parts.RESETS, &clocks);
    let pico = Pico { led: pins.gpio25.into_push_pull_output(), timer };
    let mut server = Server::<_, 2048>::new(ServerInfo::new("pico", "1.0.0"), pico);
    loop {
        // What ends it is noise on the line, or a byte that came too soon. The next message is read as ever.
        let _ = server.run(&mut uart);
    }
}

#[unsafe(link_section = ".boot2")]
#[used]
static BOOT: [u8; 256] = rp2040_boot2::BOOT_LOADER_GENERIC_03H;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
