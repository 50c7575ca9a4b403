//! Hostile lines to and from the bridge, the same as to a server. A client gets the answer that it gets without the bridge;
//! what a device writes reaches the client as a message or not at all.

use serde_json::{Value, json};
use toolwire::Server;
use toolwire_demos::calc::{self, Calc};

use crate::hostile_lines::{Answer, Case, all, ping};
use crate::lines::Line;
use crate::wire::{Wire, answer, call};

/// The bytes of a message that the devices here take: fewer than the bridge.
const DEVICE: usize = 2048;

/// What is wrong with the cases, by their names.
fn each(check: impl Fn(&Case) + std::panic::RefUnwindSafe) {
    let all = all();
    let failed =
        |(name, case): &(&'static str, Case)| std::panic::catch_unwind(|| check(case)).is_err().then_some(*name);
    let wrong: Vec<_> = all.iter().filter_map(failed).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// In pieces of how many bytes a line comes: a mebibyte takes its time one by one.
const fn sizes(case: &Case) -> &'static [usize] {
    if case.line.len() < 1 << 20 { &[1, 64, usize::MAX] } else { &[512] }
}

#[test]
fn a_client_gets_the_answer_that_it_gets_without_the_bridge() {
    each(|case| {
        for &size in sizes(case) {
            let mut line = Line::new(Server::<_, DEVICE, 1>::new(calc::INFO, Calc::new()));
            case.expected(DEVICE).check(&line.send_in_pieces(&case.line, size));
            Answer::Pong(json!("after")).check(&line.send(ping("\"after\"").as_bytes()));
        }
    });
}

/// They come in the middle of a call, which has its answer all the same.
#[test]
fn what_a_device_writes_reaches_the_client_as_a_message_or_not_at_all() {
    each(|case| {
        for &size in sizes(case) {
            let mut wire = Wire::ready();
            wire.client(&call("\"under way\""));
            wire.sent();
            for piece in [&case.line[..], b"\n"].concat().chunks(size) {
                assert_eq!(wire.core.device_bytes(wire.now, piece), piece.len());
            }
            let got = wire.got();
            match case.expected(DEVICE) {
                Answer::Error(_, -32700 | -32600) => assert_eq!(got, [""; 0]),
                _ => {
                    let [got] = &got[..] else { panic!("not one message: {got:?}") };
                    match serde_json::from_slice::<Value>(&case.line) {
                        Ok(message) => assert_eq!(serde_json::from_str::<Value>(got).unwrap(), message),
                        // A number that `serde_json` does not take.
                        Err(_) => assert_eq!(got.as_bytes(), case.line),
                    }
                }
            }
            let shown = wire.notes();
            assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{shown:?}");
            wire.device(&answer("\"under way\""));
            assert_eq!(wire.got(), [answer("\"under way\"")]);
        }
    });
}
