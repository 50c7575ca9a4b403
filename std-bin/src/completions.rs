//! `toolwire completions`: what lets a shell complete the command.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::Cli;
use crate::failure::Outcome;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  toolwire completions bash > ~/.local/share/bash-completion/completions/toolwire
  toolwire completions zsh > ~/.zfunc/_toolwire
  toolwire completions fish > ~/.config/fish/completions/toolwire.fish";

/// Print a script that lets a shell complete commands and options
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "toolwire", &mut script);
        output::print(&String::from_utf8_lossy(&script))?;
        Ok(ExitCode::SUCCESS)
    }
}
