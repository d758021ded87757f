use super::number::MAX_NUMBER;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use war::support::hex::Hex;

/// Address of a finished game's journal: the game's number and a key that nobody can guess.
///
/// The address is a part of paths such as `/games/ADDRESS/journal.json`.
///
/// # Examples
///
/// ```
/// use war_table::protocol::JournalAddress;
///
/// let address: JournalAddress = "7-000102030405060708090a0b0c0d0e0f".parse().unwrap();
/// assert_eq!(address.game, 7);
/// assert!("7".parse::<JournalAddress>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct JournalAddress {
    /// Number of the game.
    pub game: u64,
    /// Key of the game.
    pub key: Hex<16>,
}

/// Error for a text that is not the address of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the number of a game, `-` and 32 lower-case hexadecimal digits")]
pub struct ParseJournalAddressError;

impl fmt::Display for JournalAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.game, self.key)
    }
}

impl FromStr for JournalAddress {
    type Err = ParseJournalAddressError;

    fn from_str(text: &str) -> Result<Self, ParseJournalAddressError> {
        let parse = || {
            let (game, key) = text.split_once('-')?;
            let number: u64 = game.parse().ok()?;
            // A game has only one address.
            let is_plain = number <= MAX_NUMBER && number.to_string() == game;
            let key = key.parse().ok()?;
            is_plain.then_some(Self { game: number, key })
        };
        parse().ok_or(ParseJournalAddressError)
    }
}

impl TryFrom<String> for JournalAddress {
    type Error = ParseJournalAddressError;

    fn try_from(text: String) -> Result<Self, ParseJournalAddressError> {
        text.parse()
    }
}

impl From<JournalAddress> for String {
    fn from(address: JournalAddress) -> Self {
        address.to_string()
    }
}

impl JsonSchema for JournalAddress {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "JournalAddress".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]+-[0-9a-f]{32}$" })
    }
}

#[cfg(test)]
mod tests {
    use super::JournalAddress;

    #[test]
    fn a_game_has_one_address() {
        let key = "0123456789abcdef0123456789abcdef";
        let address: JournalAddress = format!("12-{key}").parse().expect("an address");
        assert_eq!((address.game, address.key.to_string().as_str()), (12, key));
        assert_eq!(address.to_string(), format!("12-{key}"));
        for other in [
            "12".to_owned(),
            format!("12{key}"),
            format!("012-{key}"),
            format!("+12-{key}"),
            format!(" 12-{key}"),
            format!("-{key}"),
            format!("12-{key}0"),
            format!("12-{}", key.to_uppercase()),
            format!("99999999999999999999-{key}"),
        ] {
            assert!(other.parse::<JournalAddress>().is_err(), "{other}");
        }
    }
}
