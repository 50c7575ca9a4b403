//! Servers of any toolset and size behind one type, and what they write.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io::{ErrorType, Read, ReadReady, Write};
use toolwire::frame::Frames;
use toolwire::tool::Tool;
use toolwire::{Catalog, Server, ServerInfo, Toolset};
use toolwire_demos::board::{self, Board};
use toolwire_demos::calc::{self, Calc};
use toolwire_demos::conformance::{self, Conformance};
use toolwire_demos::reservo::{self, Reservo};
use toolwire_demos::tasks::{self, Tasks};

/// A server of any toolset and size.
pub trait Line {
    /// Takes bytes, and returns what is written for them.
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8>;

    /// Serves a line to its end, and returns what is written.
    fn run(&mut self, input: &[u8], way: Way) -> Vec<u8>;
}

/// A loop that serves a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// [`Server::run_duplex`] over a line that is silent while a tool runs.
    Duplex,
    /// The same over a line on which all is there at once.
    Ahead,
    /// [`Server::run_async`].
    Async,
    /// The same with the least room for what functions return.
    Cramped,
}

impl<T: Toolset, const N: usize, const LISTENERS: usize> Line for Server<T, N, LISTENERS> {
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Self::receive(self, bytes, &mut out).unwrap();
        out
    }

    fn run(&mut self, mut input: &[u8], way: Way) -> Vec<u8> {
        let mut out = Vec::new();
        let mut second = Frames::new();
        match way {
            Way::Duplex | Way::Ahead => {
                let is_silent = way == Way::Duplex;
                let mut link = Link { input, out: &mut out, is_silent };
                // What is behind a line in the buffer is there, however silent the line is.
                let buffer = &mut [0; 64][..if is_silent { 1 } else { 64 }];
                self.run_duplex_with(&mut link, &mut second, buffer).unwrap();
            }
            Way::Async => at_once(self.run_async(&mut input, &mut out, &mut second, &mut Box::new([0; 1 << 16]))),
            Way::Cramped => at_once(self.run_async(&mut input, &mut out, &mut second, &mut [0; 64])),
        }
        out
    }
}

/// Runs a future that waits for nothing: all of its input and output is there.
fn at_once(future: impl Future<Output = Result<(), Infallible>>) {
    let polled = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    assert_eq!(polled, Poll::Ready(Ok(())), "it waits for nothing");
}

/// A line that ends behind its input.
struct Link<'a> {
    input: &'a [u8],
    out: &'a mut Vec<u8>,
    /// Nothing is ready, so that only who waits can read.
    is_silent: bool,
}

impl ErrorType for Link<'_> {
    type Error = Infallible;
}

impl Read for Link<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        self.input.read(buffer)
    }
}

impl ReadReady for Link<'_> {
    fn read_ready(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_silent)
    }
}

impl Write for Link<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
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
    /// The first letter of its name, for `conformance` the f; a capital stands for a small server that lists two tools per
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
            b'f' => Conformance::TOOLS,
            b'r' => Reservo::TOOLS,
            b't' => Tasks::TOOLS,
            _ => <Board>::TOOLS,
        }
    }

    /// What it offers besides tools.
    pub(crate) const fn offer(self) -> &'static Offer {
        match self.letter.to_ascii_lowercase() {
            b'c' | b'r' | b't' => &TOOLS_ONLY,
            b'f' => &CONFORMANCE,
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
            b'f' => self.of(conformance::INFO, Conformance::new()),
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

/// What a toolset offers besides tools, and what of it asks the user. Its own tables are not to be seen from here,
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
    /// What is asked, in the order in which one tool or prompt asks it.
    pub(crate) questions: &'static [Question],
    /// What users may fill into the forms of all of them, as JSON.
    pub(crate) contents: &'static [&'static str],
    /// Whether tools report progress of which the oracle does not know the numbers.
    pub(crate) reports: bool,
}

/// A question to the user.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) asker: Asker,
    /// The name of the tool or prompt that asks.
    pub(crate) name: &'static str,
    pub(crate) key: &'static str,
    /// Arguments with which it is asked, as JSON.
    pub(crate) arguments: &'static str,
    /// How the state begins that says that all before this one was answered; nothing for the first one.
    pub(crate) state: &'static str,
}

/// What can ask the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    Tool,
    Prompt,
}

impl Asker {
    /// The request that makes it ask.
    pub(crate) const fn method(self) -> &'static str {
        match self {
            Self::Tool => "tools/call",
            Self::Prompt => "prompts/get",
        }
    }
}

impl Question {
    /// The only one of a tool without arguments.
    const fn of_tool(name: &'static str, key: &'static str) -> Self {
        Self { asker: Asker::Tool, name, key, arguments: "{}", state: "" }
    }

    /// Whether a tool or prompt of that name asks it.
    pub(crate) fn is_of(&self, method: &str, name: &str) -> bool {
        self.asker.method() == method && self.name == name
    }
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
    questions: &[Question::of_tool("calibrate", "reference")],
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

const CONFORMANCE: Offer = Offer {
    resources: &["test://static-text", "test://static-binary", "test://watched-resource"],
    templates: &[("test://template/{id}/data", "id")],
    is_member: |uri| {
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        id.is_some_and(is_variable)
    },
    prompts: &[
        ("test_simple_prompt", &[]),
        ("test_prompt_with_arguments", &[("arg1", true), ("arg2", true)]),
        ("test_prompt_with_embedded_resource", &[("resourceUri", true)]),
        ("test_prompt_with_image", &[]),
        ("test_input_required_result_prompt", &[]),
    ],
    questions: &[
        Question::of_tool("test_input_required_result_elicitation", "user_name"),
        Question::of_tool("test_streaming_elicitation", "user_name"),
        Question { arguments: "{\"message\":\"Who?\"}", ..Question::of_tool("test_elicitation", "user") },
        Question::of_tool("test_elicitation_sep1330_enums", "enums"),
        Question::of_tool("test_input_required_result_request_state", "confirm"),
        Question::of_tool("test_input_required_result_tampered_state", "confirm"),
        Question::of_tool("test_input_required_result_multi_round", "step1"),
        Question { state: "name ", ..Question::of_tool("test_input_required_result_multi_round", "step2") },
        Question::of_tool("test_elicitation_sep1034_defaults", "defaults"),
        Question { asker: Asker::Prompt, ..Question::of_tool("test_input_required_result_prompt", "user_context") },
    ],
    contents: &[
        "{\"name\":\"Alice\"}",
        "{\"name\":\"a \\\"b\\\" \\u00e9\"}",
        "{\"name\":5}",
        "{\"name\":\"Jane Smith\",\"age\":25,\"score\":88,\"status\":\"inactive\",\"verified\":false}",
        "{\"score\":1e400}",
        "{\"age\":null,\"status\":\"active\"}",
        "{\"status\":\"gone\"}",
        "{\"username\":\"a\",\"email\":\"a@b.example\"}",
        "{\"username\":\"a\"}",
        "{\"untitledSingle\":\"option1\",\"titledSingle\":\"value2\",\"legacyEnum\":\"opt3\"}",
        "{\"untitledMulti\":[\"option1\",\"option3\"],\"titledMulti\":[\"value1\"]}",
        "{\"untitledMulti\":[],\"titledMulti\":[\"value1\",\"value1\",\"value2\",\"value3\"]}",
        "{\"titledMulti\":[\"value4\"],\"untitledMulti\":\"option1\"}",
        "{\"ok\":true}",
        "{\"ok\":false}",
        "{\"ok\":\"true\"}",
        "{\"color\":\"blue\"}",
        "{\"context\":\"a \\\"b\\\" \\u00e9\"}",
        "{}",
    ],
    reports: true,
};

/// RES-8: letters, digits, `-._~` and percent-encoded others.
fn is_variable(text: &str) -> bool {
    let mut pieces = text.split('%');
    let is_plain = |piece: &str| piece.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let is_coded = |piece: &str| {
        let code = piece.get(..2);
        code.is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit())) && is_plain(&piece[2..])
    };
    !text.is_empty() && pieces.next().is_some_and(is_plain) && pieces.all(is_coded)
}

const SMALL: usize = 256;
const LARGE: usize = 8192;
