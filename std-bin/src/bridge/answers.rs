//! What the bridge says itself: answers, errors, and its own few messages to the device.

use std::time::Duration;

use toolwire::json;
use toolwire::rpc::ErrorCode;

use super::message::{Era, Method, Request};

/// The revisions that have a handshake; the newest last.
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// The revision without one.
const MODERN: &str = "2026-07-28";

/// Whether answers without a readable id carry `null` in a session of this revision (ID-6).
pub(super) fn spells_out_null(version: &str) -> bool {
    matches!(LEGACY.iter().position(|legacy| *legacy == version), Some(0..=2))
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::new();
    // A string takes all there is.
    let _ = json::write_str(&mut out, text);
    out
}

/// A response with an error.
pub(super) fn error(id: Option<&str>, code: ErrorCode, message: &str) -> String {
    let code = code.code();
    failed(id, &format!("{{\"code\":{code},\"message\":{}}}", quoted(message)))
}

/// A response with an error, whose object is given as JSON.
pub(super) fn failed(id: Option<&str>, error: &str) -> String {
    let id = id.map_or_else(String::new, |id| format!("\"id\":{id},"));
    format!("{{\"jsonrpc\":\"2.0\",{id}\"error\":{error}}}")
}

/// A response with a result, which is given as JSON.
pub(super) fn result(id: &str, result: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}")
}

/// A request of the bridge's own.
pub(super) fn request(id: &str, method: &str, params: Option<&str>) -> String {
    let params = params.map_or_else(String::new, |params| format!(",\"params\":{params}"));
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"{params}}}")
}

/// What a client says when it has understood the answer to `initialize`.
pub(super) const INITIALIZED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

/// What a server says when its tools are others.
pub(super) const TOOLS_CHANGED: &str = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

/// Answers a request in the bridge's own name while there is no device, as far as it can. Returns also the revision,
/// if that was a handshake.
pub(super) fn in_own_name(request: &Request, offer_tools: bool, awaited: &str) -> (String, Option<String>) {
    let id = &*request.id;
    let own = |members: &str| {
        let common = match request.era {
            Era::Legacy => String::new(),
            Era::Tagged(_) => format!(
                ",\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{{\
                 \"io.modelcontextprotocol/serverInfo\":{}}}",
                info()
            ),
        };
        (result(id, &format!("{{{members}{common}}}")), None)
    };
    match (request.method, &request.era) {
        (_, Era::Tagged(Some(version))) if version != MODERN => {
            let data = format!("{{\"supported\":[\"{MODERN}\"],\"requested\":{}}}", quoted(version));
            let code = ErrorCode::UnsupportedProtocolVersion.code();
            (
                failed(
                    Some(id),
                    &format!("{{\"code\":{code},\"message\":\"Unsupported protocol version\",\"data\":{data}}}"),
                ),
                None,
            )
        }
        (Method::Initialize, Era::Legacy) => {
            let version = negotiated(request.version.as_deref());
            let members = format!(
                "\"protocolVersion\":\"{version}\",\"capabilities\":{{\"tools\":{{\"listChanged\":true}}}},\
                 \"serverInfo\":{},\"instructions\":{}",
                info(),
                quoted(awaited)
            );
            (own(&members).0, Some(version.to_owned()))
        }
        (Method::Discover, Era::Tagged(_)) => own(&format!(
            "\"supportedVersions\":[\"{MODERN}\"],\"capabilities\":{{\"tools\":{{}}}},\"instructions\":{}",
            quoted(awaited)
        )),
        (Method::ToolsList, _) if offer_tools => own("\"tools\":[]"),
        (Method::Ping, Era::Legacy) => (result(id, "{}"), None),
        _ => (error(Some(id), ErrorCode::InternalError, awaited), None),
    }
}

fn info() -> String {
    format!("{{\"name\":\"toolwire bridge\",\"version\":\"{}\"}}", env!("CARGO_PKG_VERSION"))
}

/// The revision for the one that an `initialize` asks for (INIT-2, INIT-3).
fn negotiated(asked: Option<&str>) -> &'static str {
    LEGACY.into_iter().find(|version| Some(*version) == asked).unwrap_or(LEGACY[3])
}

/// Why there is no answer: the device was silent.
pub(super) fn silence(port: &str, limit: Duration, noisy: bool) -> String {
    let seconds = limit.as_secs_f64();
    let noise = if noisy {
        " It printed text that is no answer meanwhile (see the log of the bridge), so it may have been restarted, or the baud \
         rate may be wrong."
    } else {
        ""
    };
    format!(
        "no answer from the device on {port} within {seconds} s.{noise} It may or may not have done what was asked. Check \
         that it is powered and runs its program, then try again; for work that takes longer, raise --timeout."
    )
}

/// Why there is no answer: the device was not asked, as it did not answer those who came before.
pub(super) fn not_asked(port: &str) -> String {
    format!(
        "not sent, as the device on {port} does not answer. Nothing was done. Check that it is powered and runs its \
         program, then try again."
    )
}

/// Why there is no answer: the device went away.
pub(super) fn gone(port: &str, reason: &str) -> String {
    format!(
        "the device on {port} went away before it answered ({reason}). It may or may not have done what was asked. \
         Connect it again: the bridge waits for it."
    )
}

/// Why there is no answer: there is no device.
pub(super) fn awaited(port: &str, reason: &str) -> String {
    format!(
        "There is no device on {port} ({reason}). The bridge waits for it: connect the device, or correct the port in the \
         configuration of this server. Its tools appear when it is there."
    )
}

/// Why there is no answer: the bridge ends.
pub(super) fn ending(port: &str) -> String {
    format!(
        "the bridge to {port} was told to end before there was an answer. The device may or may not have done what was asked."
    )
}

/// Why there is no answer: it was none.
pub(super) fn unsound(port: &str) -> String {
    format!(
        "the device on {port} answered with something that is no JSON-RPC response. It may have done what was asked. This is a \
         fault of its program."
    )
}
