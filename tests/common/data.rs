//! The data files: vectors and examples, one JSON object per line.

use std::path::Path;

use serde_json::Value;

/// The lines of a file in `tests/data`. They end with a newline only: some hold U+2028.
pub(crate) fn lines(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<_> = text.split('\n').filter(|line| !line.is_empty()).collect();
    assert!(!lines.is_empty(), "{name} is empty");
    lines.into_iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The bytes that an entry of `invalid.jsonl` sends, without the newline.
pub(crate) fn raw(entry: &Value) -> Vec<u8> {
    match (&entry["raw"], &entry["raw_hex"]) {
        (Value::String(raw), _) => raw.clone().into_bytes(),
        (_, Value::String(hex)) => hex
            .as_bytes()
            .chunks(2)
            .map(|digits| u8::from_str_radix(str::from_utf8(digits).unwrap(), 16).unwrap())
            .collect(),
        _ => panic!("neither raw nor raw_hex: {entry}"),
    }
}
