//! A simulated board with a lamp, two thermometers and a log.

use core::fmt::{self, Display};

use embedded_hal::delay::DelayNs;
use serde::Serialize;
use toolwire::json::Integer;
use toolwire::tool::{Level, Unanswered};
use toolwire::{Argument, Context, Json, Schema, ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("board", env!("CARGO_PKG_VERSION"))
    .with_title("Simulated board")
    .with_instructions("A simulated board with one LED and two thermometers.");

/// The tools and the state of the board. `D` is how it waits.
#[derive(Clone, Debug)]
pub struct Board<D = Hasty> {
    delay: D,
    led: Led,
    /// In tenths of a degree Celsius.
    temperatures: [i16; 2],
    /// How often the LED was switched or has blinked.
    switched: u32,
}

/// A thermometer.
#[derive(Argument, Clone, Copy, Debug, PartialEq, Eq)]
enum Sensor {
    /// Beside the LED.
    T0,
    /// At the edge of the board.
    T1,
}

/// What the user finds out for a calibration.
#[derive(Argument, Clone, Copy, Debug)]
struct Reference {
    /// What the other thermometer shows, in tenths of a degree Celsius.
    #[argument(min = -400, max = 1250)]
    tenths: i16,
    /// Whether the board shall show the same from now on.
    confirm: bool,
}

/// A delay that does not wait.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it has no state")]
pub struct Hasty;

impl DelayNs for Hasty {
    fn delay_ns(&mut self, _ns: u32) {}
}

/// The address of the log.
const LOG: &str = "device://log";

/// How long the board waits, in ms, before it looks whether a call was cancelled.
const SLICE: u32 = 20;

impl Board {
    /// A board at room temperature whose LED is off, and which does not wait.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_delay(Hasty)
    }
}

impl<D> Board<D> {
    /// A board at room temperature whose LED is off.
    pub const fn with_delay(delay: D) -> Self {
        Self { delay, led: Led { on: false, level: 100 }, temperatures: [215, 208], switched: 0 }
    }
}

impl Default for Board {
    fn default() -> Self {
        Self::new()
    }
}

#[toolset(logging)]
impl<D: DelayNs> Board<D> {
    /// Switch the LED on or off, and set its brightness. Use this when the user wants light, or wants it gone.
    #[tool(title = "Set the LED", destructive = false, idempotent, open_world = false)]
    fn led_set(
        &mut self,
        context: &Context<'_>,
        /// `true` for on.
        on: bool,
        /// Brightness in percent. Absent: as it was.
        #[argument(max = 100)]
        level: Option<u8>,
    ) -> impl Display {
        self.led.on = on;
        self.led.level = level.unwrap_or(self.led.level);
        self.switched = self.switched.saturating_add(1);
        context.resource_updated(LOG);
        if self.led.on && self.led.level == 0 {
            context.log(Level::Warning, &"the LED is on and gives no light: its level is 0 %");
        }
        self.led
    }

    /// Blink the LED a number of times. Use this when the user wants to see which board it is.
    #[tool(title = "Blink the LED", destructive = false, open_world = false)]
    fn blink(
        &mut self,
        context: &Context<'_>,
        /// How often.
        #[argument(min = 1, max = 100)]
        times: u8,
        /// From one time to the next, in ms.
        #[argument(min = 20, max = 2000, default = 200)]
        period_ms: u16,
    ) -> impl Display {
        context.log(Level::Info, &format_args!("the LED blinks {} times", Integer::from(times)));
        context.resource_updated(LOG);
        let total = u32::from(times);
        for done in 1..=total {
            let mut left = u32::from(period_ms);
            while left > 0 && !context.is_cancelled() {
                self.delay.delay_ms(left.min(SLICE));
                left = left.saturating_sub(SLICE);
            }
            if context.is_cancelled() {
                break;
            }
            self.switched = self.switched.saturating_add(1);
            context.progress(done, total);
        }
        fmt::from_fn(move |f| write!(f, "The LED has blinked {} times.", Integer::from(times)))
    }

    /// Read the board's thermometer, in degrees Celsius. Use this when the user asks how warm it is.
    #[tool(title = "Read the temperature", read_only, open_world = false)]
    fn temp_read(&self) -> Json<Temperature> {
        let [tenths, _] = self.temperatures;
        Json(Temperature { celsius: f32::from(tenths) / 10.0 })
    }

    /// Calibrate the board's thermometer by another one, which the user is asked to read. Use this when the user says that
    /// the temperature is wrong.
    #[tool(title = "Calibrate the thermometer", destructive = false, open_world = false)]
    fn calibrate(&mut self, context: &Context<'_>) -> Result<impl Display, Unanswered> {
        let Reference { tenths, confirm } =
            context.ask("reference", "Hold a thermometer beside the LED. What does it show?")?;
        let [temperature, _] = &mut self.temperatures;
        if confirm {
            let (before, after) = (Celsius(*temperature), Celsius(tenths));
            context.log(Level::Notice, &format_args!("the thermometer shows {after}, no longer {before}"));
            *temperature = tenths;
        }
        let now = Celsius(*temperature);
        Ok(fmt::from_fn(move |f| {
            write!(f, "The thermometer {} {now}.", if confirm { "now shows" } else { "still shows" })
        }))
    }

    /// What this board is.
    #[resource(uri = "device://info", title = "The board", mime_type = "text/plain")]
    const INFO: &'static str = "A simulated board with one LED and two thermometers, t0 and t1.";

    /// What has happened since the board was started.
    #[resource(uri = "device://log", title = "The log", mime_type = "text/plain", subscribe)]
    fn log(&self) -> impl Display {
        let (led, switched) = (self.led, Integer::from(self.switched));
        fmt::from_fn(move |f| write!(f, "The LED was switched {switched} times. {led}"))
    }

    /// The latest reading of a thermometer, t0 or t1.
    #[resource(uri = "sensor://{id}/latest", title = "A thermometer", mime_type = "text/plain")]
    fn sensor(&self, id: Sensor) -> impl Display {
        let [t0, t1] = self.temperatures;
        Celsius(match id {
            Sensor::T0 => t0,
            Sensor::T1 => t1,
        })
    }

    /// Find out what is wrong with the board.
    #[prompt(title = "Diagnose the board")]
    fn diagnose(
        &self,
        /// What is wrong.
        #[argument(suggest = ["no light", "too dark", "too hot"])]
        symptom: &str,
        /// Since when, or what was tried.
        detail: Option<&str>,
    ) -> impl Display {
        let led = self.led;
        fmt::from_fn(move |f| {
            write!(f, "My board has a fault: {symptom}.")?;
            if let Some(detail) = detail {
                write!(f, " {detail}.")?;
            }
            write!(f, " {led} Read device://log and both thermometers, and tell me what to do.")
        })
    }
}

/// What the thermometer shows.
#[derive(Clone, Copy, Debug, Schema, Serialize)]
struct Temperature {
    /// In degrees Celsius.
    celsius: f32,
}

/// A temperature in tenths of a degree.
#[derive(Clone, Copy, Debug)]
struct Celsius(i16);

impl Display for Celsius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, tenths) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(f, "{sign}{}.{} °C", Integer::from(tenths / 10), Integer::from(tenths % 10))
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
