//! Subscriptions to resources: `resources/subscribe` and `resources/unsubscribe` of the legacy revisions, and
//! `subscriptions/listen` of 2026-07-28.

use core::fmt;

use super::feature::{Eras, Exchange, Method};
use super::meta::SUBSCRIPTION_ID;
use super::protocol::Dispatch;
use super::reply::{Head, Replied, Reply};
use super::resources::{self, not_found};
use crate::json::{self, Object, Port, Value, Writer};
use crate::resource::Resource;
use crate::rpc::{Envelope, ErrorCode, Id};

const METHODS_OF_SUBSCRIPTIONS: [Method; 3] = [
    Method { name: "resources/subscribe", eras: Eras::Legacy, serve: subscribe },
    Method { name: "resources/unsubscribe", eras: Eras::Legacy, serve: unsubscribe },
    Method { name: "subscriptions/listen", eras: Eras::Modern, serve: listen },
];

/// The methods of resources, some of which may be subscribed to.
pub(super) const METHODS: [Method; 6] = {
    let ([a, b, c], [d, e, f]) = (resources::METHODS, METHODS_OF_SUBSCRIPTIONS);
    [a, b, c, d, e, f]
};

/// The longest id of a `subscriptions/listen`, in bytes of JSON, with its quotes.
const MAX_ID: usize = 40;

/// One who has sent `subscriptions/listen`.
#[derive(Clone, Debug)]
pub(crate) struct Listener {
    /// The id of the request, as JSON.
    id: heapless::String<MAX_ID>,
    /// The resources listened to: a bit for each, by its place in the table.
    resources: u32,
    /// How many came before. The least is the oldest.
    age: u32,
}

/// The open subscriptions of 2026-07-28.
pub(crate) type Listeners<'a> = &'a mut [Option<Listener>];

/// Whether some resources of a table may be subscribed to. For constants.
pub(super) const fn are_possible(mut table: &[Resource]) -> bool {
    while let [resource, rest @ ..] = table {
        if resource.subscribe {
            return true;
        }
        table = rest;
    }
    false
}

/// Whether a server with places for so many listeners can serve subscriptions to some resources. For constants.
pub(crate) const fn assert_possible(table: &[Resource], listeners: usize) {
    assert!(
        listeners > 0,
        "resources that can be subscribed to need places for listeners: `Server::<_, 1024, 2>` has two (LISTEN-14)"
    );
    if let Some((_, others)) = table.split_at_checked(u32::BITS as usize) {
        assert!(!are_possible(others), "resources that can be subscribed to are among the first 32");
    }
}

/// The bit of a resource that may be subscribed to.
pub(crate) fn bit(table: &[Resource], uri: &str) -> Option<u32> {
    let at = table.iter().position(|resource| resource.subscribe && resource.uri == uri)?;
    1_u32.checked_shl(u32::try_from(at).ok()?)
}

/// The resources whose bits are set.
fn of_bits(table: &'static [Resource], bits: u32) -> impl Iterator<Item = (u32, &'static str)> {
    let all = core::iter::successors(Some(1_u32), |bit| bit.checked_shl(1)).zip(table);
    all.filter(move |(bit, _)| bit & bits != 0).map(|(bit, resource)| (bit, resource.uri))
}

/// A port that notes which resources were reported as updated.
pub(super) struct Updates<'w> {
    table: &'static [Resource],
    bits: u32,
    out: &'w mut dyn Port,
}

impl<'w> Updates<'w> {
    pub(super) fn new(table: &'static [Resource], out: &'w mut dyn Port) -> Self {
        Self { table, bits: 0, out }
    }

    /// Tells everyone who has subscribed to those resources (SUB-2, LISTEN-7).
    pub(super) fn send(self, subscribed: u32, listeners: Listeners<'_>) {
        tell(self.table, self.bits, subscribed, listeners, self.out);
    }
}

/// Tells everyone who has subscribed to some resources that these have changed.
pub(super) fn tell(
    table: &'static [Resource],
    updated: u32,
    subscribed: u32,
    listeners: Listeners<'_>,
    out: &mut dyn Port,
) {
    let mut out = Writer::new(out);
    for (bit, uri) in of_bits(table, updated) {
        if subscribed & bit != 0 {
            write_update(uri, None, &mut out);
        }
        for listener in listeners.iter().flatten().filter(|listener| listener.resources & bit != 0) {
            write_update(uri, Some(&listener.id), &mut out);
        }
    }
}

impl fmt::Write for Updates<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_str(text)
    }

    fn write_char(&mut self, character: char) -> fmt::Result {
        self.out.write_char(character)
    }
}

impl Port for Updates<'_> {
    fn flush(&mut self) {
        self.out.flush();
    }

    fn resource_updated(&mut self, uri: &str) {
        self.bits |= bit(self.table, uri).unwrap_or(0);
    }

    fn is_cancelled(&mut self, running: &Head<'_>) -> bool {
        self.out.is_cancelled(running)
    }
}

fn subscribe(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    change(exchange, reply, |subscribed, bit| subscribed | bit)
}

fn unsubscribe(exchange: &mut Exchange<'_>, _: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    change(exchange, reply, |subscribed, bit| subscribed & !bit)
}

/// Changes what the client of a legacy revision has subscribed to (SUB-3).
fn change(exchange: &mut Exchange<'_>, reply: Reply<'_>, new: fn(u32, u32) -> u32) -> Replied {
    let Some(uri) = exchange.params.all.get("uri").and_then(Value::as_str) else {
        return reply.refuse(ErrorCode::InvalidParams, &"a subscription needs the uri of a resource, a string");
    };
    let table = exchange.resources();
    let mut listed = table.iter().filter(|resource| !resource.is_template());
    let Some(resource) = listed.find(|resource| resource.uri == uri) else { return not_found(uri, reply) };
    let bit = match bit(table, uri) {
        Some(bit) => bit,
        // It keeps the promise to tell of changes.
        None if resource.constant => 0,
        None => return reply.refuse(ErrorCode::InvalidParams, &"this resource cannot be subscribed to"),
    };
    exchange.session.subscribed = new(exchange.session.subscribed, bit);
    reply.result(&|_| {})
}

/// Opens a subscription, which is acknowledged and not answered (LISTEN-1, LISTEN-4).
fn listen(exchange: &mut Exchange<'_>, toolset: &mut dyn Dispatch, reply: Reply<'_>) -> Replied {
    let table = exchange.resources();
    let Some(bits) = asked(exchange.params.all, table) else {
        let reason = "subscriptions/listen needs notifications: flags, and resourceSubscriptions, an array of strings";
        return reply.refuse(ErrorCode::InvalidParams, &reason);
    };
    let Reply { mut out, head } = reply;
    let id = head.id.and_then(json_of);
    // Nothing to listen to needs no place (LISTEN-12).
    if bits != 0 {
        let Some(id) = &id else {
            let reason = format_args!("the id of a subscription takes at most {} bytes", json::Integer::count(MAX_ID));
            return Reply { out, head }.refuse(ErrorCode::InvalidParams, &reason);
        };
        enter(toolset.listeners(), id.clone(), bits, &mut out);
    }
    out.raw("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{");
    tag(&mut out, &|out| {
        if let Some(id) = head.id {
            out.with(|out| id.write(out));
        }
    });
    out.raw(",\"notifications\":{");
    let mut end = "";
    for (_, uri) in of_bits(table, bits) {
        out.raw(if end.is_empty() { "\"resourceSubscriptions\":[" } else { "," });
        out.string(uri);
        end = "]";
    }
    out.raw(end);
    out.raw("}}}\n");
    Replied(())
}

/// The resources that a listener asks for and that may be subscribed to (LISTEN-10, LISTEN-13).
fn asked(params: Object<'_>, table: &[Resource]) -> Option<u32> {
    let filter = params.get("notifications")?.as_object()?;
    let [tools, prompts, resources, uris] =
        filter.select(&["toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"]);
    // Lists never change here.
    if [tools, prompts, resources].into_iter().flatten().any(|flag| !flag.is_null() && flag.as_bool().is_none()) {
        return None;
    }
    let Some(uris) = uris.filter(|uris| !uris.is_null()) else { return Some(0) };
    uris.as_array()?.elements().try_fold(0, |bits, uri| Some(bits | bit(table, uri.as_str()?).unwrap_or(0)))
}

/// Gives a listener a place: that of one with the same id, or a free one, or that of the oldest, which is ended (LISTEN-14).
fn enter(listeners: Listeners<'_>, id: heapless::String<MAX_ID>, resources: u32, out: &mut Writer<'_>) {
    leave(listeners, &id);
    let age = listeners.iter().flatten().map(|listener| listener.age.saturating_add(1)).max().unwrap_or(0);
    let place = listeners.iter_mut().min_by_key(|place| place.as_ref().map(|listener| listener.age));
    let Some(place) = place else { return };
    if let Some(oldest) = place.replace(Listener { id, resources, age }) {
        end(&oldest.id, out);
    }
}

/// Frees the place of a listener.
fn leave(listeners: Listeners<'_>, id: &str) {
    for place in listeners {
        if place.as_ref().is_some_and(|listener| listener.id == id) {
            *place = None;
        }
    }
}

/// Tells a listener that nothing more comes (LISTEN-6).
fn end(id: &str, out: &mut Writer<'_>) {
    out.raw("{\"jsonrpc\":\"2.0\",\"id\":");
    out.raw(id);
    out.raw(",\"result\":{\"resultType\":\"complete\",");
    tag(out, &|out| out.raw(id));
    out.raw("}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":");
    out.raw(id);
    out.raw("}}\n");
}

/// Writes the metadata that says which subscription a message belongs to (LISTEN-2).
fn tag(out: &mut Writer<'_>, id: &dyn Fn(&mut Writer<'_>)) {
    out.raw("\"_meta\":{");
    out.string(SUBSCRIPTION_ID);
    out.raw(":");
    id(out);
    out.raw("}");
}

/// Ends the subscription that a notification cancels, if it does (LISTEN-5).
pub(crate) fn cancel(listeners: Listeners<'_>, envelope: &Envelope<'_>) {
    if let Some(id) = envelope.cancelled().and_then(json_of) {
        leave(listeners, &id);
    }
}

/// An id as JSON, if it is not too long for a subscription.
fn json_of(id: Id<'_>) -> Option<heapless::String<MAX_ID>> {
    let mut text = heapless::String::new();
    id.write(&mut text).ok()?;
    Some(text)
}

fn write_update(uri: &str, listener: Option<&str>, out: &mut Writer<'_>) {
    out.raw("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{");
    if let Some(id) = listener {
        tag(out, &|out| out.raw(id));
        out.raw(",");
    }
    out.raw("\"uri\":");
    out.string(uri);
    out.raw("}}\n");
}
