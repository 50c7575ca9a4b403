//! `toolwire call`.

use std::fs;

use serde_json::{Value, json};

use crate::{TOOLWIRE, run, run_with, scratch};

/// Calls with the words of a line.
fn call(line: &str) -> crate::Done {
    run(&["call"].into_iter().chain(line.split_whitespace()).collect::<Vec<_>>())
}

#[test]
fn a_result_is_printed() {
    let table = [
        ("demo:reservo get_quote room=Studio tier=pro hours=3", "Studio, 3 horas, tier pro: 6000 centavos\n"),
        ("demo:calc add a=0.1 b=0.2", "0.30000000000000004\n"),
        ("demo:calc add a=-5 b=1e3", "995\n"),
        ("demo:calc echo text=007", "007\n"),
        ("demo:calc echo text=null", "null\n"),
        ("demo:calc echo text=a=b=c", "a=b=c\n"),
        ("demo:calc echo text=", "\n"),
        ("demo:board led_set on=true level=40", "The LED is on at 40 %.\n"),
        ("demo:board led_set on=false", "The LED is off.\n"),
        ("demo:tasks create_task input.title=Leche", "Tarea creada 1: Leche (prioridad: medium)\n"),
        ("demo:tasks create_task input.title=5 input.priority=high", "Tarea creada 1: 5 (prioridad: high)\n"),
        (r#"demo:tasks create_task input={"title":"x"}"#, "Tarea creada 1: x (prioridad: medium)\n"),
    ];
    for (line, expected) in table {
        assert_eq!(call(line).out(), expected, "{line}");
    }
}

#[test]
fn text_arrives_as_it_is() {
    let text = "\u{1f980} \"quoted\"\n\ttab\u{2028}end";
    assert_eq!(run(&["call", "demo:calc", "echo", &format!("text={text}")]).out(), format!("{text}\n"));
}

#[test]
fn arguments_may_be_json() {
    assert_eq!(run(&["call", "demo:calc", "add", "--arguments", r#"{"a": 1, "b": 2}"#]).out(), "3\n");
    assert_eq!(run(&["call", "demo:calc", "add", "b=5", "--arguments", r#"{"a": 1, "b": 2}"#]).out(), "6\n");
    assert_eq!(run_with(&["call", "demo:calc", "add", "--arguments", "-"], "{\"a\": 1,\n\"b\": 2}\n").out(), "3\n");
    let level = run(&["call", "demo:board", "led_set", "--arguments", r#"{"on": true, "level": null}"#]);
    assert_eq!(level.out(), "The LED is on at 100 %.\n");
    let input = r#"{"input": {"title": "x", "priority": "low"}}"#;
    let task = run(&["call", "demo:tasks", "create_task", "--arguments", input, "input.priority=high"]);
    assert_eq!(task.out(), "Tarea creada 1: x (prioridad: high)\n");
    // The schema is open, and a server may know more than it says.
    let open = run(&["call", "demo:reservo", "list_rooms", "--arguments", r#"{"more": 1}"#]);
    assert!(open.out().contains("Studio"));
}

#[test]
fn an_error_of_the_tool_is_1() {
    let done = call("demo:reservo get_quote room=Studio tier=pro hours=99");
    assert_eq!(done.complaint(1), "Las horas deben ser un entero de 1 a 24, no 99.");
}

/// What is said of wrong usage.
const WRONG: [(&str, &str); 14] = [
    (
        "get_qoute",
        "error: there is no tool \"get_qoute\"; the server offers list_rooms, get_quote, book_room, cancel_booking; did you \
         mean \"get_quote\"?",
    ),
    ("xyz", "error: there is no tool \"xyz\"; the server offers list_rooms, get_quote, book_room, cancel_booking"),
    ("cancel_booking", "error: id: missing; expected an integer"),
    ("cancel_booking id=x", "error: id: expected an integer, got \"x\""),
    ("cancel_booking id=1.5", "error: id: expected an integer, got \"1.5\""),
    ("cancel_booking id=", "error: id: expected an integer, got \"\""),
    ("cancel_booking id=1 id=2", "error: id: given twice"),
    ("cancel_booking id=1 2", "error: expected NAME=VALUE, got \"2\""),
    ("cancel_booking id=1 ix=2", "error: ix: unknown parameter; it takes id (others with --arguments)"),
    ("cancel_booking id.x=1", "error: id: expected an integer, got a member \"x\""),
    ("cancel_booking --arguments []", "error: --arguments: expected a JSON object, got []"),
    (
        "cancel_booking --arguments {",
        "error: --arguments: expected a JSON object: EOF while parsing an object at line 1 column 1",
    ),
    ("cancel_booking --arguments {\"id\":\"1\"}", "error: id: expected an integer, got \"1\""),
    (
        "get_quote rom=Studio tier=prO hours=many",
        "error: rom: unknown parameter; it takes room, tier, hours (others with --arguments); did you mean \"room\"?\n\
         error: tier: expected one of \"basic\", \"pro\", got \"prO\"; did you mean \"pro\"?\n\
         error: hours: expected an integer, got \"many\"\n\
         error: room: missing; expected one of \"Focus\", \"Studio\", \"Boardroom\"",
    ),
];

#[test]
fn wrong_usage_is_2() {
    for (words, expected) in WRONG {
        assert_eq!(call(&format!("demo:reservo {words}")).complaint(2), expected, "{words}");
    }
    let table = [
        ("", "error: there is no target: "),
        ("demo:reservo", "error: there is no tool to call; "),
        ("demo:nope list_rooms", "error: \"demo:nope\" is no target: "),
        ("ttyACM0 list_rooms", "error: \"ttyACM0\" is no target: "),
        ("tcp:localhost list_rooms", "error: \"tcp:localhost\" is no target: "),
        ("demo:reservo list_rooms --baud 0", "error: invalid value '0' for '--baud <RATE>'"),
        ("demo:reservo list_rooms -- cat", "error: there are two targets, "),
        ("-- cat", "error: there is no tool to call; "),
        ("demo:reservo list_rooms --timeout 0", "error: invalid value '0' for '--timeout <SECONDS>'"),
        ("demo:reservo list_rooms --nope", "error: unexpected argument '--nope' found"),
        ("demo:board led_set on=true level=101", "error: level: expected at most 100, got 101"),
        ("demo:board led_set on=yes", "error: on: expected true or false, got \"yes\""),
        ("demo:tasks create_task input.title=", "error: input.title: expected 1 or more characters, got 0"),
        ("demo:tasks create_task input.x=1", "error: input.x: unknown parameter; input has title, priority\n"),
        ("demo:tasks create_task title=1", "error: title: unknown parameter; it takes input\n"),
    ];
    for (line, expected) in table {
        let done = call(line);
        assert!(format!("{}\n", done.complaint(2)).starts_with(expected), "{line}: {done:?}");
    }
}

#[cfg(unix)]
#[test]
fn wrong_usage_is_found_before_anything_is_called() {
    let record = scratch("input");
    let script = "tee \"$1\" | \"$0\" serve reservo";
    let calls = |words: &str| {
        let command = ["--", "sh", "-c", script, TOOLWIRE, record.to_str().unwrap()];
        let done = run(&["call"].into_iter().chain(words.split_whitespace()).chain(command).collect::<Vec<_>>());
        let sent = fs::read_to_string(&record).unwrap_or_default();
        fs::remove_file(&record).unwrap_or_default();
        (done, crate::messages(&sent).into_iter().filter(|message| message["method"] == "tools/call").count())
    };
    let (done, count) = calls("cancel_booking id=1");
    assert_eq!((done.complaint(1), count), ("No existe ninguna reserva activa con el id 1.", 1));
    for (words, expected) in WRONG {
        let (done, count) = calls(words);
        assert_eq!((done.complaint(2), count), (expected, 0), "{words}");
    }
}

#[test]
fn json_is_the_result_of_the_server() {
    let done = run(&["call", "demo:board", "temp_read", "--json"]);
    let result: Value = serde_json::from_str(done.out()).unwrap();
    let text = json!({ "type": "text", "text": "{\"celsius\":21.5}" });
    assert_eq!(result, json!({ "content": [text], "structuredContent": { "celsius": 21.5 }, "isError": false }));
    let done = run(&["call", "demo:reservo", "cancel_booking", "id=1", "--json"]);
    let text = json!({ "type": "text", "text": "No existe ninguna reserva activa con el id 1." });
    let result: Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((done.code, result), (Some(1), json!({ "content": [text], "isError": true })));
}

#[test]
fn where_nobody_can_be_asked_the_tool_does_not_ask() {
    let done = run_with(&["call", "demo:board", "calibrate"], "223\ny\ny\n");
    assert!(done.complaint(1).contains("this tool asks the user"), "{done:?}");
}

#[test]
fn log_messages_of_the_server_are_logged() {
    let led = |args: &[&str]| run(&[&["call", "demo:board", "led_set", "on=true", "level=0"], args].concat());
    let warning = "the LED is on and gives no light: its level is 0 %";
    let done = led(&[]);
    assert!(done.stderr.contains("WARN") && done.stderr.contains(warning), "{done:?}");
    assert_eq!(led(&["-q"]).out(), "The LED is on at 0 %.\n");
    let blink = |args: &[&str]| run(&[&["call", "demo:board", "blink", "times=1", "period_ms=20"], args].concat());
    assert_eq!(blink(&[]).out(), "The LED has blinked 1 times.\n");
    assert!(blink(&["-v"]).stderr.contains("the LED blinks 1 times"));
}

#[cfg(unix)]
#[test]
fn progress_extends_the_time_limit() {
    let progress = |token| {
        let params = json!({ "progressToken": token, "progress": 1 });
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })
    };
    let tools = json!({ "jsonrpc": "2.0", "id": 2, "result": { "tools": [{ "name": "t" }] } });
    let result = json!({ "jsonrpc": "2.0", "id": 3, "result": { "content": [{ "type": "text", "text": "done" }] } });
    let script = |token| {
        let (handshake, progress) = (crate::target::HANDSHAKE, progress(token));
        format!(
            "{handshake}read -r line; echo '{tools}'; read -r line
             for i in 1 2 3 4; do sleep 0.5; echo '{progress}'; done; echo '{result}'; read -r line"
        )
    };
    let call = |token| run(&["call", "--timeout", "1", "t", "--", "sh", "-c", &script(token)]);
    assert_eq!(call(3).out(), "done\n");
    // That of another request says nothing about this one.
    assert_eq!(call(2).complaint(3), "error: no answer to tools/call within 1 s");
}

#[test]
fn help_says_what_the_exit_codes_mean() {
    let meanings = "Exit codes:\n  0  it worked\n  1  ";
    assert!(run(&["--help"]).out().contains(meanings));
    for command in ["tools", "call", "resources", "read", "watch", "prompts", "prompt", "config"] {
        assert!(run(&[command, "--help"]).out().contains(meanings), "{command}");
    }
}
