//! What a toolset may offer besides tools. The code of a feature is reached only through its table, so that a firmware whose
//! toolset does not name it does not link it.

use super::params::Params;
use super::protocol::{Dispatch, Session};
use super::reply::{Replied, Reply};
use super::revision::Revision;
use super::{completion, logging, prompts, resources, subscriptions};
use crate::json::Writer;
use crate::prompt::Prompt;
use crate::resource::Resource;

/// Something that a toolset offers besides tools.
#[derive(Debug)]
pub struct Feature {
    /// What it adds to the capabilities of the server, as JSON behind another member.
    pub(super) capability: &'static str,
    /// The first revision that has the capability.
    pub(super) since: Revision,
    pub(super) methods: &'static [Method],
    pub(super) table: Table,
}

/// A method of a feature.
#[derive(Debug)]
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) eras: Eras,
    pub(super) serve: Handler,
}

/// Where a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eras {
    Both,
    /// Removed in 2026-07-28 (ERA-11).
    Legacy,
    /// New in 2026-07-28.
    Modern,
}

/// What a feature is about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Resources(&'static [Resource]),
    Prompts(&'static [Prompt]),
    Logging,
    Completions { prompts: &'static [Prompt], resources: &'static [Resource] },
}

impl Table {
    pub(super) const fn resources(self) -> &'static [Resource] {
        match self {
            Self::Resources(resources) => resources,
            _ => &[],
        }
    }

    pub(super) const fn prompts(self) -> &'static [Prompt] {
        match self {
            Self::Prompts(prompts) => prompts,
            _ => &[],
        }
    }
}

/// Answers a request for one of the methods.
pub(super) type Handler = fn(&mut Exchange<'_>, &mut dyn Dispatch, Reply<'_>) -> Replied;

/// What a handler needs to know.
pub(super) struct Exchange<'a> {
    pub(super) params: &'a Params<'a>,
    pub(super) table: Table,
    pub(super) session: &'a mut Session,
}

impl Feature {
    /// Resources (RES-1), some of which may be subscribed to (SUB-1).
    #[must_use]
    pub const fn resources(table: &'static [Resource]) -> Self {
        let (capability, methods): (&str, &'static [Method]) = match subscriptions::are_possible(table) {
            true => (",\"resources\":{\"subscribe\":true}", &subscriptions::METHODS),
            false => (",\"resources\":{}", &resources::METHODS),
        };
        Self { capability, since: Revision::V2024_11_05, methods, table: Table::Resources(table) }
    }

    /// The table of resources among some features, if some of them may be subscribed to. For constants.
    pub(crate) const fn subscribable(mut features: &[Self]) -> Option<&'static [Resource]> {
        while let [feature, rest @ ..] = features {
            if let Table::Resources(table) = feature.table
                && subscriptions::are_possible(table)
            {
                return Some(table);
            }
            features = rest;
        }
        None
    }

    /// Prompts (PROMPT-1).
    #[must_use]
    pub const fn prompts(table: &'static [Prompt]) -> Self {
        Self {
            capability: ",\"prompts\":{}",
            since: Revision::V2024_11_05,
            methods: &prompts::METHODS,
            table: Table::Prompts(table),
        }
    }

    /// Messages to the client's log (LOG-1).
    pub const LOGGING: Self = Self {
        capability: ",\"logging\":{}",
        since: Revision::V2024_11_05,
        methods: &logging::METHODS,
        table: Table::Logging,
    };

    /// Whether messages to the client's log are among some features. For constants.
    pub(crate) const fn has_logging(mut features: &[Self]) -> bool {
        while let [feature, rest @ ..] = features {
            if let Table::Logging = feature.table {
                return true;
            }
            features = rest;
        }
        false
    }

    /// Suggestions for the arguments of prompts and the variables of resources (COMP-1). 2024-11-05 has the method, but no
    /// capability for it.
    #[must_use]
    pub const fn completions(prompts: &'static [Prompt], resources: &'static [Resource]) -> Self {
        Self {
            capability: ",\"completions\":{}",
            since: Revision::V2025_03_26,
            methods: &completion::METHODS,
            table: Table::Completions { prompts, resources },
        }
    }
}

/// Writes what a server with some features declares, behind another member (INIT-4, DISC-4).
pub(super) fn write_capabilities(features: &[Feature], out: &mut Writer<'_>, revision: Revision) {
    out.raw(",\"capabilities\":{\"tools\":{}");
    for feature in features.iter().filter(|feature| feature.since <= revision) {
        out.raw(feature.capability);
    }
    out.raw("}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logging_is_found_wherever_it_stands() {
        let others = || [Feature::completions(&[], &[]), Feature::completions(&[], &[])];
        let [a, b] = others();
        assert!(!Feature::has_logging(&[]) && !Feature::has_logging(&others()));
        assert!(Feature::has_logging(&[Feature::LOGGING]));
        assert!(Feature::has_logging(&[a, b, Feature::LOGGING]));
        let [a, b] = others();
        assert!(Feature::has_logging(&[Feature::LOGGING, a, b]));
    }
}
