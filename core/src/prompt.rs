//! What a prompt is: its static description, its arguments, its messages.

use core::fmt;

use crate::content::{Block, Blocks, Role};

pub use crate::mcp::prompts::Prompting;
use crate::tool::Replied;

/// The static description of a prompt, as `prompts/list` prints it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Prompt {
    /// A name for programs.
    pub name: &'static str,
    /// A name for people; from 2025-06-18 on.
    pub title: Option<&'static str>,
    /// What it is for.
    pub description: &'static str,
    /// Its arguments, in the order in which they are printed.
    pub arguments: &'static [PromptArgument],
}

/// An argument of a prompt: a text that a person fills in.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub description: Option<&'static str>,
    /// Whether it must be there.
    pub required: bool,
    /// Texts that it may be, to be suggested (COMP-2).
    pub values: &'static [&'static str],
}

/// The most arguments that a prompt can have.
pub const MAX_ARGUMENTS: usize = 8;

/// The arguments of a prompt, as they came.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextArguments<'a>(pub(crate) [Option<&'a str>; MAX_ARGUMENTS]);

impl<'a> TextArguments<'a> {
    /// The texts in the order of the table; `None` for what is absent.
    #[must_use]
    pub fn values<const K: usize>(&self) -> [Option<&'a str>; K] {
        core::array::from_fn(|at| self.0.get(at).copied().flatten())
    }
}

/// What a prompt makes, message by message. A prompt that returns something that implements [`Display`](fmt::Display) needs none of this:
/// that is one message of the user.
pub trait Messages {
    /// Writes the messages. It may be called once only, and while it is, nothing else goes over the wire.
    fn write(&self, conversation: &mut Conversation<'_>);
}

/// Messages that a function writes.
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

/// Makes messages of a function that writes them.
///
/// ```
/// use toolwire::prompt::{Messages, from_fn};
///
/// fn about(picture: &[u8]) -> impl Messages {
///     from_fn(move |conversation| {
///         conversation.user().image(picture, "image/png");
///         conversation.user().text(&"What is wrong with this board?");
///         conversation.assistant().text(&"The lamp is dark. Has it been?");
///     })
/// }
/// ```
pub const fn from_fn<F: Fn(&mut Conversation<'_>)>(write: F) -> FromFn<F> {
    FromFn(write)
}

impl<F> fmt::Debug for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromFn").finish_non_exhaustive()
    }
}

impl<F: Fn(&mut Conversation<'_>)> Messages for FromFn<F> {
    fn write(&self, conversation: &mut Conversation<'_>) {
        (self.0)(conversation);
    }
}

/// The messages of a prompt while they are written. Each has one block of content.
#[derive(Debug)]
pub struct Conversation<'w>(pub(crate) Blocks<'w>);

impl<'w> Conversation<'w> {
    /// The next message, of the user.
    pub fn user(&mut self) -> Block<'_, 'w> {
        self.0.said_by(Role::User)
    }

    /// The next message, of the model.
    pub fn assistant(&mut self) -> Block<'_, 'w> {
        self.0.said_by(Role::Assistant)
    }
}

/// What a prompt's function returned. The generated code calls `send` on it: a function of one of the traits in
/// [`returned`], of which one fits.
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Returned<T>(pub T);

/// What prompts may return.
#[doc(hidden)]
pub mod returned {
    use core::fmt::Display;

    use super::{Messages, Prompting, Replied, Returned};

    /// Something that displays itself.
    pub trait Text {
        fn send(self, prompting: &Prompting<'_>) -> Replied;
    }

    impl<T: Display> Text for Returned<T> {
        fn send(self, prompting: &Prompting<'_>) -> Replied {
            prompting.text(&self.0)
        }
    }

    /// Messages.
    pub trait Conversation {
        fn send(self, prompting: &Prompting<'_>) -> Replied;
    }

    impl<T: Messages> Conversation for Returned<T> {
        fn send(self, prompting: &Prompting<'_>) -> Replied {
            prompting.messages(&self.0)
        }
    }

    /// Something that displays itself, or an error.
    pub trait TextOrError {
        fn send(self, prompting: &Prompting<'_>) -> Replied;
    }

    impl<T: Display, E: Display> TextOrError for Returned<Result<T, E>> {
        fn send(self, prompting: &Prompting<'_>) -> Replied {
            match self.0 {
                Ok(text) => prompting.text(&text),
                Err(error) => prompting.failed(&error),
            }
        }
    }

    /// Messages, or an error.
    pub trait ConversationOrError {
        fn send(self, prompting: &Prompting<'_>) -> Replied;
    }

    impl<T: Messages, E: Display> ConversationOrError for Returned<Result<T, E>> {
        fn send(self, prompting: &Prompting<'_>) -> Replied {
            match self.0 {
                Ok(messages) => prompting.messages(&messages),
                Err(error) => prompting.failed(&error),
            }
        }
    }
}
