//! Hostile lines to the binary, the same as in memory and on the device, and clients that hold the line up.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::hostile_lines::{Answer, all, echo, ping};
use crate::{PATIENCE, command, run_with, wait};

/// All of them in one process, with a ping after each.
#[test]
fn every_line_gets_its_answer() {
    let cases = all();
    let mut input = Vec::new();
    for (name, case) in &cases {
        input.extend([&case.line[..], b"\n", ping(&format!("\"after {name}\"")).as_bytes(), b"\n"].concat());
    }
    let done = run_with(&["serve", "calc"], input);
    let mut lines = done.out().lines().map(str::to_owned);
    for (name, case) in &cases {
        let pong = json!({ "jsonrpc": "2.0", "id": format!("after {name}"), "result": {} }).to_string();
        let answers: Vec<_> = lines.by_ref().take_while(|line| *line != pong).collect();
        let right = std::panic::catch_unwind(|| case.expected(1 << 20).check(&answers));
        assert!(right.is_ok(), "{name}");
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_client_that_takes_its_time_is_answered() {
    let mut child = command(&["serve", "calc"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for byte in (echo("\"slowly\"") + "\n").bytes() {
        stdin.write_all(&[byte]).unwrap();
        thread::sleep(Duration::from_millis(1));
    }
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    Answer::Text("slowly".to_owned()).check(&[line]);
    drop(stdin);
    assert!(wait(&mut child, PATIENCE).success());
}

/// Ten megabytes of requests, and nobody reads the answers: the server takes no more of them until somebody does, and keeps
/// none.
#[test]
fn a_client_that_does_not_read_is_not_read_either() {
    const COUNT: usize = 10_000;
    let mut child = command(&["serve", "calc"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let writer = thread::spawn(move || {
        let line = echo(&format!("\"{}\"", "x".repeat(1000))) + "\n";
        for _ in 0..COUNT {
            stdin.write_all(line.as_bytes()).unwrap();
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    // Until it does not go on.
    let mut before = usize::MAX;
    while before != written.load(Ordering::Relaxed) || before == 0 {
        before = written.load(Ordering::Relaxed);
        thread::sleep(Duration::from_millis(200));
    }
    assert!(before < COUNT, "everything was taken");
    if let Ok(status) = std::fs::read_to_string(format!("/proc/{}/status", child.id())) {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak of its memory");
        let kib: u32 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib < 16 * 1024, "{kib} KiB");
    }
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    writer.join().unwrap();
    assert!(wait(&mut child, PATIENCE).success());
    assert_eq!(answers.lines().count(), COUNT);
    let expected = Answer::Text("x".repeat(1000));
    answers.lines().for_each(|answer| expected.check(&[answer.to_owned()]));
}

/// Whatever a server says, in an error, in a description or in a line that is no message.
#[cfg(unix)]
#[test]
fn a_terminal_obeys_nothing_of_a_server() {
    let script = r#"printf '\033]0;noise\007\n'; read -r _; printf '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"\\u001b]0;owned\\u0007\\u202e"}}\n'; cat > /dev/null"#;
    let done = crate::run(&["tools", "-vv", "--", "sh", "-c", script]);
    assert_eq!(done.code, Some(3), "{done:?}");
    assert!(done.stderr.contains("\\u{1b}]0;owned\\u{7}\\u{202e}"), "{done:?}");
    assert!(done.stderr.contains("\\u{1b}]0;noise\\u{7}"), "{done:?}");
    assert!(!done.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{done:?}");
}
