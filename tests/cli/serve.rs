//! `toolwire serve`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{PATIENCE, command, messages, run_with, wait};

fn ping(id: impl Into<Value>) -> String {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "ping" }).to_string() + "\n"
}

fn pong(id: impl Into<Value>) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "result": {} })
}

const LIST: &str = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";

#[test]
fn every_toolset_is_served() {
    for (toolset, count) in [("calc", 2), ("reservo", 4), ("tasks", 6), ("board", 4), ("conformance", 17)] {
        let done = run_with(&["serve", toolset], LIST);
        let answers = messages(done.out());
        assert_eq!(answers[0]["result"]["tools"].as_array().map(Vec::len), Some(count), "{toolset}");
    }
}

#[test]
fn all_that_was_read_is_answered_before_the_end() {
    let done = run_with(&["serve", "calc"], ping(1) + &ping("two"));
    assert_eq!(messages(done.out()), [pong(1), pong("two")]);
    assert_eq!(run_with(&["serve", "calc"], "").out(), "");
}

#[test]
fn the_last_line_needs_no_newline() {
    let done = run_with(&["serve", "calc"], ping(1) + ping(2).trim_end());
    assert_eq!(messages(done.out()), [pong(1), pong(2)]);
}

#[test]
fn only_messages_reach_standard_output() {
    let input = [b"\xff\xfe\n{\n\nboot: ok\r\n".as_slice(), ping(1).as_bytes()].concat();
    for args in [["serve", "calc"].as_slice(), &["serve", "-vv", "calc"]] {
        let done = run_with(args, input.as_slice());
        assert_eq!(done.code, Some(0));
        let answers = messages(&done.stdout);
        assert!(answers.iter().all(|answer| answer["jsonrpc"] == "2.0"), "{answers:?}");
        assert_eq!(answers.last(), Some(&pong(1)));
    }
}

#[test]
fn an_answer_does_not_wait_for_more_input() {
    let mut child = command(&["serve", "calc"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        stdin.write_all(ping(id).as_bytes()).unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(messages(&line), [pong(id)]);
    }
    drop(stdin);
    assert!(wait(&mut child, PATIENCE).success());
}

#[test]
fn a_closed_standard_output_is_no_failure() {
    let mut child = command(&["serve", "calc"]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(ping(1).as_bytes()).unwrap();
    // Its input stays open: it ends because nobody reads its answers.
    assert_eq!(wait(&mut child, PATIENCE).code(), Some(0));
    assert_eq!(std::io::read_to_string(child.stderr.take().unwrap()).unwrap(), "");
}

#[cfg(unix)]
#[test]
fn signals_end_it_at_once() {
    use std::os::unix::process::ExitStatusExt as _;
    for (name, number) in [("TERM", 15), ("INT", 2)] {
        let mut child = command(&["serve", "calc"]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(ping(1).as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let kill = std::process::Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        assert_eq!(wait(&mut child, Duration::from_secs(1)).signal(), Some(number));
    }
}

#[test]
fn a_message_may_have_a_mebibyte() {
    let echo = |size: usize| {
        let call = |text: &str| {
            json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
                    "params": { "name": "echo", "arguments": { "text": text } } })
            .to_string()
        };
        call(&"x".repeat(size - call("").len())) + "\n"
    };
    let done = run_with(&["serve", "calc"], echo(1 << 20) + &echo((1 << 20) + 1) + &ping(8));
    let answers = messages(done.out());
    assert_eq!(answers.len(), 3);
    let text = answers[0]["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.len() > (1 << 20) - 200 && text.bytes().all(|byte| byte == b'x'));
    assert_eq!((&answers[1]["error"]["code"], &answers[1]["id"]), (&json!(-32600), &json!(7)));
    assert_eq!(answers[2], pong(8));
}

#[test]
fn requests_written_without_waiting_are_answered_in_order() {
    let input: String = (0..10_000).map(ping).collect();
    let done = run_with(&["serve", "calc"], input);
    assert_eq!(messages(done.out()), (0..10_000).map(pong).collect::<Vec<_>>());
}

#[test]
fn a_list_is_logged_in_one_line() {
    let done = run_with(&["serve", "-v", "tasks"], LIST.repeat(2) + &ping(1));
    let lists: Vec<_> = done.stderr.lines().filter(|line| line.contains("tools/list")).collect();
    assert_eq!(lists.len(), 2, "{}", done.stderr);
    assert!(lists.iter().all(|line| line.contains("6 tools")), "{lists:?}");
}

#[test]
fn the_environment_can_ask_for_logs() {
    let mut command = command(&["serve", "tasks"]);
    command.env("TOOLWIRE_LOG", "info");
    assert!(crate::finish(command, LIST).stderr.contains("tools/list: 6 tools"));
}

#[test]
fn an_unknown_toolset_is_wrong_usage() {
    let done = run_with(&["serve", "tsaks"], "");
    assert!(done.complaint(2).contains("[possible values: calc, reservo, tasks, board, conformance]"), "{done:?}");
}
