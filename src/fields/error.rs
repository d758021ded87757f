use super::Tree;
use crate::excerpt::excerpt;
use serde::de::{self, DeserializeOwned, Expected, Unexpected};
use std::fmt;

/// The most characters of a name or a value that an error holds.
const LONGEST: usize = 120;

/// What is wrong with a field.
///
/// # Examples
///
/// ```
/// use war::fields::FieldError;
///
/// #[derive(Debug, serde::Deserialize)]
/// struct Point {
///     x: u8,
///     y: u8,
/// }
/// let json = r#"{"x":1}"#;
/// assert!(serde_json::from_str::<Point>(json).is_err());
/// let tree = serde_json::from_str(json).unwrap();
/// assert_eq!(FieldError::of::<Point>(tree), Some(FieldError::Missing("y".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The field of this name is not there.
    #[error("the field `{0}` is missing")]
    Missing(String),
    /// There is no field of this name.
    #[error("the field `{0}` is unknown")]
    Unknown(String),
    /// The field of this name is there twice.
    #[error("the field `{0}` is there twice")]
    Duplicate(String),
    /// This name is not among those that the field can have for a value.
    #[error("the value `{0}` is unknown")]
    UnknownValue(String),
    /// This value is of another type, or beyond what the field can hold.
    #[error("{0} has the wrong type or is no value for this field")]
    BadValue(String),
    /// What a type's own rule says.
    #[error("{0}")]
    Rule(String),
}

impl FieldError {
    /// That there is no field of this name.
    #[must_use]
    pub fn unknown(name: &str) -> Self {
        Self::Unknown(excerpt(name, LONGEST))
    }

    /// Why these data are no `T`; `None` where they are one.
    #[must_use]
    pub fn of<T: DeserializeOwned>(data: Tree) -> Option<Self> {
        T::deserialize(data).err()
    }
}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(rule: T) -> Self {
        Self::Rule(excerpt(&rule.to_string(), LONGEST))
    }

    fn invalid_type(found: Unexpected<'_>, _: &dyn Expected) -> Self {
        Self::BadValue(excerpt(&shown(found), LONGEST))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(_: usize, _: &dyn Expected) -> Self {
        Self::BadValue("sequence".to_owned())
    }

    fn unknown_variant(name: &str, _: &'static [&'static str]) -> Self {
        Self::UnknownValue(excerpt(name, LONGEST))
    }

    fn unknown_field(name: &str, _: &'static [&'static str]) -> Self {
        Self::unknown(name)
    }

    fn missing_field(name: &'static str) -> Self {
        Self::Missing(name.to_owned())
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::Duplicate(name.to_owned())
    }
}

/// A value as a message shows it.
fn shown(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(number) => format!("`{number}`"),
        Unexpected::Signed(number) => format!("`{number}`"),
        Unexpected::Float(number) => format!("`{number}`"),
        Unexpected::Str(text) => format!("{text:?}"),
        Unexpected::Unit => "null".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::FieldError;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case", deny_unknown_fields)]
    #[allow(dead_code, reason = "only read")]
    enum Event {
        Over,
        Named(String),
        Dealt {
            players: [u8; 2],
            deck: Option<Deck>,
        },
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Deck {
        Small,
    }

    fn found(json: &str) -> Option<FieldError> {
        let tree = serde_json::from_str(json).expect("JSON");
        let error = FieldError::of::<Event>(tree);
        let sound = serde_json::from_str::<Event>(json).is_ok();
        assert_eq!(error.is_none(), sound, "{json}");
        error
    }

    #[test]
    fn sound_data_have_no_fault() {
        for json in [
            r#""over""#,
            r#"{"named":"Ann"}"#,
            r#"{"dealt":{"players":[1,2],"deck":null}}"#,
            r#"{"dealt":{"players":[1,2],"deck":"small"}}"#,
        ] {
            assert_eq!(found(json), None, "{json}");
        }
    }

    #[test]
    fn each_fault_is_named_as_it_was_written() {
        let text = str::to_owned;
        for (json, error) in [
            (r#""won""#, FieldError::UnknownValue(text("won"))),
            (r#"{"named":null}"#, FieldError::BadValue(text("null"))),
            (r#"{"named":["A"]}"#, FieldError::BadValue(text("sequence"))),
            (r#"{"dealt":{}}"#, FieldError::Missing(text("players"))),
            (
                r#"{"dealt":{"players":[1,256]}}"#,
                FieldError::BadValue(text("`256`")),
            ),
            (
                r#"{"dealt":{"players":[1,-1]}}"#,
                FieldError::BadValue(text("`-1`")),
            ),
            (
                r#"{"dealt":{"players":[1,0.5]}}"#,
                FieldError::BadValue(text("`0.5`")),
            ),
            (
                r#"{"dealt":{"players":[1,true]}}"#,
                FieldError::BadValue(text("`true`")),
            ),
            (
                r#"{"dealt":{"players":[1,"2"]}}"#,
                FieldError::BadValue(text("\"2\"")),
            ),
            (
                r#"{"dealt":{"players":{}}}"#,
                FieldError::BadValue(text("map")),
            ),
            (
                r#"{"dealt":{"deck":"large"}}"#,
                FieldError::UnknownValue(text("large")),
            ),
            (r#"{"dealt":{"bank":1}}"#, FieldError::Unknown(text("bank"))),
            (
                r#"{"dealt":{"players":[1,2],"players":[1,2]}}"#,
                FieldError::Duplicate(text("players")),
            ),
        ] {
            assert_eq!(found(json), Some(error), "{json}");
        }
    }

    #[test]
    fn what_is_long_is_cut() {
        let json = format!("{{\"{}\":1}}", "n".repeat(200));
        let Some(FieldError::UnknownValue(name)) = found(&json) else {
            panic!("{:?}", found(&json));
        };
        assert_eq!(name.chars().count(), 121);
    }
}
