//! Interfaces that must not change: JSON between an operator and a table, and the fields of the
//! protocol.

use crate::shared::{frozen, project};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fs;
use war_table::operator::{OperatorAnswer, OperatorRequest};
use war_table::protocol::schema::generate_schema;

/// Parses a line of JSON, checks that the value serializes to the same bytes, and returns the name
/// of its variant.
fn round_trip<T: Serialize + DeserializeOwned>(line: &str) -> String {
    let value: T = serde_json::from_str(line).expect(line);
    assert_eq!(serde_json::to_string(&value).expect("JSON"), line);
    line.trim_matches(|c: char| !c.is_alphabetic())
        .split('"')
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn json_of_operators_is_frozen() {
    let lines = fs::read_to_string(project().join("tests/surface/operator.jsonl"));
    let mut variants = BTreeSet::new();
    for line in lines.expect("the file").lines() {
        let (kind, line) = line.split_once(' ').expect("a kind and its JSON");
        let variant = match kind {
            "ask" => round_trip::<OperatorRequest>(line),
            "answer" => round_trip::<OperatorAnswer>(line),
            _ => panic!("{kind}"),
        };
        variants.insert(format!("{kind} {variant}"));
    }
    let all = "answer checked,answer done,answer kept,answer not_served,answer players,\
        answer refused,answer retained,ask export,ask order,ask players,ask retain,ask verify";
    assert_eq!(Vec::from_iter(variants).join(","), all);
}

/// Schema with its references resolved, without descriptions and names of types.
fn resolved(schema: &Value, definitions: &Map<String, Value>) -> Value {
    match schema {
        Value::Object(fields) => {
            if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
                let name = name.rsplit('/').next().expect("a name");
                return resolved(&definitions[name], definitions);
            }
            let is_name = |name: &str, value: &Value| {
                name == "$defs" || name == "description" && value.is_string()
            };
            let fields = fields.iter().filter(|(name, value)| !is_name(name, value));
            let resolved = fields.map(|(name, value)| (name.clone(), resolved(value, definitions)));
            Value::Object(resolved.collect())
        }
        Value::Array(values) => values
            .iter()
            .map(|value| resolved(value, definitions))
            .collect(),
        plain => plain.clone(),
    }
}

#[test]
fn fields_of_the_protocol_are_frozen() {
    let schema = generate_schema().to_value();
    let definitions = schema["$defs"].as_object().expect("definitions");
    let fields = resolved(&schema, definitions);
    let text = serde_json::to_string_pretty(&fields).expect("JSON");
    frozen("protocol.json", &(text + "\n"));
}
