//! The core, requirement by requirement, as transcripts.

use serde_json::{Value, json};

use crate::wire::{HELLO, INITIALIZED, PING, PONG, WELCOME, Wire, answer, call, cancelled, own};

// ---- messages pass unchanged in meaning

#[test]
fn messages_pass_in_both_directions() {
    let mut wire = Wire::ready();
    let requests = [
        r#"{"jsonrpc":"2.0","id":12345678901234567890123,"method":"x/y","params":{"n":1.10e0,"s":"\u001b\"\\\n","k":{}}}"#,
        r#"{"id":"","jsonrpc":"2.0","method":"ping2","more":[null,true,-0.0]}"#,
        r#"{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":{"name":"漢字 🦀"}}"#,
    ];
    for request in requests {
        wire.client(request);
        assert_eq!(wire.sent(), [request]);
        let id = request.split("\"id\":").nth(1).unwrap().split(',').next().unwrap();
        wire.device(&answer(id));
        assert_eq!(wire.got(), [answer(id)]);
    }
    for news in [
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1.0}}"#,
        r#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#,
    ] {
        wire.device(news);
        assert_eq!(wire.got(), [news]);
    }
    wire.client(r#"{"jsonrpc":"2.0","id":"s1","result":{}}"#);
    assert_eq!(wire.sent(), [r#"{"jsonrpc":"2.0","id":"s1","result":{}}"#]);
    wire.client(r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#);
    assert_eq!(wire.sent(), [r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#]);
    wire.client("  {\"jsonrpc\" : \"2.0\", \"id\":1,\t\"method\":\"p\\u0069ng3\"}\r");
    assert_eq!(wire.sent(), [r#"{"jsonrpc":"2.0","id":1,"method":"ping3"}"#]);
    wire.device(&(answer("1") + "\r"));
    assert_eq!(wire.got(), [answer("1")]);
}

#[test]
fn batches_pass_as_they_are() {
    let mut wire = Wire::ready();
    let batch = format!("[{},{INITIALIZED},{}]", call("1"), call("2"));
    wire.client(&batch);
    wire.client(&call("3"));
    assert_eq!(wire.sent(), [batch]);
    let answers = format!("[{},{}]", answer("2"), answer("1"));
    wire.device(&answers);
    assert_eq!(wire.got(), [answers]);
    assert_eq!(wire.sent(), [call("3")]);
    // A device without batches says so without an id: everything in it is answered.
    wire.device(&answer("3"));
    wire.got();
    wire.client(&format!("[{},{}]", call("1"), call("2")));
    wire.sent();
    wire.device(r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"no batches"}}"#);
    let error = r#""error":{"code":-32600,"message":"no batches"}}"#;
    assert_eq!(wire.got(), [format!(r#"[{{"jsonrpc":"2.0","id":1,{error},{{"jsonrpc":"2.0","id":2,{error}]"#)]);
}

// ---- only whole, valid messages reach either side

#[test]
fn what_the_client_sends_wrongly_is_answered_here() {
    let mut wire = Wire::ready();
    let long = format!(r#"{{"jsonrpc":"2.0","id":5,"method":"{}"}}"#, "x".repeat(5000));
    let deep = format!(r#"{{"jsonrpc":"2.0","id":6,"method":"x","params":{}"#, "[".repeat(100));
    let table = [
        ("nope", -32700, None),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping""#, -32700, None),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#, -32700, None),
        ("1", -32600, None),
        ("[]", -32600, None),
        ("{}", -32600, None),
        (r#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#, -32600, None),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, None),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, Some(1)),
        (r#"{"jsonrpc":"2.0","id":2,"method":3}"#, -32600, Some(2)),
        (&long, -32600, Some(5)),
        (&deep, -32600, Some(6)),
    ];
    for (line, code, id) in table {
        wire.client(line);
        let got = wire.got();
        let answers: Vec<Value> = got.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        let [error] = answers.as_slice() else { panic!("{line}: {answers:?}") };
        assert_eq!(
            (&error["error"]["code"], error.get("id")),
            (&json!(code), id.map(|id| json!(id)).as_ref()),
            "{line}"
        );
    }
    wire.client(r#"[1,{"jsonrpc":"2.0","id":7,"method":"x"}]"#);
    let refused = r#"[{"jsonrpc":"2.0","error":{"code":-32600,"message":"an entry of a batch is a JSON object"}}]"#;
    assert_eq!(wire.got(), [refused]);
    assert_eq!(wire.sent(), [r#"[{"jsonrpc":"2.0","id":7,"method":"x"}]"#]);
    // Never answered, whatever is wrong with it.
    wire.client(r#"{"method":"notifications/x"}"#);
    wire.client(r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#);
    assert!(wire.sent().is_empty() && wire.got().is_empty());
}

#[test]
fn id_6_null_in_older_sessions() {
    let mut wire = session();
    wire.client("nope");
    let error = wire.got().concat();
    assert!(error.starts_with(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#), "{error}");
}

#[test]
fn noise_goes_to_the_user_marked_and_harmless() {
    let mut wire = Wire::ready();
    let valid = format!("{}\r", answer("1"));
    wire.client(&call("1"));
    wire.sent();
    for line in [
        "ESP-ROM:esp32\r",
        "\u{1b}[0;32mI (31) boot\u{1b}[0m",
        "\u{1b}]0;owned\u{7}",
        r#"{"half":"#,
        r#"{"level":"info","method":"x"}"#,
        r#"{"jsonrpc":"2.0","id":1}"#,
        "42",
        "[]",
        r#"{"jsonrpc":"2.0","method":"x"} tail"#,
    ] {
        wire.device(line);
    }
    wire.core.device_bytes(wire.now, b"\xff\xfe\0\n");
    assert!(wire.got().is_empty());
    assert_eq!(
        wire.notes(),
        "device: ESP-ROM:esp32\n\
         device: I (31) boot\n\
         device: \\u{1b}]0;owned\\u{7}\n\
         device: {\"half\":\n\
         device: {\"level\":\"info\",\"method\":\"x\"}\n\
         device: {\"jsonrpc\":\"2.0\",\"id\":1}\n\
         device: 42\n\
         device: []\n\
         device: {\"jsonrpc\":\"2.0\",\"method\":\"x\"} tail\n\
         device: \\xff\\xfe\\0\n"
    );
    wire.device(&valid);
    assert_eq!(wire.got(), [answer("1")]);
    assert_eq!(wire.notes(), "");
}

#[test]
fn an_answer_that_is_no_response_is_replaced() {
    let mut wire = Wire::ready();
    for rest in
        [r#""result":{},"error":{"code":1,"message":""}"#, r#""error":7"#, r#""error":{"code":1.5,"message":""}"#]
    {
        wire.client(&call("1"));
        wire.sent();
        wire.device(&format!(r#"{{"jsonrpc":"2.0","id":1,{rest}}}"#));
        assert!(wire.error(&json!(1)).contains("no JSON-RPC response"));
    }
}

#[test]
fn an_echo_is_dropped() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    for line in wire.sent() {
        wire.device(&line);
    }
    wire.device(INITIALIZED);
    assert!(wire.got().is_empty());
    wire.device(&answer("1"));
    assert_eq!(wire.got(), [answer("1")]);
}

// ---- answered exactly once

#[test]
fn one_request_at_a_time() {
    let mut wire = Wire::ready();
    for id in ["1", "2", "3"] {
        wire.client(&call(id));
    }
    for id in ["1", "2", "3"] {
        assert_eq!(wire.sent(), [call(id)]);
        wire.device(&answer(id));
        assert_eq!(wire.got(), [answer(id)]);
    }
    let mut wire = Wire::ready_with(|options| options.in_flight = 2);
    for id in ["1", "2", "3"] {
        wire.client(&call(id));
    }
    assert_eq!(wire.sent(), [call("1"), call("2")]);
    wire.device(&answer("2"));
    assert_eq!((wire.got(), wire.sent()), (vec![answer("2")], vec![call("3")]));
}

#[test]
fn silence_ends_in_an_error_and_a_late_answer_is_dropped() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.sent();
    wire.wait(29.9);
    assert!(wire.got().is_empty());
    wire.wait(0.2);
    let error = wire.error(&json!(1));
    assert!(error.starts_with("no answer from the device on /dev/ttyX within 30 s. It may or may not"), "{error}");
    wire.device(&answer("1"));
    assert!(wire.got().is_empty());
    // Nothing is known to be missing, so that the next one goes out at once.
    wire.client(&call("2"));
    assert_eq!(wire.sent(), [call("2")]);
    wire.device("rebooting");
    wire.wait(31.0);
    assert!(wire.error(&json!(2)).contains("printed text that is no answer"));
}

/// A line that the port does not take: nothing was done, for each request in it.
#[test]
fn what_was_not_sent_is_said_to_be_not_sent() {
    let mut wire = Wire::ready();
    wire.client(&format!("[{},{}]", call("1"), call("2")));
    wire.wait(30.0);
    let got = wire.got();
    assert_eq!(got.len(), 2, "{got:?}");
    assert!(got.iter().all(|line| line.contains("not sent, as the device on /dev/ttyX")), "{got:?}");
    assert!(wire.sent().is_empty());
}

#[test]
fn the_next_request_waits_for_a_sign_of_life() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.sent();
    wire.wait(31.0);
    wire.error(&json!(1));
    // The same id again, which a late answer must not be taken for.
    wire.client(&call("1"));
    assert_eq!(wire.sent(), [own(PING, 1)]);
    wire.device(&answer("1"));
    assert!(wire.got().is_empty());
    wire.device(&own(PONG, 1));
    assert_eq!(wire.sent(), [call("1")]);
    wire.device(&answer("1"));
    assert_eq!(wire.got(), [answer("1")]);
}

#[test]
fn a_dead_device_does_not_keep_the_queue_waiting() {
    let mut wire = Wire::ready();
    for id in ["1", "2", "3"] {
        wire.client(&call(id));
    }
    wire.sent();
    wire.wait(30.0);
    wire.error(&json!(1));
    wire.client(&call("4"));
    assert_eq!(wire.sent(), [own(PING, 1)]);
    wire.wait(2.0);
    let got = wire.got();
    assert_eq!(got.len(), 2, "{got:?}");
    assert!(got.iter().all(|line| line.contains("not sent, as the device on /dev/ttyX does not answer")), "{got:?}");
    // The young one has its chance.
    assert_eq!(wire.sent(), [call("4")]);
}

#[test]
fn progress_resets_the_time_limit() {
    let mut wire = Wire::ready();
    let request =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"progressToken":"t1"}}}"#;
    let progress = |token: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{token},"progress":1}}}}"#
        )
    };
    wire.client(request);
    wire.sent();
    for _ in 0..5 {
        wire.wait(29.0);
        wire.device(&progress("\"t1\""));
        assert_eq!(wire.got(), [progress("\"t1\"")]);
    }
    wire.wait(29.0);
    wire.device(&progress("1"));
    wire.got();
    wire.wait(1.0);
    wire.error(&json!(1));
    wire.device(&progress("\"t1\""));
    assert!(wire.got().is_empty());
}

#[test]
fn an_error_without_an_id_is_for_the_only_request_that_it_can_be_for() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.sent();
    wire.device(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#);
    assert_eq!(wire.got(), [r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32700,"message":"Parse error"}}"#]);
    wire.device(r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}"#);
    assert!(wire.got().is_empty());
}

#[test]
fn a_subscription_may_last() {
    let mut wire = Wire::ready();
    let listen = r#"{"jsonrpc":"2.0","id":"w","method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}},"notifications":{}}}"#;
    wire.client(listen);
    wire.client(&call("1"));
    assert_eq!(wire.sent(), [listen.to_owned(), call("1")]);
    let news = r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"w"},"notifications":{}}}"#;
    wire.device(news);
    wire.device(&answer("1"));
    assert_eq!(wire.got(), [news.to_owned(), answer("1")]);
    wire.wait(1000.0);
    assert!(wire.got().is_empty());
    wire.down();
    assert!(wire.error(&json!("w")).contains("went away"));
}

#[test]
fn ids_may_be_used_again() {
    let mut wire = Wire::ready_with(|options| options.in_flight = 3);
    for _ in 0..3 {
        wire.client(&call("1"));
    }
    assert_eq!(wire.sent().len(), 3);
    for _ in 0..3 {
        wire.device(&answer("1"));
    }
    wire.device(&answer("1"));
    assert_eq!(wire.got().len(), 3);
    wire.client(&call("\"1\""));
    wire.sent();
    wire.device(&answer("1"));
    assert!(wire.got().is_empty());
}

// ---- ping and cancellation

#[test]
fn a_ping_is_answered_while_the_device_is_busy() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.client(PING);
    assert_eq!(wire.sent(), [call("1")]);
    wire.wait(3.0);
    assert_eq!(wire.got(), [PONG]);
    wire.client(PING);
    wire.device(&answer("1"));
    assert_eq!(wire.got(), [answer("1")]);
    assert_eq!(wire.sent(), [PING]);
}

#[test]
fn a_cancellation_is_passed_on_and_no_answer_comes() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.sent();
    wire.client(&cancelled("1"));
    assert_eq!(wire.sent(), [cancelled("1")]);
    wire.device(&answer("1"));
    wire.client(&cancelled("1"));
    wire.client(&cancelled("\"1\""));
    wire.wait(60.0);
    assert!(wire.got().is_empty() && wire.sent().is_empty());
    // What was not sent is not sent.
    wire.client(&call("2"));
    wire.sent();
    wire.client(&call("3"));
    wire.client(&format!("[{},{}]", call("4"), call("5")));
    wire.client(&cancelled("3"));
    wire.client(&cancelled("4"));
    wire.device(&answer("2"));
    assert_eq!((wire.got(), wire.sent()), (vec![answer("2")], vec![format!("[{}]", call("5"))]));
}

#[test]
fn a_cancelled_request_may_keep_the_device_busy() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.sent();
    wire.client(&cancelled("1"));
    wire.client(&call("2"));
    assert_eq!(wire.sent(), [cancelled("1"), own(PING, 1)]);
    wire.wait(10.0);
    assert!(wire.sent().is_empty());
    wire.device(&own(PONG, 1));
    assert_eq!(wire.sent(), [call("2")]);
}

#[test]
fn the_handshake_cannot_be_cancelled() {
    let mut wire = Wire::ready();
    wire.client(HELLO);
    wire.sent();
    wire.client(&cancelled("0"));
    wire.device(WELCOME);
    assert_eq!(wire.got(), [WELCOME]);
}

// ---- the port comes and goes

/// A core with a session.
fn session() -> Wire {
    let mut wire = Wire::new();
    wire.up();
    wire.client(HELLO);
    assert_eq!(wire.sent(), [HELLO]);
    wire.device(WELCOME);
    assert_eq!(wire.got(), [WELCOME]);
    wire.client(INITIALIZED);
    assert_eq!(wire.sent(), [INITIALIZED]);
    wire
}

#[test]
fn unplugged_and_plugged_in_again() {
    let mut wire = session();
    wire.client(&call("1"));
    wire.sent();
    wire.client(&call("2"));
    wire.down();
    let error = wire.error(&json!(1));
    assert!(error.contains("went away before it answered (unplugged). It may or may not have done"), "{error}");
    wire.core.device_down(wire.now, "not there");
    wire.wait(1.0);
    wire.up();
    assert_eq!(
        wire.notes(),
        "the device on /dev/ttyX is gone (unplugged); waiting for it\nthe device on /dev/ttyX is back\n"
    );
    // The client's own handshake, and only then what waited. What was written is not written again.
    assert_eq!(wire.sent(), [own(HELLO, 1)]);
    wire.device(&own(WELCOME, 1));
    assert_eq!(wire.sent(), [INITIALIZED.to_owned(), call("2")]);
    wire.device(&answer("2"));
    assert_eq!(wire.got(), [answer("2")]);
}

#[test]
fn what_was_written_in_part_is_not_written_again() {
    for written in [0, 1, 10, call("1").len(), call("1").len() + 1] {
        let mut wire = Wire::ready();
        wire.client(&call("1"));
        wire.core.device_took(wire.now, written);
        wire.down();
        assert_eq!(wire.got().len(), usize::from(written > 0), "{written}");
        wire.up();
        wire.client(PING);
        wire.device("");
        let sent = wire.sent();
        // A device that is asked whether it listens, before a request that waited.
        assert_eq!(sent, [if written > 0 { PING.to_owned() } else { own(PING, 1) }], "{written}");
    }
}

#[test]
fn a_device_that_does_not_know_the_handshake_is_used_all_the_same() {
    let mut wire = session();
    wire.down();
    wire.up();
    wire.client(&call("1"));
    for number in 1..=4 {
        assert_eq!(wire.sent(), [own(HELLO, number)]);
        wire.wait(1.0);
    }
    assert_eq!(wire.sent(), [INITIALIZED.to_owned(), call("1")]);
}

#[test]
fn stateless_clients_go_on() {
    let mut wire = Wire::ready();
    wire.down();
    wire.client(&call("1"));
    wire.wait(1.0);
    wire.up();
    assert_eq!(wire.sent(), [own(PING, 1)]);
    wire.device(&own(PONG, 1));
    assert_eq!(wire.sent(), [call("1")]);
}

#[test]
fn a_device_that_restarts_on_opening_loses_nothing() {
    // A handshake is its own probe, and repeated when it was lost.
    let mut wire = Wire::new();
    wire.up();
    wire.client(HELLO);
    assert_eq!(wire.sent(), [HELLO]);
    wire.wait(1.0);
    assert_eq!(wire.sent(), [own(PING, 1)]);
    wire.device("ready\r");
    wire.wait(1.0);
    assert_eq!(wire.sent(), [own(PING, 2)]);
    wire.device(&own(PONG, 2));
    assert_eq!(wire.sent(), [own(HELLO, 3)]);
    wire.device(&own(WELCOME, 3));
    assert_eq!(wire.got(), [WELCOME]);
    // Other requests wait.
    let mut wire = Wire::new();
    wire.up();
    wire.client(&call("1"));
    for number in 1..=3 {
        assert_eq!(wire.sent(), [own(PING, number)]);
        wire.wait(1.0);
    }
    assert_eq!(wire.sent(), [own(PING, 4)]);
    wire.device(&own(PONG, 4));
    assert_eq!(wire.sent(), [call("1")]);
    // And so does a ping, which the bridge can answer when it knows that the device listens.
    let mut wire = Wire::new();
    wire.up();
    wire.client(PING);
    assert_eq!(wire.sent(), [PING]);
    wire.wait(1.0);
    assert_eq!(wire.sent(), [own(PING, 1)]);
    wire.device(&own(PONG, 1));
    assert_eq!(wire.got(), [PONG]);
}

#[test]
fn a_device_that_does_not_know_ping_is_used_all_the_same() {
    let mut wire = Wire::new();
    wire.up();
    wire.client(&call("1"));
    for number in 1..=4 {
        assert_eq!(wire.sent(), [own(PING, number)]);
        wire.wait(1.0);
    }
    assert_eq!(wire.sent(), [call("1")]);
}

#[test]
fn a_device_that_was_reset_in_the_middle_gets_its_session_back() {
    let mut wire = session();
    wire.client(&call("1"));
    wire.sent();
    wire.device("boot: hello");
    wire.wait(30.0);
    wire.error(&json!(1));
    wire.client(&call("2"));
    assert_eq!(wire.sent(), [own(HELLO, 1)]);
    wire.device(&own(WELCOME, 1));
    assert_eq!(wire.sent(), [INITIALIZED.to_owned(), call("2")]);
}

#[test]
fn stale_input_is_drained() {
    let mut wire = Wire::new();
    wire.core.device_up(wire.now);
    assert_eq!(wire.core.to_device(), b"\n");
    wire.core.device_took(wire.now, 1);
    wire.client(PING);
    wire.device("boot");
    wire.device(PONG);
    wire.core.device_bytes(wire.now, br#"{"jsonrpc":"2.0","id":900,"resu"#);
    assert_eq!(wire.core.to_device(), b"");
    wire.wait(0.1);
    assert_eq!(wire.sent(), [PING]);
    assert!(wire.got().is_empty());
    wire.device(PONG);
    assert_eq!(wire.got(), [PONG]);
    assert!(wire.notes().ends_with("device: boot\ndevice: {\"jsonrpc\":\"2.0\",\"id\":900,\"resu\n"));
    // A device that never falls silent is not waited for.
    let mut wire = Wire::new();
    wire.core.device_up(wire.now);
    wire.core.device_took(wire.now, 1);
    wire.client(PING);
    for _ in 0..20 {
        wire.device("chatter");
        wire.wait(0.05);
    }
    assert_eq!(wire.sent(), [PING]);
}

// ---- no device

#[test]
fn without_a_device_the_bridge_answers_in_its_own_name() {
    let mut wire = Wire::new();
    wire.core.device_down(wire.now, "no such port");
    wire.core.device_down(wire.now, "still no such port");
    assert_eq!(wire.notes(), "no device on /dev/ttyX yet (no such port); waiting for it\n");
    wire.client(HELLO);
    wire.wait(2.9);
    assert!(wire.got().is_empty());
    wire.wait(0.1);
    let answer: Value = serde_json::from_str(&wire.got().concat()).unwrap();
    let result = &answer["result"];
    assert_eq!(answer["id"], 0);
    assert_eq!(result["protocolVersion"], "2025-06-18");
    assert_eq!(result["serverInfo"]["name"], "toolwire bridge");
    assert_eq!(result["capabilities"], json!({ "tools": { "listChanged": true } }));
    let instructions = result["instructions"].as_str().unwrap();
    assert!(instructions.starts_with("There is no device on /dev/ttyX (still no such port)."), "{instructions}");
    wire.client(INITIALIZED);
    wire.client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    assert_eq!(wire.got(), [r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}"#]);
    wire.client(PING);
    assert_eq!(wire.got(), [PONG]);
    wire.client(&call("2"));
    assert!(wire.error(&json!(2)).contains("/dev/ttyX"));
    // There it is.
    wire.up();
    assert_eq!(wire.notes(), "the device on /dev/ttyX is there\n");
    assert_eq!(wire.sent(), [own(HELLO, 1)]);
    wire.device(&own(WELCOME, 1));
    assert_eq!(wire.sent(), [INITIALIZED]);
    assert_eq!(wire.got(), [r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#]);
    wire.client(&call("3"));
    assert_eq!(wire.sent(), [call("3")]);
}

#[test]
fn stateless_clients_are_answered_too() {
    let meta =
        r#"{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
    let request = |id: u32, method: &str, meta: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{{"_meta":{meta}}}}}"#)
    };
    let mut wire = Wire::new();
    wire.client(&request(1, "server/discover", meta));
    wire.client(&request(2, "tools/list", meta));
    wire.client(&request(3, "server/discover", &meta.replace("2026", "2036")));
    wire.client(&request(4, "ping", meta));
    wire.wait(3.0);
    let got: Vec<Value> = wire.got().iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(got[0]["result"]["supportedVersions"], json!(["2026-07-28"]));
    assert!(got[0]["result"]["instructions"].as_str().unwrap().contains("/dev/ttyX"));
    assert_eq!((&got[1]["result"]["tools"], &got[1]["result"]["ttlMs"]), (&json!([]), &json!(0)));
    assert_eq!(
        (&got[2]["error"]["code"], &got[2]["error"]["data"]["requested"]),
        (&json!(-32022), &json!("2036-07-28"))
    );
    assert_eq!(got[3]["error"]["code"], -32603);
    // Nothing that they did not ask for.
    wire.up();
    wire.wait(10.0);
    assert!(wire.got().is_empty() && wire.sent().is_empty());
}

#[test]
fn tools_that_were_there_are_not_said_to_be_gone() {
    let mut wire = session();
    wire.down();
    wire.wait(3.0);
    wire.client(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    wire.error(&json!(1));
}

// ---- memory and back-pressure

#[test]
fn a_slow_device_slows_the_client_down() {
    let mut wire = Wire::ready();
    let line = call("1") + "\n";
    let flood = line.repeat(1000);
    let mut rest = flood.as_bytes();
    let mut answers = 0;
    while !rest.is_empty() || wire.core.remembered() > 0 {
        let taken = wire.core.client_bytes(wire.now, rest);
        rest = &rest[taken..];
        assert!(wire.core.remembered() <= 258);
        assert_eq!(wire.sent(), [call("1")]);
        wire.device(&answer("1"));
        answers += wire.got().len();
    }
    assert_eq!(answers, 1000);
}

#[test]
fn a_slow_client_slows_the_device_down() {
    let mut wire = Wire::ready();
    let news =
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/x","params":{{"x":"{}"}}}}"#, "x".repeat(3000)) + "\n";
    wire.client(&call("1"));
    wire.sent();
    let mut count = 0;
    while wire.core.device_bytes(wire.now, news.as_bytes()) == news.len() {
        count += 1;
    }
    assert!(!wire.core.wants_client_input() && wire.core.to_client().len() < (1 << 18) + 4096);
    // What the device has said meanwhile counts, however late it is read.
    wire.wait(100.0);
    assert_eq!(wire.got().len(), count);
    wire.device(&answer("1"));
    assert_eq!(wire.got(), [answer("1")]);
}

// ---- the end

#[test]
fn the_end_of_input_waits_for_what_is_pending() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.core.client_bytes(wire.now, call("2").as_bytes());
    wire.core.client_eof(wire.now);
    assert!(!wire.core.is_finished());
    for id in ["1", "2"] {
        assert_eq!(wire.sent(), [call(id)]);
        wire.wait(20.0);
        wire.device(&answer(id));
        assert_eq!(wire.got(), [answer(id)]);
    }
    assert!(wire.core.is_finished());
    // Not for ever.
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.client(&call("2"));
    wire.sent();
    wire.core.client_eof(wire.now);
    wire.wait(30.0);
    assert_eq!(wire.got().len(), 2);
    assert!(wire.core.is_finished());
    // And hardly for a device that is not there.
    let mut wire = Wire::new();
    wire.client(&call("1"));
    wire.core.client_eof(wire.now);
    wire.wait(2.0);
    wire.error(&json!(1));
    assert!(wire.core.is_finished());
}

#[test]
fn a_signal_ends_it_at_once() {
    let mut wire = Wire::ready();
    wire.client(&call("1"));
    wire.client(&call("2"));
    wire.sent();
    wire.core.stop(wire.now);
    assert_eq!(wire.got().len(), 2);
    assert!(wire.core.is_finished());
}
