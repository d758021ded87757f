use super::{Text, text};
use crate::support::fields::FieldError;

impl From<&FieldError> for Text {
    fn from(error: &FieldError) -> Self {
        match error {
            FieldError::Missing(name) => text!(FieldMissing, name = name.as_str()),
            FieldError::Unknown(name) => text!(FieldUnknown, name = name.as_str()),
            FieldError::Duplicate(name) => text!(FieldDuplicate, name = name.as_str()),
            FieldError::UnknownValue(name) => text!(FieldUnknownValue, name = name.as_str()),
            FieldError::BadValue(found) => text!(FieldBadValue, name = found.as_str()),
            FieldError::Rule(rule) => text!(FieldOther, reason = rule.as_str()),
        }
    }
}
