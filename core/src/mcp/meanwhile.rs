//! Messages that come while a tool runs.

use super::discover;
use super::feature::Feature;
use super::meta::Meta;
use super::params::{Params, object};
use super::reply::{Head, Place, Reply};
use super::revision::Revision;
use crate::frame::Frame;
use crate::json::{Object, Port, Writer};
use crate::rpc::{Message, Request};

/// What became of a message that came while a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meanwhile {
    /// It cancels the call.
    Cancelled,
    /// It was answered, or needs no answer.
    Done,
    /// It must wait until the tool has returned.
    Waits,
}

/// Looks at a message that came while a tool runs, and answers it if that is possible at once: `ping` (PING-1) and
/// `server/discover`.
pub(crate) fn receive(
    frame: Frame<'_>,
    running: &Head<'_>,
    features: &'static [Feature],
    out: &mut dyn Port,
) -> Meanwhile {
    let Frame::Message(envelope) = frame else { return Meanwhile::Waits };
    if let Some(id) = envelope.cancelled() {
        // What is cancelled otherwise may be a subscription.
        return if Some(id) == running.id { Meanwhile::Cancelled } else { Meanwhile::Waits };
    }
    match Message::new(envelope) {
        Message::Request(request) if answer(&request, running, features, out) => Meanwhile::Done,
        Message::Notification | Message::Response => Meanwhile::Done,
        _ => Meanwhile::Waits,
    }
}

fn answer(request: &Request<'_>, running: &Head<'_>, features: &'static [Feature], out: &mut dyn Port) -> bool {
    let params = request.params.map_or(Some(Object::EMPTY), |params| params.as_object());
    let Some(params) = params.map(Params::of) else { return false };
    let Ok(meta) = object(params.meta, super::params::Refusal::Meta) else { return false };
    let meta = meta.and_then(Meta::of);
    let revision = match (request.method, &meta) {
        // The same in all revisions that have it.
        (b"ping", None) => Revision::NEWEST_LEGACY,
        (b"server/discover", Some(meta)) if meta.judge() == Ok(None) => Revision::MODERN,
        _ => return false,
    };
    let head = Head {
        id: Some(request.id),
        revision,
        config: running.config,
        server_info: true,
        place: Place::Line,
        log_level: None,
        params: params.all,
        elicitation: None,
    };
    let reply = Reply { out: Writer::new(out), head: &head };
    let _ = if revision == Revision::MODERN { discover::answer(features, reply) } else { reply.result(&|_| {}) };
    true
}
