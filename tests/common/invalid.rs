//! Input that looks wrong, and some that looks wrong but must work: `invalid.jsonl`.

use serde_json::Value;

use crate::data;

/// Checks every entry, through what starts the toolset `board` anew, does the handshake where the revision that it is given
/// has one, sends a line, and returns those that come back. Those in `but` must get another answer than this one.
pub(crate) fn every_entry_gets_its_answer(but: &[&str], mut send: impl FnMut(&str, &[u8]) -> Vec<String>) {
    let mut wrong = Vec::new();
    for entry in data::lines("invalid.jsonl") {
        let name = entry["name"].as_str().unwrap();
        let answers = send(entry["revision"].as_str().unwrap(), &data::raw(&entry));
        match (compare(&entry["expect"], &answers), but.contains(&name)) {
            (Ok(()), false) | (Err(_), true) => {}
            (Ok(()), true) => wrong.push(format!("{name}: passes, take it off the list")),
            (Err(reason), false) => wrong.push(format!("{name}: {reason}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn compare(expect: &Value, answers: &[String]) -> Result<(), String> {
    let answers: Vec<Value> = answers.iter().map(|answer| serde_json::from_str(answer).unwrap()).collect();
    let expected: Vec<&Value> = match expect {
        Value::Null => vec![],
        Value::Array(expected) => expected.iter().collect(),
        expected => vec![expected],
    };
    if answers.len() != expected.len()
        || !answers.iter().zip(&expected).all(|(answer, expected)| fits(answer, expected))
    {
        return Err(format!("expected {expect}, got {}", Value::from(answers)));
    }
    Ok(())
}

fn fits(answer: &Value, expected: &Value) -> bool {
    if let Some(batch) = expected["batch"].as_array() {
        let Some(answers) = answer.as_array() else { return false };
        return answers.len() == batch.len()
            && answers.iter().zip(batch).all(|(answer, expected)| fits(answer, expected));
    }
    let id = match expected["wire_id"].as_str() {
        Some("absent") => answer.get("id").is_none(),
        Some("null") => answer.get("id") == Some(&Value::Null),
        _ => answer.get("id") == expected.get("id"),
    };
    let outcome = if expected.get("code").is_some() {
        answer["error"]["code"] == expected["code"] && answer["error"]["message"].is_string()
    } else if expected.get("isError").is_some() {
        answer["result"]["isError"] == expected["isError"]
    } else {
        expected["ok"] == true && answer["result"].is_object() && answer["result"]["isError"] != true
    };
    id && outcome
}
