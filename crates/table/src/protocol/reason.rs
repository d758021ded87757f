use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An operator's reason as shown to the player: 1 to 200 characters on one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("minLength" = 1, "maxLength" = 200))]
pub struct Reason(String);

/// Error for a text that is not a valid [`Reason`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a reason of 1 to {} characters on one line", Reason::MAX_CHARS)]
pub struct ReasonError;

impl Reason {
    /// Maximum length in characters.
    pub const MAX_CHARS: usize = 200;

    /// The reason as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Reason {
    type Error = ReasonError;

    fn try_from(text: String) -> Result<Self, ReasonError> {
        let fits = (1..=Self::MAX_CHARS).contains(&text.chars().count());
        let seen = !text.trim().is_empty() && !text.chars().any(char::is_control);
        (fits && seen).then_some(Self(text)).ok_or(ReasonError)
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> Self {
        reason.0
    }
}
