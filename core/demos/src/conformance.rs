//! What the official conformance suite calls: its scenarios name the tools, resources and prompts, and say what they answer.

use core::fmt::{self, Display};

use toolwire::content::{Audio, Content, Image, from_fn};
use toolwire::json::{Float, Value};
use toolwire::prompt::{self, Messages};
use toolwire::schema::{Titled, Type};
use toolwire::tool::{Level, Unanswered, Unbounded};
use toolwire::{Argument, Bytes, Context, ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("conformance", env!("CARGO_PKG_VERSION"));

/// An image of one red pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\
    \0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\rIDATx\xdac\xfc\xcf\xc0\xf0\x1f\0\x05\x05\x02\0_\xc8\xf1\xd2\
    \0\0\0\0IEND\xaeB`\x82";

/// A sound without samples.
const WAV: &[u8] = b"RIFF&\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0\0}\0\0\x02\0\x10\0data\x02\0\0\0";

/// The tools. They have no state.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Conformance;

impl Conformance {
    /// What the suite calls.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

#[derive(Argument, Clone, Copy, Debug)]
struct Name<'a> {
    name: &'a str,
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hello, {}!", self.name)
    }
}

/// A form whose fields have defaults of all types.
#[derive(Argument, Clone, Copy, Debug)]
struct Defaults<'a> {
    #[argument(default = "John Doe")]
    name: &'a str,
    #[argument(default = 30)]
    age: u8,
    #[argument(default = 95.5)]
    score: f64,
    #[argument(default = Status::Active)]
    status: Status,
    #[argument(default = true)]
    verified: bool,
}

#[derive(Argument, Clone, Copy, Debug)]
enum Status {
    Active,
    Inactive,
    Pending,
}

#[derive(Argument, Clone, Copy, Debug)]
struct User<'a> {
    /// User's response
    username: &'a str,
    /// User's email address
    email: &'a str,
}

/// A form with enums in every spelling.
#[derive(Argument, Debug)]
#[argument(rename_all = "camelCase")]
struct Enums {
    untitled_single: Option<Untitled>,
    titled_single: Option<TitledChoice>,
    legacy_enum: Option<Legacy>,
    untitled_multi: Option<heapless::Vec<Untitled, 3>>,
    titled_multi: Option<heapless::Vec<TitledMulti, 3>>,
}

#[derive(Argument, Clone, Copy, Debug)]
enum Untitled {
    Option1,
    Option2,
    Option3,
}

#[derive(Argument, Clone, Copy, Debug)]
enum TitledChoice {
    #[argument(title = "First Option")]
    Value1,
    #[argument(title = "Second Option")]
    Value2,
    #[argument(title = "Third Option")]
    Value3,
}

#[derive(Argument, Clone, Copy, Debug)]
enum TitledMulti {
    #[argument(title = "First Choice")]
    Value1,
    #[argument(title = "Second Choice")]
    Value2,
    #[argument(title = "Third Choice")]
    Value3,
}

/// An enum with the titles of 2025-06-18; the number of the choice.
#[derive(Clone, Copy, Debug)]
struct Legacy(usize);

impl<'a> Argument<'a> for Legacy {
    type Bound = Unbounded;
    const SCHEMA: &'static Type = &Type::Titled(&Titled::with_enum_names(
        &["opt1", "opt2", "opt3"],
        &["Option One", "Option Two", "Option Three"],
    ));

    fn decode(value: Value<'a>) -> Option<Self> {
        Self::SCHEMA.index_of(value).map(Self)
    }
}

#[derive(Argument, Clone, Copy, Debug)]
struct Confirmation {
    ok: bool,
}

#[derive(Argument, Clone, Copy, Debug)]
struct Colour<'a> {
    color: &'a str,
}

#[derive(Argument, Clone, Copy, Debug)]
struct Background<'a> {
    context: &'a str,
}

/// What a question gives to the client, to be sent back with the answer.
const STATE: &str = "asked";

/// Asks for a confirmation, and looks whether the state has come back.
fn confirm(context: &Context<'_>) -> Result<&'static str, Unanswered> {
    let Confirmation { ok } = context.ask_with_state("confirm", "Please confirm", STATE)?;
    Ok(match context.request_state() {
        Some(STATE) if ok => "Confirmed, state-ok",
        Some(STATE) => "Not confirmed, state-ok",
        _ => "The state is another one",
    })
}

/// Logs as the suite counts it.
fn log(context: &Context<'_>) {
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        context.log(Level::Info, &message);
    }
}

#[toolset(logging)]
impl Conformance {
    /// Answer with text.
    #[tool]
    fn test_simple_text() -> &'static str {
        "This is a simple text response for testing."
    }

    /// Answer with an image.
    #[tool]
    fn test_image_content() -> Image<'static> {
        Image { data: PNG, mime_type: "image/png" }
    }

    /// Answer with a sound.
    #[tool]
    fn test_audio_content() -> Audio<'static> {
        Audio { data: WAV, mime_type: "audio/wav" }
    }

    /// Answer with a resource.
    #[tool]
    fn test_embedded_resource() -> impl Content {
        from_fn(|blocks| {
            blocks.resource_text("test://embedded-resource", "text/plain", &"This is an embedded resource content.");
        })
    }

    /// Answer with text, an image and a resource.
    #[tool]
    fn test_multiple_content_types() -> impl Content {
        from_fn(|blocks| {
            blocks.text(&"Multiple content types test:");
            blocks.image(PNG, "image/png");
            let json = r#"{"test":"data","value":123}"#;
            blocks.resource_text("test://mixed-content-resource", "application/json", &json);
        })
    }

    /// Fail on purpose.
    #[tool]
    fn test_error_handling() -> Result<(), &'static str> {
        Err("This tool intentionally returns an error for testing")
    }

    /// Send three messages to the log.
    #[tool]
    fn test_tool_with_logging(context: &Context<'_>) -> &'static str {
        log(context);
        "Logged three messages."
    }

    /// Send three messages to the log of a client that asks for them.
    #[tool]
    fn test_logging_tool(context: &Context<'_>) -> &'static str {
        log(context);
        "Logged what was asked for."
    }

    /// Report progress three times.
    #[tool]
    fn test_tool_with_progress(context: &Context<'_>) -> &'static str {
        for done in [0, 50, 100] {
            context.progress(done, 100);
        }
        "Reported progress three times."
    }

    /// Ask the user for a name.
    #[tool]
    fn test_input_required_result_elicitation(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        context.ask::<Name<'_>>("user_name", "What is your name?")
    }

    /// Ask the user for a name, with nothing but notifications before the answer.
    #[tool]
    fn test_streaming_elicitation(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        context.ask::<Name<'_>>("user_name", "What is your name?")
    }

    /// Ask the user something.
    #[tool]
    fn test_elicitation(context: &Context<'_>, message: &str) -> Result<impl Display, Unanswered> {
        let User { username, email } = context.ask("user", message)?;
        Ok(fmt::from_fn(move |f| write!(f, "User response: {username}, {email}")))
    }

    /// Ask the user to choose from enums of all kinds.
    #[tool]
    fn test_elicitation_sep1330_enums(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        let Enums { untitled_single, titled_single, legacy_enum, untitled_multi, titled_multi } =
            context.ask("enums", "Please select options")?;
        Ok(fmt::from_fn(move |f| {
            let old = legacy_enum.map(|Legacy(index)| index);
            write!(f, "Elicitation completed: {untitled_single:?}, {titled_single:?}, {old:?}")?;
            write!(f, ", {untitled_multi:?}, {titled_multi:?}")
        }))
    }

    /// Ask the user to confirm, with a state that must come back.
    #[tool]
    fn test_input_required_result_request_state(context: &Context<'_>) -> Result<&'static str, Unanswered> {
        confirm(context)
    }

    /// The same, for a client that changes the state.
    #[tool]
    fn test_input_required_result_tampered_state(context: &Context<'_>) -> Result<&'static str, Unanswered> {
        confirm(context)
    }

    /// Ask the user twice.
    #[tool]
    fn test_input_required_result_multi_round(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        let name = match context.request_state().and_then(|state| state.strip_prefix("name ")) {
            Some(name) => name,
            None => context.ask_with_state::<Name<'_>>("step1", "Step 1: What is your name?", STATE)?.name,
        };
        let question = "Step 2: What is your favorite color?";
        let Colour { color } = context.ask_with_state("step2", question, format_args!("name {name}"))?;
        Ok(fmt::from_fn(move |f| write!(f, "{name} likes {color}.")))
    }

    /// Ask the user to review a form that is filled in already.
    #[tool]
    fn test_elicitation_sep1034_defaults(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        let Defaults { name, age, score, status, verified } =
            context.ask("defaults", "Please review and update the form fields with defaults")?;
        Ok(fmt::from_fn(move |f| {
            write!(f, "Elicitation completed: {name}, {age}, {}, {status:?}, verified: {verified}", Float(score))
        }))
    }

    /// Text that never changes.
    #[resource(uri = "test://static-text", name = "static-text", mime_type = "text/plain")]
    const STATIC_TEXT: &'static str = "This is the content of the static text resource.";

    /// Bytes that never change.
    #[resource(uri = "test://static-binary", name = "static-binary", mime_type = "image/png")]
    const STATIC_BINARY: Bytes<'static> = Bytes(PNG);

    /// Text that a client may watch.
    #[resource(uri = "test://watched-resource", name = "watched-resource", mime_type = "text/plain", subscribe)]
    fn watched_resource() -> &'static str {
        "Watched resource content"
    }

    /// A family of resources.
    #[resource(uri = "test://template/{id}/data", name = "template", mime_type = "application/json")]
    fn template(id: &str) -> impl Display {
        // What stands in an address needs no escapes in JSON.
        fmt::from_fn(move |f| write!(f, r#"{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}"#))
    }

    /// A prompt without arguments.
    #[prompt]
    fn test_simple_prompt() -> &'static str {
        "This is a simple prompt for testing."
    }

    /// A prompt with arguments.
    #[prompt]
    fn test_prompt_with_arguments(
        /// First test argument
        arg1: &str,
        /// Second test argument
        arg2: &str,
    ) -> impl Display {
        fmt::from_fn(move |f| write!(f, "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))
    }

    /// A prompt about a resource.
    #[prompt]
    fn test_prompt_with_embedded_resource(
        /// URI of the resource to embed
        #[argument(rename = "resourceUri")]
        uri: &str,
    ) -> impl Messages {
        prompt::from_fn(move |conversation| {
            conversation.user().resource_text(uri, "text/plain", &"Embedded resource content for testing.");
            conversation.user().text(&"Please process the embedded resource above.");
        })
    }

    /// A prompt about an image.
    #[prompt]
    fn test_prompt_with_image() -> impl Messages {
        prompt::from_fn(|conversation| {
            conversation.user().image(PNG, "image/png");
            conversation.user().text(&"Please analyze the image above.");
        })
    }

    /// A prompt that needs to know more.
    #[prompt]
    fn test_input_required_result_prompt(context: &Context<'_>) -> Result<impl Display, Unanswered> {
        let Background { context } = context.ask("user_context", "What context should the prompt use?")?;
        Ok(fmt::from_fn(move |f| write!(f, "Answer in this context: {context}")))
    }
}
