use std::str::FromStr;

/// The header in which a proxy says who asks, such as `X-Forwarded-For`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProxyHeader(String);

/// A text that can't be the name of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a header such as X-Forwarded-For")]
pub struct ParseProxyHeaderError;

impl ProxyHeader {
    /// Its name, in small letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ProxyHeader {
    type Err = ParseProxyHeaderError;

    fn from_str(typed: &str) -> Result<Self, ParseProxyHeaderError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if typed.is_empty() || !typed.chars().all(is_part) {
            return Err(ParseProxyHeaderError);
        }
        Ok(Self(typed.to_ascii_lowercase()))
    }
}
