//! What results of 2026-07-28 say about how long they hold (CACHE-5).

/// The members of results that never change.
pub(super) const CONSTANT: &str = ",\"ttlMs\":86400000,\"cacheScope\":\"public\"";

/// Those of readings.
pub(super) const FLEETING: &str = ",\"ttlMs\":0,\"cacheScope\":\"private\"";
