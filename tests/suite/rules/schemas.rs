//! Section 7.22: the schemas of arguments.

use serde_json::{Value, json};

use super::fixture::all_tools;
use crate::harness::ALL;

#[test]
fn schema_1_a_schema_without_a_dialect_is_one_of_2020_12() {
    for revision in ALL {
        for tool in all_tools(revision) {
            assert_eq!(tool["inputSchema"].get("$schema"), None, "{revision}: {tool}");
            jsonschema::draft202012::new(&tool["inputSchema"]).unwrap_or_else(|error| panic!("{tool}: {error}"));
        }
    }
}

#[test]
fn schema_2_schemas_are_valid_in_their_dialect() {
    for revision in ALL {
        for tool in all_tools(revision) {
            assert!(jsonschema::draft202012::meta::is_valid(&tool["inputSchema"]), "{revision}: {tool}");
        }
    }
}

/// What means the same in draft-07 and in 2020-12: assertions, and annotations.
const KEYWORDS: [&str; 15] = [
    "type",
    "properties",
    "required",
    "enum",
    "minimum",
    "maximum",
    "items",
    "additionalProperties",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "description",
    "title",
    "default",
];

/// Checks a schema and those within.
fn check(schema: &Value) {
    let members = schema.as_object().unwrap_or_else(|| panic!("no object: {schema}"));
    assert!(members.keys().all(|name| KEYWORDS.contains(&name.as_str())), "{schema}");
    members
        .get("properties")
        .into_iter()
        .flat_map(|properties| properties.as_object().unwrap().values())
        .for_each(check);
    members.get("items").into_iter().for_each(check);
    assert!(members.get("additionalProperties").is_none_or(Value::is_boolean), "{schema}");
}

#[test]
fn schema_4_schemas_mean_the_same_in_draft_07_and_2020_12() {
    for revision in ALL {
        for tool in all_tools(revision) {
            let schema = &tool["inputSchema"];
            check(schema);
            assert!(jsonschema::draft7::meta::is_valid(schema), "{revision}: {tool}");
            let drafts = [jsonschema::draft7::new(schema).unwrap(), jsonschema::draft202012::new(schema).unwrap()];
            for arguments in [json!({}), json!({"on": true}), json!({"on": true, "level": 101}), json!({"x": 1})] {
                let [seven, twenty] = drafts.each_ref().map(|draft| draft.is_valid(&arguments));
                assert_eq!(seven, twenty, "{tool}: {arguments}");
            }
        }
    }
}
