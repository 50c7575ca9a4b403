//! `initialize`, the handshake of the legacy revisions.

use super::feature::{Feature, write_capabilities};
use super::params::{Refusal, required_object, required_text};
use super::reply::{Replied, Reply};
use super::revision::Revision;
use crate::json::Object;

/// The revision that the handshake settles on (INIT-2, INIT-3).
pub(super) fn negotiate(params: Object<'_>) -> Result<Revision, Refusal> {
    let [version, capabilities, client] = params.select(&["protocolVersion", "capabilities", "clientInfo"]);
    let version = required_text(version, Refusal::ProtocolVersion)?;
    required_object(capabilities, Refusal::ClientCapabilities)?;
    let [name, client_version] = required_object(client, Refusal::ClientInfo)?.select(&["name", "version"]);
    required_text(name, Refusal::ClientInfo)?;
    required_text(client_version, Refusal::ClientInfo)?;
    Ok(Revision::negotiate(version))
}

/// Answers with the revision, the capabilities and the identity (INIT-1).
pub(super) fn answer(revision: Revision, features: &'static [Feature], reply: Reply<'_>) -> Replied {
    let info = &reply.head.config.info;
    reply.result(&|out| {
        out.raw("\"protocolVersion\":");
        out.string(revision.rules().name);
        write_capabilities(features, out, revision);
        out.raw(",\"serverInfo\":");
        info.write(out, revision);
        out.member("instructions", info.instructions);
    })
}
