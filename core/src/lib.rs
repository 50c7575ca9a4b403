//! MCP tools over a wire: a `no_std`, allocation-free [Model Context Protocol] server.
//!
//! You annotate the functions of your firmware; any MCP client lists and calls them over a serial line as if the
//! device were an ordinary stdio server.
//!
//! ```
//! use core::fmt::Display;
//! use toolwire::{Server, ServerInfo, toolset};
//!
//! struct Lamp { on: bool }
//!
//! #[toolset]
//! impl Lamp {
//!     /// Switch the lamp.
//!     #[tool(idempotent)]
//!     fn lamp_set(
//!         &mut self,
//!         /// `true` for light.
//!         on: bool,
//!     ) -> impl Display {
//!         self.on = on;
//!         if on { "The lamp is on." } else { "The lamp is off." }
//!     }
//! }
//!
//! let mut server = Server::<_, 512>::new(ServerInfo::new("lamp", "1.0.0"), Lamp { on: false });
//! let mut answer = Vec::new(); // your UART
//! server.receive(
//!     br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lamp_set","arguments":{"on":true}}}
//! "#,
//!     &mut answer,
//! )?;
//! assert_eq!(
//!     core::str::from_utf8(&answer)?,
//!     "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"The lamp is on.\"}],\"isError\":false}}\n"
//! );
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! # The way of a message
//!
//! ```text
//! bytes -> Frames<N> -> rpc::Message -> Server -> Toolset (your code) -> Reply -> bytes
//!          validate     borrowed        revision   typed, checked        streamed,
//!          normalise    view            dispatch   arguments             never buffered whole
//! ```
//!
//! Bytes are untrusted until [`Frames`](frame::Frames) has returned them as a message; from there on every layer works
//! on proven text and has no way to panic.
//!
//! Besides tools, a toolset may offer resources and prompts: the [`cookbook`] has a few lines for each.
//!
//! # Features
//!
//! | feature | default | gives | costs |
//! | --- | --- | --- | --- |
//! | `serde` | yes | tools that return JSON for programs, [`Json`] | flash, only where a tool does so; `serde_core` |
//! | `log` | no | one record of the [`log`](https://docs.rs/log) crate per handshake, list and call | the formatting of its texts |
//! | `async` | no | `async fn` in a toolset, and a server's `run_async` over `embedded_io_async` | flash where the server runs so; nothing where it is off |
//!
//! [Model Context Protocol]: https://modelcontextprotocol.io

#![no_std]
#![forbid(unsafe_code)]
#![warn(
    clippy::alloc_instead_of_core,
    clippy::arithmetic_side_effects,
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::large_stack_arrays,
    clippy::large_stack_frames,
    clippy::large_types_passed_by_value,
    clippy::panic,
    clippy::std_instead_of_alloc,
    clippy::std_instead_of_core,
    clippy::unreachable
)]

#[doc = include_str!("cookbook.md")]
pub mod cookbook {}
#[cfg(feature = "async")]
mod asynchronous;
pub mod content;
mod duplex;
pub mod frame;
mod io;
pub mod json;
mod log;
mod mcp;
pub mod prompt;
pub mod resource;
pub mod rpc;
pub mod schema;
mod server;
#[cfg(feature = "serde")]
mod structured;
pub mod tool;

pub use content::Content;
pub use mcp::{Details, Icon, ServerInfo};
pub use resource::Bytes;
pub use server::Server;
#[cfg(feature = "serde")]
pub use structured::{Json, Schema};
#[cfg(feature = "async")]
pub use tool::AsyncToolset;
pub use tool::{Argument, Catalog, Context, Toolset};
/// Makes a type an argument of tools: see [`tool::Argument`].
pub use toolwire_macros::Argument;
/// Gives a type a schema, for results of tools: see [`Json`].
#[cfg(feature = "serde")]
pub use toolwire_macros::Schema;
pub use toolwire_macros::{prompt, resource, tool, toolset};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct ReadmeDoctests;
