//! An MCP client for one thing at a time: it sends a request, and reads until the response to it has come.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::bridge::Settings;
use crate::target::Target;
use crate::terminal::harmless;
use crate::transport::Transport;

/// The revision that is asked for.
const REVISION: &str = "2025-11-25";

/// The revisions that have this handshake, so that a server may choose among them.
const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", REVISION];

/// How a server is talked to.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Options {
    /// How many seconds to wait for each answer of the server
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    timeout: Duration,
    #[command(flatten)]
    settings: Settings,
}

/// A time limit, at most a year, which the clock can surely add.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let limit = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    limit
        .filter(|limit| !limit.is_zero() && *limit <= Duration::from_secs(365 * 86_400))
        .ok_or_else(|| "expected a number of seconds above 0 and at most a year".to_owned())
}

/// A session with a server. Dropping it ends the session.
pub(crate) struct Client {
    transport: Box<dyn Transport>,
    timeout: Duration,
    /// The id of the request sent last.
    id: u64,
}

/// What a tool answered.
#[derive(Debug)]
pub(crate) struct CallResult {
    pub(crate) is_error: bool,
    pub(crate) content: Vec<Value>,
    pub(crate) structured: Option<Value>,
}

impl Client {
    /// Reaches the server and shakes hands with it.
    pub(crate) fn connect(target: &Target, options: Options) -> anyhow::Result<Self> {
        let mut client = Self { transport: target.open(options.settings)?, timeout: options.timeout, id: 0 };
        client.initialize()?;
        Ok(client)
    }

    fn initialize(&mut self) -> anyhow::Result<()> {
        let result = self.request(
            "initialize",
            json!({
                "protocolVersion": REVISION,
                "capabilities": {},
                "clientInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
            }),
        )?;
        let revision = result.get("protocolVersion").and_then(Value::as_str);
        let revision = revision.context("the server's answer to initialize has no protocolVersion")?;
        ensure!(REVISIONS.contains(&revision), "the server speaks revision {revision:?}, which is unknown here");
        log::info!("connected to {}, revision {revision}", result.get("serverInfo").unwrap_or(&Value::Null));
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))
    }

    /// All tools, of all pages.
    pub(crate) fn tools(&mut self) -> anyhow::Result<Vec<Value>> {
        let (mut tools, mut seen) = (Vec::new(), HashSet::new());
        let mut params = json!({});
        loop {
            let mut page = self.request("tools/list", params)?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(some)) => tools.extend(some),
                _ => bail!("the server's answer to tools/list has no array of tools"),
            }
            let cursor = match page.get("nextCursor") {
                None | Some(Value::Null) => return Ok(tools),
                Some(Value::String(cursor)) => cursor.clone(),
                Some(_) => bail!("the server's answer to tools/list has a cursor that is no string"),
            };
            params = json!({ "cursor": cursor });
            ensure!(seen.insert(cursor), "the server's list of tools goes round in circles");
        }
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Map<String, Value>) -> anyhow::Result<CallResult> {
        let mut result = self.request("tools/call", json!({ "name": tool, "arguments": arguments }))?;
        let structured = result.get_mut("structuredContent").map(Value::take);
        let content = match result.get_mut("content").map(Value::take) {
            Some(Value::Array(content)) => content,
            None if structured.is_some() => Vec::new(),
            _ => bail!("the server's answer to tools/call has no content"),
        };
        Ok(CallResult { is_error: result.get("isError") == Some(&Value::Bool(true)), content, structured })
    }

    /// Sends a request and returns its result, which is an object.
    fn request(&mut self, method: &str, params: Value) -> anyhow::Result<Value> {
        self.id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params }))?;
        let deadline = Instant::now() + self.timeout;
        let mut noise = Noise(0);
        loop {
            let line = if Instant::now() < deadline { self.transport.receive(deadline) } else { Ok(None) };
            let Some(line) = line.with_context(|| format!("no answer to {method}{noise}"))? else {
                self.cancel(method);
                bail!("no answer to {method} within {} s{noise}", self.timeout.as_secs_f64());
            };
            let line = line.trim_ascii();
            log::trace!("received: {}", harmless(&String::from_utf8_lossy(line)));
            match serde_json::from_slice(line) {
                // Revision 2025-03-26 has batches.
                Ok(Value::Array(batch)) => {
                    for message in batch {
                        if let Some(result) = self.receive(method, message)? {
                            return Ok(result);
                        }
                    }
                }
                Ok(message @ Value::Object(_)) => {
                    if let Some(result) = self.receive(method, message)? {
                        return Ok(result);
                    }
                }
                _ if line.is_empty() => {}
                _ => {
                    noise.0 += 1;
                    log::debug!("no message, ignored: {}", harmless(&String::from_utf8_lossy(line)));
                }
            }
        }
    }

    /// Takes a message of the server. Returns the result if it is the response to the request sent last.
    fn receive(&mut self, method: &str, mut message: Value) -> anyhow::Result<Option<Value>> {
        let id = message.get("id").cloned();
        match message.get("method").and_then(Value::as_str) {
            Some(asked) => {
                let answer = match (asked, id) {
                    (_, None) => return Ok(None),
                    ("ping", Some(id)) => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
                    (_, Some(id)) => {
                        let error = json!({ "code": -32601, "message": "Method not found" });
                        json!({ "jsonrpc": "2.0", "id": id, "error": error })
                    }
                };
                self.send(&answer)?;
                return Ok(None);
            }
            // An error without an id can only be about what was sent last.
            None if matches!(id, None | Some(Value::Null)) && message.get("error").is_some() => {}
            None if id.as_ref().and_then(Value::as_u64) == Some(self.id) => {}
            None => {
                log::debug!("no response to what was asked, ignored: {}", harmless(&message.to_string()));
                return Ok(None);
            }
        }
        if let Some(error) = message.get("error") {
            let code = error.get("code").unwrap_or(&Value::Null);
            let text = error.get("message").and_then(Value::as_str).unwrap_or("no message");
            bail!("the server refused {method}: {text} ({code})");
        }
        match message.get_mut("result").map(Value::take) {
            Some(result @ Value::Object(_)) => Ok(Some(result)),
            _ => bail!("the server's answer to {method} has no result"),
        }
    }

    /// Tells the server that nobody waits any more. The handshake must not be cancelled.
    fn cancel(&mut self, method: &str) {
        if method != "initialize" {
            let params = json!({ "requestId": self.id, "reason": "time limit" });
            let sent = self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
            log::debug!("cancelled {method}: {sent:?}");
        }
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        log::trace!("sent: {message}");
        self.transport.send(&format!("{message}\n"))
    }
}

/// How many lines were ignored, as the end of an error.
struct Noise(usize);

impl std::fmt::Display for Noise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            0 => Ok(()),
            1 => write!(f, " (a line was ignored that is no message: -vv shows it)"),
            count => write!(f, " ({count} lines were ignored that are no messages: -vv shows them)"),
        }
    }
}
