//! What is wrong in a configuration, in words.

use super::allowed::Allowed;
use super::load::ConfigProblem;
use war::i18n::{Count, Text, Value, text};

impl From<&ConfigProblem> for Text {
    fn from(problem: &ConfigProblem) -> Self {
        match problem {
            ConfigProblem::Syntax(error) => text!(ConfigSyntax, reason = error.message()),
            ConfigProblem::Name { name, known } => {
                text!(ConfigName, name = name.as_str(), known = known.as_str())
            }
            ConfigProblem::Value {
                key,
                allowed,
                error,
            } => text!(
                ConfigValue,
                reason = Self::from(error),
                key = *key,
                known = Value::from(allowed)
            ),
            ConfigProblem::Section { error, known } => text!(
                ConfigSection,
                reason = Self::from(error),
                known = known.as_str()
            ),
        }
    }
}

impl From<&Allowed> for Value {
    fn from(allowed: &Allowed) -> Self {
        match allowed {
            Allowed::OneOf(words) => words.join(", ").into(),
            Allowed::Whole(range) => {
                let [least, most] = [*range.start(), *range.end()].map(|end| Count(end.into()));
                text!(AllowedWhole, least = least, most = most).into()
            }
            Allowed::Directory => text!(AllowedDirectory).into(),
            #[cfg(feature = "table")]
            Allowed::Address => text!(AllowedAddress).into(),
            #[cfg(feature = "table")]
            Allowed::AddressOrOff => text!(AllowedAddressOrOff).into(),
            #[cfg(feature = "table")]
            Allowed::Text => text!(AllowedText).into(),
            #[cfg(feature = "table")]
            Allowed::File => text!(AllowedFile).into(),
            #[cfg(feature = "table")]
            Allowed::Texts => text!(AllowedTexts).into(),
        }
    }
}
