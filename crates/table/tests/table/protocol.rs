//! The card table's protocol: its schema, and invalid requests.

use crate::shared::project;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::fs;
use war::i18n::{Catalogue, Lang, Text};
use war::support::fields::FieldError;
use war_table::protocol::schema::{PROTOCOL_SCHEMA, generate_schema};
use war_table::protocol::{NameError, Request, RequestError, RequestIdError};

#[test]
fn the_schema_matches_the_messages() {
    let generated = serde_json::to_string_pretty(&generate_schema()).expect("a schema") + "\n";
    if generated != PROTOCOL_SCHEMA {
        let path = project().join("target/schema.json");
        fs::write(&path, generated).expect("a file");
        panic!(
            "messages have changed: review {} and copy it to crates/table/src/protocol/",
            path.display()
        );
    }
}

#[test]
fn an_invalid_request_is_answered_with_its_faulty_field() {
    let text = str::to_owned;
    for (message, reason) in [
        ("[]", RequestError::NotObject),
        (
            r#"{"type":2,"id":"a"}"#,
            FieldError::BadValue(text("`2`")).into(),
        ),
        (
            r#"{"type":"win","id":"a"}"#,
            FieldError::UnknownValue(text("win")).into(),
        ),
        (
            r#"{"type":"seed","id":"a"}"#,
            FieldError::Missing(text("game_id")).into(),
        ),
        (r#"{"type":"cancel","id":""}"#, RequestIdError.into()),
        (r#"{"type":"hello","id":"a"}"#, RequestError::Protocol),
        (
            r#"{"type":"hello","id":"a","name":"","protocol":2}"#,
            NameError::Length.into(),
        ),
        (
            r#"{"type":"hello","id":"a","name":"A","protocol":2}"#,
            FieldError::Missing(text("token")).into(),
        ),
        (
            r#"{"type":"win","id""#,
            RequestError::Syntax(text("EOF while parsing an object")),
        ),
    ] {
        let bad = Request::parse(message).expect_err(message);
        assert_eq!(bad.reason, reason, "{message}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,200}") {
        if let Ok(request) = Request::parse(&text) {
            prop_assert_eq!(Request::parse(&serde_json::to_string(&request).expect("JSON")), Ok(request));
        }
    }

    // Requests with random fields, which may be missing, repeated, unknown or of the wrong type.
    #[test]
    fn invalid_requests_are_distinguished_from_valid_ones(
        kind in prop::sample::select(vec!["hello", "choose", "cancel", "seed", "decide", "resume"]),
        fields in prop::collection::vec(
            (
                prop::sample::select(vec!["id", "name", "token", "protocol", "game", "game_id", "deal", "value", "seed_hash", "decision", "after", "x"]),
                prop::sample::select(vec!["\"a\"", "1", "2", "-1", "null", "[]", "\"play\"", "\"single-card-game\"", "1e99"]),
            ),
            0..5,
        ),
    ) {
        let fields: String = fields.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let text = format!("{{\"type\":\"{kind}\"{fields}}}");
        match Request::parse(&text) {
            Ok(request) => {
                let again: Value = serde_json::from_str(&text).expect("JSON");
                prop_assert_eq!(serde_json::to_value(&request).expect("JSON"), again);
            }
            Err(bad) => {
                let words = Catalogue::built_in(Lang::Pl).format_text(&Text::from(&bad.reason));
                prop_assert!(!words.is_empty());
            }
        }
    }
}

/// JSON values that a schema accepts, and values that it does not.
fn values(schema: &Value, definitions: &Value) -> (Vec<String>, Vec<String>) {
    let schema = match schema["$ref"].as_str() {
        Some(path) => &definitions[path.rsplit('/').next().expect("a name")],
        None => schema,
    };
    let texts = |texts: &[String]| texts.iter().map(|text| json!(text).to_string()).collect();
    if let Some(fields) = schema["oneOf"].as_array()
        && fields.iter().any(|field| field["type"] == "object")
    {
        return one_field(fields, definitions);
    }
    if let Some(words) = schema["oneOf"].as_array() {
        let words = words.iter().map(|word| word["const"].to_string());
        return (words.collect(), vec!["\"other\"".into(), "1".into()]);
    }
    if let Some(constant) = schema.get("const") {
        let others = vec!["0".to_owned(), "\"other\"".into(), "null".into()];
        return (vec![constant.to_string()], others);
    }
    if let Some(most) = schema["maximum"].as_u64() {
        let least = schema["minimum"].as_u64().expect("a least number");
        let inside = [
            least.to_string(),
            most.to_string(),
            format!("{least}.0"),
            "1e0".into(),
        ];
        let outside = [
            format!("{}", most + 1),
            "-1".into(),
            "0.5".into(),
            "\"1\"".into(),
        ];
        return (inside.into(), outside.into());
    }
    if let Some(most) = schema["maxLength"].as_u64() {
        let long = "é".repeat(usize::try_from(most).expect("short"));
        return (
            texts(&["é".into(), long.clone()]),
            texts(&[String::new(), long + "é"]),
        );
    }
    if schema["type"] == "boolean" {
        let outside = ["null", "0", "\"true\"", "[]"];
        return (
            ["true", "false"].map(str::to_owned).into(),
            outside.map(str::to_owned).into(),
        );
    }
    let pattern = schema["pattern"].as_str().expect("a pattern");
    match pattern {
        "^[0-9a-f]{64}$" | "^[0-9a-f]{32}$" | "^[0-9a-f]{16}$" => {
            let digits = pattern
                .trim_start_matches("^[0-9a-f]{")
                .trim_end_matches("}$");
            let digits = "0f".repeat(digits.parse::<usize>().expect("a number") / 2);
            let wrong = [
                digits.to_uppercase(),
                digits[1..].into(),
                digits.clone() + "0",
            ];
            (texts(&[digits]), texts(&wrong))
        }
        "^[!-~]{1,64}$" => {
            let long = "~".repeat(64);
            let wrong = [String::new(), long.clone() + "!", "a b".into(), "é".into()];
            (texts(&["!".into(), long]), texts(&wrong))
        }
        other => panic!("a new pattern: {other}"),
    }
}

/// JSON values that a schema of words and one-field objects accepts, and values that it does not.
fn one_field(fields: &[Value], definitions: &Value) -> (Vec<String>, Vec<String>) {
    let (mut inside, mut outside) = (Vec::new(), vec!["{}".to_owned(), "null".to_owned()]);
    for field in fields {
        if field["type"] == "string" {
            inside.push(field["const"].to_string());
            outside.push(format!("{{{}:null}}", field["const"]));
            continue;
        }
        assert_eq!(field["additionalProperties"], false);
        let (name, described) = field["properties"]
            .as_object()
            .and_then(|fields| fields.iter().next())
            .expect("a field");
        let (within, beyond) = values(described, definitions);
        let object = |value: &String| format!("{{\"{name}\":{value}}}");
        inside.extend(within.iter().map(object));
        outside.extend(beyond.iter().map(object));
        outside.push(format!("{{\"{name}\":{},\"more\":1}}", within[0]));
    }
    (inside, outside)
}

// Each field in turn gets each value at the limits of its schema, and each value beyond these
// limits.
#[test]
fn the_schema_and_the_server_have_the_same_limits() {
    let schema: Value = serde_json::from_str(PROTOCOL_SCHEMA).expect("JSON");
    let definitions = &schema["$defs"];
    let requests = definitions["Request"]["oneOf"]
        .as_array()
        .expect("requests");
    assert_eq!(requests.len(), 17);
    let (mut tried, mut optional) = (0, Vec::new());
    for request in requests {
        let fields = request["properties"].as_object().expect("fields");
        let required = request["required"].as_array().expect("some");
        let required: Vec<_> = required.iter().filter_map(Value::as_str).collect();
        let sound = |field: &str| values(&fields[field], definitions).0[0].clone();
        let text = |changed: &str, value: Option<&str>| {
            let fields = fields.keys().filter_map(|field| match value {
                Some(value) if field == changed => Some(format!("\"{field}\":{value}")),
                None if field == changed => None,
                _ => Some(format!("\"{field}\":{}", sound(field))),
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
        };
        for (field, described) in fields {
            let (inside, outside) = values(described, definitions);
            for value in &inside {
                let message = text(field, Some(value));
                assert!(Request::parse(&message).is_ok(), "refused: {message}");
            }
            for value in &outside {
                let message = text(field, Some(value));
                assert!(Request::parse(&message).is_err(), "granted: {message}");
            }
            let message = text(field, None);
            let is_required = required.contains(&field.as_str());
            assert_eq!(Request::parse(&message).is_err(), is_required, "{message}");
            optional.extend((!is_required).then_some(field.as_str()));
            tried += inside.len() + outside.len() + 1;
        }
    }
    assert!(tried > 100, "{tried} messages");
    assert_eq!(
        optional,
        [
            "watchable",
            "name",
            "watchable",
            "secret",
            "seed_hash",
            "with",
            "before",
            "game_id"
        ]
    );
}
