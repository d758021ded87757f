//! The kinds of games that journals record, and the serialization of events of War. Serialized
//! events have the form of a journal, and are read as strictly as a journal. Events of token games
//! have the form that the card table stores.

use super::judgement::GameEndReason;
use super::v1::{self, EventRecord};
use crate::engine::{Event, State, Table};
use crate::tokens::TokenGame;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// State of a game that journals record: a [`Table`] of War, or a [`TokenGame`] of the card table.
///
/// Sealed, because the format has no records for other games.
pub trait JournaledGame: State + Clone + v1::RecordForm {
    /// The reason for which the game ended, or [`GameEndReason::CutOff`] before its end.
    fn reason(&self) -> GameEndReason;
}

impl JournaledGame for Table {
    fn reason(&self) -> GameEndReason {
        GameEndReason::from_table(self)
    }
}

impl JournaledGame for TokenGame {
    fn reason(&self) -> GameEndReason {
        GameEndReason::from_token_game(self)
    }
}

/// The form of a journal of version 1: `{"won":{"player":2}}`.
///
/// # Examples
///
/// ```
/// use war::engine::{Event, Seat};
///
/// let won = Event::Won { seat: Seat::SECOND };
/// let json = serde_json::to_string(&won).unwrap();
/// assert_eq!(json, r#"{"won":{"player":2}}"#);
/// assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), won);
/// // Unknown, missing and duplicate fields are errors.
/// let other = r#"{"won":{"player":2,"by":7}}"#;
/// assert!(serde_json::from_str::<Event>(other).is_err());
/// ```
impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        <EventRecord>::new(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <EventRecord>::deserialize(deserializer).map(EventRecord::into_domain)
    }
}
