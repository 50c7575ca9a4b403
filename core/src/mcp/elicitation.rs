//! Questions to the user by form, as a multi round-trip request of 2026-07-28: the answer to the call says what is asked, and
//! the client calls again with what the user said. The server keeps nothing between the two (MRTR-5).

use core::fmt;

use super::context::Context;
use super::meta::CAPABILITIES;
use super::reply::{Replied, Reply};
use crate::json::{self, Value};
use crate::rpc::ErrorCode;
use crate::schema::{self, Object, Schema};
use crate::tool::{Argument, Arguments};

/// Why there is no answer to a question. Return it as the error of the tool, or as what that is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unanswered {
    /// It was asked just now: the tool will be called again with the answer. Whatever else the tool returns is not sent.
    Asked,
    /// The user does not want to answer, or closed the form (MRTR-10).
    Declined,
    /// This client cannot be asked.
    Unsupported,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "the user was asked",
            Self::Declined => "the user declined to answer the question that this tool asks",
            Self::Unsupported => "this tool asks the user a question, which this client does not support",
        })
    }
}

impl core::error::Error for Unanswered {}

/// A form: what its answer must be.
struct Form<T>(T);

impl<'a, T: Argument<'a>> Form<T> {
    /// As it is checked.
    const OBJECT: &'static Object = flat(T::SCHEMA);
    /// As it is printed: forms say nothing of further members (ELIC-3).
    const PRINTED: &'static Object = &Object { properties: Self::OBJECT.properties, additional_properties: true };
}

/// The object that a schema is, if forms can show it (ELIC-3).
#[expect(clippy::panic, reason = "evaluated in constants only, where it is a compile error")]
const fn flat(schema: &'static Schema) -> &'static Object {
    let Schema::Object(object) = schema else { panic!("a form is a struct with #[derive(Argument)]") };
    let mut rest = object.properties;
    while let [property, others @ ..] = rest {
        if let Schema::Object(_) | Schema::Array { .. } = property.schema {
            panic!("the fields of a form are numbers, strings, booleans and enums");
        }
        rest = others;
    }
    object
}

impl<'a> Context<'a> {
    /// Asks the user to fill in a form: the fields of `T`, a struct with `#[derive(Argument)]` whose fields are no structs
    /// or arrays. `key` names the question among those of the tool.
    ///
    /// The tool runs once without the answer, and once more with it, from its start: ask before you change anything. An
    /// answer that does not fit is asked for again (MRTR-8). Do not ask for secrets (ELIC-1).
    ///
    /// # Errors
    /// [`Unanswered`]: return it from the tool.
    pub fn ask<T: Argument<'a>>(&self, key: &'static str, message: &'static str) -> Result<T, Unanswered> {
        let content =
            self.answer_to(&Question { key, message, form: Form::<T>::OBJECT, printed: Form::<T>::PRINTED })?;
        T::decode(content).ok_or(Unanswered::Unsupported)
    }

    fn answer_to(&self, question: &Question) -> Result<Value<'a>, Unanswered> {
        let Some(reply) = self.take() else { return Err(Unanswered::Asked) };
        if !reply.head.revision.rules().modern {
            self.put_back(reply);
            return Err(Unanswered::Unsupported);
        }
        let response = reply.head.params.get("inputResponses").and_then(Value::as_object);
        let response = response.and_then(|responses| responses.get(question.key)?.as_object());
        let [action, content] = response.unwrap_or(json::Object::EMPTY).select(&["action", "content"]);
        match action.and_then(Value::as_text) {
            Some(b"decline" | b"cancel") => {
                self.put_back(reply);
                Err(Unanswered::Declined)
            }
            Some(b"accept") if let Some(content) = content.filter(|content| question.fits(*content)) => {
                self.put_back(reply);
                Ok(content)
            }
            _ => {
                let Replied(()) = question.ask(reply);
                Err(Unanswered::Asked)
            }
        }
    }
}

struct Question {
    key: &'static str,
    message: &'static str,
    form: &'static Object,
    printed: &'static Object,
}

impl Question {
    fn fits(&self, content: Value<'_>) -> bool {
        content.as_object().is_some_and(|content| Arguments::checked(content, self.form).is_some())
    }

    /// Answers the request with the question, if the client can show forms (MRTR-4).
    fn ask(&self, reply: Reply<'_>) -> Replied {
        let meta = reply.head.params.get("_meta").and_then(Value::as_object);
        let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES)?.as_object());
        let modes = capabilities.and_then(|capabilities| capabilities.get("elicitation")?.as_object());
        // No mode means forms (ELIC-2).
        let forms = modes.is_some_and(|modes| modes.get("form").is_some() || modes.get("url").is_none());
        if !forms {
            let data = Some(("\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}},\"message\":", self.message));
            let reason = "this tool asks the user a question: the client must declare elicitation by form";
            return reply.refuse_data(ErrorCode::MissingRequiredClientCapability, &reason, data);
        }
        reply.result_of("\"resultType\":\"input_required\",", &|out| {
            out.raw("\"inputRequests\":{");
            out.string(self.key);
            out.raw(":{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":");
            out.string(self.message);
            out.raw(",\"requestedSchema\":");
            schema::print::write(out, self.printed);
            out.raw("}}}");
        })
    }
}
