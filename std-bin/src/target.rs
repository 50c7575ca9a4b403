//! Which server is meant.

use std::ffi::OsString;

use clap::ValueEnum as _;
use toolwire_demos::{board, calc, conformance, reservo, tasks};

use crate::bridge::{PORTS, Port, Settings};
use crate::failure::Failure;
use crate::serve::Demo;
use crate::transport::Transport;
use crate::transport::child::Child;
use crate::transport::demo::InProcess;
use crate::transport::port::Device;

/// A server that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A toolset of this binary, in this process.
    Demo(Demo),
    /// A device on a port.
    Port(Port),
    /// A program that serves on its standard input and output. Never empty.
    Command { program: OsString, args: Vec<OsString> },
}

/// What can be a target, for `--help` and for errors.
pub(crate) fn targets() -> String {
    format!(
        "a target is a port ({PORTS}), demo:calc, demo:reservo, demo:tasks, demo:board, demo:conformance, or \
         `-- COMMAND [ARG]...` at the end of the line"
    )
}

impl Target {
    /// From a word of the command line, and from what follows `--` there.
    pub(crate) fn new(word: Option<&str>, command: &[OsString]) -> Result<Self, Failure> {
        match (word, command) {
            (None, [program, args @ ..]) => Ok(Self::Command { program: program.clone(), args: args.to_vec() }),
            (Some(word), []) => Self::from_word(word),
            (None, []) => Err(Failure::usage(format!("there is no target: {}", targets()))),
            (Some(word), _) => {
                Err(Failure::usage(format!("there are two targets, {word:?} and the command after `--`")))
            }
        }
    }

    fn from_word(word: &str) -> Result<Self, Failure> {
        let demo = word.strip_prefix("demo:").and_then(|name| Demo::from_str(name, false).ok());
        let target = demo.map(Self::Demo).or_else(|| Port::new(word).map(Self::Port));
        target.ok_or_else(|| Failure::usage(format!("{word:?} is no target: {}", targets())))
    }

    /// Whether a word was meant to be a target.
    pub(crate) fn is_meant_by(word: &str) -> bool {
        word.starts_with("demo:") || Port::new(word).is_some()
    }

    /// Opens a way to it.
    pub(crate) fn open(&self, settings: Settings) -> anyhow::Result<Box<dyn Transport>> {
        Ok(match self {
            Self::Demo(Demo::Calc) => Box::new(InProcess::new(calc::INFO, calc::Calc::new())),
            Self::Demo(Demo::Reservo) => Box::new(InProcess::new(reservo::INFO, reservo::Reservo::new())),
            Self::Demo(Demo::Tasks) => Box::new(InProcess::new(tasks::INFO, tasks::Tasks::new())),
            Self::Demo(Demo::Board) => Box::new(InProcess::new(board::INFO, board::Board::new())),
            Self::Demo(Demo::Conformance) => {
                Box::new(InProcess::new(conformance::INFO, conformance::Conformance::new()))
            }
            Self::Port(port) => Box::new(Device::open(port, settings)?),
            Self::Command { program, args } => Box::new(Child::start(program, args)?),
        })
    }
}
