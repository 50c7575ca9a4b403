//! What the protocol reference shows of clients: `examples.jsonl`.

use serde_json::Value;

use crate::data;
use crate::harness::Peer;

/// The ids of the requests in a message.
fn requests(message: &Value) -> Vec<&Value> {
    let entries = message.as_array().map_or(std::slice::from_ref(message), Vec::as_slice);
    entries.iter().filter(|entry| entry["method"].is_string()).filter_map(|entry| entry.get("id")).collect()
}

#[test]
fn messages_of_clients_get_one_answer_per_request() {
    let mut count = 0;
    for example in data::lines("examples.jsonl").iter().filter(|example| example["direction"] == "client") {
        let message = &example["message"];
        let mut board = Peer::in_revision("board", example["revision"].as_str().unwrap());
        let answers = board.send(message.to_string().as_bytes());
        let answers: Vec<Value> = answers.iter().map(|answer| serde_json::from_str(answer).unwrap()).collect();
        let answered: Vec<&Value> = match (&answers[..], message.is_array()) {
            ([], _) => vec![],
            ([Value::Array(answers)], true) => answers.iter().map(|answer| &answer["id"]).collect(),
            // A subscription is acknowledged, and not answered while it is open (LISTEN-4).
            ([acknowledgement], false) if message["method"] == "subscriptions/listen" => {
                vec![&acknowledgement["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]]
            }
            ([answer], false) => vec![&answer["id"]],
            _ => panic!("{}: {answers:?}", example["name"]),
        };
        assert_eq!(answered, requests(message), "{} {}", example["revision"], example["name"]);
        count += 1;
    }
    assert!(count >= 60, "only {count} messages of clients");
}
