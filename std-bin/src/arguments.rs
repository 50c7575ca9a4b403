//! The arguments of a call: from `name=value` and JSON, by the schema of the tool, with a sentence for every fault.

use std::collections::HashSet;

use serde_json::{Map, Number, Value};

use crate::schema::{Schema, Type, plain};

/// Arguments that the schema of a tool allows, as far as it is understood here.
///
/// `words` are of the form `name=value` and override members of `base`; in their names, dots lead into objects.
///
/// # Errors
/// A sentence for each fault.
pub(crate) fn build(
    schema: Schema<'_>,
    base: Map<String, Value>,
    words: &[String],
) -> Result<Map<String, Value>, Vec<String>> {
    let mut faults = Faults::default();
    let mut arguments = base;
    let mut names = HashSet::new();
    for word in words {
        match word.split_once('=') {
            None | Some(("", _)) => faults.add(word, format!("expected NAME=VALUE, got {word:?}")),
            Some((name, _)) if !names.insert(name) => faults.add(name, format!("{name}: given twice")),
            Some((name, text)) => insert(&mut arguments, schema, "", name, text, &mut faults),
        }
    }
    let arguments = Value::Object(arguments);
    check(&arguments, schema, "", &mut faults);
    match arguments {
        Value::Object(arguments) if faults.sentences.is_empty() => Ok(arguments),
        _ => Err(faults.sentences),
    }
}

/// The value that a text stands for by a schema.
///
/// # Errors
/// A sentence for each fault, which begins with `name`.
pub(crate) fn read(name: &str, text: &str, schema: Schema<'_>) -> Result<Value, Vec<String>> {
    let (mut object, mut faults) = (Map::new(), Faults::default());
    set(&mut object, schema, "", name, text, &mut faults);
    let value = object.remove(name).unwrap_or_default();
    check(&value, schema, name, &mut faults);
    if faults.sentences.is_empty() { Ok(value) } else { Err(faults.sentences) }
}

/// The closest of some names, if it is close enough to be what was meant.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.map(|known| (strsim::jaro_winkler(&name.to_lowercase(), &known.to_lowercase()), known));
    near.filter(|(likeness, _)| *likeness > 0.75).max_by(|(a, _), (b, _)| a.total_cmp(b)).map(|(_, known)| known)
}

/// `; did you mean …?`, or nothing.
pub(crate) fn suggestion<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    nearest(name, names).map_or_else(String::new, |near| format!("; did you mean {near:?}?"))
}

/// What is wrong, with at most one sentence for each path.
#[derive(Debug, Default)]
struct Faults {
    sentences: Vec<String>,
    paths: HashSet<String>,
}

impl Faults {
    fn add(&mut self, path: &str, sentence: String) {
        if self.paths.insert(path.to_owned()) {
            self.sentences.push(sentence);
        }
    }

    fn unexpected(&mut self, path: &str, allowed: &str, value: impl std::fmt::Display) {
        self.add(path, format!("{path}: expected {allowed}, got {value}"));
    }

    /// Refuses a name that is none of a closed object.
    fn unknown(&mut self, path: &str, name: &str, object: Schema<'_>, hint: &str) {
        let names: Vec<_> = object.properties().map(|(known, _)| known).collect();
        let allowed = match (names.as_slice(), path.strip_suffix(name).and_then(|parent| parent.strip_suffix('.'))) {
            ([], None) => "it takes none".to_owned(),
            ([], Some(parent)) => format!("{parent} has none"),
            (_, None) => format!("it takes {}", names.join(", ")),
            (_, Some(parent)) => format!("{parent} has {}", names.join(", ")),
        };
        let near = suggestion(name, names.iter().copied());
        self.add(path, format!("{path}: unknown parameter; {allowed}{hint}{near}"));
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// Puts the value of `name=text` into an object that has `schema`.
fn insert(
    object: &mut Map<String, Value>,
    schema: Schema<'_>,
    path: &str,
    name: &str,
    text: &str,
    faults: &mut Faults,
) {
    let choices = schema.choices();
    let property = |name| choices.iter().find_map(|choice| choice.property(name));
    let extra = || choices.iter().find_map(|choice| choice.extra());
    if let Some(schema) = property(name) {
        return set(object, schema, path, name, text, faults);
    }
    if let Some((first, rest)) = name.split_once('.')
        && let Some(schema) = property(first)
    {
        let path = join(path, first);
        if !schema.choices().iter().any(|choice| allows(*choice, Type::Object)) {
            return faults.unexpected(&path, &expectation(schema), format_args!("a member {rest:?}"));
        }
        let member = object.entry(first).or_insert(Value::Null);
        if !member.is_object() {
            *member = Value::Object(Map::new());
        }
        if let Value::Object(member) = member {
            insert(member, schema, &path, rest, text, faults);
        }
        return;
    }
    match extra() {
        Some(schema) => set(object, schema, path, name, text, faults),
        None => {
            let object = choices.first().copied().unwrap_or(schema);
            let hint = if object.is_closed() { "" } else { " (others with --arguments)" };
            let first = name.split('.').next().unwrap_or(name);
            faults.unknown(&join(path, first), first, object, hint);
        }
    }
}

fn set(object: &mut Map<String, Value>, schema: Schema<'_>, path: &str, name: &str, text: &str, faults: &mut Faults) {
    match convert(text, schema) {
        Some(value) => drop(object.insert(name.to_owned(), value)),
        None => {
            // What was wrong is not missing.
            object.remove(name);
            let near = nearest_value(text, schema);
            faults.unexpected(&join(path, name), &expectation(schema), format_args!("{text:?}{near}"));
        }
    }
}

/// A word as a value of the schema; `None` if it cannot be one. Strings come last, for every word is one.
fn convert(text: &str, schema: Schema<'_>) -> Option<Value> {
    let choices = schema.choices();
    let listed = || choices.iter().flat_map(|choice| choice.values().unwrap_or_default());
    if let Some(value) = listed().find(|value| plain(value) == text && !value.is_null()) {
        return Some(value.clone());
    }
    let types: Vec<_> = choices.iter().flat_map(|choice| choice.types()).collect();
    if choices.iter().any(|choice| choice.types().is_empty() && choice.values().is_none()) {
        let json = serde_json::from_str(text).ok().filter(|value: &Value| !value.is_null());
        return Some(json.unwrap_or_else(|| Value::String(text.to_owned())));
    }
    if choices.iter().all(|choice| choice.values().is_some()) {
        return None;
    }
    let other = types.iter().filter(|kind| **kind != Type::String).find_map(|kind| convert_to(text, *kind));
    other.or_else(|| types.contains(&Type::String).then(|| Value::String(text.to_owned())))
}

fn convert_to(text: &str, kind: Type) -> Option<Value> {
    let integer = || text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok();
    let float = || text.parse().ok().and_then(Number::from_f64).map(Value::Number);
    match kind {
        Type::Null => None,
        Type::Boolean => text.parse::<bool>().ok().map(Value::Bool),
        Type::Integer => integer().or_else(|| float().as_ref().and_then(exact)),
        Type::Number => integer().or_else(float),
        Type::String => Some(Value::String(text.to_owned())),
        Type::Array | Type::Object => serde_json::from_str(text).ok().filter(|value| kind.has(value)),
    }
}

/// The integer that a float stands for, such as `3.0` or `3e0`, where floats are exact.
fn exact(value: &Value) -> Option<Value> {
    let float = value.as_f64()?;
    (float.fract() == 0.0 && float.abs() < (1_u64 << 53) as f64).then(|| Value::from(float as i64))
}

fn allows(schema: Schema<'_>, kind: Type) -> bool {
    let types = schema.types();
    types.is_empty() || types.contains(&kind)
}

/// What a schema allows, in words.
fn expectation(schema: Schema<'_>) -> String {
    let mut kinds: Vec<String> = Vec::new();
    for choice in schema.choices() {
        match choice.values() {
            Some([value]) => kinds.push(value.to_string()),
            Some(values) => {
                let values: Vec<_> = values.iter().map(Value::to_string).collect();
                kinds.push(format!("one of {}", values.join(", ")));
            }
            None => {
                let types = choice.types().into_iter().filter(|kind| *kind != Type::Null);
                kinds.extend(types.map(|kind| kind.to_string()));
            }
        }
    }
    kinds.dedup();
    if kinds.is_empty() { "another value".to_owned() } else { kinds.join(" or ") }
}

/// `; did you mean …?` with one of the values that a schema lists, or nothing.
fn nearest_value(text: &str, schema: Schema<'_>) -> String {
    let choices = schema.choices();
    suggestion(text, choices.iter().filter_map(|choice| choice.values()).flatten().filter_map(Value::as_str))
}

/// Checks a value by a schema. Of a union, the faults of the choice that has the value's type are reported.
fn check(value: &Value, schema: Schema<'_>, path: &str, faults: &mut Faults) {
    let choices = schema.choices();
    if let [choice] = choices.as_slice() {
        return check_choice(value, *choice, path, faults);
    }
    let fits = |choice: &&Schema<'_>| {
        let mut faults = Faults::default();
        check_choice(value, **choice, path, &mut faults);
        faults.sentences.is_empty()
    };
    if choices.is_empty() || choices.iter().any(|choice| fits(&choice)) {
        return;
    }
    let of_type = |choice: &&Schema<'_>| choice.types().iter().any(|kind| kind.has(value));
    let mut same = choices.iter().filter(of_type);
    match (same.next(), same.next()) {
        (Some(choice), None) => check_choice(value, *choice, path, faults),
        _ => faults.unexpected(path, &expectation(schema), value),
    }
}

fn check_choice(value: &Value, schema: Schema<'_>, path: &str, faults: &mut Faults) {
    let types = schema.types();
    let allowed = schema.values().is_none_or(|values| values.contains(value));
    if !allowed || !(types.is_empty() || types.iter().any(|kind| kind.has(value))) {
        let near = value.as_str().map_or_else(String::new, |text| nearest_value(text, schema));
        return faults.unexpected(path, &expectation(schema), format_args!("{value}{near}"));
    }
    match value {
        Value::Object(members) => check_object(members, schema, path, faults),
        Value::Array(elements) => {
            check_limits(elements.len(), ["minItems", "maxItems"], "elements", schema, path, faults);
            let items =
                schema.items().into_iter().flat_map(|items| elements.iter().map(move |element| (items, element)));
            items
                .enumerate()
                .for_each(|(at, (items, element))| check(element, items, &format!("{path}[{at}]"), faults));
        }
        Value::String(text) => {
            check_limits(text.chars().count(), ["minLength", "maxLength"], "characters", schema, path, faults);
        }
        Value::Number(number) => check_number(number, schema, path, faults),
        Value::Null | Value::Bool(_) => {}
    }
}

fn check_object(members: &Map<String, Value>, schema: Schema<'_>, path: &str, faults: &mut Faults) {
    for (name, value) in members {
        let path = join(path, name);
        match schema.property(name) {
            // `null` for what is not required is its absence.
            Some(_) if value.is_null() && !schema.requires(name) => {}
            Some(schema) => check(value, schema, &path, faults),
            None if schema.is_closed() => faults.unknown(&path, name, schema, ""),
            None => schema.extra().into_iter().for_each(|schema| check(value, schema, &path, faults)),
        }
    }
    for name in schema.required().filter(|name| !members.contains_key(*name)) {
        let path = join(path, name);
        let allowed = schema.property(name).map_or_else(|| "any value".to_owned(), expectation);
        faults.add(&path.clone(), format!("{path}: missing; expected {allowed}"));
    }
}

fn check_limits(count: usize, keywords: [&str; 2], what: &str, schema: Schema<'_>, path: &str, faults: &mut Faults) {
    let [minimum, maximum] = keywords.map(|keyword| schema.limit(keyword));
    let count = count as u64;
    if let Some(limit) = minimum.filter(|limit| limit.as_u64().is_some_and(|limit| count < limit)) {
        faults.unexpected(path, &format!("{limit} or more {what}"), count);
    }
    if let Some(limit) = maximum.filter(|limit| limit.as_u64().is_some_and(|limit| count > limit)) {
        faults.unexpected(path, &format!("at most {limit} {what}"), count);
    }
}

fn check_number(number: &Number, schema: Schema<'_>, path: &str, faults: &mut Faults) {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let rules = [
        ("minimum", "at least", [Less, Less]),
        ("maximum", "at most", [Greater, Greater]),
        ("exclusiveMinimum", "more than", [Less, Equal]),
        ("exclusiveMaximum", "less than", [Greater, Equal]),
    ];
    for (keyword, allowed, refused) in rules {
        if let Some(limit) = schema.limit(keyword)
            && compare(number, limit).is_some_and(|order| refused.contains(&order))
        {
            faults.unexpected(path, &format!("{allowed} {limit}"), number);
        }
    }
}

/// Exact for integers.
fn compare(a: &Number, b: &Number) -> Option<std::cmp::Ordering> {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => a.as_f64()?.partial_cmp(&b.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn built(properties: Value, base: Value, words: &[&str]) -> Result<Value, Vec<String>> {
        let tool = json!({ "inputSchema": {
            "type": "object", "properties": properties, "required": ["must"], "additionalProperties": false,
            "$defs": { "Point": { "type": "object", "properties": { "x": { "type": "integer" } }, "required": ["x"] } },
        } });
        let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
        let base = base.as_object().cloned().unwrap_or_default();
        build(Schema::of_tool(&tool), base, &words).map(Value::Object)
    }

    /// The value of `must` for a word.
    fn value(schema: Value, text: &str) -> Result<Value, String> {
        let result = built(json!({ "must": schema }), json!({}), &[&format!("must={text}")]);
        result.map(|arguments| arguments["must"].clone()).map_err(|faults| faults.join("\n"))
    }

    #[test]
    fn words_become_what_the_schema_says() {
        let optional = json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] });
        let table = [
            (json!({ "type": "string" }), "5", json!("5")),
            (json!({ "type": "string" }), "true", json!("true")),
            (json!({ "type": "string" }), "", json!("")),
            (json!({ "type": "string" }), "a=b=c", json!("a=b=c")),
            (json!({ "type": "string" }), "null", json!("null")),
            (json!({ "type": "integer" }), "-5", json!(-5)),
            (json!({ "type": "integer" }), "3.0", json!(3)),
            (json!({ "type": "integer" }), "3e2", json!(300)),
            (json!({ "type": "integer" }), "9223372036854775808", json!(9_223_372_036_854_775_808_u64)),
            (json!({ "type": "number" }), "2", json!(2)),
            (json!({ "type": "number" }), "2.5", json!(2.5)),
            (json!({ "type": "number" }), "1e3", json!(1e3)),
            (json!({ "type": "boolean" }), "true", json!(true)),
            (json!({ "type": "boolean" }), "false", json!(false)),
            (json!({ "type": "string", "enum": ["low", "high"] }), "low", json!("low")),
            (json!({ "enum": [1, "two", true] }), "1", json!(1)),
            (json!({ "enum": [1, "two", true] }), "two", json!("two")),
            (json!({ "const": "only" }), "only", json!("only")),
            (json!({ "type": "array", "items": { "type": "integer" } }), "[1, 2]", json!([1, 2])),
            (json!({ "type": "object" }), r#"{"a": 1}"#, json!({ "a": 1 })),
            (json!({ "type": ["integer", "null"] }), "7", json!(7)),
            (json!({ "type": ["string", "integer"] }), "7", json!(7)),
            (json!({ "type": ["string", "integer"] }), "x", json!("x")),
            (optional, "7", json!(7)),
            (json!({ "$ref": "#/$defs/Point" }), r#"{"x": 1}"#, json!({ "x": 1 })),
            (json!({}), "7", json!(7)),
            (json!({}), "x", json!("x")),
            (json!({}), "null", json!("null")),
        ];
        for (schema, text, expected) in table {
            assert_eq!(value(schema.clone(), text), Ok(expected), "{text:?} by {schema}");
        }
    }

    #[test]
    fn words_that_are_none_of_the_allowed_are_refused() {
        let table = [
            (json!({ "type": "integer" }), "x", r#"must: expected an integer, got "x""#),
            (json!({ "type": "integer" }), "2.5", r#"must: expected an integer, got "2.5""#),
            (json!({ "type": "integer" }), "", r#"must: expected an integer, got """#),
            (json!({ "type": "integer" }), "1e400", r#"must: expected an integer, got "1e400""#),
            (json!({ "type": "number" }), "NaN", r#"must: expected a number, got "NaN""#),
            (json!({ "type": "number" }), "inf", r#"must: expected a number, got "inf""#),
            (json!({ "type": "boolean" }), "yes", r#"must: expected true or false, got "yes""#),
            (json!({ "type": "boolean" }), "null", r#"must: expected true or false, got "null""#),
            (json!({ "enum": ["low", "high"] }), "x", r#"must: expected one of "low", "high", got "x""#),
            (json!({ "type": "array" }), "1,2", r#"must: expected a JSON array, got "1,2""#),
            (json!({ "type": "object" }), "[]", r#"must: expected a JSON object, got "[]""#),
            (
                json!({ "type": "array", "items": { "type": "integer" } }),
                r#"[1, "x"]"#,
                r#"must[1]: expected an integer, got "x""#,
            ),
            (json!({ "type": "integer", "minimum": 1 }), "0", "must: expected at least 1, got 0"),
            (json!({ "type": "integer", "maximum": 9 }), "10", "must: expected at most 9, got 10"),
            (json!({ "type": "number", "exclusiveMinimum": 0 }), "0", "must: expected more than 0, got 0"),
            (json!({ "type": "string", "minLength": 1 }), "", "must: expected 1 or more characters, got 0"),
            (json!({ "type": "string", "maxLength": 2 }), "äöü", "must: expected at most 2 characters, got 3"),
            (json!({ "type": "array", "minItems": 1 }), "[]", "must: expected 1 or more elements, got 0"),
            (json!({ "$ref": "#/$defs/Point" }), "{}", "must.x: missing; expected an integer"),
        ];
        for (schema, text, expected) in table {
            assert_eq!(value(schema.clone(), text), Err(expected.to_owned()), "{text:?} by {schema}");
        }
    }

    #[test]
    fn the_nearest_value_is_suggested() {
        let refused = value(json!({ "enum": ["Studio", "Focus"] }), "studio");
        assert_eq!(
            refused,
            Err(r#"must: expected one of "Studio", "Focus", got "studio"; did you mean "Studio"?"#.into())
        );
    }

    #[test]
    fn every_fault_is_named_once() {
        let properties = json!({ "must": { "type": "integer" }, "may": { "type": "boolean" } });
        let faults = built(properties, json!({}), &["may=1", "mey=true", "word"]).unwrap_err();
        assert_eq!(
            faults,
            [
                r#"may: expected true or false, got "1""#,
                r#"mey: unknown parameter; it takes must, may; did you mean "may"?"#,
                r#"expected NAME=VALUE, got "word""#,
                "must: missing; expected an integer",
            ]
        );
        let wrong = built(json!({ "must": { "type": "integer" } }), json!({}), &["must=x", "must=1"]).unwrap_err();
        assert_eq!(wrong, [r#"must: expected an integer, got "x""#]);
        let twice = built(json!({ "must": { "type": "integer" } }), json!({}), &["must=1", "must=1"]).unwrap_err();
        assert_eq!(twice, ["must: given twice"]);
    }

    #[test]
    fn dots_lead_into_objects() {
        let properties = json!({
            "must": { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } } },
            "dotted.name": { "type": "integer" },
            "point": { "anyOf": [{ "$ref": "#/$defs/Point" }, { "type": "null" }] },
        });
        let ok = |words: &[&str]| built(properties.clone(), json!({}), words);
        assert_eq!(ok(&["must.a=1", "must.b=2"]), Ok(json!({ "must": { "a": 1, "b": "2" } })));
        assert_eq!(ok(&[r#"must={"a": 1}"#, "must.a=2"]), Ok(json!({ "must": { "a": 2 } })));
        assert_eq!(ok(&["must={}", "dotted.name=1"]), Ok(json!({ "must": {}, "dotted.name": 1 })));
        assert_eq!(ok(&["must={}", "point.x=1"]), Ok(json!({ "must": {}, "point": { "x": 1 } })));
        assert_eq!(
            ok(&["must.c=1"]),
            Err(vec!["must.c: unknown parameter; must has a, b (others with --arguments)".to_owned()])
        );
        assert_eq!(
            ok(&["must.c.d=1"]),
            Err(vec!["must.c: unknown parameter; must has a, b (others with --arguments)".to_owned()])
        );
        assert_eq!(ok(&["must.a.b=1"]), Err(vec![r#"must.a: expected an integer, got a member "b""#.to_owned()]));
    }

    #[test]
    fn words_override_json() {
        let properties = json!({
            "must": { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } } },
            "may": { "type": "integer" },
        });
        let ok = |base, words: &[&str]| built(properties.clone(), base, words);
        let base = json!({ "must": { "a": 1, "b": "x" }, "may": 1 });
        assert_eq!(ok(base, &["must.a=2"]), Ok(json!({ "must": { "a": 2, "b": "x" }, "may": 1 })));
        assert_eq!(ok(json!({ "must": {}, "may": null }), &[]), Ok(json!({ "must": {}, "may": null })));
        assert_eq!(ok(json!({ "must": 1 }), &[]), Err(vec!["must: expected a JSON object, got 1".to_owned()]));
        assert_eq!(
            ok(json!({ "must": {}, "x": 1 }), &[]),
            Err(vec!["x: unknown parameter; it takes must, may".to_owned()])
        );
        assert_eq!(ok(json!({ "may": 1.5 }), &["must={}"]), Err(vec!["may: expected an integer, got 1.5".to_owned()]));
    }

    #[test]
    fn circles_of_references_end() {
        let tool = json!({ "inputSchema": {
            "properties": { "a": { "$ref": "#/properties/a" }, "b": { "anyOf": [{ "$ref": "#" }, { "type": "null" }] } },
        } });
        let words = ["a=1".to_owned(), "b.b.b=null".to_owned()];
        assert!(build(Schema::of_tool(&tool), Map::new(), &words).is_err());
    }
}
