//! An MCP client for one thing at a time: it sends a request, and reads until the response to it has come.

use std::collections::{HashSet, VecDeque};
use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::bridge::Settings;
use crate::interrupt::{self, Interrupted};
use crate::target::Target;
use crate::terminal::{harmless, one_line};
use crate::transport::Transport;

/// The revision that is asked for.
const REVISION: &str = "2025-11-25";

/// The revisions that have this handshake, so that a server may choose among them.
const REVISIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", REVISION];

/// How often to look whether the user has interrupted.
const PERIOD: Duration = Duration::from_millis(50);

/// How a server is talked to.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Options {
    /// How many seconds to wait for each answer of the server, or for news of its progress
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
    /// Messages that came in one line with others.
    inbox: VecDeque<Value>,
    noise: Noise,
    /// What the server said of itself.
    server: Value,
}

/// What becomes of that which a server sends besides answers.
pub(crate) trait Listener {
    /// A notification.
    fn notified(&mut self, method: &str, params: &Value) {
        log_message(method, params);
    }

    /// The result that a request of the server named `server` gets, or the code and the message of an error.
    fn asked(&mut self, server: &str, method: &str, params: &Value) -> Result<Value, (i32, &'static str)> {
        let _ = (server, method, params);
        Err((-32601, "Method not found"))
    }
}

/// Hears log messages only.
impl Listener for () {}

/// Logs a log message of the server at its level; passes over other notifications.
pub(crate) fn log_message(method: &str, params: &Value) {
    let member = |name| params.get(name).unwrap_or(&Value::Null);
    if method != "notifications/message" {
        return;
    }
    let level = match member("level").as_str() {
        Some("debug") => log::Level::Debug,
        Some("info" | "notice") => log::Level::Info,
        Some("warning") => log::Level::Warn,
        _ => log::Level::Error,
    };
    let text = member("data").as_str().map_or_else(|| member("data").to_string(), str::to_owned);
    log::log!(target: "server", level, "{}", harmless(&text));
}

/// The server has answered with an error.
#[derive(Debug)]
pub(crate) struct Refused {
    method: String,
    text: String,
    code: Value,
}

impl Refused {
    /// Whether the server does not know the method.
    pub(crate) fn is_unknown_method(&self) -> bool {
        self.code.as_i64() == Some(-32601)
    }

    /// Whether it is about something that is not there, or about parameters.
    pub(crate) fn is_about_parameters(&self) -> bool {
        matches!(self.code.as_i64(), Some(-32602 | -32002))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, text, code } = self;
        write!(f, "the server refused {method}: {text} ({code})")
    }
}

impl Error for Refused {}

impl Client {
    /// Reaches the server and shakes hands with it.
    pub(crate) fn connect(target: &Target, options: Options) -> anyhow::Result<Self> {
        Self::connect_with(target, options, json!({}))
    }

    /// The same with capabilities.
    pub(crate) fn connect_with(target: &Target, options: Options, capabilities: Value) -> anyhow::Result<Self> {
        interrupt::listen();
        let mut client = Self {
            transport: target.open(options.settings)?,
            timeout: options.timeout,
            id: 0,
            inbox: VecDeque::new(),
            noise: Noise(0),
            server: Value::Null,
        };
        client.initialize(capabilities)?;
        Ok(client)
    }

    fn initialize(&mut self, capabilities: Value) -> anyhow::Result<()> {
        let params = json!({
            "protocolVersion": REVISION,
            "capabilities": capabilities,
            "clientInfo": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
        });
        self.server = self.request("initialize", params, &mut ())?;
        let revision = self.server.get("protocolVersion").and_then(Value::as_str);
        let revision = revision.context("the server's answer to initialize has no protocolVersion")?;
        ensure!(REVISIONS.contains(&revision), "the server speaks revision {revision:?}, which is unknown here");
        let info = self.server.get("serverInfo").unwrap_or(&Value::Null);
        log::info!("connected to {}, revision {revision}", harmless(&info.to_string()));
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        // Before it is asked for more, a server sends what it finds important.
        if log::max_level() > log::LevelFilter::Warn && self.offers("logging").is_some() {
            let level = if log::max_level() > log::LevelFilter::Info { "debug" } else { "info" };
            self.request("logging/setLevel", json!({ "level": level }), &mut ())?;
        }
        Ok(())
    }

    /// What it offers of this kind: the capability of that name.
    pub(crate) fn offers(&self, capability: &str) -> Option<&Value> {
        self.server.get("capabilities")?.get(capability)
    }

    /// All tools, of all pages.
    pub(crate) fn tools(&mut self) -> anyhow::Result<Vec<Value>> {
        self.list("tools/list", "tools")
    }

    /// All elements of a list, of all pages. They are in the member of that name.
    pub(crate) fn list(&mut self, method: &str, member: &str) -> anyhow::Result<Vec<Value>> {
        let (mut elements, mut seen) = (Vec::new(), HashSet::new());
        let mut params = json!({});
        loop {
            let mut page = self.request(method, params, &mut ())?;
            match page.get_mut(member).map(Value::take) {
                Some(Value::Array(some)) => elements.extend(some),
                _ => bail!("the server's answer to {method} has no array of {member}"),
            }
            let cursor = match page.get("nextCursor") {
                None | Some(Value::Null) => return Ok(elements),
                Some(Value::String(cursor)) => cursor.clone(),
                Some(_) => bail!("the server's answer to {method} has a cursor that is no string"),
            };
            params = json!({ "cursor": cursor });
            ensure!(seen.insert(cursor), "the server's list of {member} goes round in circles");
        }
    }

    /// Calls a tool and returns its result. The listener hears of the call's progress.
    pub(crate) fn call(
        &mut self,
        tool: &str,
        arguments: Map<String, Value>,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<Value> {
        // The id of the request, of which there is one at a time.
        let meta = json!({ "progressToken": self.id + 1 });
        self.request("tools/call", json!({ "_meta": meta, "name": tool, "arguments": arguments }), listener)
    }

    /// Sends a request and returns its result, which is an object.
    pub(crate) fn request(
        &mut self,
        method: &str,
        params: Value,
        listener: &mut dyn Listener,
    ) -> anyhow::Result<Value> {
        self.id += 1;
        self.noise = Noise(0);
        self.send(&json!({ "jsonrpc": "2.0", "id": self.id, "method": method, "params": params }))?;
        let mut deadline = Instant::now() + self.timeout;
        loop {
            let message = match self.next(deadline) {
                Ok(message) => message,
                Err(error) if error.is::<Interrupted>() => {
                    self.cancel(method, "interrupted");
                    return Err(error);
                }
                Err(error) => return Err(error.context(format!("no answer to {method}{}", self.noise))),
            };
            let Some(message) = message else {
                self.cancel(method, "time limit");
                bail!("no answer to {method} within {} s{}", self.timeout.as_secs_f64(), self.noise);
            };
            let is_alive = self.is_alive(&message);
            if let Some(response) = self.take(message, listener)? {
                return result(method, response);
            }
            if is_alive {
                // The time that the user took for an answer is not the server's.
                deadline = Instant::now() + self.timeout;
            }
        }
    }

    /// Takes a message that comes without a request. False: none came until the deadline.
    pub(crate) fn listen(&mut self, deadline: Instant, listener: &mut dyn Listener) -> anyhow::Result<bool> {
        match self.next(deadline)? {
            Some(message) => self.take(message, listener).map(|_| true),
            None => Ok(false),
        }
    }

    /// The next message of the server, or `None` if there was none until the deadline.
    fn next(&mut self, deadline: Instant) -> anyhow::Result<Option<Value>> {
        loop {
            if let Some(message) = self.inbox.pop_front() {
                return Ok(Some(message));
            }
            if interrupt::has_come() {
                return Err(Interrupted.into());
            }
            let now = Instant::now();
            if now >= deadline {
                return Ok(None);
            }
            let Some(line) = self.transport.receive(deadline.min(now + PERIOD))? else { continue };
            let line = line.trim_ascii();
            log::trace!("received: {}", harmless(&String::from_utf8_lossy(line)));
            match serde_json::from_slice(line) {
                // Revision 2025-03-26 has batches.
                Ok(Value::Array(batch)) => self.inbox.extend(batch),
                Ok(message @ Value::Object(_)) => self.inbox.push_back(message),
                _ if line.is_empty() => {}
                _ => {
                    self.noise.0 += 1;
                    log::debug!("no message, ignored: {}", harmless(&String::from_utf8_lossy(line)));
                }
            }
        }
    }

    /// Whether a message shows that the server is at work on the request sent last: its progress, or a question.
    fn is_alive(&self, message: &Value) -> bool {
        let token = message.pointer("/params/progressToken").and_then(Value::as_u64);
        match message.get("method").and_then(Value::as_str) {
            Some("notifications/progress") => token == Some(self.id),
            Some(method) => method != "ping" && message.get("id").is_some(),
            None => false,
        }
    }

    /// Takes a message of the server, and returns it if it is the response to the request sent last.
    fn take(&mut self, message: Value, listener: &mut dyn Listener) -> anyhow::Result<Option<Value>> {
        let (id, params) = (message.get("id"), message.get("params").unwrap_or(&Value::Null));
        match (message.get("method").and_then(Value::as_str), id) {
            (Some(method), None) => listener.notified(method, params),
            (Some(method), Some(id)) => {
                let answer = match method {
                    "ping" => Ok(json!({})),
                    _ => listener.asked(&self.name(), method, params),
                };
                self.send(&match answer {
                    Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
                    Err((code, text)) => {
                        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": text } })
                    }
                })?;
            }
            // An error without an id can only be about what was sent last.
            (None, None | Some(Value::Null)) if message.get("error").is_some() => return Ok(Some(message)),
            (None, Some(id)) if id.as_u64() == Some(self.id) => return Ok(Some(message)),
            (None, _) => log::debug!("no response to what was asked, ignored: {}", harmless(&message.to_string())),
        }
        Ok(None)
    }

    /// What the server calls itself.
    fn name(&self) -> String {
        let info = self.server.get("serverInfo").unwrap_or(&Value::Null);
        let name = info.get("title").or_else(|| info.get("name")).and_then(Value::as_str);
        one_line(name.unwrap_or("the server"))
    }

    /// Tells the server that nobody waits any more. The handshake must not be cancelled.
    fn cancel(&mut self, method: &str, reason: &str) {
        if method != "initialize" {
            let params = json!({ "requestId": self.id, "reason": reason });
            let sent = self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
            log::debug!("cancelled {method}: {sent:?}");
        }
    }

    fn send(&mut self, message: &Value) -> anyhow::Result<()> {
        log::trace!("sent: {message}");
        self.transport.send(&format!("{message}\n"))
    }
}

/// The result of a response, which is an object.
fn result(method: &str, mut response: Value) -> anyhow::Result<Value> {
    if let Some(error) = response.get("error") {
        let code = error.get("code").unwrap_or(&Value::Null).clone();
        let text = error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned();
        return Err(Refused { method: method.to_owned(), text, code }.into());
    }
    match response.get_mut("result").map(Value::take) {
        Some(result @ Value::Object(_)) => Ok(result),
        _ => bail!("the server's answer to {method} has no result"),
    }
}

/// How many lines were ignored, as the end of an error.
struct Noise(usize);

impl fmt::Display for Noise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            1 => write!(f, " (a line was ignored that is no message: -vv shows it)"),
            count => write!(f, " ({count} lines were ignored that are no messages: -vv shows them)"),
        }
    }
}
