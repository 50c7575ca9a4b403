//! Functions that are run behind the code that has found them, since that cannot wait.

use super::context::Context;
use super::elicitation::Elicitation;
use super::feature::Feature;
use super::prompts::{Prompting, given};
use super::protocol::{Dispatch, Protocol, head, open};
use super::reply::{Head, Replied, Reply};
use super::resources::Reading;
use super::subscriptions::{Listeners, tell};
use super::tools::Call;
use crate::json::{Port, Value, Writer};
use crate::prompt::{Prompt, TextArguments};
use crate::resource::{Resource, Variables};
use crate::rpc::{ErrorCode, Request};
use crate::tool::{Arguments, AsyncToolset, Tool};

pub(crate) use super::protocol::{END_OF_BATCH, entry_of_batch};
pub(crate) use super::reply::Place;

/// A function that is to be run, by its position in its table. Its arguments have passed their check.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deferred {
    Call(usize),
    Read(usize),
    Prompt(usize),
}

/// A toolset that runs nothing, and notes what is to be run.
pub(crate) struct Deferring<'t> {
    tools: &'static [Tool],
    features: &'static [Feature],
    listeners: Listeners<'t>,
    pub(crate) deferred: Option<Deferred>,
}

impl<'t> Deferring<'t> {
    pub(crate) fn of<T: AsyncToolset>(listeners: Listeners<'t>) -> Self {
        Self { tools: T::TOOLS, features: T::FEATURES, listeners, deferred: None }
    }

    fn defer(&mut self, deferred: Deferred) -> Replied {
        self.deferred = Some(deferred);
        // The right to answer is made anew when it is run.
        Replied(())
    }
}

impl Dispatch for Deferring<'_> {
    fn tools(&self) -> &'static [Tool] {
        self.tools
    }

    fn features(&self) -> &'static [Feature] {
        self.features
    }

    fn call(&mut self, index: usize, _: &Arguments<'_>, _: Context<'_>) -> Replied {
        self.defer(Deferred::Call(index))
    }

    fn read(&mut self, index: usize, _: &Variables<'_>, _: Reading<'_>) -> Replied {
        self.defer(Deferred::Read(index))
    }

    fn prompt(&mut self, index: usize, _: &TextArguments<'_>, _: Prompting<'_>) -> Replied {
        self.defer(Deferred::Prompt(index))
    }

    fn listeners(&mut self) -> Listeners<'_> {
        self.listeners
    }
}

impl Protocol {
    /// What the answer to a request needs to know.
    pub(crate) fn head<'h>(
        &'h self,
        request: &Request<'h>,
        place: Place,
        elicitation: Option<&'h Elicitation<'h>>,
    ) -> Head<'h> {
        head(&self.config, &self.session, request, &open(request), place, elicitation)
    }

    /// Tells those who have subscribed to some resources that these have changed.
    pub(crate) fn tell(&self, table: &'static [Resource], updated: u32, listeners: Listeners<'_>, out: &mut dyn Port) {
        tell(table, updated, self.session.subscribed, listeners, out);
    }
}

impl Deferred {
    /// Runs the function. The request is the one that it was deferred for.
    pub(crate) async fn run<T: AsyncToolset>(
        self,
        request: &Request<'_>,
        head: &Head<'_>,
        toolset: &mut T,
        out: &mut dyn Port,
    ) -> Replied {
        let reply = Reply { out: Writer::new(out), head };
        let Ok((params, _)) = open(request) else { return reply.internal_error() };
        match self {
            Self::Call(index) => {
                let call = Call::new(&params, head.revision).ok().zip(T::TOOLS.get(index));
                match call.and_then(|(call, tool)| Arguments::checked(call.arguments, &tool.input)) {
                    Some(arguments) => toolset.call(index, &arguments, Context::new(reply)).await,
                    None => reply.internal_error(),
                }
            }
            Self::Read(index) => {
                let uri = params.all.get("uri").and_then(Value::as_str).zip(resource::<T>(index));
                match uri.and_then(|(uri, resource)| Some((uri, resource, Variables::of(resource.uri, uri)?))) {
                    Some((uri, resource, variables)) => {
                        toolset.read(index, &variables, Reading::new(reply, uri, resource)).await
                    }
                    None => reply.internal_error(),
                }
            }
            Self::Prompt(index) => match given(&params).zip(prompt::<T>(index)) {
                Some((given, prompt)) => {
                    let arguments = TextArguments::of(given, prompt);
                    toolset.prompt(index, &arguments, Prompting::new(reply, prompt)).await
                }
                None => reply.internal_error(),
            },
        }
    }
}

fn resource<T: AsyncToolset>(index: usize) -> Option<&'static Resource> {
    T::FEATURES.iter().find_map(|feature| feature.table.resources().get(index))
}

fn prompt<T: AsyncToolset>(index: usize) -> Option<&'static Prompt> {
    T::FEATURES.iter().find_map(|feature| feature.table.prompts().get(index))
}

/// Answers that there is not enough room for the answer.
pub(crate) fn refuse_too_long(head: &Head<'_>, out: &mut dyn Port) {
    let reply = Reply { out: Writer::new(out), head };
    let Replied(()) = reply.refuse(ErrorCode::InternalError, &"internal error: the answer is too long for this server");
}
