//! Blocks of content, as one reads them.

use serde_json::Value;

/// The text of a block, or a short description of another one.
pub(crate) fn text(block: &Value) -> String {
    let member = |name| block.get(name).and_then(Value::as_str);
    let resource = block.get("resource").unwrap_or(&Value::Null);
    let of_resource = |name| resource.get(name).and_then(Value::as_str);
    let parts = match member("type") {
        Some("text") => return member("text").unwrap_or_default().to_owned(),
        Some("resource_link") => vec![member("uri").map(str::to_owned), member("mimeType").map(str::to_owned)],
        Some("resource") => {
            let size = of_resource("text").map(str::len).or_else(|| of_resource("blob").map(decoded));
            vec![of_resource("uri").map(str::to_owned), of_resource("mimeType").map(str::to_owned), size.map(bytes)]
        }
        kind => {
            let what = member("mimeType").or(kind).unwrap_or("unknown content");
            vec![Some(what.to_owned()), member("data").map(decoded).map(bytes)]
        }
    };
    format!("[{}]", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

pub(crate) fn bytes(count: usize) -> String {
    format!("{count} bytes")
}

/// How many bytes a text in base64 stands for.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}
