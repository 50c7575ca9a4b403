//! The binary as its users meet it: its output, its exit codes, and what reaches a server.

mod call;
mod config;
mod hostile;
#[path = "../common/hostile.rs"]
mod hostile_lines;
mod prompts;
mod resources;
mod serve;
mod target;
#[cfg(unix)]
mod terminal;
mod tools;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The path of the binary.
const TOOLWIRE: &str = env!("CARGO_BIN_EXE_toolwire");

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a command has done.
#[derive(Debug)]
struct Done {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Done {
    /// What the command has printed, in case it succeeded without a word on standard error.
    #[track_caller]
    fn out(&self) -> &str {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
        &self.stdout
    }

    /// What the command has complained of with this exit code, in case it printed nothing.
    #[track_caller]
    fn complaint(&self, code: i32) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{self:?}");
        self.stderr.trim_end()
    }
}

/// The binary, without what the environment may say to it.
fn command<A: AsRef<OsStr>>(args: &[A]) -> Command {
    let mut command = Command::new(TOOLWIRE);
    command.args(args).env_remove("TOOLWIRE_LOG").env_remove("COLUMNS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the binary without input.
fn run<A: AsRef<OsStr>>(args: &[A]) -> Done {
    run_with(args, "")
}

/// Runs the binary with input.
fn run_with<A: AsRef<OsStr>>(args: &[A], input: impl Into<Vec<u8>>) -> Done {
    finish(command(args), input)
}

/// Runs a command with input.
fn finish(mut command: Command, input: impl Into<Vec<u8>>) -> Done {
    let mut child = command.spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("it has a standard input");
    let input = input.into();
    // A child that does not read its input is no fault of the test.
    let writer = thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the input is written");
    Done {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
    }
}

#[test]
fn shells_can_complete_the_command() {
    for (shell, expected) in [
        ("bash", "complete -F _toolwire"),
        ("zsh", "#compdef toolwire"),
        ("fish", "complete -c toolwire"),
        ("powershell", "Register-ArgumentCompleter"),
        ("elvish", "edit:completion:arg-completer[toolwire]"),
    ] {
        let done = run(&["completions", shell]);
        assert!(done.out().contains(expected), "{shell}: {done:?}");
        assert!(done.out().contains("every"), "{shell} knows no options");
    }
}

/// Waits until a child has ended.
fn wait(child: &mut Child, patience: Duration) -> ExitStatus {
    let deadline = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        if Instant::now() > deadline {
            child.kill().expect("it can be killed");
            panic!("it did not end within {patience:?}");
        }
        thread::yield_now();
    }
}

/// The lines of a text as JSON.
fn messages(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

/// A path for a new file.
fn scratch(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{count}-{name}", std::process::id()))
}
