//! Servers of any toolset and size behind one type, and what they write.

use toolwire::tool::Tool;
use toolwire::{Catalog, Server, ServerInfo, Toolset};
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
    /// The first letter of its name, a capital stands for a small server that lists two tools per
    /// page. Any other is the board.
    letter: u8,
}

impl Demo {
    /// Any byte will do.
    pub(crate) const fn new(letter: u8) -> Self {
        Self { letter }
    }

    pub(crate) const fn letter(self) -> u8 {
        self.letter
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
            _ => <Board>::TOOLS,
        }
    }

    /// What it offers besides tools.
    pub(crate) const fn offer(self) -> &'static Offer {
        match self.letter.to_ascii_lowercase() {
            b'c' | b'r' | b't' => &TOOLS_ONLY,
            _ => &BOARD,
        }
    }

    /// The same toolset behind a large server.
    pub(crate) const fn large(self) -> Self {
        Self { letter: self.letter.to_ascii_lowercase() }
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
            Box::new(Server::<T, SMALL, 2>::new(info, toolset).with_page_size(self.page_size()))
        } else {
            Box::new(Server::<T, LARGE, 2>::new(info, toolset))
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

/// What a toolset offers besides tools, and which of its tools ask the user. Its own tables are not to be seen from here,
/// and an oracle should not believe them.
#[derive(Debug)]
pub(crate) struct Offer {
    /// The addresses of its resources.
    pub(crate) resources: &'static [&'static str],
    /// The addresses of its families of resources, each with the name of its only variable.
    pub(crate) templates: &'static [(&'static str, &'static str)],
    /// Whether an address is one of these families.
    pub(crate) is_member: fn(&str) -> bool,
    /// Its prompts: their names, and their arguments with whether they must be there.
    pub(crate) prompts: &'static [(&'static str, &'static [(&'static str, bool)])],
    /// The tools that ask the user: their names, and the keys of their questions.
    pub(crate) questions: &'static [(&'static str, &'static str)],
    /// What users may fill into the forms of all of them, as JSON.
    pub(crate) contents: &'static [&'static str],
    /// Whether tools report progress of which the oracle does not know the numbers.
    pub(crate) reports: bool,
}

impl Offer {
    /// Whether there is a resource of that address.
    pub(crate) fn has_resource(&self, uri: &str) -> bool {
        self.resources.contains(&uri) || (self.is_member)(uri)
    }
}

const TOOLS_ONLY: Offer = Offer {
    resources: &[],
    templates: &[],
    is_member: |_| false,
    prompts: &[],
    questions: &[],
    contents: &[],
    reports: false,
};

const BOARD: Offer = Offer {
    resources: &["device://info", "device://log"],
    templates: &[("sensor://{id}/latest", "id")],
    is_member: |uri| matches!(uri, "sensor://t0/latest" | "sensor://t1/latest"),
    prompts: &[("diagnose", &[("symptom", true), ("detail", false)])],
    questions: &[("calibrate", "reference")],
    contents: &[
        "{\"tenths\":220,\"confirm\":true}",
        "{\"confirm\":false,\"tenths\":-4e2}",
        "{\"tenths\":1250.0,\"confirm\":true}",
        "{\"tenths\":-401,\"confirm\":true}",
        "{\"tenths\":\"220\",\"confirm\":true}",
        "{\"tenths\":220}",
        "{\"tenths\":220,\"confirm\":null}",
        "{\"tenths\":220,\"confirm\":true,\"more\":null}",
    ],
    reports: false,
};

const SMALL: usize = 256;
const LARGE: usize = 8192;
