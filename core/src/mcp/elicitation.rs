//! Questions to the user by form. In 2026-07-28 the answer to the call says what is asked, and the client calls again with what
//! the user said: the server keeps nothing between the two (MRTR-5). In 2025-06-18 and 2025-11-25 the question is a request to
//! the client; whoever runs the server keeps the call, and runs it again when the answer has come.

use core::cell::Cell;
use core::fmt;

use super::context::Context;
use super::meta::CAPABILITIES;
use super::reply::{Replied, Reply};
use super::revision::Revision;
use crate::json::{Integer, Object, Value, Writer};
use crate::rpc::ErrorCode;
use crate::schema::{self, Type};
use crate::tool::{Argument, Arguments};

/// Why there is no answer to a question. Return it as the error of the tool, or as what that is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unanswered {
    /// It was asked just now: the tool will be called again with the answer. Whatever else the tool returns is not sent.
    Asked,
    /// The user does not want to answer, or closed the form (MRTR-10).
    Declined,
    /// The client says that the user has answered, but with something else than was asked for (ELIC-4).
    Unfit,
    /// This client cannot be asked.
    Unsupported,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "the user was asked",
            Self::Declined => "the user declined to answer the question that this tool asks",
            Self::Unfit => "the client's answer to the question that this tool asks does not fit its form",
            Self::Unsupported => "this tool asks the user a question, which this client does not support",
        })
    }
}

impl core::error::Error for Unanswered {}

/// A form: what its answer must be.
struct Form<T>(T);

impl<'a, T: Argument<'a>> Form<T> {
    /// As it is checked.
    const OBJECT: &'static schema::Object = flat(T::SCHEMA);
    /// As it is printed: forms say nothing of further members (ELIC-3).
    const PRINTED: &'static schema::Object =
        &schema::Object { properties: Self::OBJECT.properties, additional_properties: true };
}

/// The object that a schema is, if forms can show it (ELIC-3).
#[expect(clippy::panic, reason = "evaluated in constants only, where it is a compile error")]
const fn flat(schema: &'static Type) -> &'static schema::Object {
    let Type::Object(object) = schema else { panic!("a form is a struct with #[derive(Argument)]") };
    let mut rest = object.properties;
    while let [property, others @ ..] = rest {
        match property.schema {
            Type::Array { items: Type::Enum(_) | Type::Titled(_), .. } => {}
            Type::Object(_) | Type::Array { .. } => {
                panic!("the fields of a form are numbers, strings, booleans, enums and arrays of enums")
            }
            _ => {}
        }
        rest = others;
    }
    object
}

/// What a tool needs to ask in a revision with a handshake, while whoever runs the server keeps its call.
pub(crate) struct Elicitation<'a> {
    /// The number of the next question.
    pub(crate) number: u32,
    /// The question that the tool asked before, and what the client said, if that was an answer.
    pub(crate) answered: Option<(&'static str, Option<Value<'a>>)>,
    /// The question that the tool asks now.
    pub(crate) asked: Cell<Option<&'static str>>,
}

/// Writes the id of a question: a text, so that it is none of the client's where a line echoes (S2C-2).
pub(super) fn write_id(out: &mut dyn fmt::Write, number: u32) -> fmt::Result {
    out.write_str("toolwire-")?;
    Integer::from(number).write(out)
}

/// Whether an id is that of a question.
pub(super) fn is_id(id: Value<'_>, number: u32) -> bool {
    let mut expected = heapless::String::<24>::new();
    let _ = write_id(&mut expected, number);
    id.as_str() == Some(expected.as_str())
}

impl<'a> Context<'a> {
    /// Asks the user to fill in a form: the fields of `T`, a struct with `#[derive(Argument)]` whose fields are no structs,
    /// and arrays of enums only, which clients of 2025-11-25 and later know. `key` names the question among those of the tool.
    ///
    /// The tool runs once without the answer, and once more with it, from its start: ask before you change anything. In
    /// 2026-07-28 an answer that does not fit is asked for again (MRTR-8). In 2025-06-18 and 2025-11-25 the server must be run
    /// by [`Server::run_duplex`](crate::Server::run_duplex), and a call can ask one question. Do not ask for secrets (ELIC-1).
    ///
    /// # Errors
    /// [`Unanswered`]: return it from the tool.
    pub fn ask<T: Argument<'a>>(&self, key: &'static str, message: impl fmt::Display) -> Result<T, Unanswered> {
        self.ask_form(key, &message, None)
    }

    /// As [`ask`](Self::ask), for one of several questions that depend on each other: `state` is what the tool needs to know
    /// when it runs again, such as the answers so far, and comes back as [`request_state`](Self::request_state).
    ///
    /// # Errors
    /// [`Unanswered`]: return it from the tool.
    pub fn ask_with_state<T: Argument<'a>>(
        &self,
        key: &'static str,
        message: impl fmt::Display,
        state: impl fmt::Display,
    ) -> Result<T, Unanswered> {
        self.ask_form(key, &message, Some(&state))
    }

    /// What the tool gave to [`ask_with_state`](Self::ask_with_state) before it runs again. It has been in the hands of the
    /// client, which may send anything instead: never let it decide what the client may do (MRTR-6). 2026-07-28 only.
    pub fn request_state(&self) -> Option<&'a str> {
        let reply = self.take()?;
        let modern = reply.head.revision.rules().modern;
        let state = reply.head.params.get("requestState").filter(|_| modern).and_then(Value::as_str);
        self.put_back(reply);
        state
    }

    fn ask_form<T: Argument<'a>>(
        &self,
        key: &'static str,
        message: &dyn fmt::Display,
        state: Option<&dyn fmt::Display>,
    ) -> Result<T, Unanswered> {
        let (form, printed) = (Form::<T>::OBJECT, Form::<T>::PRINTED);
        let content = self.answer_to(&Question { key, message, state, form, printed })?;
        T::decode(content).ok_or(Unanswered::Unfit)
    }

    fn answer_to(&self, question: &Question<'_>) -> Result<Value<'a>, Unanswered> {
        let Some(reply) = self.take() else { return Err(Unanswered::Asked) };
        let given = match (reply.head.revision.rules().modern, reply.head.elicitation) {
            (true, _) => {
                let responses = reply.head.params.get("inputResponses").and_then(Value::as_object);
                Ok(responses.and_then(|responses| responses.get(question.key)))
            }
            (false, Some(elicitation)) if reply.head.revision >= Revision::V2025_06_18 => match elicitation.answered {
                None => Ok(None),
                // The answer to another question cannot be kept.
                Some((key, _)) if key != question.key => Err(Unanswered::Unsupported),
                Some((_, answer)) => answer.map(Some).ok_or(Unanswered::Unsupported),
            },
            _ => Err(Unanswered::Unsupported),
        };
        let modern = reply.head.revision.rules().modern;
        let answer = given.and_then(|given| {
            let response = given.and_then(Value::as_object).unwrap_or(Object::EMPTY);
            let [action, content] = response.select(&["action", "content"]);
            match (action.and_then(Value::as_text), content) {
                (Some(b"decline" | b"cancel"), _) => Err(Unanswered::Declined),
                (Some(b"accept"), Some(content)) if question.fits(content) => Ok(content),
                // An answer that does not fit is asked for again (MRTR-8), where the client says when that is enough.
                _ if modern || given.is_none() => Err(Unanswered::Asked),
                _ => Err(Unanswered::Unfit),
            }
        });
        match answer {
            Err(Unanswered::Asked) => {
                let Replied(()) = question.ask(reply);
            }
            _ => self.put_back(reply),
        }
        answer
    }
}

struct Question<'q> {
    key: &'static str,
    message: &'q dyn fmt::Display,
    state: Option<&'q dyn fmt::Display>,
    form: &'static schema::Object,
    printed: &'static schema::Object,
}

impl Question<'_> {
    fn fits(&self, content: Value<'_>) -> bool {
        content.as_object().is_some_and(|content| Arguments::checked(content, self.form).is_some())
    }

    /// Asks, if the client can show forms (MRTR-4).
    fn ask(&self, mut reply: Reply<'_>) -> Replied {
        if let Some(elicitation) = reply.head.elicitation
            && !reply.head.revision.rules().modern
        {
            elicitation.asked.set(Some(self.key));
            reply.out.raw("{\"jsonrpc\":\"2.0\",\"id\":\"");
            reply.out.with(|out| write_id(out, elicitation.number));
            reply.out.raw("\",");
            self.write(&mut reply.out, reply.head.revision);
            reply.out.raw("}\n");
            reply.out.flush();
            return Replied(());
        }
        let meta = reply.head.params.get("_meta").and_then(Value::as_object);
        let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES)?.as_object());
        if !capabilities.is_some_and(are_forms_possible) {
            let data = Some(("\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}},\"key\":", self.key));
            let reason = format_args!(
                "this tool asks the user, so the client must declare elicitation by form: {}",
                self.message
            );
            return reply.refuse_data(ErrorCode::MissingRequiredClientCapability, &reason, data);
        }
        let revision = reply.head.revision;
        reply.result_of("\"resultType\":\"input_required\",", &|out| {
            out.raw("\"inputRequests\":{");
            out.string(self.key);
            out.raw(":{");
            self.write(out, revision);
            out.raw("}}");
            if let Some(state) = self.state {
                out.raw(",\"requestState\":\"");
                out.inside(state);
                out.raw("\"");
            }
        })
    }

    /// Writes the question as the members of a request (ELIC-3).
    fn write(&self, out: &mut Writer<'_>, revision: Revision) {
        out.raw("\"method\":\"elicitation/create\",\"params\":{");
        // Without it, it is a form too.
        out.raw(if revision > Revision::V2025_06_18 { "\"mode\":\"form\",\"message\":\"" } else { "\"message\":\"" });
        out.inside(self.message);
        out.raw("\",\"requestedSchema\":");
        schema::print::write(out, self.printed);
        out.raw("}");
    }
}

/// Whether a client with some capabilities shows forms. No mode means forms (ELIC-2).
pub(super) fn are_forms_possible(capabilities: Object<'_>) -> bool {
    let modes = capabilities.get("elicitation").and_then(Value::as_object);
    modes.is_some_and(|modes| modes.get("form").is_some() || modes.get("url").is_none())
}
