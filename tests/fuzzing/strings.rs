//! Text through `echo` of the calculator, in any spelling.

use serde_json::Value;
use toolwire::Server;
use toolwire_demos::calc::{self, Calc};

use crate::frames::proven;
use crate::wire::{Demo, lines};

/// The capacity of the server.
const CAPACITY: usize = 4096;

/// The first line says how characters are spelled, one byte for each in turn; what follows is the text.
pub fn strings(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let (styles, text) = data.split_at(end);
    let text = String::from_utf8_lossy(text.get(1..).unwrap_or_default());
    let mut styles = styles.iter().copied().cycle();
    let mut spelled = |text: &str| -> String {
        let inside: String =
            text.chars().map(|character| spell(character, styles.next().unwrap_or_default())).collect();
        format!("\"{inside}\"")
    };
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{},{}:\"tools/call\",\"params\":{{\"name\":{},\"arguments\":{{{}:{}}}}}}}\n",
        spelled(&text.chars().take(8).collect::<String>()),
        spelled("method"),
        spelled("echo"),
        spelled("text"),
        spelled(&text),
    );
    let sent: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(sent["params"]["arguments"]["text"], *text, "the spelling is wrong");

    let mut server = Server::<_, CAPACITY>::new(calc::INFO, Calc::new());
    let mut output = Vec::new();
    let (first, second) = line.as_bytes().split_at(data.len() % line.len());
    server.receive(first, &mut output).unwrap();
    server.receive(second, &mut output).unwrap();
    let mut bytes = Vec::new();
    for byte in line.as_bytes() {
        server.receive(&[*byte], &mut bytes).unwrap();
    }
    assert_eq!(bytes, output, "byte by byte");
    assert_eq!(Demo::new(b'c').output(line.as_bytes(), &crate::pieces(data)).is_empty(), output.is_empty());

    let answers = lines(&output);
    let [answer] = &answers[..] else { panic!("not one answer: {answers:?}") };
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["id"], sent["id"]);
    if proven(line.trim_ascii().as_bytes()).len() > CAPACITY {
        assert_eq!(answer["error"]["code"], -32600);
    } else {
        assert_eq!(answer["result"]["content"], serde_json::json!([{"type": "text", "text": text}]));
        assert_eq!(answer["result"]["isError"], false);
    }
}

/// A character as it may stand in a JSON string.
pub(crate) fn spell(character: char, style: u8) -> String {
    let short = match character {
        '"' => Some('"'),
        '\\' => Some('\\'),
        '/' => Some('/'),
        '\u{8}' => Some('b'),
        '\u{C}' => Some('f'),
        '\n' => Some('n'),
        '\r' => Some('r'),
        '\t' => Some('t'),
        _ => None,
    };
    let raw = !matches!(character, '"' | '\\' | '\0'..='\u{1F}');
    match (style % 4, short) {
        (0, _) if raw => character.into(),
        (0 | 1, Some(short)) => format!("\\{short}"),
        (1, None) if raw => character.into(),
        (3, _) => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04X}")).collect(),
        _ => character.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    }
}
