//! Numbers in requests, read as JSON Schema defines them: `1.0` is an integer.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// Largest number in a request: every JSON parser represents it exactly.
pub(super) const MAX_NUMBER: u64 = (1 << 53) - 1;

/// Largest number of games in one request.
pub(super) const MAX_GAMES_PER_REQUEST: u32 = 100;

/// A version of the protocol that the server serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "u64")]
pub enum ProtocolVersion {
    /// Version 2, in which messages are stored and travel between the nodes of a table.
    V2 = 2,
    /// Version 3: answers name their requests, and finished games the addresses of their journals.
    V3 = 3,
    /// Version 4: `settings` changes a player's name and switches, and forgotten players are refused.
    V4 = 4,
}

impl ProtocolVersion {
    /// The latest version.
    pub const LATEST: Self = Self::V4;
}

impl From<ProtocolVersion> for u64 {
    fn from(version: ProtocolVersion) -> Self {
        version as Self
    }
}

impl<'de> Deserialize<'de> for ProtocolVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match deserialize_integer(deserializer)? {
            2 => Ok(Self::V2),
            3 => Ok(Self::V3),
            4 => Ok(Self::V4),
            other => Err(Error::invalid_value(
                Unexpected::Unsigned(other),
                &"2, 3 or 4",
            )),
        }
    }
}

/// Reads an integer up to [`MAX_NUMBER`] that fits into a `T`.
pub(super) fn deserialize_integer<'de, D: Deserializer<'de>, T: TryFrom<u64>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let number = deserializer.deserialize_any(IntegerVisitor)?;
    let too_large = || Error::invalid_value(Unexpected::Unsigned(number), &IntegerVisitor);
    T::try_from(number).map_err(|_| too_large())
}

/// Reads an integer up to [`MAX_NUMBER`] from a field that may be missing.
pub(super) fn deserialize_optional_integer<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    deserialize_integer(deserializer).map(Some)
}

/// Reads a number of games from 1 to [`MAX_GAMES_PER_REQUEST`].
pub(super) fn deserialize_game_limit<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u32, D::Error> {
    match deserialize_integer(deserializer)? {
        number @ 1..=MAX_GAMES_PER_REQUEST => Ok(number),
        other => Err(Error::invalid_value(
            Unexpected::Unsigned(other.into()),
            &"a number from 1 to 100",
        )),
    }
}

struct IntegerVisitor;

impl Visitor<'_> for IntegerVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number that is not too large")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u64, E> {
        match number {
            0..=MAX_NUMBER => Ok(number),
            _ => Err(E::invalid_value(Unexpected::Unsigned(number), &self)),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<u64, E> {
        let negative = |_| E::invalid_value(Unexpected::Signed(number), &self);
        u64::try_from(number).map_err(negative)
    }

    #[expect(clippy::cast_precision_loss, reason = "the largest number is exact")]
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "it is in range"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<u64, E> {
        if number.fract() == 0.0 && (0.0..=MAX_NUMBER as f64).contains(&number) {
            Ok(number as u64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ProtocolVersion;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        #[serde(deserialize_with = "super::deserialize_integer")]
        long: u64,
        #[serde(deserialize_with = "super::deserialize_integer")]
        short: u32,
    }

    fn read(long: &str, short: &str) -> Option<(u64, u32)> {
        let text = format!(r#"{{"long":{long},"short":{short}}}"#);
        let numbers: Option<Numbers> = serde_json::from_str(&text).ok();
        numbers.map(|numbers| (numbers.long, numbers.short))
    }

    #[test]
    fn integers_are_read_in_any_notation() {
        assert_eq!(read("0", "1"), Some((0, 1)));
        assert_eq!(read("-0.0", "1e0"), Some((0, 1)));
        assert_eq!(read("1.0", "4294967295"), Some((1, u32::MAX)));
        let largest = "9007199254740991";
        assert_eq!(read(largest, "1"), Some((9_007_199_254_740_991, 1)));
        for wrong in [
            "-1",
            "0.5",
            "-1.0",
            "9007199254740992",
            "1e99",
            "\"1\"",
            "null",
            "[1]",
        ] {
            assert_eq!(read(wrong, "1"), None, "{wrong}");
        }
        assert_eq!(read("1", "4294967296"), None);
        assert_eq!(read("1", "4294967296.0"), None);
    }

    #[test]
    fn only_the_served_protocol_versions_are_accepted() {
        let read = |text: &str| serde_json::from_str::<ProtocolVersion>(text).ok();
        assert_eq!(read("2"), Some(ProtocolVersion::V2));
        assert_eq!(read("2.0"), Some(ProtocolVersion::V2));
        assert_eq!(read("3"), Some(ProtocolVersion::V3));
        assert_eq!(read("4"), Some(ProtocolVersion::V4));
        for other in ["1", "5", "\"2\"", "null", "2.5"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
