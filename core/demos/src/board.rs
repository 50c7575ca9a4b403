//! A simulated board with a lamp and a thermometer. Integers only.

use core::fmt::{self, Display};

use toolwire::{ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("board", env!("CARGO_PKG_VERSION"))
    .with_title("Simulated board")
    .with_instructions("A simulated board with one LED and one thermometer.");

/// The tools and the state of the board.
#[derive(Clone, Debug)]
pub struct Board {
    led: Led,
    /// In tenths of a degree Celsius.
    temperature: i16,
}

impl Board {
    /// A board at room temperature whose LED is off.
    #[must_use]
    pub const fn new() -> Self {
        Self { led: Led { on: false, level: 100 }, temperature: 215 }
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::new()
    }
}

#[toolset]
impl Board {
    /// Switch the LED on or off, and set its brightness. Use this when the user wants light, or wants it gone.
    #[tool(title = "Set the LED", destructive = false, idempotent, open_world = false)]
    fn led_set(
        &mut self,
        /// `true` for on.
        on: bool,
        /// Brightness in percent. Absent: as it was.
        #[argument(max = 100)]
        level: Option<u8>,
    ) -> impl Display {
        self.led.on = on;
        self.led.level = level.unwrap_or(self.led.level);
        self.led
    }

    /// Read the board's thermometer, in degrees Celsius. Use this when the user asks how warm it is.
    #[tool(title = "Read the temperature", read_only, open_world = false)]
    fn temp_read(&self) -> impl Display {
        let (sign, tenths) = (if self.temperature < 0 { "-" } else { "" }, self.temperature.unsigned_abs());
        fmt::from_fn(move |f| write!(f, "{sign}{}.{} °C", tenths / 10, tenths % 10))
    }
}

#[derive(Clone, Copy, Debug)]
struct Led {
    on: bool,
    /// In percent.
    level: u8,
}

impl Display for Led {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on {
            true => write!(f, "The LED is on at {} %.", self.level),
            false => f.write_str("The LED is off."),
        }
    }
}
