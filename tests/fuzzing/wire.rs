//! Servers of any toolset and size behind one type, and what they write.

use toolwire::tool::Tool;
use toolwire::{Server, ServerInfo, Toolset};
use toolwire_demos::board::{self, Board};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};

/// A server of any toolset and size.
pub trait Line {
    /// Takes bytes, and returns what is written for them.
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8>;
}

impl<T: Toolset, const N: usize, const LISTENERS: usize> Line for Server<T, N, LISTENERS> {
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Self::receive(self, bytes, &mut out).unwrap();
        out
    }
}

/// The lines of an output. Each must be whole, UTF-8, and end with a bare newline (FRAME-1, FRAME-10).
#[must_use]
pub fn lines(out: &[u8]) -> Vec<String> {
    let text = str::from_utf8(out).unwrap_or_else(|error| panic!("{error}: {out:?}"));
    assert!(text.is_empty() || text.ends_with('\n'), "no whole line: {text:?}");
    assert!(!text.contains('\r'), "a carriage return: {text:?}");
    text.split_terminator('\n').map(str::to_owned).collect()
}

/// A demo toolset, behind a server of some size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demo {
    /// The first letter of its name; a capital stands for a small server that lists two tools per page.
    letter: u8,
}

impl Demo {
    /// Any byte will do.
    pub(crate) const fn new(letter: u8) -> Self {
        Self { letter }
    }

    const fn is_small(self) -> bool {
        self.letter.is_ascii_uppercase()
    }

    /// The bytes of a message that it takes.
    pub(crate) const fn capacity(self) -> usize {
        if self.is_small() { SMALL } else { LARGE }
    }

    /// The tools of a page.
    pub(crate) const fn page_size(self) -> usize {
        if self.is_small() { 2 } else { usize::MAX }
    }

    pub(crate) fn tools(self) -> &'static [Tool] {
        match self.letter.to_ascii_lowercase() {
            b'c' => Calc::TOOLS,
            b'r' => Reservo::TOOLS,
            b't' => Tasks::TOOLS,
            _ => Board::TOOLS,
        }
    }

    /// The addresses of its resources.
    pub(crate) fn resources(self) -> &'static [&'static str] {
        if self.is_board() { &["device://info", "device://log"] } else { &[] }
    }

    /// The addresses of its families of resources.
    pub(crate) fn templates(self) -> &'static [&'static str] {
        if self.is_board() { &["sensor://{id}/latest"] } else { &[] }
    }

    /// The addresses that these families have.
    pub(crate) fn members(self) -> &'static [&'static str] {
        if self.is_board() { &["sensor://t0/latest", "sensor://t1/latest"] } else { &[] }
    }

    fn is_board(self) -> bool {
        !matches!(self.letter.to_ascii_lowercase(), b'c' | b'r' | b't')
    }

    pub(crate) fn server(self) -> Box<dyn Line> {
        match self.letter.to_ascii_lowercase() {
            b'c' => self.of(calc::INFO, Calc::new()),
            b'r' => self.of(reservo::INFO, Reservo::new()),
            b't' => self.of(tasks::INFO, Tasks::new()),
            _ => self.of(board::INFO, Board::new()),
        }
    }

    fn of<T: Toolset + 'static>(self, info: ServerInfo, toolset: T) -> Box<dyn Line> {
        if self.is_small() {
            Box::new(Server::<T, SMALL>::new(info, toolset).with_page_size(self.page_size()))
        } else {
            Box::new(Server::<T, LARGE>::new(info, toolset))
        }
    }

    /// What a new server writes for bytes that come in pieces of those lengths, over and over.
    pub(crate) fn output(self, bytes: &[u8], pieces: &[usize]) -> Vec<u8> {
        let mut server = self.server();
        let (mut rest, mut out) = (bytes, Vec::new());
        for length in pieces.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, behind) = rest.split_at(rest.len().min(*length));
            out.extend(server.receive(piece));
            rest = behind;
        }
        out
    }
}

const SMALL: usize = 256;
const LARGE: usize = 8192;
