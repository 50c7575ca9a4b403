//! What one writes by hand when there is no toolwire: a loop over lines with `serde_json`, which knows one tool and
//! checks as little as it can. The measure for `toolwire serve calc`; see `tests/bench/run.sh`.

use std::io::{BufRead, BufWriter, Write};

use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut input = std::io::BufReader::with_capacity(1 << 16, std::io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        let answer = answer(&line);
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        if input.buffer().is_empty() {
            output.flush()?;
        }
        line.clear();
    }
    output.flush()
}

fn answer(line: &str) -> Value {
    let Ok(request) = serde_json::from_str::<Value>(line) else {
        return json!({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}});
    };
    let id = &request["id"];
    let params = &request["params"];
    match (request["method"].as_str(), params["name"].as_str(), params["arguments"]["text"].as_str()) {
        (Some("tools/call"), Some("echo"), Some(text)) => {
            let content = json!([{"type": "text", "text": text}]);
            json!({"jsonrpc": "2.0", "id": id, "result": {"content": content, "isError": false}})
        }
        _ => json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}),
    }
}
