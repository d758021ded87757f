use serde::{Deserialize, Deserializer, de};
use unicode_normalization::char::{is_combining_mark, is_public_assigned};
use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_security::confusable_detection::skeleton;
use war::tokens::Name;

/// What the names of house players begin with, in every language; their numbers follow.
const HOUSE: &str = "House";

/// Why a player can't be called this.
///
/// These rules are for names that are typed. Stores and journals keep the names that were taken
/// before, which [`Name`] alone decides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is empty, too long, or begins or ends with a space.
    #[error(
        "a name of 1 to {} characters, without spaces at either end",
        Name::LONGEST
    )]
    Length,
    /// It holds something that can't be seen, such as what Unicode never gives to a character.
    #[error("a name whose characters can all be seen")]
    Unseen,
    /// It is written otherwise than Unicode's normal form NFC does it.
    #[error("a name in Unicode's normal form NFC")]
    NotNfc,
    /// It has neither a letter nor a digit.
    #[error("a name with a letter or a digit")]
    NoLetter,
    /// It looks like one of the house.
    #[error("a name that doesn't look like one of the house")]
    OfTheHouse,
}

/// The name of the house player of this number.
///
/// # Panics
///
/// Never: a word and a number are a name.
#[must_use]
pub fn house_name(number: usize) -> Name {
    Name::new(&format!("{HOUSE} {number}")).expect("a word and a number are a name")
}

/// The name that somebody typed.
///
/// # Errors
///
/// [`NameError`] where a player can't be called this.
pub fn typed(text: &str) -> Result<Name, NameError> {
    let length = text.chars().count();
    if text.trim() != text || !(1..=Name::LONGEST).contains(&length) {
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
    if looks_like_the_house(text) {
        return Err(NameError::OfTheHouse);
    }
    Ok(name)
}

/// Reads the name in a request.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
    let text = String::deserialize(deserializer)?;
    typed(&text).map_err(de::Error::custom)
}

/// Whether this is a letter or a digit of any script. Some marks count as letters in Unicode, but
/// can't be read alone.
fn is_letter_or_digit(character: char) -> bool {
    character.is_alphanumeric() && !is_combining_mark(character)
}

/// Whether people may take this for the name of a house player, whatever its number.
fn looks_like_the_house(text: &str) -> bool {
    let digits: Vec<char> = (0..10)
        .flat_map(|digit: u8| letters(&digit.to_string()))
        .collect();
    let seen = letters(text);
    let number = seen.strip_prefix(&letters(HOUSE)[..]);
    let is_digit = |c: &char| c.is_numeric() || digits.contains(c);
    number.is_some_and(|number| number.iter().all(is_digit))
}

/// What is seen of a text: its letters and digits, of which those that look the same are the
/// same, as Unicode's technical standard 39 (UTS #39, section 4) has it.
///
/// Case makes no difference. A capital may look like another letter than its small form does, so
/// both are looked at.
fn letters(text: &str) -> Vec<char> {
    let shape = |text: &str| skeleton(text).collect::<String>();
    let shown: String = text.nfkc().collect();
    let small = shape(&shown).to_lowercase();
    shape(&small)
        .chars()
        .filter(|&c| is_letter_or_digit(c))
        .collect()
}
