//! What a person sees and is asked while a server works.

use std::io::{self, IsTerminal as _};

use serde_json::{Value, json};

use crate::client::{Listener, log_message};
use crate::form::{self, User};
use crate::progress::Progress;

/// Shows progress and log messages, and has questions answered.
#[derive(Debug, Default)]
pub(crate) struct Watcher {
    progress: Progress,
    /// The user, once there was a question.
    user: Option<User>,
}

impl Watcher {
    /// What a client can do that has one. Questions are for someone who sees them and can type an answer.
    pub(crate) fn capabilities() -> Value {
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
        if is_there { json!({ "elicitation": {} }) } else { json!({}) }
    }
}

impl Listener for Watcher {
    fn notified(&mut self, method: &str, params: &Value) {
        match method {
            "notifications/progress" => self.progress.show(params),
            _ => self.progress.aside(|| log_message(method, params)),
        }
    }

    fn asked(&mut self, server: &str, method: &str, params: &Value) -> Result<Value, (i32, &'static str)> {
        match (method, params.get("mode").and_then(Value::as_str)) {
            ("elicitation/create", None | Some("form")) => {
                let user = self.user.get_or_insert_with(User::new);
                Ok(self.progress.aside(|| form::fill(server, params, user)))
            }
            ("elicitation/create", Some(_)) => Err((-32602, "Only forms can be filled in here")),
            _ => Err((-32601, "Method not found")),
        }
    }
}
