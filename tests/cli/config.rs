//! `toolwire config`.

use serde_json::{Value, json};

use crate::{TOOLWIRE, run};

/// The snippet, and the hint beside it.
fn config(args: &[&str]) -> (Value, String) {
    let done = run(&[["config"].as_slice(), args].concat());
    assert_eq!(done.code, Some(0), "{done:?}");
    (serde_json::from_str(&done.stdout).expect("standard output is JSON"), done.stderr)
}

#[test]
fn each_client_gets_its_own_shape() {
    let plain = json!({ "command": TOOLWIRE, "args": ["serve", "tasks"] });
    let typed = json!({ "type": "stdio", "command": TOOLWIRE, "args": ["serve", "tasks"] });
    let table = [
        ("claude-desktop", json!({ "mcpServers": { "tasks": plain } }), "claude_desktop_config.json"),
        ("claude-code", json!({ "mcpServers": { "tasks": typed } }), ".mcp.json"),
        ("vscode", json!({ "servers": { "tasks": typed } }), ".vscode/mcp.json"),
        ("cursor", json!({ "mcpServers": { "tasks": typed } }), ".cursor/mcp.json"),
    ];
    for (client, expected, place) in table {
        let (snippet, hint) = config(&[client, "demo:tasks"]);
        assert_eq!(snippet, expected, "{client}");
        assert!(hint.contains(place), "{client}: {hint}");
    }
}

#[test]
fn a_port_gets_a_bridge() {
    for port in ["COM3", "/dev/ttyACM0", "serial:E66", "usb:2e8a:000a", "tcp:localhost:4444"] {
        let (snippet, _) = config(&["cursor", port]);
        let server = json!({ "type": "stdio", "command": TOOLWIRE, "args": ["bridge", port] });
        assert_eq!(snippet, json!({ "mcpServers": { "device": server } }), "{port}");
    }
}

#[test]
fn the_command_of_the_target_is_kept() {
    let (snippet, _) = config(&["cursor", "--", "npx", "-y", "a server"]);
    let server = json!({ "type": "stdio", "command": "npx", "args": ["-y", "a server"] });
    assert_eq!(snippet, json!({ "mcpServers": { "npx": server } }));
}

#[test]
fn a_name_can_be_given() {
    let (snippet, _) = config(&["claude-desktop", "demo:calc", "--name", "my calc"]);
    assert_eq!(snippet["mcpServers"]["my calc"]["args"], json!(["serve", "calc"]));
    let done = run(&["config", "claude-code", "demo:calc", "--name", "my calc"]);
    assert_eq!(done.complaint(2), "error: --name: expected letters, digits, `-` and `_`, got \"my calc\"");
    assert_eq!(run(&["config", "cursor", "demo:calc", "--name="]).code, Some(2));
}

#[cfg(unix)]
#[test]
fn one_line_does_the_same_where_the_client_has_one() {
    let (_, hint) = config(&["claude-code", "--name", "x", "--", "/opt/a b", "it's", "--flag"]);
    assert!(hint.contains("\nclaude mcp add --transport stdio x -- '/opt/a b' 'it'\\''s' --flag\n"), "{hint}");
    let (_, hint) = config(&["vscode", "demo:calc"]);
    let line = hint.lines().find_map(|line| line.strip_prefix("code --add-mcp '")).unwrap();
    let server: Value = serde_json::from_str(line.strip_suffix('\'').unwrap()).unwrap();
    assert_eq!(server, json!({ "name": "calc", "type": "stdio", "command": TOOLWIRE, "args": ["serve", "calc"] }));
}

#[test]
fn client_and_target_must_be_known() {
    assert!(
        run(&["config", "emacs", "demo:calc"]).complaint(2).contains("claude-desktop, claude-code, vscode, cursor")
    );
    assert!(run(&["config", "cursor", "demo:x"]).complaint(2).starts_with("error: \"demo:x\" is no target"));
    assert!(run(&["config", "cursor"]).complaint(2).starts_with("error: there is no target"));
}

#[test]
fn the_command_of_a_snippet_serves() {
    let (snippet, _) = config(&["vscode", "demo:calc"]);
    let server = &snippet["servers"]["calc"];
    let args = server["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap());
    let command = ["call", "add", "a=1", "b=2", "--", server["command"].as_str().unwrap()];
    assert_eq!(run(&command.into_iter().chain(args).collect::<Vec<_>>()).out(), "3\n");
}
