//! The revisions of the protocol, and the one table of what differs between them.

/// A released revision, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Revision {
    V2024_11_05,
    V2025_03_26,
    V2025_06_18,
    V2025_11_25,
    V2026_07_28,
}

/// What a revision has that others have not (PROTOCOL 5).
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) name: &'static str,
    /// Requests carry their revision, and results their type; there is no handshake.
    pub(crate) modern: bool,
    /// Arrays are messages (BATCH-1).
    pub(crate) batches: bool,
    /// An answer without a readable id has the id null, not none (ID-6).
    pub(crate) null_id: bool,
    /// Tools have annotations, progress has messages, and content may be sound.
    pub(crate) annotations: bool,
    /// Tools and implementations have titles, and content may be a link.
    pub(crate) titles: bool,
}

/// The name of [`Revision::MODERN`], for constants.
macro_rules! modern_name {
    () => {
        "2026-07-28"
    };
}
pub(crate) use modern_name;

#[rustfmt::skip]
const RULES: [Rules; 5] = [
    Rules { name: "2024-11-05", modern: false, batches: false, null_id: true,  annotations: false, titles: false },
    Rules { name: "2025-03-26", modern: false, batches: true,  null_id: true,  annotations: true,  titles: false },
    Rules { name: "2025-06-18", modern: false, batches: false, null_id: true,  annotations: true,  titles: true },
    Rules { name: "2025-11-25", modern: false, batches: false, null_id: false, annotations: true,  titles: true },
    Rules { name: modern_name!(), modern: true,  batches: false, null_id: false, annotations: true,  titles: true },
];

impl Revision {
    /// The newest that is reached by a handshake. Also the rules for who sends requests without one (ERA-12).
    pub(crate) const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The one that is reached by the metadata of each request.
    pub(crate) const MODERN: Self = Self::V2026_07_28;

    const LEGACY: [Self; 4] = [Self::V2024_11_05, Self::V2025_03_26, Self::V2025_06_18, Self::V2025_11_25];

    pub(crate) const fn rules(self) -> &'static Rules {
        let [a, b, c, d, e] = &RULES;
        match self {
            Self::V2024_11_05 => a,
            Self::V2025_03_26 => b,
            Self::V2025_06_18 => c,
            Self::V2025_11_25 => d,
            Self::V2026_07_28 => e,
        }
    }

    /// The revision that a handshake settles on when the client asks for `version` (PROTOCOL 4.3).
    pub(crate) fn negotiate(version: &[u8]) -> Self {
        let known = |revision: &Self| revision.rules().name.as_bytes() == version;
        Self::LEGACY.into_iter().find(known).unwrap_or(Self::NEWEST_LEGACY)
    }
}
