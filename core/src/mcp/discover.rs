//! `server/discover`, how modern clients learn what a server offers.

use super::cache::CONSTANT;
use super::feature::{Feature, write_capabilities};
use super::reply::{Replied, Reply};
use super::revision::{Revision, modern_name};

/// Lists the revisions that may stand in `_meta` (META-4), and the capabilities. The identity is in the metadata of the
/// result (DISC-3), whatever the other results carry.
pub(super) fn answer(features: &'static [Feature], reply: Reply<'_>) -> Replied {
    let info = &reply.head.config.info;
    reply.result(&|out| {
        out.raw(concat!("\"supportedVersions\":[\"", modern_name!(), "\"]"));
        write_capabilities(features, out, Revision::MODERN);
        out.member("instructions", info.instructions);
        out.raw(CONSTANT);
    })
}
