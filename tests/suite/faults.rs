//! A server at the end of a line that damages what passes.

use embedded_io::Read as _;
use serde_json::Value;
use toolwire::Server;
use toolwire_demos::calc::{self, Calc};

use crate::faults_line::{Line, SEEDS, answer, messages, request, unsealed};

/// The bytes of a message, as the fuzz target has it.
type Calculator = Server<Calc, 8192>;

/// How many messages come between two silences.
const NOISE: u32 = 100;

/// The device reads and answers until nothing comes.
fn drive(server: &mut Calculator, line: &mut Line) {
    let mut buffer = [0; 64];
    loop {
        let Ok(count) = line.read(&mut buffer);
        if count == 0 {
            return;
        }
        let Ok(()) = server.receive(&buffer[..count], line);
    }
}

#[test]
fn no_answer_goes_astray() {
    for seed in SEEDS {
        let mut line = Line::new(seed, 150);
        let mut server = Calculator::new(calc::INFO, Calc::new());
        let (mut number, mut whole) = (0, 0);
        while number < messages() {
            line.be_noisy(true);
            let mut got = Vec::new();
            for _ in 0..NOISE {
                number += 1;
                line.send(request(number).as_bytes());
                drive(&mut server, &mut line);
                got.extend(line.receive());
            }
            // Silence. The first request may come behind half a line, and so may its answer; the second one may not.
            line.be_noisy(false);
            assert!(!line.is_held());
            drive(&mut server, &mut line);
            number += 1;
            line.send(request(number).as_bytes());
            drive(&mut server, &mut line);
            got.extend(line.receive());
            number += 1;
            line.send(request(number).as_bytes());
            drive(&mut server, &mut line);
            assert_eq!(String::from_utf8(line.receive()).unwrap(), answer(number), "seed {seed}");

            // What came to the client: its own id with its own text, or one of both damaged.
            for answer in got.split(|byte| *byte == b'\n') {
                let Ok(answer) = serde_json::from_slice::<Value>(answer) else { continue };
                let id = answer["id"].as_str().and_then(unsealed);
                let text = answer["result"]["content"][0]["text"].as_str().and_then(unsealed);
                if let (Some(id), Some(text)) = (id, text) {
                    assert_eq!(id, text, "seed {seed}: {answer}");
                    assert!(id < number, "seed {seed}: never asked: {answer}");
                    whole += 1;
                }
            }
            // What the device wrote, for what came to it: by the oracle of the fuzz target, line by line, and the same as
            // from a new server.
            let (heard, said) = (core::mem::take(&mut line.heard), core::mem::take(&mut line.said));
            toolwire_tests::session(&[b"c", &heard[..]].concat());
            let mut again = Vec::new();
            Calculator::new(calc::INFO, Calc::new()).receive(&heard, &mut again).unwrap();
            assert!(said == again, "seed {seed}");
            let count = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
            assert!(count(&said) <= count(&heard), "seed {seed}: more answers than requests");
        }
        // The noise was one, and not too much of it.
        assert!(line.faults() > number / 2 && whole > number / 10, "seed {seed}: {} {whole}", line.faults());
    }
}
