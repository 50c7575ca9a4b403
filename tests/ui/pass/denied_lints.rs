//! Generated code keeps to the strictest lints of the crate that it lands in.

#![deny(
    warnings,
    missing_docs,
    unused,
    unused_qualifications,
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    unreachable_pub,
    unnameable_types,
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::missing_trait_methods
)]
#![forbid(unsafe_code)]

use toolwire::tool::{Replied, Tool};
use toolwire::{Argument, Context, Catalog, json, schema, toolset};

/// How fast.
#[derive(Argument, Clone, Copy, Debug)]
pub enum Speed {
    /// Not fast.
    Slow,
    /// Fast.
    Fast,
}

/// Where to.
#[derive(Argument, Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its name.
    #[argument(max_length = 8)]
    pub name: &'a str,
    /// Its distance.
    #[argument(default = 1)]
    pub distance: u8,
}

/// Nowhere.
#[derive(Argument, Clone, Copy, Debug)]
pub struct Nowhere {}

/// A robot.
#[derive(Debug)]
pub struct Robot {
    steps: u32,
}

/// Its only tool needs nothing.
#[derive(Debug)]
pub struct Still;

#[toolset]
impl Still {
    /// Do nothing.
    #[tool]
    pub fn nothing(&self) {}
}

#[toolset]
impl Robot {
    /// Go somewhere.
    #[tool]
    pub fn go(&mut self, target: Target<'_>, #[argument(default = Speed::Slow)] speed: Speed) -> &'static str {
        let _ = target;
        self.steps = self.steps.saturating_add(1);
        match speed {
            Speed::Slow => "going",
            Speed::Fast => "gone",
        }
    }

    /// Go nowhere.
    #[tool]
    #[must_use]
    pub const fn stay(nowhere: Option<Nowhere>) -> bool {
        nowhere.is_none()
    }

    /// Go everywhere.
    #[cfg(any())]
    #[tool]
    pub fn everywhere(&mut self) {}
}

/// Everything that the generated code names can also be in scope.
fn scope(_: &Tool, _: Replied, _: json::Value<'_>, _: schema::Object, _: &Context<'_>) {}

fn main() {
    let _ = scope;
    assert_eq!(Robot::TOOLS.len(), 2);
    assert_eq!(Still::TOOLS.len(), 1);
    const { assert!(Target::REQUIRED) };
    assert!(Robot { steps: 0 }.steps == 0);
}
