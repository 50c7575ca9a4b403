//! `initialize`, the handshake of the legacy revisions.

use super::params::{Refusal, invalid, object, text};
use super::protocol::Server;
use super::reply::{Replied, Reply};
use super::revision::Revision;
use crate::json::Object;

/// The revision that the handshake settles on (INIT-2, INIT-3).
pub(super) fn negotiate(params: Object<'_>) -> Result<Revision, Refusal> {
    let [version, capabilities, client] = params.select(["protocolVersion", "capabilities", "clientInfo"]);
    let Some(version) = text(version, "protocolVersion must be a string")? else {
        return Err(invalid("initialize needs protocolVersion, a string"));
    };
    if object(capabilities, "capabilities must be an object")?.is_none() {
        return Err(invalid("initialize needs capabilities, an object"));
    }
    let client = object(client, "clientInfo must be an object")?.unwrap_or(Object::EMPTY);
    let [name, version_of_client] = client.select(["name", "version"]);
    let reason = "initialize needs clientInfo with name and version, strings";
    if text(name, reason)?.is_none() || text(version_of_client, reason)?.is_none() {
        return Err(invalid(reason));
    }
    Ok(Revision::negotiate(version))
}

/// Answers with the revision, the capabilities and the identity (INIT-1).
pub(super) fn answer(revision: Revision, server: &Server<'_>, reply: Reply<'_>) -> Replied {
    reply.result(&|out| {
        write!(out, "\"protocolVersion\":\"{}\",{},\"serverInfo\":", revision.rules().name, Server::CAPABILITIES);
        server.info.write(out, revision);
        out.member("instructions", server.info.instructions);
    })
}
