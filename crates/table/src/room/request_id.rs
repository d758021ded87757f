use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name that a client gives a request: 1 to 64 visible ASCII characters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(extend("pattern" = "^[!-~]{1,64}$"))]
pub struct RequestId(String);

/// A text that can't name a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id of 1 to 64 visible ASCII characters")]
pub struct RequestIdError;

impl RequestId {
    /// The name, where it is one.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let fits =
            (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RequestId {
    type Error = RequestIdError;

    fn try_from(text: String) -> Result<Self, RequestIdError> {
        Self::new(&text).ok_or(RequestIdError)
    }
}

impl From<RequestId> for String {
    fn from(id: RequestId) -> Self {
        id.0
    }
}
