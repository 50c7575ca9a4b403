//! `toolwire prompts` and `toolwire prompt`.

use serde_json::Value;

use crate::run;

#[test]
fn prompts_and_their_arguments_are_shown() {
    let done = run(&["prompts", "demo:board"]);
    let lines: Vec<Vec<&str>> = done.out().lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["NAME", "ARGUMENTS", "REQUIRED", "DESCRIPTION"]);
    assert_eq!(lines[2].join(" "), "diagnose Diagnose the board: Find out what is wrong with the board.");
    assert_eq!(lines[3].join(" "), "symptom yes What is wrong.");
    assert_eq!(lines[4].join(" "), "detail no Since when, or what was tried.");
    let listed: Value = serde_json::from_str(run(&["prompts", "--json", "demo:board"]).out()).unwrap();
    assert_eq!(listed[0]["name"], "diagnose");
    let done = run(&["prompts", "demo:calc"]);
    assert!(done.stdout.is_empty() && done.stderr.contains("offers no prompts"), "{done:?}");
}

#[test]
fn a_prompt_says_what_its_arguments_make_of_it() {
    let done = run(&["prompt", "demo:board", "diagnose", "symptom=no light", "detail=since noon"]);
    let rest = "The LED is off. Read device://log and both thermometers, and tell me what to do.";
    assert_eq!(done.out(), format!("My board has a fault: no light. since noon. {rest}\n"));
    let done = run(&["prompt", "demo:conformance", "test_prompt_with_image"]);
    assert_eq!(done.out(), "user: [image/png, 70 bytes]\nuser: Please analyze the image above.\n");
    let done = run(&["prompt", "demo:board", "diagnose", "symptom=5", "--json"]);
    let result: Value = serde_json::from_str(done.out()).unwrap();
    assert_eq!(result["messages"][0]["content"]["text"], format!("My board has a fault: 5. {rest}"));
}

#[test]
fn wrong_usage_is_2() {
    let table = [
        ("diagose", "error: there is no prompt \"diagose\"; the server offers diagnose; did you mean \"diagnose\"?"),
        ("diagnose", "error: symptom: missing; expected a string"),
        (
            "diagnose symptom=x detial=y",
            "error: detial: unknown parameter; it takes symptom, detail; did you mean \"detail\"?",
        ),
        ("diagnose x", "error: expected NAME=VALUE, got \"x\"\nerror: symptom: missing; expected a string"),
        ("", "error: there is no prompt to get; `toolwire prompts` shows those of a target"),
    ];
    for (words, expected) in table {
        let args: Vec<_> = ["prompt", "demo:board"].into_iter().chain(words.split_whitespace()).collect();
        assert_eq!(run(&args).complaint(2), expected, "{words}");
    }
    let none = run(&["prompt", "demo:calc", "x"]);
    assert_eq!(none.complaint(2), "error: there is no prompt \"x\"; the server offers none");
}
