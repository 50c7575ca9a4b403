//! `toolwire resources`, `toolwire read` and `toolwire watch`.

use serde_json::{Value, json};

use crate::run;

#[test]
fn resources_and_templates_are_shown() {
    let done = run(&["resources", "demo:board"]);
    let lines: Vec<_> = done.out().lines().collect();
    assert!(lines[0].starts_with("URI ") && lines[0].ends_with("TYPE        DESCRIPTION"), "{lines:?}");
    assert_eq!(lines[2], "device://info         text/plain  The board: What this board is. [63 bytes]");
    let template = "sensor://{id}/latest  text/plain  A thermometer: The latest reading of a thermometer, t0 or t1.";
    assert_eq!(lines[4..], [template]);
    let done = run(&["resources", "demo:calc"]);
    assert!(done.stdout.is_empty() && done.stderr.contains("offers no resources"), "{done:?}");
}

#[test]
fn json_is_what_the_server_described() {
    let listed: Value = serde_json::from_str(run(&["resources", "--json", "demo:board"]).out()).unwrap();
    assert_eq!(listed["resources"][0]["uri"], "device://info");
    assert_eq!(listed["resourceTemplates"][0]["uriTemplate"], "sensor://{id}/latest");
    let none = run(&["resources", "--json", "demo:calc"]);
    assert_eq!(serde_json::from_str::<Value>(none.out()).unwrap(), json!({ "resources": [], "resourceTemplates": [] }));
}

#[test]
fn a_resource_is_read() {
    let info = "A simulated board with one LED and two thermometers, t0 and t1.";
    assert_eq!(run(&["read", "demo:board", "device://info"]).out(), info);
    assert_eq!(run(&["read", "demo:board", "sensor://t1/latest"]).out(), "20.8 °C");
    let done = run(&["read", "demo:board", "device://info", "--json"]);
    let contents = json!([{ "uri": "device://info", "mimeType": "text/plain", "text": info }]);
    assert_eq!(serde_json::from_str::<Value>(done.out()).unwrap(), json!({ "contents": contents }));
}

#[test]
fn bytes_are_written_as_they_are() {
    let output = crate::command(&["read", "demo:conformance", "test://static-binary"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 70));
    assert!(output.stdout.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn what_cannot_be_read_is_wrong_usage() {
    let known = "there are device://info, device://log, sensor://{id}/latest";
    let refused = "error: the server refused resources/read: Resource not found (-32002)";
    let watched = "error: the server refused resources/subscribe: Resource not found (-32002)";
    let table = [
        (
            ["read", "demo:board", "dvice://info"].as_slice(),
            format!("{refused}; {known}; did you mean \"device://info\"?"),
        ),
        (&["read", "demo:board", "x"], format!("{refused}; {known}")),
        (
            &["read", "demo:calc", "x"],
            "error: the server offers no resources: the server refused resources/read: Method not found (-32601); there \
             are none"
                .to_owned(),
        ),
        (
            &["read", "demo:board"],
            "error: there is no URI to read; `toolwire resources` shows those of a target".to_owned(),
        ),
        (
            &["read", "demo:board", "device://info", "device://log"],
            "error: one URI is read at a time, and \"device://log\" is too much".to_owned(),
        ),
        (
            &["watch", "demo:board", "sensor://t0/latest"],
            format!("{watched}; with --every SECONDS it is read again and again"),
        ),
        (
            &["watch", "demo:calc", "x"],
            "error: the server does not tell of changes; with --every SECONDS it is read again and again".to_owned(),
        ),
    ];
    for (args, expected) in table {
        assert_eq!(run(args).complaint(2), expected, "{args:?}");
    }
}

#[test]
fn a_resource_is_read_again_and_again() {
    let watch =
        |args: &[&str]| run(&[&["watch", "demo:board", "sensor://t0/latest", "--every", "0.05"], args].concat());
    assert_eq!(watch(&["--count", "3"]).out(), "21.5 °C\n".repeat(3));
    let done = watch(&["--count", "2", "--json"]);
    let contents = json!([{ "uri": "sensor://t0/latest", "mimeType": "text/plain", "text": "21.5 °C" }]);
    assert_eq!(crate::messages(done.out()), [json!({ "contents": contents }), json!({ "contents": contents })]);
    let done = watch(&["--for", "0.4"]);
    assert!((2..=8).contains(&done.out().lines().count()), "{done:?}");
    let chart = watch(&["--count", "2", "--plot"]);
    let lines: Vec<_> = chart.out().lines().collect();
    assert!(lines[0].ends_with(" 22.5") && lines[lines.len() - 2].ends_with(" 20.5"), "{chart:?}");
}

#[cfg(unix)]
#[test]
fn a_resource_is_read_when_the_server_tells_of_a_change() {
    let capabilities = json!({ "resources": { "subscribe": true } });
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities, "serverInfo": { "name": "s" } });
    let response = |id: u32, result: &Value| json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string();
    let contents = |text| json!({ "contents": [{ "uri": "a://b", "text": text }] });
    let updated =
        json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": { "uri": "a://b" } });
    // The first change comes before the answer to the first reading.
    let script = format!(
        "next() {{ read -r line; say \"$line\" >&2; }}
         say() {{ printf '%s\\n' \"$@\"; }}
         next; say '{}'; next; next; say '{}'
         next; say '{updated}' '{}'
         next; say '{}'; sleep 0.1; say '{updated}'
         next; say '{}'; next; say '{}'",
        response(1, &hello),
        response(2, &json!({})),
        response(3, &contents("one")),
        response(4, &contents("two")),
        response(5, &contents("three\n")),
        response(6, &json!({}))
    );
    let done = run(&["watch", "a://b", "--for", "1", "--", "sh", "-c", &script]);
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "one\ntwo\nthree\n"), "{done:?}");
    let sent: Vec<_> = crate::messages(&done.stderr).iter().map(|sent| sent["method"].clone()).collect();
    let [subscribe, read, unsubscribe] = ["subscribe", "read", "unsubscribe"].map(|what| format!("resources/{what}"));
    let expected = ["initialize", "notifications/initialized", &subscribe, &read, &read, &read, &unsubscribe];
    assert_eq!(sent, expected);
}
