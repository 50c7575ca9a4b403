//! The handshake of the client, and its repetition.

use std::time::Duration;

use super::sending::Pending;
use super::{Core, Note, short};
use crate::bridge::answers;
use crate::bridge::message::Response;
use crate::bridge::noise::harmless;

/// The handshake of the client.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) params: Option<String>,
    pub(super) version: String,
    pub(super) initialized: bool,
    /// Whether the bridge has answered it in its own name.
    pub(super) own: bool,
}

impl<const N: usize> Core<N> {
    /// The parameters of the handshake to be repeated: one that was lost on its way, or that of the session.
    pub(super) fn hello(&self) -> Option<&str> {
        match self.pending.iter().find(|pending| pending.is_hello()) {
            Some(lost) => lost.params.as_deref(),
            None => self.session.as_ref()?.params.as_deref(),
        }
    }

    /// The device has taken the repeated handshake, or refused it.
    pub(super) fn shaken(&mut self, now: Duration, response: &Response) {
        if let Some(error) = &response.error {
            let error = harmless(short(error).as_bytes());
            self.note(Note::Warning(format!("the device refused the handshake that was repeated: {error}")));
        }
        match self.pending.iter().position(Pending::is_hello).and_then(|at| self.pending.remove(at)) {
            Some(hello) => {
                self.answered(now);
                self.answer_lost(hello, response);
            }
            None => {
                let version = self.session.as_ref().map(|session| session.version.clone());
                if response.version.is_some() && response.version != version {
                    self.note(Note::Warning("the device chose another revision than before".to_owned()));
                }
            }
        }
        self.resume();
    }

    /// Answers the `initialize` that was lost with what the device has said to its repetition.
    fn answer_lost(&mut self, hello: Pending, response: &Response) {
        let Some(result) = &response.result else {
            return self.answer(&answers::failed(Some(&hello.id), response.error.as_deref().unwrap_or("null")));
        };
        self.answer(&answers::result(&hello.id, result));
        if let Some(version) = response.version.clone() {
            self.session = Some(Session { params: hello.params, version, initialized: false, own: false });
        }
    }

    /// Goes on with a device that was told of the session.
    pub(super) fn resume(&mut self) {
        self.proven = true;
        let Some(session) = &mut self.session else { return };
        self.announce |= core::mem::take(&mut session.own);
        if session.initialized {
            self.say(answers::INITIALIZED.to_owned() + "\n", None);
        }
        self.forget_initialized();
    }

    /// Removes from the queue what a repeated handshake includes.
    pub(super) fn forget_initialized(&mut self) {
        if self.session.as_ref().is_some_and(|session| session.initialized) {
            self.queue.retain(|queued| !queued.is_initialized());
        }
    }
}
