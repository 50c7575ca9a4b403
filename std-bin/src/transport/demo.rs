//! A server in this process: no child, no thread.

use std::time::Instant;

use anyhow::Context as _;
use toolwire::{Server, ServerInfo, Toolset};

use super::Transport;
use crate::serve::{LISTENERS, LONGEST};

/// A server, and what it answered.
#[derive(Debug)]
pub(crate) struct InProcess<T> {
    server: Box<Server<T, LONGEST, LISTENERS>>,
    answers: Vec<u8>,
}

impl<T: Toolset> InProcess<T> {
    pub(crate) fn new(info: ServerInfo, toolset: T) -> Self {
        Self { server: Box::new(Server::new(info, toolset)), answers: Vec::new() }
    }
}

impl<T: Toolset> Transport for InProcess<T> {
    fn send(&mut self, line: &str) -> anyhow::Result<()> {
        Ok(self.server.receive(line.as_bytes(), &mut self.answers)?)
    }

    fn receive(&mut self, _deadline: Instant) -> anyhow::Result<Option<Vec<u8>>> {
        let end = self.answers.iter().position(|byte| *byte == b'\n').context("the toolset gave no answer")?;
        let mut line: Vec<u8> = self.answers.drain(..=end).collect();
        line.pop();
        Ok(Some(line))
    }
}
