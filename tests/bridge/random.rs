//! The core under random streams: what must always hold, and that no result depends on how the streams are split.

use proptest::collection::vec;
use proptest::prelude::*;
use toolwire_cli::bridge::fuzzing;

use crate::wire::{HELLO, INITIALIZED, PING, WELCOME, Wire, answer, call, cancelled};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_request_gets_one_answer_and_is_written_once(program in vec(any::<u8>(), 0..400)) {
        fuzzing::play(&program);
    }

    /// The same without raw bytes, so that the strict rules hold.
    #[test]
    fn so_it_is_without_noise_of_the_client(program in vec((0..24_u8, any::<u8>()), 0..300)) {
        let program: Vec<u8> = program.into_iter().flat_map(|(code, argument)| [code, if code == 7 { 0 } else { argument }]).collect();
        fuzzing::play(&program);
    }

    #[test]
    fn no_split_matters(order in vec(0..14_usize, 0..40), sizes in vec(1..60_usize, 1..20)) {
        prop_assert_eq!(run(&order, &[usize::MAX]), run(&order, &sizes));
    }
}

/// What client and device get when these things happen in this order, in pieces of these sizes.
fn run(order: &[usize], sizes: &[usize]) -> (Vec<String>, Vec<String>) {
    let mut wire = Wire::ready();
    let mut sizes = sizes.iter().cycle();
    let (mut got, mut sent) = (Vec::new(), Vec::new());
    for &step in order {
        let (by_client, text) = match step {
            0 => (true, HELLO.to_owned()),
            1 => (true, INITIALIZED.to_owned()),
            2 => (true, format!("{}\n{}", call("1"), call("2"))),
            3 => (true, format!("\r\n{PING}\nnope")),
            4 => (true, format!("{}\r\n{}", call("3"), cancelled("3"))),
            5 => (true, format!("[{},{}]", call("4"), call("5"))),
            6 => (false, WELCOME.to_owned()),
            7 => (false, format!("boot\r\n{}\n{}", answer("1"), answer("2"))),
            8 => (false, format!("[{},{}]", answer("4"), answer("5"))),
            9 => (false, "\u{1b}[0;31mé\u{1b}[0m\n{\"half\":".to_owned()),
            10 => (false, r#"{"jsonrpc":"2.0","id":"s","method":"ping"}"#.to_owned()),
            11 => {
                sent.extend(wire.sent());
                continue;
            }
            12 => {
                wire.wait(1.0);
                continue;
            }
            _ => {
                got.extend(wire.got());
                continue;
            }
        };
        let text = text + "\n";
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.len().min(*sizes.next().expect("they go round")));
            rest = behind;
            let now = wire.now;
            let taken = if by_client { wire.core.client_bytes(now, piece) } else { wire.core.device_bytes(now, piece) };
            assert_eq!(taken, piece.len());
        }
    }
    got.extend(wire.got());
    sent.extend(wire.sent());
    (got, sent)
}
