use super::number::deserialize_integer;
use super::schema_types;
use schemars::JsonSchema;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use war::support::hex::Hex;

/// A player's choice of opponent, as requests and messages state it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Whom")]
pub enum OpponentFilter {
    /// The house, which plays at once.
    House,
    /// Another player with the same invitation: 16 random bytes, fresh for each game. The first of
    /// the two players waits.
    Invitation(#[schemars(with = "schema_types::Hex<16>")] Hex<16>),
    /// The player waiting with this invitation; the request is refused if no player is.
    Accept(#[schemars(with = "schema_types::Hex<16>")] Hex<16>),
    /// The opponent of the finished game with this number. The opponent is notified, and the
    /// rematch starts once they request it too.
    Rematch(#[schemars(with = "schema_types::Integer")] u64),
    /// The player who made the friend link with this ID; for that player, another one who waits with
    /// the link. The game starts once both are ready.
    Friend(#[schemars(with = "schema_types::Hex<8>")] Hex<8>),
}

impl<'de> Deserialize<'de> for OpponentFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FilterVisitor)
    }
}

/// Visitor that reads an opponent strictly, so that each opponent has a single spelling: the word
/// `house`, or an object with one field.
struct FilterVisitor;

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FilterField {
    Invitation,
    Accept,
    Rematch,
    Friend,
}

#[derive(Deserialize)]
struct GameNumber(#[serde(deserialize_with = "deserialize_integer")] u64);

impl<'de> Visitor<'de> for FilterVisitor {
    type Value = OpponentFilter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`house`, or an object with `invitation`, `accept`, `rematch` or `friend`")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<OpponentFilter, E> {
        match word {
            "house" => Ok(OpponentFilter::House),
            other => Err(E::unknown_variant(other, &["house"])),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OpponentFilter, A::Error> {
        let filter = match map.next_key()? {
            Some(FilterField::Invitation) => OpponentFilter::Invitation(map.next_value()?),
            Some(FilterField::Accept) => OpponentFilter::Accept(map.next_value()?),
            Some(FilterField::Rematch) => {
                OpponentFilter::Rematch(map.next_value::<GameNumber>()?.0)
            }
            Some(FilterField::Friend) => OpponentFilter::Friend(map.next_value()?),
            None => return Err(A::Error::missing_field("invitation")),
        };
        match map.next_key::<String>()? {
            Some(second) => Err(A::Error::unknown_field(&second, &[])),
            None => Ok(filter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OpponentFilter;
    use war::support::hex::Hex;

    #[test]
    fn opponents_are_read_strictly() {
        let code = "0f".repeat(16);
        let read = |text: &str| serde_json::from_str::<OpponentFilter>(text).ok();
        assert_eq!(read(r#""house""#), Some(OpponentFilter::House));
        let invitation = OpponentFilter::Invitation(Hex::new([15; 16]));
        let text = format!(r#"{{"invitation":"{code}"}}"#);
        assert_eq!(read(&text), Some(invitation));
        assert_eq!(serde_json::to_string(&invitation).expect("JSON"), text);
        assert_eq!(read(r#"{"rematch":7.0}"#), Some(OpponentFilter::Rematch(7)));
        let accept = format!(r#"{{"accept":"{code}"}}"#);
        assert_eq!(
            read(&accept),
            Some(OpponentFilter::Accept(Hex::new([15; 16])))
        );
        assert_eq!(
            read(r#"{"friend":"0f0f0f0f0f0f0f0f"}"#),
            Some(OpponentFilter::Friend(Hex::new([15; 8])))
        );
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
