//! Hostile lines, a test for each, in memory: at once and byte by byte. The tests of the binary and on the device have the
//! same. Then clients that hold the line up.

use core::cell::Cell;
use std::collections::VecDeque;

use embedded_io::{ErrorKind, ErrorType, Read, Write};
use serde_json::{Value, json};
use toolwire::Server;
use toolwire_demos::calc::{self, Calc};
use toolwire_tests::wire::lines;

use crate::hostile_lines::*;

/// Sends a line and then a ping, in pieces of that size.
fn check<const N: usize>(case: &Case, size: usize) {
    let mut server = Box::new(Server::<_, N>::new(calc::INFO, Calc::new()));
    let mut out = Vec::new();
    for piece in [&case.line[..], b"\n", ping("2").as_bytes(), b"\n"].concat().chunks(size) {
        server.receive(piece, &mut out).unwrap();
    }
    let mut answers = lines(&out);
    Answer::Pong(json!(2)).check(&answers.split_off(answers.len() - 1));
    case.expected(N).check(&answers);
}

macro_rules! tests {
    ($($name:ident: $case:expr;)*) => {$(
        #[test]
        fn $name() {
            let case = $case;
            // Unoptimised, the large one is built on the stack.
            let all = move || for size in [1, 64, usize::MAX] {
                check::<2048>(&case, size);
                check::<{ 1 << 20 }>(&case, size);
            };
            let thread = std::thread::Builder::new().stack_size(1 << 24).spawn(all).unwrap();
            thread.join().unwrap();
        }
    )*};
}

hostile!(tests);

#[test]
fn no_name_is_there_twice() {
    let all = all();
    let names: std::collections::BTreeSet<_> = all.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), all.len());
}

/// A line whose client takes an hour for a byte: every call returns at once, so that a clock goes on beside it, and nothing
/// is written before the line ends.
#[test]
fn a_client_that_takes_its_time_holds_nothing_up() {
    let mut server = Server::<_, 512>::new(calc::INFO, Calc::new());
    let mut hours = 0;
    let mut out = Vec::new();
    let line = echo("\"slowly\"") + "\n";
    for byte in line.bytes() {
        assert!(out.is_empty());
        server.receive(&[byte], &mut out).unwrap();
        hours += 1;
    }
    assert_eq!(hours, line.len());
    Answer::Text("slowly".to_owned()).check(&lines(&out));
}

/// A driver for a client that does not read: it has room for some bytes, and then does what `beyond` says.
struct Full<'a> {
    input: VecDeque<u8>,
    room: &'a Cell<usize>,
    written: Vec<u8>,
    beyond: Result<usize, ErrorKind>,
}

impl ErrorType for Full<'_> {
    type Error = ErrorKind;
}

impl Read for Full<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        let Some(byte) = self.input.pop_front() else { return Ok(0) };
        buffer[0] = byte;
        Ok(1)
    }
}

impl Write for Full<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        let count = bytes.len().min(self.room.get());
        if count == 0 {
            return self.beyond;
        }
        self.room.set(self.room.get() - count);
        self.written.extend(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

/// However far an answer came before the driver took nothing more, against its contract or with an error: the next one
/// stands on a line of its own (FRAME-10), and no byte is written twice.
#[test]
fn a_client_that_does_not_read_costs_the_rest_of_one_answer() {
    let pong = |id: u32| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n");
    let whole = pong(1);
    for beyond in [Ok(0), Err(ErrorKind::TimedOut)] {
        for taken in 0..=whole.len() {
            let room = Cell::new(taken);
            let mut server = Server::<_, 512>::new(calc::INFO, Calc::new());
            let input = VecDeque::new();
            let mut wire = Full { input, room: &room, written: Vec::new(), beyond };
            let result = server.receive((ping("1") + "\n").as_bytes(), &mut wire);
            // What is missing is told, where the driver tells.
            assert_eq!(result, if taken < whole.len() { beyond.map(|_| ()) } else { Ok(()) }, "{taken}");
            room.set(usize::MAX);
            server.receive((ping("2") + "\n" + &ping("3") + "\n").as_bytes(), &mut wire).unwrap();
            let torn = if taken == 0 || taken == whole.len() { "" } else { "\n" };
            let expected = format!("{}{torn}{}{}", &whole[..taken], pong(2), pong(3));
            assert_eq!(String::from_utf8(wire.written).unwrap(), expected, "{taken} of {}", whole.len());
        }
    }
}

/// It ends with the driver's error, and can be started again: what was read is not lost, nor is the session.
#[test]
fn a_loop_that_ended_with_an_error_can_go_on() {
    let room = Cell::new(10);
    let mut server = Server::<_, 512>::new(calc::INFO, Calc::new());
    let input = (ping("1") + "\n" + &ping("2") + "\n").into_bytes().into();
    let mut wire = Full { input, room: &room, written: Vec::new(), beyond: Err(ErrorKind::TimedOut) };
    assert_eq!(server.run(&mut wire), Err(ErrorKind::TimedOut));
    room.set(usize::MAX);
    assert_eq!(server.run(&mut wire), Ok(()));
    let expected = "{\"jsonrpc\"\n{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n";
    assert_eq!(String::from_utf8(wire.written).unwrap(), expected);
}
