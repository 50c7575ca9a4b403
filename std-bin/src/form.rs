//! Forms that a server has the user fill in: one field after another, on a terminal.

use std::io::{self, BufRead as _, Write as _};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::arguments;
use crate::interrupt;
use crate::schema::{Schema, Type, plain};
use crate::terminal::{harmless, one_line};

/// Someone who reads and types.
pub(crate) trait Person {
    /// Shows text, which does nothing to the terminal.
    fn show(&mut self, text: &str);

    /// The line that is typed next; `None` if there will be none.
    fn line(&mut self) -> Option<String>;
}

/// The answer of a person to the parameters of an `elicitation/create` of `server`.
pub(crate) fn fill(server: &str, params: &Value, person: &mut dyn Person) -> Value {
    let message = params.get("message").and_then(Value::as_str).unwrap_or_default();
    person.show(&format!("{server} asks: {message}\n"));
    let form = params.get("requestedSchema").unwrap_or(&Value::Null);
    loop {
        let Some(content) = fields(Schema::new(form), person) else { return json!({ "action": "cancel" }) };
        match confirm(!content.is_empty(), person) {
            Confirmed::Yes => return json!({ "action": "accept", "content": content }),
            Confirmed::No => return json!({ "action": "decline" }),
            Confirmed::Edit => {}
            Confirmed::Cancel => return json!({ "action": "cancel" }),
        }
    }
}

/// The values of all fields.
fn fields(form: Schema<'_>, person: &mut dyn Person) -> Option<Map<String, Value>> {
    let mut content = Map::new();
    for (name, schema) in form.properties() {
        let is_required = form.requires(name);
        person.show(&heading(name, schema, is_required));
        if let Some(value) = value(name, schema, is_required, person)? {
            content.insert(name.to_owned(), value);
        }
    }
    Some(content)
}

/// What a field is for, and what may be typed.
fn heading(name: &str, schema: Schema<'_>, is_required: bool) -> String {
    let empty = match schema.default() {
        Some(default) => format!(", {} if left empty", plain(default)),
        None if is_required => String::new(),
        None => ", may be left empty".to_owned(),
    };
    let texts: Vec<_> = [schema.title(), schema.description()].into_iter().flatten().map(one_line).collect();
    let mut text =
        format!("{} ({}{}) {}", one_line(name), one_line(&schema.to_string()), one_line(&empty), texts.join(": "));
    text.truncate(text.trim_end().len());
    for choice in schema.choices() {
        if let (Some([value]), Some(title)) = (choice.values(), choice.title()) {
            text.push_str(&format!("\n  {}: {}", one_line(&plain(value)), one_line(title)));
        }
    }
    text + "\n"
}

/// The value of a field, or that it is left out; `None` if nothing more is typed.
fn value(name: &str, schema: Schema<'_>, is_required: bool, person: &mut dyn Person) -> Option<Option<Value>> {
    loop {
        person.show("> ");
        let line = person.line()?;
        let text = line.trim();
        if text.is_empty() {
            match schema.default() {
                Some(default) => return Some(Some(default.clone())),
                None if !is_required => return Some(None),
                None => person.show(&format!("{} is needed\n", one_line(name))),
            }
            continue;
        }
        match arguments::read(name, meant(text, schema), schema) {
            Ok(value) => return Some(Some(value)),
            Err(faults) => faults.iter().for_each(|fault| person.show(&format!("{}\n", one_line(fault)))),
        }
    }
}

/// What people type for a truth value, and the title of a value for the value.
fn meant<'t>(text: &'t str, schema: Schema<'t>) -> &'t str {
    let choices = schema.choices();
    if let Some(choice) = choices.iter().find(|choice| choice.title() == Some(text))
        && let Some([Value::String(value)]) = choice.values()
    {
        return value;
    }
    let is_boolean = choices.iter().any(|choice| choice.types() == [Type::Boolean]);
    match text.to_ascii_lowercase().as_str() {
        "y" | "yes" if is_boolean => "true",
        "n" | "no" if is_boolean => "false",
        _ => text,
    }
}

enum Confirmed {
    Yes,
    No,
    Edit,
    Cancel,
}

/// Whether the answer shall go out. Enter alone says nothing: what is asked may move a machine.
fn confirm(has_fields: bool, person: &mut dyn Person) -> Confirmed {
    let edit = if has_fields { ", [e]dit" } else { "" };
    loop {
        person.show(&format!("Answer: [y]es, [n]o{edit}, [c]ancel\n> "));
        let line = person.line().map(|line| line.trim().to_ascii_lowercase());
        match line.as_deref() {
            Some("y" | "yes") => return Confirmed::Yes,
            Some("n" | "no") => return Confirmed::No,
            Some("e" | "edit") if has_fields => return Confirmed::Edit,
            Some("c" | "cancel") | None => return Confirmed::Cancel,
            Some(_) => {}
        }
    }
}

/// The user at a terminal: standard input and standard error.
#[derive(Debug)]
pub(crate) struct User {
    lines: Receiver<String>,
}

impl User {
    pub(crate) fn new() -> Self {
        // Nothing else wakes a thread that reads, so that an interruption would wait for a line.
        let (sender, lines) = mpsc::sync_channel(0);
        thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { lines }
    }
}

impl Person for User {
    fn show(&mut self, text: &str) {
        let mut out = io::stderr().lock();
        // There is nowhere left to complain to.
        let _ = write!(out, "{}", harmless(text)).and_then(|()| out.flush());
    }

    fn line(&mut self) -> Option<String> {
        const PERIOD: Duration = Duration::from_millis(50);
        while !interrupt::has_come() {
            match self.lines.recv_timeout(PERIOD) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Someone who types certain lines, and what was shown.
    struct Script<'l> {
        lines: std::slice::Iter<'l, &'l str>,
        shown: String,
    }

    impl Person for Script<'_> {
        fn show(&mut self, text: &str) {
            self.shown.push_str(text);
        }

        fn line(&mut self) -> Option<String> {
            let line = self.lines.next()?;
            self.shown.push_str(&format!("{line}\n"));
            Some((*line).to_owned())
        }
    }

    fn filled(schema: Value, lines: &[&str]) -> (Value, String) {
        let mut person = Script { lines: lines.iter(), shown: String::new() };
        let params = json!({ "message": "What?", "requestedSchema": schema });
        let answer = fill("Board", &params, &mut person);
        assert!(person.lines.next().is_none(), "not all was asked for: {}", person.shown);
        (answer, person.shown)
    }

    #[test]
    fn a_form_is_filled_field_by_field() {
        let schema = json!({ "type": "object", "required": ["tenths", "sure"], "properties": {
            "tenths": { "type": "integer", "minimum": -400, "maximum": 1250, "description": "In tenths." },
            "sure": { "type": "boolean" },
            "note": { "type": "string", "title": "Note" },
            "speed": { "type": "string", "enum": ["slow", "fast"], "default": "slow" },
        } });
        let (answer, shown) = filled(schema, &["x", "", "2000", "215", "Y", "", "", "", "y"]);
        let content = json!({ "tenths": 215, "sure": true, "speed": "slow" });
        assert_eq!(answer, json!({ "action": "accept", "content": content }));
        assert_eq!(
            shown,
            "Board asks: What?\n\
             tenths (integer -400..1250) In tenths.\n\
             > x\ntenths: expected an integer, got \"x\"\n\
             > \ntenths is needed\n\
             > 2000\ntenths: expected at most 1250, got 2000\n\
             > 215\n\
             sure (boolean)\n> Y\n\
             note (string, may be left empty) Note\n> \n\
             speed (slow|fast, slow if left empty)\n> \n\
             Answer: [y]es, [n]o, [e]dit, [c]ancel\n> \n\
             Answer: [y]es, [n]o, [e]dit, [c]ancel\n> y\n"
        );
    }

    #[test]
    fn an_answer_may_be_edited_declined_and_cancelled() {
        let schema = || json!({ "type": "object", "properties": { "a": { "type": "string" } } });
        let (answer, _) = filled(schema(), &["one", "e", "two", "yes"]);
        assert_eq!(answer, json!({ "action": "accept", "content": { "a": "two" } }));
        assert_eq!(filled(schema(), &["one", "n"]).0, json!({ "action": "decline" }));
        assert_eq!(filled(schema(), &["one", "c"]).0, json!({ "action": "cancel" }));
        assert_eq!(filled(schema(), &["one"]).0, json!({ "action": "cancel" }));
        assert_eq!(filled(schema(), &[]).0, json!({ "action": "cancel" }));
    }

    #[test]
    fn a_form_without_fields_wants_a_yes() {
        let (answer, shown) = filled(json!({ "type": "object", "properties": {} }), &["", "e", "y"]);
        assert_eq!(answer, json!({ "action": "accept", "content": {} }));
        assert!(shown.ends_with("Answer: [y]es, [n]o, [c]ancel\n> y\n"), "{shown}");
    }

    #[test]
    fn titles_stand_for_values() {
        let schema = json!({ "type": "object", "required": ["mode"], "properties": {
            "mode": { "type": "string", "oneOf": [{ "const": "s", "title": "Slow" }, { "const": "f", "title": "Fast" }] },
        } });
        for text in ["f", "Fast"] {
            let (answer, shown) = filled(schema.clone(), &["x", text, "y"]);
            assert_eq!(answer["content"], json!({ "mode": "f" }));
            let expected = "mode (s or f)\n  s: Slow\n  f: Fast\n> x\nmode: expected \"s\" or \"f\", got \"x\"\n> ";
            assert!(shown.contains(expected), "{shown}");
        }
    }

    #[test]
    fn names_and_texts_of_a_server_stay_on_their_lines() {
        let schema = json!({ "properties": { "a\nAnswer: y\u{1b}": { "description": "one\ntwo", "type": "string" } } });
        let (_, shown) = filled(schema, &["", "n"]);
        assert!(shown.contains("\na Answer: y\\u{1b} (string, may be left empty) one two\n> "), "{shown:?}");
    }
}
