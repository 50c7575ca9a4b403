//! The toolwire command: MCP tools over a wire, for the desktop.
//!
//! This library is the command, which calls [`main`]; and it is what its tests and fuzzers reach: [`bridge::core`].

mod arguments;
pub mod bridge;
mod call;
mod chart;
mod client;
mod completions;
mod config;
mod content;
mod failure;
mod form;
mod interrupt;
mod output;
mod ports;
mod progress;
mod prompts;
mod read;
mod resources;
mod schema;
mod serve;
mod target;
mod terminal;
mod tools;
mod transport;
mod watch;
mod watcher;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use failure::{EXIT_CODES, Outcome};

/// MCP tools over a wire.
#[derive(Debug, Parser)]
#[command(version, about, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    verbosity: Verbosity,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Bridge(bridge::Bridge),
    Tools(tools::Tools),
    Call(call::Call),
    Resources(resources::Resources),
    Read(read::Read),
    Watch(watch::Watch),
    Prompts(prompts::Prompts),
    Prompt(prompts::Prompt),
    Ports(ports::Ports),
    Config(config::Config),
    Completions(completions::Completions),
}

impl Command {
    fn run(self) -> Outcome {
        match self {
            Self::Serve(serve) => serve.run(),
            Self::Bridge(bridge) => bridge.run(),
            Self::Tools(tools) => tools.run(),
            Self::Call(call) => call.run(),
            Self::Resources(resources) => resources.run(),
            Self::Read(read) => read.run(),
            Self::Watch(watch) => watch.run(),
            Self::Prompts(prompts) => prompts.run(),
            Self::Prompt(prompt) => prompt.run(),
            Self::Ports(ports) => ports.run(),
            Self::Config(config) => config.run(),
            Self::Completions(completions) => completions.run(),
        }
    }
}

/// How much is logged to standard error. The environment variable `TOOLWIRE_LOG` can say more, as `env_logger` has it.
#[derive(Debug, Args)]
struct Verbosity {
    /// Log more: -v for what happens, -vv for every message
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// Log nothing but errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
}

impl Verbosity {
    const fn level(&self) -> log::LevelFilter {
        match (self.quiet, self.verbose) {
            (true, _) => log::LevelFilter::Error,
            (false, 0) => log::LevelFilter::Warn,
            (false, 1) => log::LevelFilter::Info,
            (false, _) => log::LevelFilter::Trace,
        }
    }
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let Cli { verbosity, command } = Cli::parse();
    env_logger::Builder::new()
        .filter_level(verbosity.level())
        .parse_env("TOOLWIRE_LOG")
        .target(env_logger::Target::Stderr)
        .init();
    command.run().unwrap_or_else(|failure| failure.report())
}
