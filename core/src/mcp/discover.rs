//! `server/discover`, how modern clients learn what a server offers.

use super::protocol::Server;
use super::reply::{Replied, Reply};
use super::revision::Revision;

/// Lists the revisions that may stand in `_meta` (META-4), and the capabilities. The identity is in the metadata of the
/// result (DISC-3), whatever the other results carry.
pub(super) fn answer(server: &Server<'_>, reply: Reply<'_>) -> Replied {
    reply.result(&|out| {
        out.raw("\"supportedVersions\":[");
        out.string(Revision::MODERN.rules().name);
        out.raw("]");
        out.raw(Server::CAPABILITIES);
        out.member("instructions", server.info.instructions);
        out.raw(Server::CONSTANT);
    })
}
