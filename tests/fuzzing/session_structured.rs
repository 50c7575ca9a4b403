//! Plausible requests of all revisions, some of them damaged, against the same oracle.

use arbitrary::{Result, Unstructured};

use crate::wire::Demo;
use crate::{session, values};

/// The bytes decide which demo toolset is served, what is sent to it, and how it is cut.
pub fn session_structured(data: &[u8]) {
    let mut u = Unstructured::new(data);
    let mut text = Vec::new();
    let demo = Demo::new(u.choose(b"crtbfCRTBF").copied().unwrap_or_default());
    for _ in 0..24 {
        if u.is_empty() || line(&mut u, demo, &mut text).is_err() {
            break;
        }
        text.push(b'\n');
    }
    session::check(demo, &text, &crate::pieces(data));
}

const VERSIONS: [&str; 8] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "2024-10-07", "2031-01-01", ""];

const IDS: [&str; 18] = [
    "1",
    "0",
    "-7",
    "\"a\"",
    "\"\"",
    "\"\\u00e9\\n\\ud83d\\ude00\"",
    "12345678901234567890123",
    "9007199254740993",
    "-0",
    "null",
    "1.0",
    "1e2",
    "true",
    "[]",
    "{}",
    // Those that questions get first.
    "\"toolwire-0\"",
    "\"toolwire-1\"",
    "\"an id of some length, as clients make them up: 6fa459ea-ee8a-3ca4-894e-db77e160355e\"",
];

const JUNK: [&str; 12] = [
    "null",
    "true",
    "0",
    "\"\"",
    "\"x\"",
    "[]",
    "[1]",
    "{}",
    "{\"id\":9}",
    "[[]]",
    "1e999",
    "{\"method\":\"ping\",\"id\":3}",
];

const NOTIFICATIONS: [&str; 5] = [
    "notifications/initialized",
    "notifications/cancelled",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/unknown",
];

const METHODS: [&str; 7] = ["Resources/Read", "prompts/list", "tasks/get", "tools", "Tools/List", "rpc.discover", ""];

const URIS: [&str; 19] = [
    "test:\\/\\/static-text",
    "test://template/123/data",
    "test://template/%c3%A9-._~/data",
    "test://template/%c3%A/data",
    "test://template//data",
    "device://info",
    "device:\\/\\/log",
    "sensor://t0/latest",
    "sensor://t\\u0031/latest",
    "sensor://t2/latest",
    "sensor://T0/latest",
    "sensor://t0/",
    "sensor:///latest",
    "sensor://{id}/latest",
    "sensor://t0/latest/latest",
    "sensor://%74%30/latest",
    "device://info/",
    "\\u00e9\\n\\ud83d\\ude00",
    "",
];

const LEVELS: [&str; 12] = [
    "\"debug\"",
    "\"info\"",
    "\"info\"",
    "\"notice\"",
    "\"warning\"",
    "\"error\"",
    "\"alert\"",
    "\"emergency\"",
    "\"loud\"",
    "\"Info\"",
    "null",
    "3",
];

/// What clients can do.
const CAPABILITIES: [&str; 9] = [
    "{}",
    "{\"elicitation\":{}}",
    "{\"elicitation\":{\"form\":{}}}",
    "{\"elicitation\":{\"url\":{},\"form\":{}}}",
    "{\"elicitation\":{\"url\":{}}}",
    "{\"elicitation\":null}",
    "{\"elicitation\":1}",
    "{\"sampling\":{},\"roots\":{\"listChanged\":true}}",
    "{\"form\":{}}",
];

const FILTERS: [&str; 9] = [
    "{}",
    "{\"toolsListChanged\":true}",
    "{\"toolsListChanged\":false,\"resourceSubscriptions\":[\"device:\\/\\/log\"]}",
    "{\"resourceSubscriptions\":[\"device://log\",\"device://log\",\"device://nope\",\"sensor://t0/latest\"]}",
    "{\"resourceSubscriptions\":[],\"promptsListChanged\":true,\"other\":1}",
    "{\"resourceSubscriptions\":[1]}",
    "{\"toolsListChanged\":1}",
    "[]",
    "null",
];

/// Writes a line.
fn line(u: &mut Unstructured<'_>, demo: Demo, out: &mut Vec<u8>) -> Result<()> {
    let mut text = String::new();
    match u.int_in_range(0..=15)? {
        0 => text.push_str(u.choose(&["", " \t", "\r", "boot: ok", "{", "[]", "[[]]", "\"", "\u{FEFF}{}"])?),
        1..=3 => {
            text.push('[');
            for at in 0..u.int_in_range(0..=4)? {
                text.push_str(if at == 0 { "" } else { "," });
                message(u, demo, &mut text)?;
            }
            text.push(']');
        }
        _ => message(u, demo, &mut text)?,
    }
    let start = out.len();
    out.extend(text.into_bytes());
    if u.ratio(1, 12)? {
        damage(u, start, out)?;
    }
    if u.ratio(1, 12)? {
        out.push(b'\r');
    }
    Ok(())
}

/// Changes a byte or two of what was written last.
fn damage(u: &mut Unstructured<'_>, start: usize, out: &mut Vec<u8>) -> Result<()> {
    for _ in 0..u.int_in_range(1..=2)? {
        let at = u.int_in_range(start..=out.len())?;
        match u.int_in_range(0..=3)? {
            0 => out.insert(at, u.arbitrary()?),
            1 if at < out.len() => drop(out.remove(at)),
            2 if at < out.len() => out[at] = *u.choose(b"\"\\{}[]:,01.eE-tfn \xC3\xF0\x80")?,
            _ => out.truncate(at),
        }
    }
    Ok(())
}

/// Writes a message, or a value that stands in the place of one.
fn message(u: &mut Unstructured<'_>, demo: Demo, out: &mut String) -> Result<()> {
    if u.ratio(1, 24)? {
        out.push_str(u.choose(&JUNK)?);
        return Ok(());
    }
    let mut members = Vec::new();
    member(u, &mut members, "jsonrpc", "\"2.0\"", 24)?;
    match u.int_in_range(0..=9)? {
        0 => {
            let value = quoted(u.choose(&NOTIFICATIONS)?);
            member(u, &mut members, "method", &value, 32)?;
            if u.arbitrary()? {
                let id = u.choose(&IDS)?;
                member(u, &mut members, "params", &format!("{{\"requestId\":{id}}}"), 8)?;
            }
        }
        1 => {
            let id = u.choose(&IDS)?;
            member(u, &mut members, "id", id, 16)?;
            let name = if u.arbitrary()? { "result" } else { "error" };
            let value = if u.arbitrary()? { said(u, demo)? } else { (*u.choose(&JUNK)?).to_owned() };
            member(u, &mut members, name, &value, 16)?;
        }
        _ => {
            // Mostly one that is valid.
            let ids = if u.ratio(1, 8)? { &IDS[..] } else { &IDS[..8] };
            let id = u.choose(ids)?;
            member(u, &mut members, "id", id, 32)?;
            request(u, demo, &mut members)?;
        }
    }
    if u.ratio(1, 16)? {
        let junk = u.choose(&JUNK)?;
        let name = *u.choose(&["id", "method", "params", "jsonrpc", "result", "error", "extra"])?;
        member(u, &mut members, name, junk, 32)?;
    }
    if u.ratio(1, 4)? {
        members.reverse();
    }
    let separator = if u.ratio(1, 8)? { " , " } else { "," };
    *out += &format!("{{{}}}", members.join(separator));
    Ok(())
}

/// Adds a member; one in so many times it has another value, or is left out, or has an escape in its name.
fn member(u: &mut Unstructured<'_>, members: &mut Vec<String>, name: &str, value: &str, odds: u32) -> Result<()> {
    if !u.ratio(1, odds)? {
        members.push(format!("\"{name}\":{value}"));
        return Ok(());
    }
    match u.int_in_range(0..=2)? {
        0 => members.push(format!("\"{name}\":{}", u.choose(&JUNK)?)),
        1 => {
            let spelled: String = name.chars().map(|character| crate::strings::spell(character, 2)).collect();
            members.push(format!("\"{spelled}\" : {value}"));
        }
        _ => {}
    }
    Ok(())
}

/// Adds the method and the parameters of a request.
fn request(u: &mut Unstructured<'_>, demo: Demo, members: &mut Vec<String>) -> Result<()> {
    let mut params = Vec::new();
    let method = match u.int_in_range(0..=19)? {
        0 => {
            let value = u.choose(&["\"2\"", "\"4\"", "\"\"", "\"0\"", "\"02\"", "null", "7"])?;
            member(u, &mut params, "cursor", value, 32)?;
            u.choose(&["tools/list", "resources/list", "resources/templates/list"])?
        }
        1 => "tools/list",
        2 => "ping",
        3 => "server/discover",
        4 | 5 => {
            let value = quoted(u.choose(&VERSIONS)?);
            member(u, &mut params, "protocolVersion", &value, 24)?;
            let capabilities = u.choose(&CAPABILITIES)?;
            member(u, &mut params, "capabilities", capabilities, 24)?;
            member(u, &mut params, "clientInfo", "{\"name\":\"t\",\"version\":\"1\"}", 24)?;
            "initialize"
        }
        6 => u.choose(&METHODS)?,
        12 => u.choose(&["resources/list", "resources/templates/list"])?,
        13 | 14 => {
            let value = match u.choose(demo.offer().resources) {
                Ok(uri) if u.ratio(1, 3)? => quoted(uri),
                _ => quoted(u.choose(&URIS)?),
            };
            member(u, &mut params, "uri", &value, 24)?;
            retry(u, demo, &mut params)?;
            u.choose(&["resources/read", "resources/read", "resources/subscribe", "resources/unsubscribe"])?
        }
        15 => {
            let level = u.choose(&LEVELS)?;
            member(u, &mut params, "level", level, 24)?;
            "logging/setLevel"
        }
        16 => {
            let filter = u.choose(&FILTERS)?;
            member(u, &mut params, "notifications", filter, 24)?;
            "subscriptions/listen"
        }
        17 => {
            get(u, demo, &mut params)?;
            "prompts/get"
        }
        18 => {
            complete(u, demo, &mut params)?;
            "completion/complete"
        }
        _ => {
            call(u, demo, &mut params)?;
            "tools/call"
        }
    };
    member(u, members, "method", &quoted(method), 48)?;
    if u.ratio(1, 2)? {
        let meta = meta(u)?;
        member(u, &mut params, "_meta", &meta, 24)?;
    }
    if !params.is_empty() || u.arbitrary()? {
        member(u, members, "params", &format!("{{{}}}", params.join(",")), 24)?;
    }
    Ok(())
}

/// Adds the parameters of a call.
fn call(u: &mut Unstructured<'_>, demo: Demo, params: &mut Vec<String>) -> Result<()> {
    let tool = u.choose(demo.tools())?;
    member(u, params, "name", &quoted(tool.name), 24)?;
    let mut arguments = String::new();
    values::object(u, &tool.input, &mut arguments)?;
    member(u, params, "arguments", &arguments, 24)?;
    retry(u, demo, params)
}

/// Adds the parameters of a prompt that is to be made.
fn get(u: &mut Unstructured<'_>, demo: Demo, params: &mut Vec<String>) -> Result<()> {
    let (name, known) = u.choose(demo.offer().prompts).copied().unwrap_or(("diagnose", &[("symptom", true)]));
    member(u, params, "name", &quoted(name), 24)?;
    let mut arguments = Vec::new();
    for (name, _) in known {
        let text = u.choose(&["\"no light\"", "\"\"", "\"a \\\"b\\\" \\u00e9\"", "null", "1"])?;
        member(u, &mut arguments, name, text, 12)?;
    }
    member(u, params, "arguments", &format!("{{{}}}", arguments.join(",")), 24)?;
    retry(u, demo, params)
}

/// Adds the parameters of something that is to be completed.
fn complete(u: &mut Unstructured<'_>, demo: Demo, params: &mut Vec<String>) -> Result<()> {
    let offer = demo.offer();
    let mut reference = Vec::new();
    let argument = if u.arbitrary()? {
        let (name, arguments) = u.choose(offer.prompts).copied().unwrap_or(("diagnose", &[("symptom", true)]));
        member(u, &mut reference, "type", "\"ref/prompt\"", 24)?;
        member(u, &mut reference, "name", &quoted(name), 24)?;
        u.choose(arguments).copied().unwrap_or_default().0
    } else {
        let (uri, variable) = u.choose(offer.templates).copied().unwrap_or(("sensor://{id}/latest", "id"));
        member(u, &mut reference, "type", "\"ref/resource\"", 24)?;
        member(u, &mut reference, "uri", &quoted(uri), 24)?;
        variable
    };
    member(u, params, "ref", &format!("{{{}}}", reference.join(",")), 24)?;
    let value = u.choose(&["\"\"", "\"t\"", "\"too \"", "null"])?;
    member(u, params, "argument", &format!("{{\"name\":\"{argument}\",\"value\":{value}}}"), 24)?;
    if u.ratio(1, 4)? {
        let context = u.choose(&["{\"arguments\":{\"detail\":\"x\"}}", "{}", "null", "[]", "{\"arguments\":1}"])?;
        member(u, params, "context", context, 24)?;
    }
    Ok(())
}

/// Adds what a request has that is sent again: often where something asks, now and then elsewhere.
fn retry(u: &mut Unstructured<'_>, demo: Demo, params: &mut Vec<String>) -> Result<()> {
    let questions = demo.offer().questions.iter();
    let asked: Vec<_> =
        questions.filter(|question| params.contains(&format!("\"name\":\"{}\"", question.name))).collect();
    if !asked.is_empty() && u.ratio(3, 4)? {
        let mut responses = Vec::new();
        let question = u.choose(&asked)?;
        let value = said(u, demo)?;
        member(u, &mut responses, question.key, &value, 12)?;
        if u.ratio(1, 8)? {
            responses
                .push((*u.choose(&["\"other\":{}", "\"other\":{\"action\":\"cancel\"}", "\"other\":1"])?).to_owned());
        }
        member(u, params, "inputResponses", &format!("{{{}}}", responses.join(",")), 12)?;
        if u.ratio(1, 2)? {
            let state = quoted(u.choose(&["asked", question.state, "name A \\\"B\\\" \\u00e9"])?);
            member(u, params, "requestState", &state, 12)?;
        }
    } else if u.ratio(1, 12)? {
        let value = u.choose(&["{}", "{\"a\":{}}", "{\"a\":1}", "null"])?;
        member(u, params, "inputResponses", value, 4)?;
        let value = u.choose(&["\"s\"", "null"])?;
        member(u, params, "requestState", value, 4)?;
    }
    Ok(())
}

/// What a user said to a question.
fn said(u: &mut Unstructured<'_>, demo: Demo) -> Result<String> {
    let mut members = Vec::new();
    let action = u.choose(&["accept", "accept", "accept", "accept", "decline", "cancel", "maybe"])?;
    member(u, &mut members, "action", &quoted(action), 16)?;
    let content = match u.choose(demo.offer().contents) {
        Ok(content) if !u.ratio(1, 8)? => content,
        _ => u.choose(&JUNK)?,
    };
    member(u, &mut members, "content", content, 16)?;
    Ok(format!("{{{}}}", members.join(",")))
}

/// The metadata of a modern request, or of one that means to be one; or that of a legacy request, a token only.
fn meta(u: &mut Unstructured<'_>) -> Result<String> {
    let mut members = Vec::new();
    let legacy = u.ratio(1, 4)?;
    if !legacy {
        let version = if u.ratio(1, 12)? { u.choose(&VERSIONS)? } else { "2026-07-28" };
        member(u, &mut members, "io.modelcontextprotocol/protocolVersion", &quoted(version), 16)?;
        let capabilities = u.choose(&CAPABILITIES)?;
        member(u, &mut members, "io.modelcontextprotocol/clientCapabilities", capabilities, 16)?;
        if u.ratio(1, 3)? {
            let level = u.choose(&LEVELS)?;
            member(u, &mut members, "io.modelcontextprotocol/logLevel", level, 16)?;
        }
    }
    if legacy || u.ratio(1, 2)? {
        let value = u.choose(&IDS)?;
        member(u, &mut members, "progressToken", value, 16)?;
    }
    Ok(format!("{{{}}}", members.join(",")))
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}
