//! A device on a port, through the core of the bridge: it resynchronises, waits for a device that restarts on opening,
//! and tells messages from noise.

use std::time::{Duration, Instant};

use super::Transport;
use crate::bridge::{Driver, Note, Options, Port, Settings};

/// The caller has a time limit of its own, and gives up by itself.
const NEVER: Duration = Duration::from_secs(365 * 86_400);

/// An open port.
pub(crate) struct Device {
    driver: Driver,
}

impl Device {
    /// Opens the port, now or never.
    pub(crate) fn open(port: &Port, settings: Settings) -> anyhow::Result<Self> {
        let opened = port.open(&settings)?;
        let mut options = Options::new(port.to_string());
        options.timeout = NEVER;
        let mut driver = Driver::new(port.clone(), settings, options);
        driver.connect(opened);
        Ok(Self { driver })
    }

    /// Moves what can be moved, and waits for what comes then.
    fn turn(&mut self, deadline: Instant) {
        self.driver.exchange();
        self.report();
        // There are no threads for a client here, so nothing is left to see to.
        let _ = self.driver.turn(Some(deadline));
        self.driver.exchange();
        self.report();
    }

    fn report(&mut self) {
        for note in self.driver.notes() {
            match note {
                Note::Device(text) => log::debug!("{text}"),
                Note::Info(text) => log::info!("{text}"),
                Note::Warning(text) => log::warn!("{text}"),
            }
        }
    }

    fn line(&mut self) -> Option<Vec<u8>> {
        let now = self.driver.now();
        let text = self.driver.core.to_client();
        let end = text.iter().position(|byte| *byte == b'\n')?;
        let line = text.get(..end).unwrap_or_default().to_vec();
        self.driver.core.client_took(now, end.saturating_add(1));
        Some(line)
    }
}

impl Transport for Device {
    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        // One message at a time, so there is always room for it.
        let now = self.driver.now();
        self.driver.core.client_bytes(now, line.as_bytes());
        self.driver.exchange();
        Ok(())
    }

    fn receive(&mut self, deadline: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        loop {
            if let Some(line) = self.line() {
                return Ok(Some(line));
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            self.turn(deadline);
        }
    }
}

/// Lets what was sent last, a cancellation, reach the port.
impl Drop for Device {
    fn drop(&mut self) {
        const PATIENCE: Duration = Duration::from_millis(500);
        let deadline = Instant::now() + PATIENCE;
        while self.driver.is_writing() && Instant::now() < deadline {
            self.turn(deadline);
        }
    }
}
