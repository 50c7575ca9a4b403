//! `logging/setLevel`, and messages to the client's log.

use core::fmt::Display;

use super::context::Context;
use super::feature::{Eras, Exchange, Method};
use super::meta::{LEVELS, LOG_LEVEL};
use super::protocol::Dispatch;
use super::reply::{Place, Replied, Reply};
use crate::json::Value;
use crate::rpc::ErrorCode;

pub(super) const METHODS: [Method; 1] = [Method { name: "logging/setLevel", eras: Eras::Legacy, serve: set_level }];

/// How much a message to the client's log matters, as in RFC 5424.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::exhaustive_enums, reason = "syslog has eight levels")]
pub enum Level {
    /// For the firmware's author.
    Debug,
    /// Something that goes on as it should.
    Info,
    /// Something normal that is worth to be noticed.
    Notice,
    /// Something that may become a fault.
    Warning,
    /// A fault of one action.
    Error,
    /// A fault of a part.
    Critical,
    /// Something must be done at once.
    Alert,
    /// The device cannot be used.
    Emergency,
}

impl Level {
    const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The least that is sent before a client of a legacy revision says otherwise (LOG-3).
    pub(super) const UNASKED: Self = Self::Warning;

    fn of(value: Value<'_>) -> Option<Self> {
        let name = value.as_text()?;
        LEVELS.iter().zip(Self::ALL).find(|(known, _)| known.as_bytes() == name).map(|(_, level)| level)
    }

    fn name(self) -> &'static str {
        LEVELS.iter().zip(Self::ALL).find(|(_, level)| *level == self).map_or("", |(name, _)| name)
    }
}

/// Takes the least level that a client of a legacy revision wants.
fn set_level(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    match exchange.params.all.get("level").and_then(Level::of) {
        Some(level) => {
            exchange.session.log_level = Some(level);
            reply.result(&|_| {})
        }
        None => reply.refuse(ErrorCode::InvalidParams, &"logging/setLevel needs a level, one of the eight names"),
    }
}

impl Context<'_> {
    /// Sends a message to the client's log, at once.
    ///
    /// Nothing is sent if the toolset does not declare `#[toolset(logging)]` (LOG-1), if the client did not ask for that
    /// level (LOG-3, LOG-4), or if the answer is part of a batch (BATCH-7). 2026-07-28 advises against logs of this kind
    /// (LOG-6); they must not hold secrets (LOG-5).
    pub fn log(&self, level: Level, message: &dyn Display) {
        self.with(|reply| send(reply, level, message));
    }
}

fn send(reply: &mut Reply<'_>, level: Level, message: &dyn Display) {
    let Reply { out, head } = reply;
    let Some(session) = head.log_level else { return };
    let asked = match head.revision.rules().modern {
        true => {
            head.params.get("_meta").and_then(Value::as_object).and_then(|meta| meta.get(LOG_LEVEL)).and_then(Level::of)
        }
        false => Some(session),
    };
    if head.place != Place::Line || asked.is_none_or(|least| level < least) {
        return;
    }
    out.raw("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":");
    out.string(level.name());
    out.raw(",\"data\":\"");
    out.inside(message);
    out.raw("\"}}\n");
    out.flush();
}
