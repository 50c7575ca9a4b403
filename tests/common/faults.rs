//! A line that damages what passes, in both directions. It drops, repeats and flips bytes, cuts lines, joins and repeats
//! them, prints text in between, and holds all back for a while: after what lines do, and loose plugs, and boot loaders.
//!
//! A client's requests carry a number with a check, as their id and as their text, so that whoever sees a message can tell
//! whether these were damaged.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::env;

use embedded_io::{ErrorType, Read, Write};

/// Where the random numbers start.
pub(crate) const SEEDS: core::ops::RangeInclusive<u64> = 1..=10;

/// How many messages each seed is for: a few, or as many as the environment says.
pub(crate) fn messages() -> u32 {
    env::var("TOOLWIRE_MESSAGES").map_or(2000, |count| count.parse().expect("TOOLWIRE_MESSAGES is a number"))
}

/// Random numbers, the same each time (xorshift64*).
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        ((high * u64::from(limit)) >> 32) as u32
    }
}

/// One direction.
#[derive(Debug)]
struct Way {
    random: Random,
    is_noisy: bool,
    /// The bytes up to the next fault.
    left: u32,
    /// The mean of that.
    mean: u32,
    /// The rest of this line is lost.
    cut: bool,
    /// The end of this line is lost.
    join: bool,
    /// This line comes twice.
    twice: bool,
    /// This line so far.
    line: Vec<u8>,
    /// For how many more reads nothing comes.
    held: u32,
    there: VecDeque<u8>,
    faults: u32,
}

impl Way {
    fn new(seed: u64, mean: u32) -> Self {
        Self {
            random: Random::new(seed),
            is_noisy: true,
            left: mean,
            mean,
            cut: false,
            join: false,
            twice: false,
            line: Vec::new(),
            held: 0,
            there: VecDeque::new(),
            faults: 0,
        }
    }

    fn put(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if !self.is_noisy {
                self.there.push_back(byte);
            } else if self.left > 0 {
                self.left -= 1;
                self.push(byte);
            } else {
                self.left = self.random.below(2 * self.mean);
                self.faults += 1;
                self.damage(byte);
            }
        }
    }

    fn damage(&mut self, byte: u8) {
        match self.random.below(8) {
            0 => {}
            1 => [byte, byte].into_iter().for_each(|byte| self.push(byte)),
            2 => {
                let bit = self.random.below(8);
                self.push(byte ^ (1 << bit));
            }
            3 => {
                self.push(byte);
                self.cut = true;
            }
            4 => {
                self.push(byte);
                self.join = true;
            }
            5 => {
                self.twice = true;
                self.push(byte);
            }
            6 => {
                b"\x1b[0;32mI (31) main: boot\r\n".iter().for_each(|byte| self.push(*byte));
                self.push(byte);
            }
            _ => {
                self.push(byte);
                self.held = 1 + self.random.below(20);
            }
        }
    }

    fn push(&mut self, byte: u8) {
        if byte != b'\n' {
            if !self.cut {
                self.line.push(byte);
                self.there.push_back(byte);
            }
            return;
        }
        self.cut = false;
        if core::mem::take(&mut self.join) {
            return;
        }
        self.there.push_back(byte);
        self.line.push(byte);
        if core::mem::take(&mut self.twice) {
            self.there.extend(&self.line);
        }
        self.line.clear();
    }

    fn take(&mut self, most: usize) -> Vec<u8> {
        if self.held > 0 {
            self.held -= 1;
            return Vec::new();
        }
        self.there.drain(..most.min(self.there.len())).collect()
    }

    /// Ends or begins the noise. What is held back comes now.
    fn be_noisy(&mut self, is_noisy: bool) {
        self.is_noisy = is_noisy;
        (self.cut, self.join, self.twice, self.held) = (false, false, false, 0);
        self.line.clear();
    }
}

/// The line. The device's end is [`Read`] and [`Write`], where `Ok(0)` means that nothing is there yet.
#[derive(Debug)]
pub(crate) struct Line {
    to_device: Way,
    to_client: Way,
    /// What the device has read.
    pub(crate) heard: Vec<u8>,
    /// What the device has written.
    pub(crate) said: Vec<u8>,
}

impl Line {
    /// A line with a fault in that many bytes, on average.
    pub(crate) fn new(seed: u64, mean: u32) -> Self {
        let (to_device, to_client) = (Way::new(2 * seed, mean), Way::new(2 * seed + 1, mean));
        Self { to_device, to_client, heard: Vec::new(), said: Vec::new() }
    }

    /// The client writes.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.to_device.put(bytes);
    }

    /// The client reads.
    pub(crate) fn receive(&mut self) -> Vec<u8> {
        self.to_client.take(usize::MAX)
    }

    pub(crate) fn be_noisy(&mut self, is_noisy: bool) {
        self.to_device.be_noisy(is_noisy);
        self.to_client.be_noisy(is_noisy);
    }

    /// Whether anything is held back, from the device or from the client.
    pub(crate) const fn is_held(&self) -> bool {
        self.to_device.held > 0 || self.to_client.held > 0
    }

    /// How much was damaged.
    pub(crate) const fn faults(&self) -> u32 {
        self.to_device.faults + self.to_client.faults
    }
}

impl ErrorType for Line {
    type Error = Infallible;
}

impl Read for Line {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let bytes = self.to_device.take(buffer.len());
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.heard.extend(&bytes);
        Ok(bytes.len())
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.to_client.put(bytes);
        self.said.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A number with its check.
pub(crate) fn sealed(number: u32) -> String {
    format!("{number}-{:016x}", check(number))
}

/// The number, if it is whole.
pub(crate) fn unsealed(text: &str) -> Option<u32> {
    let number = text.split_once('-')?.0.parse().ok()?;
    (sealed(number) == text).then_some(number)
}

fn check(number: u32) -> u64 {
    let mut random = Random::new(u64::from(number) + 1_000_000);
    (u64::from(random.below(u32::MAX)) << 32) | u64::from(random.below(u32::MAX))
}

/// The request of that number, with its newline.
pub(crate) fn request(number: u32) -> String {
    let seal = sealed(number);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"{seal}\",\"method\":\"tools/call\",\"params\":{{\"name\":\"echo\",\
         \"arguments\":{{\"text\":\"{seal}\"}}}}}}\n"
    )
}

/// Its answer, with its newline.
pub(crate) fn answer(number: u32) -> String {
    let seal = sealed(number);
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":\"{seal}\",\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"{seal}\"}}],\
         \"isError\":false}}}}\n"
    )
}
