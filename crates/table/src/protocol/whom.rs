use super::described;
use super::number::whole;
use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use war::support::hex::Hex;

/// Whom a player wants to play with, as requests and messages say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whom {
    /// With the house, at once.
    House,
    /// With the player who has the same invitation: 16 random bytes, fresh for each game. The one
    /// who comes first waits.
    Invitation(#[schemars(with = "described::Hex<16>")] Hex<16>),
    /// With the player who waits with this invitation; it is refused where nobody does.
    Accept(#[schemars(with = "described::Hex<16>")] Hex<16>),
    /// Once more with the opponent of this game, which is over: they learn of it, and play once
    /// they want it as well.
    Rematch(#[schemars(with = "described::Whole")] u64),
}

impl<'de> Deserialize<'de> for Whom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

/// Reads it strictly: `house` is a word and all else is one field, without a second way to write
/// either.
struct Reader;

/// The names of the fields.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Field {
    Invitation,
    Accept,
    Rematch,
}

/// The number of a game.
#[derive(Deserialize)]
struct Game(#[serde(deserialize_with = "whole")] u64);

impl<'de> Visitor<'de> for Reader {
    type Value = Whom;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`house`, or an object with `invitation`, `accept` or `rematch`")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<Whom, E> {
        match word {
            "house" => Ok(Whom::House),
            other => Err(E::unknown_variant(other, &["house"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Whom, A::Error> {
        let whom = match map.next_key()? {
            Some(Field::Invitation) => Whom::Invitation(map.next_value()?),
            Some(Field::Accept) => Whom::Accept(map.next_value()?),
            Some(Field::Rematch) => Whom::Rematch(map.next_value::<Game>()?.0),
            None => return Err(A::Error::missing_field("invitation")),
        };
        match map.next_key::<String>()? {
            Some(second) => Err(A::Error::unknown_field(&second, &[])),
            None => Ok(whom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Whom;
    use war::support::hex::Hex;

    #[test]
    fn whom_to_play_with_is_read_strictly() {
        let code = "0f".repeat(16);
        let read = |text: &str| serde_json::from_str::<Whom>(text).ok();
        assert_eq!(read(r#""house""#), Some(Whom::House));
        let invitation = Whom::Invitation(Hex::new([15; 16]));
        let text = format!(r#"{{"invitation":"{code}"}}"#);
        assert_eq!(read(&text), Some(invitation));
        assert_eq!(serde_json::to_string(&invitation).expect("JSON"), text);
        assert_eq!(read(r#"{"rematch":7.0}"#), Some(Whom::Rematch(7)));
        let accept = format!(r#"{{"accept":"{code}"}}"#);
        assert_eq!(read(&accept), Some(Whom::Accept(Hex::new([15; 16]))));
        let twice = format!(r#"{{"invitation":"{code}","rematch":7}}"#);
        let short = r#"{"invitation":"0f"}"#;
        let bad = [
            "null",
            "{}",
            r#""anyone""#,
            r#"{"house":null}"#,
            r#"{"rematch":-1}"#,
            r#"{"rematch":9007199254740992}"#,
            r#"["house"]"#,
            short,
            &twice,
        ];
        for text in bad {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
