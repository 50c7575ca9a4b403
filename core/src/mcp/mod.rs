//! The Model Context Protocol: one file per method group. What differs between revisions is in [`revision`] alone.

mod cache;
mod completion;
pub(crate) mod context;
#[cfg(feature = "async")]
pub(crate) mod deferred;
mod details;
mod discover;
pub(crate) mod elicitation;
pub(crate) mod feature;
mod initialize;
pub(crate) mod logging;
pub(crate) mod meanwhile;
mod meta;
mod page;
mod params;
pub(crate) mod prompts;
mod protocol;
pub(crate) mod questions;
pub(crate) mod reply;
pub(crate) mod resources;
mod revision;
#[cfg(feature = "serde")]
mod structured;
pub(crate) mod subscriptions;
pub(crate) mod tools;

use crate::json::Writer;

pub use details::{Details, Icon};
pub(crate) use protocol::{Protocol, Served};
pub(crate) use reply::Head;
pub(crate) use revision::Revision;
pub(crate) use tools::assert_sound;

/// What a server tells of itself.
#[derive(Clone, Copy, Debug)]
pub struct ServerInfo {
    name: &'static str,
    version: &'static str,
    title: Option<&'static str>,
    instructions: Option<&'static str>,
    details: Option<&'static Details>,
}

impl ServerInfo {
    /// The two things that every client wants: a name for programs, such as `lamp`, and the firmware's version.
    #[must_use]
    pub const fn new(name: &'static str, version: &'static str) -> Self {
        Self { name, version, title: None, instructions: None, details: None }
    }

    /// With a name for people; sent from 2025-06-18 on.
    #[must_use]
    pub const fn with_title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    /// With instructions for the model on how to use the tools together.
    #[must_use]
    pub const fn with_instructions(self, instructions: &'static str) -> Self {
        Self { instructions: Some(instructions), ..self }
    }

    /// With what few servers tell of themselves: a description, a website, icons.
    #[must_use]
    pub const fn with_details(self, details: &'static Details) -> Self {
        Self { details: Some(details), ..self }
    }

    /// Writes the `Implementation` object.
    fn write(&self, out: &mut Writer<'_>, revision: Revision) {
        out.raw("{\"name\":");
        out.string(self.name);
        out.member("version", Some(self.version));
        if revision.rules().titles {
            out.member("title", self.title);
        }
        if let Some(details) = self.details
            && revision >= Revision::V2025_11_25
        {
            (details.write)(details, out);
        }
        out.raw("}");
    }
}
