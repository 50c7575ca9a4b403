//! `toolwire bridge`: the device on a port as a server on standard input and output.

mod answers;
mod command;
pub mod core;
mod driver;
#[doc(hidden)]
pub mod fuzzing;
mod message;
mod noise;
mod port;

pub(crate) use core::{Note, Options};

pub(crate) use command::Bridge;
pub(crate) use driver::Driver;
pub(crate) use port::{PORTS, Port, Settings, available};
