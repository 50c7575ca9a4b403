//! `toolwire config`: what to paste into a client's configuration.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::path::{self, Path};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::bridge::Port;
use crate::failure::{EXIT_CODES, Failure, Outcome};
use crate::target::{Target, targets};

/// A client that can be configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    ClaudeDesktop,
    ClaudeCode,
    #[value(name = "vscode")]
    VsCode,
    Cursor,
}

/// Print what to paste into a client's configuration
///
/// The snippet goes to standard output; where it belongs, to standard error.
#[derive(Debug, Args)]
#[command(
    override_usage = "toolwire config [OPTIONS] <CLIENT> <TARGET>\n       \
                      toolwire config [OPTIONS] <CLIENT> -- <COMMAND> [ARG]...",
    after_help = EXIT_CODES,
)]
pub(crate) struct Config {
    client: Kind,
    #[arg(help = targets())]
    target: Option<String>,
    /// A program that serves on its standard input and output, with its arguments
    #[arg(last = true)]
    command: Vec<OsString>,
    /// The name of the server in the client [default: that of the toolset or of the program, or `device`]
    #[arg(long)]
    name: Option<String>,
}

impl Config {
    pub(crate) fn run(&self) -> Outcome {
        let target = Target::new(self.target.as_deref(), &self.command)?;
        let server = Server::new(&target, self.name.as_deref())?;
        if self.client == Kind::ClaudeCode && !server.name.chars().all(is_plain) {
            let name = &server.name;
            return Err(Failure::usage(format!("--name: expected letters, digits, `-` and `_`, got {name:?}")));
        }
        let mut out = io::stdout().lock();
        writeln!(out, "{:#}", server.snippet(self.client))?;
        out.flush()?;
        // Without a standard error there is nobody to read the hint.
        let _ = write!(io::stderr().lock(), "{}", server.hint(self.client));
        Ok(ExitCode::SUCCESS)
    }
}

/// A server as clients start it.
struct Server {
    name: String,
    command: String,
    args: Vec<String>,
}

impl Server {
    fn new(target: &Target, name: Option<&str>) -> Result<Self, Failure> {
        let (own, command, args) = match target {
            Target::Demo(demo) => {
                let toolset = demo.name();
                let args = vec!["serve".to_owned(), toolset.clone()];
                (toolset, own_program()?, args)
            }
            Target::Port(port) => {
                let port = match port {
                    Port::Path(path) => text(&absolute(OsStr::new(path))?)?,
                    other => other.to_string(),
                };
                let args = vec!["bridge".to_owned(), port];
                ("device".to_owned(), own_program()?, args)
            }
            Target::Command { program, args } => {
                let args = args.iter().map(|arg| text(arg)).collect::<Result<_, _>>()?;
                (stem(program), text(&absolute(program)?)?, args)
            }
        };
        match name {
            Some("") => Err(Failure::usage("--name: expected a name, got an empty one")),
            Some(name) => Ok(Self { name: name.to_owned(), command, args }),
            None => Ok(Self { name: own, command, args }),
        }
    }

    fn snippet(&self, client: Kind) -> Value {
        let Self { name, command, args } = self;
        match client {
            Kind::ClaudeDesktop => json!({ "mcpServers": { name: { "command": command, "args": args } } }),
            Kind::ClaudeCode | Kind::Cursor => {
                json!({ "mcpServers": { name: { "type": "stdio", "command": command, "args": args } } })
            }
            Kind::VsCode => json!({ "servers": { name: { "type": "stdio", "command": command, "args": args } } }),
        }
    }

    /// Where the snippet belongs, and the command that does the same if there is one.
    fn hint(&self, client: Kind) -> String {
        let Self { name, command, args } = self;
        match client {
            Kind::ClaudeDesktop => {
                let place = by_system([
                    "~/Library/Application Support/Claude/claude_desktop_config.json",
                    "%APPDATA%\\Claude\\claude_desktop_config.json",
                    "~/.config/Claude/claude_desktop_config.json",
                ]);
                format!("Merge this into {place} and restart Claude Desktop.\n")
            }
            Kind::ClaudeCode => {
                let words = ["claude", "mcp", "add", "--transport", "stdio", name, "--", command];
                let words = words.into_iter().chain(args.iter().map(String::as_str));
                let line = words.map(quoted).collect::<Vec<_>>().join(" ");
                format!("Merge this into .mcp.json in the folder of your project, or run:\n{line}\n")
            }
            Kind::VsCode => {
                let place = by_system([
                    "~/Library/Application Support/Code/User/mcp.json",
                    "%APPDATA%\\Code\\User\\mcp.json",
                    "~/.config/Code/User/mcp.json",
                ]);
                let server = json!({ "name": name, "type": "stdio", "command": command, "args": args }).to_string();
                let line = format!("code --add-mcp {}", quoted(&server));
                format!("Merge this into .vscode/mcp.json in your workspace or into {place}, or run:\n{line}\n")
            }
            Kind::Cursor => "Merge this into ~/.cursor/mcp.json or .cursor/mcp.json in your project.\n".to_owned(),
        }
    }
}

/// The path of this program.
fn own_program() -> Result<String, Failure> {
    let program = env::current_exe().context("cannot find the path of this program");
    text(program.map_err(Failure::Local)?.as_os_str())
}

/// What holds on macOS, Windows, and elsewhere.
fn by_system([macos, windows, other]: [&str; 3]) -> &str {
    if cfg!(target_os = "macos") {
        macos
    } else if cfg!(windows) {
        windows
    } else {
        other
    }
}

fn text(word: &OsStr) -> Result<String, Failure> {
    let text = word.to_str().map(str::to_owned);
    text.ok_or_else(|| Failure::usage(format!("{word:?} is no UTF-8, so it cannot be written in JSON")))
}

/// A program by its absolute path if it was given by a path, for clients run in other folders.
fn absolute(program: &OsStr) -> Result<OsString, Failure> {
    if Path::new(program).components().count() < 2 {
        return Ok(program.to_owned());
    }
    let path = path::absolute(program).with_context(|| format!("cannot find {}", program.display()));
    Ok(path.map_err(Failure::Local)?.into_os_string())
}

/// A name for a program's server, of the characters that all clients take.
fn stem(program: &OsStr) -> String {
    let stem = Path::new(program).file_stem().unwrap_or(program).to_string_lossy();
    stem.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

/// A word for the shell of this system.
fn quoted(word: &str) -> String {
    if !word.is_empty() && word.chars().all(|c| is_plain(c) || "./:=@%+,\\".contains(c) && (cfg!(windows) || c != '\\'))
    {
        word.to_owned()
    } else if cfg!(windows) {
        format!("\"{}\"", word.replace('"', "\\\""))
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_of_programs_get_plain_names() {
        for (program, name) in [("toolwire", "toolwire"), ("/opt/my server.py", "my-server"), ("./a.b.exe", "a-b")] {
            assert_eq!(stem(OsStr::new(program)), name);
        }
    }

    #[cfg(unix)]
    #[test]
    fn words_are_quoted_where_the_shell_needs_it() {
        for (word, expected) in
            [("/opt/x-1.0", "/opt/x-1.0"), ("a b", "'a b'"), ("", "''"), ("it's", r"'it'\''s'"), ("$x", "'$x'")]
        {
            assert_eq!(quoted(word), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn programs_given_by_a_path_become_absolute() {
        assert_eq!(absolute(OsStr::new("npx")).unwrap(), "npx");
        assert_eq!(absolute(OsStr::new("/bin/true")).unwrap(), "/bin/true");
        let here = env::current_dir().unwrap();
        assert_eq!(absolute(OsStr::new("./server")).unwrap(), here.join("server"));
    }
}
