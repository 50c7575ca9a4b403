//! The server: bytes in, at most one reply per line out. No I/O of its own, no clock.

use core::fmt;

use embedded_io::Write;

use crate::frame::Frames;
use crate::json::Port;
use crate::mcp::{Protocol, Served, ServerInfo, assert_sound, subscriptions};
use crate::tool::{Catalog, Feature, Toolset};

/// An MCP server for one line, with the tools of `T`. A message may have up to `N` bytes, not counting white space and
/// the overhead of escapes; 2048 serve most calls, and the handshakes of common clients need up to 1024.
///
/// It takes about `N + 150` bytes. All revisions of the protocol are served, decided per message.
///
/// A toolset with resources that can be subscribed to needs a third parameter: how many places there are for those who
/// listen in the way of 2026-07-28 (LISTEN-14), about 56 bytes each.
///
/// ```
/// # use toolwire::{Server, ServerInfo, toolset};
/// # struct Lamp;
/// # #[toolset]
/// # impl Lamp {
/// #     /// Tell whether the lamp is on.
/// #     #[tool(read_only)]
/// #     fn lamp() -> &'static str { "off" }
/// # }
/// # struct Queue;
/// # impl Queue { fn take(&mut self) -> &'static [u8] { b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n" } }
/// # let (mut queue, mut uart) = (Queue, Vec::new());
/// let mut server = Server::<_, 2048>::new(ServerInfo::new("lamp", "1.0.0"), Lamp);
///
/// // In the main loop: hand over what an interrupt handler has put into a queue, and go on.
/// server.receive(queue.take(), &mut uart)?;
/// # assert_eq!(uart, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Server<T, const N: usize, const LISTENERS: usize = 0> {
    pub(crate) frames: Frames<N>,
    pub(crate) protocol: Protocol,
    pub(crate) served: Served<T, LISTENERS>,
    /// The last answer was written in part.
    pub(crate) torn: bool,
}

impl<T: Catalog, const N: usize, const LISTENERS: usize> Server<T, N, LISTENERS> {
    /// A server at the start of a line, without a session.
    ///
    /// Two tools of the same name, a name outside TOOLS-6, or arguments that nest deeper than
    /// [`schema::MAX_DEPTH`](crate::schema::MAX_DEPTH) do not compile.
    #[must_use]
    // Else the buffer is built in one place and copied to another, and takes its size twice of the stack.
    #[inline(always)]
    pub const fn new(info: ServerInfo, toolset: T) -> Self {
        const {
            assert_sound(T::TOOLS);
            if let Some(table) = Feature::subscribable(T::FEATURES) {
                subscriptions::assert_possible(table, LISTENERS);
            }
        }
        let protocol = Protocol::new(info, const { Feature::has_logging(T::FEATURES) });
        let served = Served { toolset, listeners: [const { None }; LISTENERS] };
        Self { frames: Frames::new(), protocol, served, torn: false }
    }

    /// With at most `size` entries per answer to a request for a list, such as `tools/list`; at least 1. Without this, all
    /// are in one.
    #[must_use]
    pub fn with_page_size(mut self, size: usize) -> Self {
        self.protocol.config.page_size = size.max(1);
        self
    }

    /// Without the server's name and version in each result of 2026-07-28, which saves about 100 bytes of each. What
    /// `server/discover` answers carries them all the same (META-8).
    #[must_use]
    pub fn without_server_info_in_results(mut self) -> Self {
        self.protocol.config.server_info = false;
        self
    }

    /// The tools and their state.
    #[must_use]
    pub const fn toolset(&self) -> &T {
        &self.served.toolset
    }

    /// The tools and their state, to be changed between two messages.
    #[must_use]
    pub const fn toolset_mut(&mut self) -> &mut T {
        &mut self.served.toolset
    }
}

impl<T: Toolset, const N: usize, const LISTENERS: usize> Server<T, N, LISTENERS> {
    /// Takes bytes up to the end of the next line, and answers that. Returns the bytes behind it.
    ///
    /// For who must do something else between two answers; [`receive`](Self::receive) takes them all.
    ///
    /// # Errors
    /// Those of `out`. What was to be written for this line is lost; the rest of `bytes` has not been taken in. If a part
    /// was written, the next answer starts on a line of its own (FRAME-10).
    pub fn feed<'b, W: Write>(&mut self, bytes: &'b [u8], out: &mut W) -> Result<&'b [u8], W::Error> {
        let (frame, rest) = self.frames.feed(bytes);
        if let Some(frame) = frame {
            let mut wire = Wire::new(out, &mut self.torn)?;
            match const { Feature::subscribable(T::FEATURES) } {
                None => self.protocol.answer(frame, None, &mut self.served, &mut wire),
                Some(table) => self.protocol.answer_and_update(frame, None, &mut self.served, table, &mut wire),
            }
            wire.end(&mut self.torn)?;
        }
        Ok(rest)
    }

    /// Tells those who have subscribed to a resource that it has changed, for the main loop to call between two messages.
    /// `uri` is its address in `#[resource(uri = "..", subscribe)]`; nothing happens for another one. In tools, see
    /// [`Context::resource_updated`](crate::Context::resource_updated).
    ///
    /// # Errors
    /// Those of `out`.
    pub fn resource_updated<W: Write>(&mut self, uri: &str, out: &mut W) -> Result<(), W::Error> {
        let Some(table) = (const { Feature::subscribable(T::FEATURES) }) else { return Ok(()) };
        let mut wire = Wire::new(out, &mut self.torn)?;
        self.protocol.update(uri, table, &mut self.served, &mut wire);
        wire.end(&mut self.torn)
    }

    /// Takes bytes, in any split, and answers each line that ends in them.
    ///
    /// It returns as soon as the bytes are used up, so it blocks only where a tool or `out` does. It does not flush.
    ///
    /// # Errors
    /// Those of `out`. The rest of `bytes` is lost.
    pub fn receive<W: Write>(&mut self, bytes: &[u8], out: &mut W) -> Result<(), W::Error> {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = self.feed(rest, out)?;
        }
        Ok(())
    }

    /// Takes the end of input for the end of the last line, should that lack its newline.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish<W: Write>(&mut self, out: &mut W) -> Result<(), W::Error> {
        if self.frames.is_within_line() { self.receive(b"\n", out) } else { Ok(()) }
    }
}

/// A wire as a port for text. After an error it takes nothing more.
///
/// It does not use [`Write::write_all`], which panics when a driver takes none of the bytes, against its contract. Such a
/// driver costs the rest of one answer here.
pub(crate) struct Wire<'w, W: Write> {
    out: &'w mut W,
    /// A part of a line was written.
    begun: bool,
    broken: bool,
    error: Option<W::Error>,
}

impl<'w, W: Write> Wire<'w, W> {
    /// A wire at the start of a line. `torn` says whether the last line was written in part; then that ends first.
    pub(crate) fn new(out: &'w mut W, torn: &mut bool) -> Result<Self, W::Error> {
        if *torn {
            *torn = out.write(b"\n")? == 0;
        }
        Ok(Self { out, begun: *torn, broken: *torn, error: None })
    }

    /// Does something else with what is behind it, unless that has failed. An error is the wire's.
    pub(crate) fn with<R>(&mut self, work: impl FnOnce(&mut W) -> Result<R, W::Error>) -> Option<R> {
        if self.broken {
            return None;
        }
        match work(self.out) {
            Ok(result) => Some(result),
            Err(error) => {
                self.broken = true;
                self.error = Some(error);
                None
            }
        }
    }

    /// Tells what came of it.
    pub(crate) fn end(self, torn: &mut bool) -> Result<(), W::Error> {
        *torn = self.broken && self.begun;
        match self.error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

impl<W: Write> fmt::Write for Wire<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !self.broken && !rest.is_empty() {
            match self.out.write(rest) {
                Ok(0) => self.broken = true,
                Ok(count) => {
                    self.begun = true;
                    rest = rest.get(count..).unwrap_or_default();
                }
                Err(error) => {
                    self.broken = true;
                    self.error = Some(error);
                }
            }
        }
        if self.broken { Err(fmt::Error) } else { Ok(()) }
    }

    // As core has it, but not once more for each type of wire.
    fn write_char(&mut self, character: char) -> fmt::Result {
        crate::json::write_char(self, character)
    }
}

impl<W: Write> Port for Wire<'_, W> {
    fn flush(&mut self) {
        let _ = self.with(W::flush);
    }
}
