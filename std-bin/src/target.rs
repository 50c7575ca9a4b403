//! Which server is meant.

use std::env;
use std::ffi::OsString;

use anyhow::Context as _;
use clap::{Args, ValueEnum as _};

use crate::bridge::{PORTS, Port, Settings};
use crate::failure::Failure;
use crate::serve::Demo;
use crate::transport::Transport;
use crate::transport::child::Child;
use crate::transport::port::Device;

/// A server that can be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A toolset of this binary, in a process of its own.
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
            Self::Demo(demo) => {
                let program = env::current_exe().context("cannot find the path of this program")?;
                Box::new(Child::start(program.as_os_str(), &["serve".into(), demo.name().into()])?)
            }
            Self::Port(port) => Box::new(Device::open(port, settings)?),
            Self::Command { program, args } => Box::new(Child::start(program, args)?),
        })
    }
}

/// A target and nothing else.
#[derive(Debug, Args)]
pub(crate) struct Alone {
    #[arg(help = targets())]
    target: Option<String>,
    /// A program that serves on its standard input and output, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Alone {
    pub(crate) fn target(&self) -> Result<Target, Failure> {
        Target::new(self.target.as_deref(), &self.command)
    }
}

/// A target, and words for it.
#[derive(Debug, Args)]
pub(crate) struct Words {
    #[arg(value_name = "WORD", help = format!("The target, and what belongs to it; {}", targets()))]
    words: Vec<String>,
    /// A program that serves on its standard input and output, with its arguments
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Words {
    /// The target, the first word for it, which must be `what`, and the others.
    pub(crate) fn split(&self, what: &str) -> Result<(Target, &str, &[String]), Failure> {
        let (target, rest) = match self.words.as_slice() {
            // A command is the target, so that all words are for it.
            rest if !self.command.is_empty() => {
                let target = rest.first().filter(|word| Target::is_meant_by(word));
                (Target::new(target.map(String::as_str), &self.command)?, rest)
            }
            [] => (Target::new(None, &[])?, [].as_slice()),
            [target, rest @ ..] => (Target::new(Some(target), &[])?, rest),
        };
        match rest {
            [first, others @ ..] => Ok((target, first, others)),
            [] => Err(Failure::usage(format!("there is no {what}"))),
        }
    }
}
