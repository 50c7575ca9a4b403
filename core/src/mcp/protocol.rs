//! From a message to its method, in the revision that the message selects (PROTOCOL 4).

use core::fmt;

use super::elicitation::Elicitation;
use super::feature::{self, Eras, Exchange, Feature};
use super::logging::Level;
use super::meta::Meta;
use super::params::{Params, Refusal, object};
use super::reply::{Head, Place, Replied, Reply};
use super::revision::Revision;
use super::subscriptions::{Listener, Listeners, Updates};
use super::{ServerInfo, discover, initialize, subscriptions, tools};
use crate::frame::{Frame, MAX_DEPTH};
use crate::json::{Array, Integer, Object, Port, Value, Writer};
use crate::prompt::{Prompting, TextArguments};
use crate::resource::{Reading, Resource, Variables};
use crate::rpc::{Envelope, ErrorCode, Id, Message, Request};
use crate::tool::{Arguments, Context, Tool, Toolset};

/// A toolset behind a pointer, so that this code exists once for all of them.
pub(crate) trait Dispatch {
    fn tools(&self) -> &'static [Tool];

    fn features(&self) -> &'static [Feature];

    fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> Replied;

    fn read(&mut self, index: usize, variables: &Variables<'_>, reading: Reading<'_>) -> Replied;

    fn prompt(&mut self, index: usize, arguments: &TextArguments<'_>, prompting: Prompting<'_>) -> Replied;

    /// The open subscriptions of 2026-07-28.
    fn listeners(&mut self) -> Listeners<'_>;
}

/// A toolset, and those who listen to its resources.
#[derive(Clone, Debug)]
pub(crate) struct Served<T, const LISTENERS: usize> {
    pub(crate) toolset: T,
    pub(crate) listeners: [Option<Listener>; LISTENERS],
}

impl<T: Toolset, const LISTENERS: usize> Dispatch for Served<T, LISTENERS> {
    fn tools(&self) -> &'static [Tool] {
        T::TOOLS
    }

    fn features(&self) -> &'static [Feature] {
        T::FEATURES
    }

    fn call(&mut self, index: usize, arguments: &Arguments<'_>, context: Context<'_>) -> Replied {
        self.toolset.call(index, arguments, context)
    }

    fn read(&mut self, index: usize, variables: &Variables<'_>, reading: Reading<'_>) -> Replied {
        self.toolset.read(index, variables, reading)
    }

    fn prompt(&mut self, index: usize, arguments: &TextArguments<'_>, prompting: Prompting<'_>) -> Replied {
        self.toolset.prompt(index, arguments, prompting)
    }

    fn listeners(&mut self) -> Listeners<'_> {
        &mut self.listeners
    }
}

/// The methods that some revision knows and this server has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Initialize,
    Ping,
    Discover,
    Listen,
    ToolsList,
    ToolsCall,
}

impl Method {
    const NAMES: [(&str, Self); 6] = [
        ("tools/call", Self::ToolsCall),
        ("tools/list", Self::ToolsList),
        ("ping", Self::Ping),
        ("initialize", Self::Initialize),
        ("server/discover", Self::Discover),
        ("subscriptions/listen", Self::Listen),
    ];

    fn new(name: &[u8]) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, method)| *method)
    }
}

/// What was configured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Config {
    pub(crate) info: ServerInfo,
    pub(crate) page_size: usize,
    /// Whether modern results carry the server's identity.
    pub(crate) server_info: bool,
}

/// The only state that outlives a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Session {
    /// That of the last handshake.
    revision: Option<Revision>,
    /// The least level of messages to the client's log, if the toolset has such.
    pub(super) log_level: Option<Level>,
    /// The resources that the client of a legacy revision has subscribed to: a bit for each, by its place in the table.
    pub(super) subscribed: u32,
}

impl Session {
    /// The revision of what is not tagged (ERA-12).
    fn revision(&self) -> Revision {
        self.revision.unwrap_or(Revision::NEWEST_LEGACY)
    }
}

/// The protocol state of a line, and what was configured.
#[derive(Clone, Debug)]
pub(crate) struct Protocol {
    pub(crate) config: Config,
    pub(crate) session: Session,
}

impl Protocol {
    pub(crate) const fn new(info: ServerInfo, logging: bool) -> Self {
        let log_level = if logging { Some(Level::UNASKED) } else { None };
        let config = Config { info, page_size: usize::MAX, server_info: true };
        Self { config, session: Session { revision: None, log_level, subscribed: 0 } }
    }

    /// Answers a line, if it is to be answered. With `elicitation`, a tool may ask the user in legacy revisions too.
    pub(crate) fn answer(
        &mut self,
        frame: Frame<'_>,
        elicitation: Option<&Elicitation<'_>>,
        tools: &mut dyn Dispatch,
        out: &mut dyn Port,
    ) {
        match frame {
            Frame::Message(envelope) => match Message::new(envelope) {
                Message::Batch(entries) if self.takes_batch(entries) => self.batch(entries, tools, out),
                message => {
                    self.message(message, elicitation, tools, out, Place::Line);
                }
            },
            Frame::Malformed { offset } => {
                let reason = format_args!("Parse error: the line is no JSON from byte {} on", Integer::count(offset));
                self.refuse(ErrorCode::ParseError, &reason, None, Place::Line, out);
            }
            Frame::TooLong { capacity, id } => {
                let reason =
                    format_args!("the message is too long: this server takes {} bytes", Integer::count(capacity));
                self.refuse(ErrorCode::InvalidRequest, &reason, id.and_then(Id::new), Place::Line, out);
            }
            Frame::TooDeep { id } => {
                let reason =
                    format_args!("the message nests too deep: this server takes {} levels", Integer::from(MAX_DEPTH));
                self.refuse(ErrorCode::InvalidRequest, &reason, id.and_then(Id::new), Place::Line, out);
            }
        }
    }

    /// As [`answer`](Self::answer), for a toolset with resources that may be subscribed to. Tells of those that were reported
    /// as updated meanwhile.
    pub(crate) fn answer_and_update(
        &mut self,
        frame: Frame<'_>,
        elicitation: Option<&Elicitation<'_>>,
        tools: &mut dyn Dispatch,
        table: &'static [Resource],
        out: &mut dyn Port,
    ) {
        if let Frame::Message(envelope) = &frame {
            subscriptions::cancel(tools.listeners(), envelope);
        }
        let mut updates = Updates::new(table, out);
        self.answer(frame, elicitation, tools, &mut updates);
        updates.send(self.session.subscribed, tools.listeners());
    }

    /// Tells those who have subscribed to a resource that it has changed.
    pub(crate) fn update(&self, uri: &str, table: &'static [Resource], tools: &mut dyn Dispatch, out: &mut dyn Port) {
        let mut updates = Updates::new(table, out);
        updates.resource_updated(uri);
        updates.send(self.session.subscribed, tools.listeners());
    }

    /// Answers what is no request.
    fn refuse(&self, code: ErrorCode, reason: &dyn fmt::Display, id: Option<Id<'_>>, place: Place, out: &mut dyn Port) {
        let (revision, config) = (self.session.revision(), &self.config);
        let head = Head {
            id,
            revision,
            config,
            server_info: false,
            place,
            log_level: None,
            params: Object::EMPTY,
            elicitation: None,
        };
        let Replied(()) = Reply { out: Writer::new(out), head: &head }.refuse(code, reason);
    }

    /// Whether an array is a batch in the revision of the session.
    pub(crate) fn takes_batch(&self, entries: Array<'_>) -> bool {
        self.session.revision().rules().batches && !entries.is_empty()
    }

    /// Answers the entries of an array in order, in one array (BATCH-3).
    fn batch(&mut self, entries: Array<'_>, tools: &mut dyn Dispatch, out: &mut dyn Port) {
        let mut place = Place::First;
        for entry in entries.elements() {
            if self.message(entry_of_batch(entry), None, tools, out, place) {
                place = Place::Later;
            }
        }
        if place == Place::Later {
            Writer::new(out).raw(END_OF_BATCH);
        }
    }

    /// Answers a message, if it is to be answered. Returns whether it was.
    pub(crate) fn message(
        &mut self,
        message: Message<'_>,
        elicitation: Option<&Elicitation<'_>>,
        tools: &mut dyn Dispatch,
        out: &mut dyn Port,
        place: Place,
    ) -> bool {
        let (id, reason) = match message {
            Message::Request(request) => {
                let Replied(()) = self.request(&request, elicitation, tools, out, place);
                return true;
            }
            Message::Notification | Message::Response => return false,
            Message::Batch(_) => (None, "an array is no message here"),
            Message::Invalid { id, reason } => (id, reason),
        };
        self.refuse(ErrorCode::InvalidRequest, &reason, id, place, out);
        true
    }

    /// Answers a request in the revision that it selects.
    fn request(
        &mut self,
        request: &Request<'_>,
        elicitation: Option<&Elicitation<'_>>,
        tools: &mut dyn Dispatch,
        out: &mut dyn Port,
        place: Place,
    ) -> Replied {
        let opened = open(request);
        let method = Method::new(request.method);
        let head = head(&self.config, &self.session, request, &opened, place, elicitation);
        let reply = Reply { out: Writer::new(out), head: &head };
        let served = opened.and_then(|opened| serve(method, request.method, opened, &mut self.session, tools, reply));
        served.unwrap_or_else(|refusal| {
            Reply { out: Writer::new(out), head: &head }.refuse(refusal.code(), &refusal.reason())
        })
    }
}

/// What an answer to a request needs to know.
pub(super) fn head<'h>(
    config: &'h Config,
    session: &Session,
    request: &Request<'h>,
    opened: &Result<Opened<'h>, Refusal>,
    place: Place,
    elicitation: Option<&'h Elicitation<'h>>,
) -> Head<'h> {
    let tagged = matches!(opened, Ok((_, Some(_))));
    Head {
        id: Some(request.id),
        revision: if tagged { Revision::MODERN } else { session.revision() },
        config,
        // What `server/discover` answers has no other place for the identity (DISC-3).
        server_info: config.server_info || Method::new(request.method) == Some(Method::Discover),
        place,
        log_level: session.log_level,
        params: opened.as_ref().map_or(Object::EMPTY, |(params, _)| params.all),
        elicitation,
    }
}

/// Answers a request (PROTOCOL 4.1), unless it is refused.
fn serve(
    method: Option<Method>,
    name: &[u8],
    (params, meta): Opened<'_>,
    session: &mut Session,
    tools: &mut dyn Dispatch,
    reply: Reply<'_>,
) -> Result<Replied, Refusal> {
    if let Some(meta) = &meta
        && let Some(requested) = meta.judge()?
    {
        return Ok(reply.unsupported(requested));
    }
    Ok(match (method, meta.is_some()) {
        (Some(Method::ToolsList), _) => tools::list(&params, tools.tools(), reply)?,
        (Some(Method::ToolsCall), _) => tools::call(&params, tools, reply)?,
        (Some(Method::Ping), false) => reply.result(&|_| {}),
        (Some(Method::Discover), true) => discover::answer(tools.features(), reply),
        (Some(Method::Initialize), false) => {
            // A failed handshake leaves the session before as it was.
            let revision = initialize::negotiate(params.all)?;
            session.revision = Some(revision);
            session.log_level = session.log_level.map(|_| Level::UNASKED);
            session.subscribed = 0;
            crate::log::info!("initialize: {}", revision.rules().name);
            initialize::answer(revision, tools.features(), reply)
        }
        // A modern client that forgot its metadata must not take this for a legacy server (ERA-5).
        (Some(Method::Discover | Method::Listen), false) if session.revision.is_none() => return Err(Refusal::Version),
        (None, _) | (Some(Method::Listen), true) => return offered(name, &params, session, tools, reply),
        _ => return Err(Refusal::MethodNotFound),
    })
}

/// Answers a request for a method of a feature that the toolset has.
fn offered(
    name: &[u8],
    params: &Params<'_>,
    session: &mut Session,
    tools: &mut dyn Dispatch,
    reply: Reply<'_>,
) -> Result<Replied, Refusal> {
    for feature in tools.features() {
        let is_it = |method: &&feature::Method| method.name.as_bytes() == name;
        if let Some(method) = feature.methods.iter().find(is_it) {
            if method.eras == Eras::Legacy && reply.head.revision.rules().modern {
                break;
            }
            let mut exchange = Exchange { params, table: feature.table, session };
            return Ok((method.serve)(&mut exchange, tools, reply));
        }
    }
    Err(Refusal::MethodNotFound)
}

/// The parameters of a request, and its metadata if it is tagged.
pub(super) type Opened<'a> = (Params<'a>, Option<Meta<'a>>);

pub(super) fn open<'a>(request: &Request<'a>) -> Result<Opened<'a>, Refusal> {
    let params = Params::of(object(request.params, Refusal::Params)?.unwrap_or(Object::EMPTY));
    let meta = object(params.meta, Refusal::Meta)?;
    Ok((params, meta.and_then(Meta::of)))
}

pub(crate) const END_OF_BATCH: &str = "]\n";

/// What an entry of a batch is as a message.
pub(crate) fn entry_of_batch(entry: Value<'_>) -> Message<'_> {
    match Message::new(Envelope::of(entry)) {
        Message::Batch(_) => Message::Invalid { id: None, reason: "a batch must not contain a batch" },
        Message::Request(request) if is_unfit_for_batch(&request) => {
            Message::Invalid { id: Some(request.id), reason: "this request must not be in a batch" }
        }
        message => message,
    }
}

/// Whether a request is one that a batch must not contain (BATCH-5).
fn is_unfit_for_batch(request: &Request<'_>) -> bool {
    Method::new(request.method) == Some(Method::Initialize) || matches!(open(request), Ok((_, Some(_))))
}
