//! What the fuzz targets run, one function per target. Each takes arbitrary bytes and panics when a claim about the
//! core does not hold; none is content with "it did not crash".
//!
//! They live here and not beside the targets so that stable compilers build, lint and run them: the test `corpus` replays
//! what the fuzzers have found.
//!
//! | target | claim |
//! | --- | --- |
//! | [`frames`](fn@frames) | lines are judged and normalised as `serde_json` reads them, in any split, in any capacity |
//! | [`session`](fn@session) | each line gets the answers that PROTOCOL demands, told by an oracle over `serde_json` |
//! | [`session_structured`](fn@session_structured) | the same for plausible requests of all revisions, slightly damaged |
//! | [`arguments`](fn@arguments) | arguments are refused exactly when the `jsonschema` crate refuses them |
//! | [`numbers`](fn@numbers) | integers are exact, floats correctly rounded and printed as ECMAScript prints them |
//! | [`strings`](fn@strings) | text comes back as it went, however it was escaped |
//!
//! The target `bridge` is `toolwire_cli::bridge::fuzzing`.

#![expect(
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    reason = "a claim that does not hold is told by a panic, here as in tests"
)]

pub mod arguments;
mod declared;
pub mod frames;
mod messages;
pub mod numbers;
mod oracle;
mod results;
pub mod session;
mod session_structured;
mod strings;
mod tables;
mod values;
pub mod wire;

pub use arguments::arguments;
pub use frames::frames;
pub use numbers::numbers;
pub use session::session;
pub use session_structured::session_structured;
pub use strings::strings;

/// A target: it panics when a claim does not hold for these bytes.
pub type Target = fn(&[u8]);

/// The target of that name, which is also that of its file and of its corpus in `fuzz/`.
#[must_use]
pub fn target(name: &str) -> Option<Target> {
    Some(match name {
        "arguments" => arguments,
        "frames" => frames,
        "numbers" => numbers,
        "session" => session,
        "session_structured" => session_structured,
        "strings" => strings,
        _ => return None,
    })
}

/// Lengths of pieces in which an input arrives, taken from the input itself.
fn pieces(data: &[u8]) -> Vec<usize> {
    data.iter().map(|byte| usize::from(byte % 17).saturating_add(1)).chain([1]).collect()
}
