//! Any split of the input gives the same output.

use serde_json::Value;

use crate::data;
use crate::harness::{LEGACY, Peer, Split};

/// Every line of the data files, with the toolset and the revision that it is for.
fn corpus() -> Vec<(&'static str, String, Vec<u8>)> {
    let mut corpus = Vec::new();
    for toolset in ["calc", "reservo"] {
        for vector in data::lines(&format!("{toolset}.jsonl")) {
            corpus.push((toolset, "none".to_owned(), vector["send"].as_str().unwrap().into()));
        }
    }
    for vector in data::lines("tasks.jsonl") {
        let request =
            serde_json::json!({"jsonrpc": "2.0", "id": vector["id"], "method": "tools/call", "params": vector["call"]});
        corpus.push(("tasks", "none".to_owned(), request.to_string().into()));
    }
    for entry in data::lines("invalid.jsonl") {
        corpus.push(("board", entry["revision"].as_str().unwrap().to_owned(), data::raw(&entry)));
    }
    for example in data::lines("examples.jsonl") {
        if example["direction"] == "client" {
            let revision = example["revision"].as_str().unwrap().to_owned();
            corpus.push(("board", revision, example["message"].to_string().into()));
        }
    }
    corpus
}

fn output(toolset: &str, revision: &str, bytes: &[u8], split: Split) -> String {
    let mut peer = Peer::demo(toolset);
    if LEGACY.contains(&revision) {
        let handshake = serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
            {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        peer.receive(format!("{handshake}\n").as_bytes());
    }
    peer.split = split;
    String::from_utf8(peer.receive(bytes)).unwrap()
}

#[test]
fn a_line_cut_anywhere_gives_the_same_answer() {
    for (toolset, revision, mut line) in corpus() {
        line.push(b'\n');
        let whole = output(toolset, &revision, &line, Split::Whole);
        let described = || format!("{toolset} {revision} {}", String::from_utf8_lossy(&line));
        assert_eq!(output(toolset, &revision, &line, Split::Bytes), whole, "{}", described());
        for at in 1..line.len() {
            assert_eq!(output(toolset, &revision, &line, Split::At(at)), whole, "at {at}: {}", described());
        }
    }
}

/// All lines in one go: what a line leaves behind must not reach into the next one.
#[test]
fn all_lines_on_one_wire_give_the_answers_that_they_give_alone() {
    let (mut together, mut alone) = (Vec::new(), String::new());
    for (toolset, revision, mut line) in corpus() {
        // No handshake may come in between: it would change what the others get.
        let parsed: Value = serde_json::from_slice(&line).unwrap_or_default();
        if toolset != "board" || LEGACY.contains(&&*revision) || parsed["method"] == "initialize" {
            continue;
        }
        line.push(b'\n');
        alone += &output(toolset, "none", &line, Split::Whole);
        together.extend(line);
    }
    assert!(alone.lines().count() > 10, "too little to compare");
    assert_eq!(output("board", "none", &together, Split::Whole), alone);
    assert_eq!(output("board", "none", &together, Split::Bytes), alone);
}
