//! The binary on a terminal: what a person sees, types and interrupts.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::Child;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::json;

use crate::{PATIENCE, TOOLWIRE, command, messages, scratch, wait};

/// The binary, with a pseudo terminal as its three standard streams.
struct Session {
    child: Child,
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// All that was shown.
    shown: String,
    /// What of it was looked at.
    seen: usize,
}

impl Session {
    fn start(args: &[&str]) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal for all");
        let name = ptsname(&master, Vec::new()).expect("it has a name").into_string().expect("of text");
        let slave = || OpenOptions::new().read(true).write(true).open(&name).expect("it can be opened");
        let child = command(args).stdin(slave()).stdout(slave()).stderr(slave()).env("TERM", "xterm").spawn();
        let keyboard = File::from(master);
        let mut output = keyboard.try_clone().expect("it can be read, too");
        let (sender, screen) = mpsc::channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When nobody has the terminal any more, it fails.
            while let Ok(count) = output.read(&mut buffer)
                && sender.send(buffer[..count].to_vec()).is_ok()
            {}
        });
        Self { child: child.expect("it starts"), keyboard, screen, shown: String::new(), seen: 0 }
    }

    /// Waits until something is shown.
    #[track_caller]
    fn expect(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.shown[self.seen..].find(text) {
                self.seen += at + text.len();
                return;
            }
            match self.screen.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.shown.push_str(&String::from_utf8_lossy(&bytes)),
                Err(error) => panic!("{text:?} was not shown ({error}), but {:?}", &self.shown[self.seen..]),
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).expect("it can be typed");
    }

    fn interrupt(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("it runs");
    }

    /// Waits for the end, and returns the exit code and all that was shown.
    fn end(mut self) -> (Option<i32>, String) {
        let code = wait(&mut self.child, PATIENCE).code();
        loop {
            match self.screen.recv_timeout(PATIENCE) {
                Ok(bytes) => self.shown.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Disconnected) => return (code, self.shown),
                Err(RecvTimeoutError::Timeout) => panic!("the terminal is still open: {}", self.shown),
            }
        }
    }
}

#[test]
fn questions_are_answered_by_the_user() {
    let table = [
        (["223", "y", "y"].as_slice(), 0, "The thermometer now shows 22.3 °C."),
        (&["223", "n", "e", "1", "n", "y"], 0, "The thermometer still shows 21.5 °C."),
        (&["223", "y", "n"], 1, "> n\r\nthe user declined to answer the question"),
        (&["223", "y", "c"], 1, "> c\r\nthe user declined to answer the question"),
    ];
    for (lines, code, expected) in table {
        let mut session = Session::start(&["call", "demo:board", "calibrate"]);
        session.expect("Simulated board asks: Hold a thermometer beside the LED. What does it show?");
        for line in lines {
            session.expect("> ");
            session.write(&format!("{line}\n"));
        }
        let (ended, shown) = session.end();
        assert_eq!(ended, Some(code), "{shown}");
        assert!(shown.contains(expected), "{shown}");
    }
}

#[test]
fn the_end_of_input_cancels_a_question() {
    let mut session = Session::start(&["call", "demo:board", "calibrate"]);
    session.expect("> ");
    session.write("\u{4}");
    let (code, shown) = session.end();
    assert_eq!(code, Some(1), "{shown}");
}

#[test]
fn progress_is_shown() {
    let mut session = Session::start(&["call", "demo:board", "blink", "times=5", "period_ms=200"]);
    for step in 1..=4 {
        session.expect(&format!(" {step}/5"));
    }
    let (code, shown) = session.end();
    assert_eq!(code, Some(0));
    assert!(shown.trim_end().ends_with("The LED has blinked 5 times."), "{shown:?}");
}

#[test]
fn an_interruption_cancels_the_call() {
    let record = scratch("input");
    let script = "tee \"$1\" | \"$0\" serve board";
    let path = record.to_str().expect("a path of text");
    let call = ["call", "blink", "times=100", "period_ms=2000", "--", "sh", "-c", script, TOOLWIRE, path];
    let mut session = Session::start(&call);
    session.expect(" 1/100");
    session.interrupt();
    let (code, shown) = session.end();
    assert_eq!(code, Some(130), "{shown}");
    assert!(shown.contains("error: interrupted"), "{shown}");
    let sent = messages(&std::fs::read_to_string(record).expect("a record"));
    let [.., call, last] = sent.as_slice() else { panic!("{sent:?}") };
    assert_eq!(call["method"], "tools/call");
    let params = json!({ "requestId": call["id"], "reason": "interrupted" });
    assert_eq!(*last, json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
}

#[test]
fn an_interruption_ends_a_question() {
    let mut session = Session::start(&["call", "demo:board", "calibrate"]);
    session.expect("> ");
    session.interrupt();
    let (code, shown) = session.end();
    assert_eq!(code, Some(130), "{shown}");
}

#[test]
fn a_watch_is_ended_by_an_interruption() {
    let mut session = Session::start(&["watch", "demo:board", "device://log", "-vv"]);
    session.expect("The LED was switched 0 times. The LED is off.");
    session.interrupt();
    session.expect("\"method\":\"resources/unsubscribe\"");
    let (code, shown) = session.end();
    assert_eq!(code, Some(0), "{shown}");
}

#[test]
fn a_chart_grows_where_it_is() {
    let args = ["watch", "demo:board", "sensor://t0/latest", "--every", "0.05", "--count", "3", "--plot"];
    let (code, shown) = Session::start(&args).end();
    assert_eq!(code, Some(0), "{shown}");
    // Each chart but the first one takes the lines of the one before.
    let charts: Vec<_> = shown.split(" s\r\n").collect();
    let [first, second, third, ""] = charts.as_slice() else { panic!("{} charts", charts.len() - 1) };
    let lines = first.lines().count();
    assert!(lines > 10);
    for chart in [second, third] {
        assert_eq!(chart.matches("\u{1b}[2K").count(), lines);
    }
}
