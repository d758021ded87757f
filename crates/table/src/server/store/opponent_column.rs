//! Column with the opponent that a waiting player wants.

use super::{Damage, StoreError};
use crate::room::OpponentChoice;

/// Encodes the column: `None` for anyone, else the JSON used in events.
///
/// # Panics
///
/// Never, since plain values can always be serialized.
#[must_use]
pub fn encode_opponent(meeting: OpponentChoice) -> Option<String> {
    let text = || serde_json::to_string(&meeting).expect("plain values");
    (!meeting.is_anyone()).then(text)
}

/// Decodes the column.
///
/// # Errors
///
/// [`StoreError`] if the text can't be read.
pub fn decode_opponent(column: Option<&str>) -> Result<OpponentChoice, StoreError> {
    let read = |text| serde_json::from_str(text).map_err(|_| Damage::Layout.into());
    column.map_or(Ok(OpponentChoice::Anyone), read)
}

#[cfg(test)]
mod tests {
    use super::{decode_opponent, encode_opponent};
    use crate::protocol::PlayerId;
    use crate::room::OpponentChoice;
    use war::support::hex::Hex;

    #[test]
    fn every_meeting_survives_a_round_trip() {
        let rematch = OpponentChoice::Rematch {
            game: 9,
            opponent: PlayerId(3),
        };
        let invitation = OpponentChoice::Invitation(Hex::new([7; 16]));
        for kept in [
            OpponentChoice::Anyone,
            OpponentChoice::House,
            invitation,
            rematch,
        ] {
            let read = decode_opponent(encode_opponent(kept).as_deref()).expect("a meeting");
            assert_eq!(read, kept);
        }
        assert_eq!(encode_opponent(OpponentChoice::Anyone), None);
        assert!(decode_opponent(Some("nobody")).is_err());
    }
}
