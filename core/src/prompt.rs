//! What a prompt is: its static description, its arguments, its message.

use core::fmt::Display;

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

/// What a prompt's function returned. The generated code calls `send` on it; inherent functions come before those of
/// [`Sent`].
#[doc(hidden)]
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by the macros in other crates")]
pub struct Returned<T>(pub T);

#[doc(hidden)]
impl<T: Display, E: Display> Returned<Result<T, E>> {
    pub fn send(self, prompting: Prompting<'_>) -> Replied {
        match self.0 {
            Ok(text) => prompting.text(&text),
            Err(error) => prompting.failed(&error),
        }
    }
}

/// The text of a prompt that is always there.
#[doc(hidden)]
pub trait Sent {
    fn send(self, prompting: Prompting<'_>) -> Replied;
}

impl<T: Display> Sent for Returned<T> {
    fn send(self, prompting: Prompting<'_>) -> Replied {
        prompting.text(&self.0)
    }
}
