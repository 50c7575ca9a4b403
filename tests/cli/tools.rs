//! `toolwire tools`.

use serde_json::Value;

use crate::{command, finish, run, run_with, wait};

#[test]
fn a_table_shows_tools_and_parameters() {
    let done = run(&["tools", "demo:reservo"]);
    let lines: Vec<Vec<&str>> = done.out().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["NAME", "PARAMETERS", "REQUIRED", "DESCRIPTION"]);
    assert!(lines.contains(&vec!["room:", "Focus|Studio|Boardroom", "yes"]), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with(&["get_quote", "Cotiza"])), "{lines:?}");
}

#[test]
fn nested_parameters_are_shown_as_call_takes_them() {
    let done = run(&["tools", "demo:tasks"]);
    let find = |name: &str| done.out().lines().find(|line| line.contains(name)).unwrap();
    assert!(find("input.title: string").contains("yes"));
    assert!(find("input.priority: low|medium|high = medium").contains("no"));
    assert!(find("list_tasks").ends_with("[read-only]"));
}

#[test]
fn a_table_fits_the_terminal() {
    for columns in [60, 100] {
        let mut command = command(&["tools", "demo:tasks"]);
        command.env("COLUMNS", columns.to_string());
        let done = finish(command, "");
        let widest = done.out().lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{widest} > {columns}");
    }
}

#[test]
fn json_is_what_the_server_sent() {
    let list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
    for toolset in ["calc", "reservo", "tasks", "board", "conformance"] {
        let done = run(&["tools", "--json", &format!("demo:{toolset}")]);
        let tools: Value = serde_json::from_str(done.out()).unwrap();
        let served: Value = serde_json::from_str(run_with(&["serve", toolset], list).out()).unwrap();
        // As text, for the order of the members counts.
        assert_eq!(tools.to_string(), served["result"]["tools"].to_string());
    }
}

#[test]
fn a_reader_may_leave_early() {
    for args in [["tools", "demo:tasks"].as_slice(), &["tools", "--json", "demo:tasks"]] {
        let mut child = command(args).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(wait(&mut child, crate::PATIENCE).code(), Some(0));
        assert_eq!(std::io::read_to_string(child.stderr.take().unwrap()).unwrap(), "");
    }
}

#[test]
fn a_target_is_needed_and_must_be_one() {
    for args in [["tools"].as_slice(), &["tools", "demo:nope"], &["tools", "ttyACM0"], &["tools", "tcp:host"]] {
        let done = run(args);
        assert!(
            done.complaint(2)
                .contains("demo:calc, demo:reservo, demo:tasks, demo:board, demo:conformance, or `-- COMMAND"),
            "{done:?}"
        );
    }
    let done = run(&["tools", "demo:calc", "--", "cat"]);
    assert_eq!(done.complaint(2), r#"error: there are two targets, "demo:calc" and the command after `--`"#);
}
