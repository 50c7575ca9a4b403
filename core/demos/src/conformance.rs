//! What the official conformance suite calls: its scenarios name the tools, resources and prompts, and say what they answer.

use core::fmt::{self, Display};

use toolwire::content::{Audio, Content, Image, from_fn};
use toolwire::json::Float;
use toolwire::tool::{Level, Unanswered};
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
    #[resource(uri = "test://watched-resource", name = "watched-resource", mime_type = "text/plain")]
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
}
