use serde::{Deserialize, Deserializer, de};
use unicode_normalization::char::{is_combining_mark, is_public_assigned};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_security::confusable_detection::skeleton;
use war::tokens::Name;

/// Prefix of the names of house players in every language, followed by their numbers.
const HOUSE_NAME_PREFIX: &str = "House";

/// Reason why a player may not choose a name.
///
/// These rules apply to names that players type. Names from stores and journals only have to
/// satisfy [`Name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Name that is empty or too long, or begins or ends with a space.
    #[error(
        "a name of 1 to {} characters, without spaces at either end",
        Name::MAX_CHARS
    )]
    Length,
    /// Name with invisible characters or unassigned code points.
    #[error("a name whose characters can all be seen")]
    Unseen,
    /// Name that is not in Unicode's normal form NFC.
    #[error("a name in Unicode's normal form NFC")]
    NotNfc,
    /// Name with a combining mark that has no character before it.
    #[error("a name without a combining mark at the start of a word")]
    LeadingMark,
    /// Name with neither a letter nor a digit.
    #[error("a name with a letter or a digit")]
    NoLetter,
    /// Name that looks like that of a house player.
    #[error("a name that doesn't look like one of the house")]
    OfTheHouse,
}

/// Returns the name of the house player with this number.
///
/// # Panics
///
/// Never: a word followed by a number is a valid name.
#[must_use]
pub fn house_name(number: usize) -> Name {
    Name::new(&format!("{HOUSE_NAME_PREFIX} {number}")).expect("a word and a number are a name")
}

/// Parses a name that a player typed.
///
/// # Errors
///
/// [`NameError`] if players may not choose this name.
pub fn parse_typed_name(text: &str) -> Result<Name, NameError> {
    let length = text.chars().count();
    if text.trim() != text || !(1..=Name::MAX_CHARS).contains(&length) {
        return Err(NameError::Length);
    }
    let name = Name::new(text).map_err(|_| NameError::Unseen)?;
    if !text.chars().all(is_public_assigned) {
        return Err(NameError::Unseen);
    }
    if !is_nfc(text) {
        return Err(NameError::NotNfc);
    }
    if !text.chars().any(is_letter_or_digit) {
        return Err(NameError::NoLetter);
    }
    // Such a mark is drawn over the text before the name, or over the space.
    if text
        .split(char::is_whitespace)
        .any(|word| word.starts_with(is_combining_mark))
    {
        return Err(NameError::LeadingMark);
    }
    if resembles_house_name(text) {
        return Err(NameError::OfTheHouse);
    }
    Ok(name)
}

/// Reads the name in a request that may have none.
pub(super) fn deserialize_optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Name>, D::Error> {
    deserialize(deserializer).map(Some)
}

/// Reads the name in a request.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_typed_name(&text).map_err(de::Error::custom)
}

/// Returns true for a letter or digit of any script, except for combining marks: Unicode counts
/// some of them as letters, but they can't be read on their own.
fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && !is_combining_mark(character)
}

/// Returns true if people may mistake a text for the name of some house player.
fn resembles_house_name(text: &str) -> bool {
    let digits: Vec<char> = (0..10)
        .flat_map(|digit: u8| visible_letters(&digit.to_string()))
        .collect();
    let seen = visible_letters(text);
    let number = seen.strip_prefix(&visible_letters(HOUSE_NAME_PREFIX)[..]);
    let is_digit = |c: &char| c.is_numeric() || digits.contains(c);
    number.is_some_and(|number| number.iter().all(is_digit))
}

/// Reduces a text to the letters and digits that readers see, with look-alikes unified by the
/// skeletons of Unicode Technical Standard #39, section 4.
///
/// Case makes no difference. An uppercase letter may resemble a different letter than its lowercase
/// form does, so skeletons are taken before and after lowercasing.
fn visible_letters(text: &str) -> Vec<char> {
    let shape = |text: &str| skeleton(text).collect::<String>();
    let normalized: String = text.nfkc().collect();
    let lower = shape(&normalized).to_lowercase();
    shape(&lower)
        .chars()
        .filter(|&c| is_letter_or_digit(c))
        .collect()
}
