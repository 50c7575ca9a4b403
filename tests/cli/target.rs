//! Commands as targets: servers that behave, and servers that do not.

#![cfg(unix)]

use serde_json::json;

use crate::{TOOLWIRE, messages, run};

/// Runs the binary against a shell script whose `$0` is the binary.
fn against(args: &[&str], script: &str) -> crate::Done {
    run(&[args, &["--", "sh", "-c", script, TOOLWIRE]].concat())
}

/// Shakes hands, as a script.
pub(crate) const HANDSHAKE: &str = r#"read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{}}}'
read -r line
"#;

#[test]
fn a_program_is_talked_to_over_its_standard_streams() {
    let done = run(&["tools", "--json", "--", TOOLWIRE, "serve", "tasks"]);
    assert_eq!(done.out(), run(&["tools", "--json", "demo:tasks"]).out());
    let done = run(&["call", "create_task", "input.title=x", "--", TOOLWIRE, "serve", "tasks"]);
    assert_eq!(done.out(), "Tarea creada 1: x (prioridad: medium)\n");
    // Options behind `--` are the program's.
    assert!(run(&["tools", "--", TOOLWIRE, "serve", "-v", "tasks"]).stderr.contains("tools/list: 6 tools"));
}

#[test]
fn noise_is_ignored() {
    let noise =
        r#"echo 'boot: ok'; printf '\377\376\n\n'; echo '42'; echo '{"jsonrpc":"2.0","method":"notifications/x"}'"#;
    let done = against(&["call", "list_tasks"], &format!("{noise}; exec \"$0\" serve tasks"));
    assert!(!done.out().is_empty());
}

#[test]
fn requests_of_the_server_are_answered() {
    let script = r#"read -r line
echo '{"jsonrpc":"2.0","id":"p","method":"ping"}'; read -r line; echo "$line" >&2
echo '{"jsonrpc":"2.0","id":1,"method":"roots/list"}'; read -r line; echo "$line" >&2
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{}}}'
read -r line; echo "$line" >&2
read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[]}}'"#;
    let done = against(&["tools", "-q", "--json"], script);
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "[]\n"));
    let error = json!({ "code": -32601, "message": "Method not found" });
    assert_eq!(
        messages(&done.stderr),
        [
            json!({ "jsonrpc": "2.0", "id": "p", "result": {} }),
            json!({ "jsonrpc": "2.0", "id": 1, "error": error }),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        ]
    );
}

#[test]
fn all_pages_are_read() {
    let page = |id: u32, name: &str, cursor: &str| {
        let tool = json!({ "name": name, "inputSchema": { "type": "object" } });
        let mut result = json!({ "tools": [tool] });
        if !cursor.is_empty() {
            result["nextCursor"] = cursor.into();
        }
        format!(
            "read -r line; echo \"$line\" >&2; echo '{}'\n",
            json!({ "jsonrpc": "2.0", "id": id, "result": result })
        )
    };
    let script = format!("{HANDSHAKE}{}{}{}", page(2, "a", "next"), page(3, "b", "more"), page(4, "c", ""));
    let done = against(&["tools", "--json"], &script);
    let names: Vec<_> = serde_json::from_str::<Vec<serde_json::Value>>(&done.stdout).unwrap();
    assert_eq!(names.iter().map(|tool| &tool["name"]).collect::<Vec<_>>(), ["a", "b", "c"]);
    let cursors: Vec<_> = messages(&done.stderr).iter().map(|request| request["params"]["cursor"].clone()).collect();
    assert_eq!(cursors, [json!(null), json!("next"), json!("more")]);

    let script = format!("{HANDSHAKE}{}{}cat", page(2, "a", "next"), page(3, "b", "next"));
    let done = against(&["tools", "--json"], &script);
    assert!(done.complaint(3).ends_with("error: the server's list of tools goes round in circles"), "{done:?}");
}

#[test]
fn what_is_no_text_is_described() {
    let image = json!({ "type": "image", "mimeType": "image/png", "data": "AAAA" });
    let content = json!([{ "type": "text", "text": "a picture:" }, image]);
    let list = json!({ "jsonrpc": "2.0", "id": 2, "result": { "tools": [{ "name": "draw" }] } });
    let answer = json!({ "jsonrpc": "2.0", "id": 3, "result": { "content": content } });
    let script = format!("{HANDSHAKE}read -r line; echo '{list}'; read -r line; echo '{answer}'");
    assert_eq!(against(&["call", "draw"], &script).out(), "a picture:\n[image/png, 3 bytes]\n");
}

#[test]
fn a_server_that_cannot_be_reached_is_3() {
    let done = run(&["tools", "--", "/no/such/program"]);
    assert_eq!(done.complaint(3), "error: cannot start /no/such/program: No such file or directory (os error 2)");
    let done = against(&["tools"], "echo dying >&2; exit 7");
    assert_eq!(done.complaint(3), "dying\nerror: no answer to initialize: the server ended (exit status: 7)");
    let done = against(&["tools"], "echo boot; echo panic");
    let expected = "error: no answer to initialize (2 lines were ignored that are no messages: -vv shows them): the server \
                    ended (exit status: 0)";
    assert_eq!(done.complaint(3), expected);
    let done = against(&["tools"], &format!("{HANDSHAKE}kill -9 $$"));
    assert_eq!(done.complaint(3), "error: no answer to tools/list: the server ended (signal: 9 (SIGKILL))");
}

#[test]
fn a_server_that_is_silent_is_3() {
    let done = run(&["tools", "--timeout", "1", "--", "sleep", "1000"]);
    assert_eq!(done.complaint(3), "error: no answer to initialize within 1 s");
    // What it is sent does not fit into the pipe.
    let json = format!("{{\"text\":\"{}\"}}", "x".repeat(1 << 20));
    let list = json!({ "jsonrpc": "2.0", "id": 2, "result": { "tools": [{ "name": "echo" }] } });
    let script = format!("{HANDSHAKE}read -r line; echo '{list}'; exec sleep 1000");
    let words = ["call", "echo", "--timeout", "1", "--arguments", "-", "--", "sh", "-c", &script];
    assert_eq!(crate::run_with(&words, json).complaint(3), "error: no answer to tools/call within 1 s");
    // It is not silent, but says nothing to the point.
    let done = run(&["tools", "--timeout", "1", "--", "yes"]);
    assert!(done.complaint(3).starts_with("error: no answer to initialize within 1 s ("), "{done:?}");
}

#[test]
fn a_server_that_breaks_the_protocol_is_3() {
    let response = |id: u32, rest: &str| format!("echo '{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}'; cat >/dev/null\n");
    let table = [
        (
            response(1, r#""error":{"code":-32603,"message":"broken"}"#),
            "error: the server refused initialize: broken (-32603)",
        ),
        (response(1, r#""result":7"#), "error: the server's answer to initialize has no result"),
        (response(1, r#""result":{}"#), "error: the server's answer to initialize has no protocolVersion"),
        (
            response(1, r#""result":{"protocolVersion":"1999-01-01"}"#),
            "error: the server speaks revision \"1999-01-01\", which is unknown here",
        ),
        (
            format!("{HANDSHAKE}{}", response(2, r#""result":{"tools":{}}"#)),
            "error: the server's answer to tools/list has no array of tools",
        ),
    ];
    for (script, expected) in table {
        assert_eq!(against(&["tools"], &script).complaint(3), expected);
    }
}
