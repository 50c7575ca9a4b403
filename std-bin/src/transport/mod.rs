//! Ways to a server. A further kind of target is one more implementation of [`Transport`].

pub(crate) mod child;
pub(crate) mod port;

use std::time::Instant;

/// Lines to a server and back. Dropping it ends the connection.
pub(crate) trait Transport {
    /// Sends `line`, which ends with its newline, without waiting for the server to take it.
    ///
    /// # Errors
    /// The server cannot be reached any more.
    fn send(&mut self, line: &str) -> anyhow::Result<()>;

    /// The next line without its newline, or `None` if there was none until `deadline`.
    ///
    /// # Errors
    /// There will be no further line; the error says why.
    fn receive(&mut self, deadline: Instant) -> anyhow::Result<Option<Vec<u8>>>;
}
