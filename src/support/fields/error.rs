use crate::support::excerpt::excerpt;
use serde::de::{self, Expected, Unexpected};
use std::fmt;

/// The most characters of a name or a value that an error holds.
const LONGEST: usize = 120;

/// What is wrong with a field.
///
/// # Examples
///
/// ```
/// use war::support::fields::{FieldError, Tree};
///
/// let data: Tree = serde_json::from_str("[1, 2, 300]").unwrap();
/// let error = data.check::<Vec<u8>>();
/// assert_eq!(error, Err(FieldError::BadValue("`300`".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The field of this name is not there.
    #[error("missing field `{0}`")]
    Missing(String),
    /// There is no field of this name.
    #[error("unknown field `{0}`")]
    Unknown(String),
    /// The field of this name is duplicated.
    #[error("duplicate field `{0}`")]
    Duplicate(String),
    /// This name is not among those that the field can have for a value.
    #[error("unknown value `{0}`")]
    UnknownValue(String),
    /// This value is of another type, or beyond what the field can hold.
    #[error("{0} is not a valid value for this field")]
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
