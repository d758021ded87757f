//! The card table's protocol: its schema, and what is not a request.

use super::support::project;
use proptest::prelude::*;
use std::fs;
use war::fields::FieldError;
use war::i18n::{Catalogue, Lang, Text};
use war::room::schema::{SCHEMA, generated};
use war::room::{NameError, Request, RequestError, RequestIdError};

#[test]
fn the_schema_is_that_of_the_messages() {
    let generated = serde_json::to_string_pretty(&generated()).expect("a schema") + "\n";
    if generated != SCHEMA {
        let path = project().join("target/schema.json");
        fs::write(&path, generated).expect("a file");
        panic!(
            "messages have changed: review {} and copy it to src/room/",
            path.display()
        );
    }
}

#[test]
fn a_bad_request_says_what_is_wrong_with_which_field() {
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
            FieldError::Missing(text("value")).into(),
        ),
        (r#"{"type":"cancel","id":""}"#, RequestIdError.into()),
        (
            r#"{"type":"hello","id":"a","name":""}"#,
            NameError::Length.into(),
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

    // Requests with a field cut, doubled, renamed or of another type.
    #[test]
    fn broken_requests_are_distinguished_from_whole_ones(
        kind in prop::sample::select(vec!["hello", "choose", "cancel", "seed", "decide", "resume"]),
        fields in prop::collection::vec(
            (
                prop::sample::select(vec!["id", "name", "token", "game", "value", "decision", "after", "x"]),
                prop::sample::select(vec!["\"a\"", "1", "-1", "null", "[]", "\"play\"", "\"single-card-game\"", "1e99"]),
            ),
            0..5,
        ),
    ) {
        let fields: String = fields.iter().map(|(name, value)| format!(",\"{name}\":{value}")).collect();
        let text = format!("{{\"type\":\"{kind}\"{fields}}}");
        match Request::parse(&text) {
            Ok(request) => {
                let again: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                prop_assert_eq!(serde_json::to_value(&request).expect("JSON"), again);
            }
            Err(bad) => {
                let words = Catalogue::of(Lang::Pl).expect("a catalogue").text(&Text::from(&bad.reason));
                prop_assert!(!words.is_empty());
            }
        }
    }
}
