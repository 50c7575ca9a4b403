//! The core and a real server, with a line between them that damages what passes.

use std::collections::BTreeMap;
use std::time::Duration;

use embedded_io::Read as _;
use serde_json::Value;
use toolwire::Server;
use toolwire_cli::bridge::core::{Core, Options};
use toolwire_demos::calc::{self, Calc};

use crate::faults_line::{Line, Random, SEEDS, answer, messages, request, sealed, unsealed};
use crate::wire::{HELLO, INITIALIZED, LONGEST};

/// How many rounds of requests come between two silences.
const NOISE: u32 = 40;

struct Rig {
    core: Core<LONGEST>,
    now: Duration,
    line: Line,
    server: Server<Calc, LONGEST>,
    /// What the client has asked, and how often that was answered.
    answers: BTreeMap<u32, u32>,
    got: Vec<u8>,
    results: u32,
}

impl Rig {
    fn new(seed: u64) -> Self {
        let mut options = Options::new("port");
        options.timeout = Duration::from_secs(5);
        options.in_flight = 1 + usize::from(seed.is_multiple_of(2));
        Self {
            core: Core::new(options),
            now: Duration::ZERO,
            line: Line::new(seed, 400),
            server: Server::new(calc::INFO, Calc::new()),
            answers: BTreeMap::new(),
            got: Vec::new(),
            results: 0,
        }
    }

    fn ask(&mut self, number: u32) {
        self.answers.insert(number, 0);
        self.say(&request(number));
    }

    fn say(&mut self, line: &str) {
        assert_eq!(self.core.client_bytes(self.now, line.as_bytes()), line.len());
    }

    /// Lets bytes pass as far as they come. Returns whether any did.
    fn pass(&mut self) -> bool {
        let mut passed = false;
        while !self.core.to_device().is_empty() {
            let piece = self.core.to_device().to_vec();
            self.core.device_took(self.now, piece.len());
            self.line.send(&piece);
            passed = true;
        }
        let mut buffer = [0; 64];
        while let Ok(count @ 1..) = self.line.read(&mut buffer) {
            let Ok(()) = self.server.receive(&buffer[..count], &mut self.line);
            passed = true;
        }
        let bytes = self.line.receive();
        assert_eq!(self.core.device_bytes(self.now, &bytes), bytes.len());
        let text = self.core.to_client().to_vec();
        self.core.client_took(self.now, text.len());
        self.got.extend(&text);
        while self.core.note_for_user().is_some() {}
        passed || !bytes.is_empty() || !text.is_empty()
    }

    /// Until all is answered, or the time has passed in which it must be.
    fn settle(&mut self) {
        for _ in 0..500 {
            if self.pass() {
                continue;
            }
            self.look();
            let next = self.core.next_deadline();
            if self.line.is_held() {
                self.now += Duration::from_millis(700);
            } else if let Some(next) = next {
                self.now = self.now.max(next);
            } else {
                break;
            }
            self.core.tick(self.now);
        }
        let open: Vec<_> = self.answers.iter().filter(|(_, count)| **count == 0).collect();
        assert!(open.is_empty(), "without an answer: {open:?}");
    }

    /// Looks at what the client got.
    fn look(&mut self) {
        let text = String::from_utf8(core::mem::take(&mut self.got)).expect("UTF-8");
        assert!(text.is_empty() || text.ends_with('\n'), "half a line: {text}");
        for line in text.lines() {
            let message: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(message["jsonrpc"], "2.0", "{line}");
            let Some(id) = message.get("id").and_then(Value::as_str) else {
                // The handshake, or news.
                assert!(message["id"] == 0 || message["method"].is_string(), "nobody asked: {line}");
                continue;
            };
            let number = unsealed(id).unwrap_or_else(|| panic!("nobody asked: {line}"));
            let count = self.answers.get_mut(&number).unwrap_or_else(|| panic!("nobody asked: {line}"));
            *count += 1;
            assert_eq!(*count, 1, "answered twice: {line}");
            if let Some(text) = message["result"]["content"][0]["text"].as_str().and_then(unsealed) {
                assert_eq!(text, number, "the result of another: {line}");
                self.results += 1;
            }
        }
    }

    fn open(&mut self) {
        self.core.device_up(self.now);
    }
}

#[test]
fn each_request_gets_one_answer() {
    for seed in SEEDS {
        let mut rig = Rig::new(seed);
        let mut random = Random::new(seed);
        rig.open();
        rig.say(&format!("{HELLO}\n{INITIALIZED}\n"));
        let mut number = 0;
        while number < messages() {
            rig.line.be_noisy(true);
            for _ in 0..NOISE {
                for _ in 0..=random.below(3) {
                    number += 1;
                    rig.ask(number);
                }
                if random.below(100) == 0 {
                    rig.pass();
                    rig.core.device_down(rig.now, "a loose plug");
                    rig.open();
                }
                rig.settle();
            }
            // Silence. The first request may come behind half a line; the second one may not.
            rig.line.be_noisy(false);
            number += 1;
            rig.ask(number);
            rig.settle();
            rig.look();
            number += 1;
            rig.ask(number);
            while rig.pass() {}
            assert_eq!(String::from_utf8_lossy(&rig.got), answer(number), "seed {seed}, {}", sealed(number));
            rig.look();
            assert!(rig.core.remembered() < 100 && rig.core.held() < 1 << 16, "seed {seed}");
        }
        assert!(rig.answers.values().all(|count| *count == 1), "seed {seed}");
        // The noise was one, and not too much of it.
        assert!(rig.line.faults() > number / 4 && rig.results > number / 4, "{} {}", rig.line.faults(), rig.results);
    }
}
