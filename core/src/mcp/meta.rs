//! The metadata that each request carries from 2026-07-28 on.

use super::params::{Refusal, required_object};
use super::revision::Revision;
use crate::json::{Object, Value};

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(super) const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
pub(super) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";

/// The names of the levels of logs, the least first.
pub(super) const LEVELS: [&str; 8] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The metadata of a tagged request, not yet judged.
pub(super) struct Meta<'a> {
    version: Option<Value<'a>>,
    capabilities: Option<Value<'a>>,
    log_level: Option<Value<'a>>,
}

impl<'a> Meta<'a> {
    /// The metadata, if it tags its request as a modern one (PROTOCOL 1).
    pub(super) fn of(meta: Object<'a>) -> Option<Self> {
        let [version, capabilities, log_level] = meta.select(&[VERSION, CAPABILITIES, LOG_LEVEL]);
        (version.is_some() || capabilities.is_some()).then_some(Self { version, capabilities, log_level })
    }

    /// Steps 1 to 4 of PROTOCOL 4.1. Returns the revision asked for if it is not spoken here.
    pub(super) fn judge(&self) -> Result<Option<&'a str>, Refusal> {
        let Some(version) = self.version.and_then(Value::as_str) else {
            return Err(Refusal::Version);
        };
        if version != Revision::MODERN.rules().name {
            return Ok(Some(version));
        }
        required_object(self.capabilities, Refusal::Capabilities)?;
        match self.log_level {
            Some(level)
                if !level.as_text().is_some_and(|level| LEVELS.iter().any(|known| known.as_bytes() == level)) =>
            {
                Err(Refusal::LogLevel)
            }
            _ => Ok(None),
        }
    }
}
