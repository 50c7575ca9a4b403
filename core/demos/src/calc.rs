//! A calculator: floats, and text that comes back as it went.

use core::fmt::Display;

use toolwire::json::Float;
use toolwire::{ServerInfo, toolset};

/// What the server tells of itself.
pub const INFO: ServerInfo = ServerInfo::new("calc", env!("CARGO_PKG_VERSION"));

/// The tools. They have no state.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Calc;

impl Calc {
    /// A calculator.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

#[toolset]
impl Calc {
    /// Add two numbers
    #[tool]
    fn add(a: f64, b: f64) -> impl Display {
        Float(a + b)
    }

    /// Echo text
    #[tool]
    fn echo(text: &str) -> &str {
        text
    }
}
