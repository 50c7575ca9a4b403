//! The firmware of `tests/firmware` in the emulator, over its UART.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../common/data.rs"]
mod data;
mod emulator;
#[path = "../common/hostile.rs"]
mod hostile;
#[path = "../common/invalid.rs"]
mod invalid;
mod qemu;
#[path = "../common/vectors.rs"]
mod vectors;

use serde_json::Value;
use toolwire::{Server, Toolset};
use toolwire_demos::board::{self, Board};

use crate::emulator::{CORTEX_M0, CORTEX_M3, Machine, RISC_V};
use crate::qemu::Device;

/// The bytes of a message that the servers on the devices take.
const FRAME: usize = 2048;

#[test]
fn calc() {
    let Some(mut device) = Device::boot(CORTEX_M3, "calc") else { return };
    vectors::replies_are_exact("calc", |line| device.send(line));
}

#[test]
fn reservo() {
    let Some(mut device) = Device::boot(CORTEX_M3, "reservo") else { return };
    vectors::replies_are_exact("reservo", |line| device.send(line));
}

#[test]
fn tasks() {
    let Some(mut device) = Device::boot(CORTEX_M3, "tasks") else { return };
    vectors::tasks(|line| device.send(line));
}

/// Each on a device of its own, that has just started.
#[test]
fn every_entry_gets_its_answer() {
    let Some(_) = Device::boot(CORTEX_M3, "board") else { return };
    invalid::every_entry_gets_its_answer(&[], |revision, line| {
        let mut device = Device::boot(CORTEX_M3, "board").unwrap();
        if !["none", "2026-07-28"].contains(&revision) {
            device.shake_hands(revision);
        }
        device.send(line)
    });
}

/// Every hostile line, and a ping after it, on one device.
#[test]
fn hostile_lines_get_their_answers() {
    let Some(mut device) = Device::boot(CORTEX_M3, "calc") else { return };
    let mut wrong = Vec::new();
    let is_huge = |case: &hostile::Case| case.line.len() >= 1 << 20;
    let mut huge = 0;
    for (name, case) in hostile::all() {
        // A mebibyte takes the emulated UART its time: one such line will do, the others are for servers that take them.
        huge += usize::from(is_huge(&case));
        if is_huge(&case) && huge > 1 {
            continue;
        }
        let answers = device.send(&case.line);
        if std::panic::catch_unwind(|| case.expected(FRAME).check(&answers)).is_err() {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// A client that lets thousands of instructions pass between two bytes.
#[test]
fn a_client_that_takes_its_time_is_answered() {
    let Some(mut device) = Device::boot(CORTEX_M3, "calc") else { return };
    for byte in (hostile::echo("\"slowly\"") + "\n").bytes() {
        device.write(&[byte]);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    hostile::Answer::Text("slowly".to_owned()).check(&[device.read_line()]);
}

#[test]
fn cortex_m3_speaks() {
    speaks(CORTEX_M3);
}

#[test]
fn cortex_m0_speaks() {
    speaks(CORTEX_M0);
}

#[test]
fn risc_v_speaks() {
    speaks(RISC_V);
}

/// The rules of the line, and the same bytes as from a server in memory for what a session has in it.
fn speaks(machine: Machine) {
    let Some(mut device) = Device::boot(machine, "board") else { return };
    let ping = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
    let pong = |id: u32| format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);

    // Before anything else, as after a reset in the middle of a session.
    assert_eq!(device.send(ping(1).as_bytes()), [pong(1)]);
    // CRLF and blank lines.
    assert_eq!(device.send(format!("\r\n\n{}\r\n \t\r\n{}\r", ping(2), ping(3)).as_bytes()), [pong(2), pong(3)]);

    let mut here = Server::<_, FRAME, 1>::new(board::INFO, Board::new());
    for line in [
        r#"{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":"6","method":"tools/call","params":{"name":"led_set","arguments":{"on":true,"level":50}}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"temp_read"}}"#,
        r#"{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"led_set","arguments":{"on":1,"level":101,"x":{}}}}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"led_get"}}"#,
        r#"{"jsonrpc":"2.0","id":10,"method":"tools/list","#,
        r#"{"jsonrpc":"2.0","id":11,"method":"logging/setLevel","params":{"level":"info"}}"#,
        r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"blink","arguments":{"times":2,"period_ms":20}}}"#,
        r#"{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"calibrate","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}"#,
        r#"{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"calibrate","inputResponses":{"reference":{"action":"accept","content":{"tenths":-4,"confirm":true}}},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/logLevel":"debug"}}}"#,
        r#"{"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"}"#,
    ] {
        assert_eq!(device.send(line.as_bytes()), answers(&mut here, line.as_bytes()), "{line}");
    }
    // And all the wrong ones, in one session.
    for entry in data::lines("invalid.jsonl") {
        let line = data::raw(&entry);
        assert_eq!(device.send(&line), answers(&mut here, &line), "{entry}");
    }
}

/// The answers of a server in memory to a line.
fn answers<T: Toolset, const N: usize>(server: &mut Server<T, N, 1>, line: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    server.receive(line, &mut out).unwrap();
    server.receive(b"\n", &mut out).unwrap();
    String::from_utf8(out).unwrap().split_terminator('\n').map(str::to_owned).collect()
}

#[test]
fn cortex_m3_refuses_a_long_line() {
    refuses_a_long_line(CORTEX_M3);
}

#[test]
fn cortex_m0_refuses_a_long_line() {
    refuses_a_long_line(CORTEX_M0);
}

#[test]
fn risc_v_refuses_a_long_line() {
    refuses_a_long_line(RISC_V);
}

/// 100 KiB that come faster than the device reads. The id is the last member, so that it comes long after the end of the
/// buffer.
fn refuses_a_long_line(machine: Machine) {
    let Some(mut device) = Device::boot(machine, "board") else { return };
    let padding = "x".repeat(100 * 1024);
    let line = format!(r#"{{"jsonrpc":"2.0","method":"ping","params":{{"padding":"{padding}"}},"id":"late"}}"#);
    let answers = device.send(line.as_bytes());
    let [answer] = &answers[..] else { panic!("not one answer: {answers:?}") };
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&"late".into(), &(-32600).into()), "{answer}");
}

#[test]
fn cortex_m3_answers_each_of_many() {
    answers_each_of_many(CORTEX_M3);
}

#[test]
fn cortex_m0_answers_each_of_many() {
    answers_each_of_many(CORTEX_M0);
}

#[test]
fn risc_v_answers_each_of_many() {
    answers_each_of_many(RISC_V);
}

/// 200 requests, written without waiting for an answer.
fn answers_each_of_many(machine: Machine) {
    let Some(mut device) = Device::boot(machine, "board") else { return };
    // A level of 0 would be warned of.
    let level = |id: u32| id % 100 + 1;
    let request = |id| {
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"led_set","arguments":{{"on":true,"level":{}}}}}}}"#,
            level(id)
        )
    };
    let requests: String = (0..200).map(|id| request(id) + "\n").collect();
    device.write(requests.as_bytes());
    for id in 0..200 {
        let answer: Value = serde_json::from_str(&device.read_line()).unwrap();
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["content"][0]["text"], format!("The LED is on at {} %.", level(id)));
    }
    // And none twice.
    assert_eq!(device.send(b""), [""; 0]);
}

/// What the other tests rely on.
#[test]
fn a_panic_ends_the_emulator() {
    let Some(device) = Device::boot(CORTEX_M3, "panic") else { return };
    let mut device = device.that_is_mute();
    device.write(b"!");
    assert_eq!(device.wait(), (Some(1), String::new()));
}
