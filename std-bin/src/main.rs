//! The toolwire command: MCP tools over a wire, for the desktop.

use std::process::ExitCode;

fn main() -> ExitCode {
    toolwire_cli::main()
}
