use std::fmt;
use std::str::FromStr;

/// The id under which a program other than this one names its rules: `NAME:variant/N`.
///
/// The name stands for who makes the rules, the variant for what they are. Both consist of
/// lower-case letters, digits and `-`. The number counts from 1: rules that decide, or show, a
/// game otherwise than before get the next one, so that old journals are not judged by new
/// rules.
///
/// # Examples
///
/// ```
/// use war::rules::RulesId;
///
/// let id: RulesId = "acme:mercy/1".parse().unwrap();
/// assert_eq!(id.to_string(), "acme:mercy/1");
/// for other in ["classic/1", "acme:mercy", "acme:mercy/0", "acme:mercy/01", "Acme:mercy/1"] {
///     assert!(other.parse::<RulesId>().is_err(), "{other}");
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesId(String);

/// A text is not the id of a program's own rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an id such as `name:variant/1`, in lower-case letters, digits and `-`")]
pub struct ParseRulesIdError;

impl RulesId {
    /// The id as it is in a journal.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RulesId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RulesId {
    type Err = ParseRulesIdError;

    fn from_str(text: &str) -> Result<Self, ParseRulesIdError> {
        let (name, rest) = text.split_once(':').ok_or(ParseRulesIdError)?;
        let (variant, number) = rest.split_once('/').ok_or(ParseRulesIdError)?;
        if is_word(name) && is_word(variant) && is_number(number) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ParseRulesIdError)
        }
    }
}

fn is_word(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(fits)
}

/// Whether a text is a number from 1, written in the shortest way.
fn is_number(text: &str) -> bool {
    let number = text.parse::<u32>();
    number.is_ok_and(|number| number > 0 && number.to_string() == text)
}
