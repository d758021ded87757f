//! The kinds of games that journals record, and events of War for serde: in the form that they
//! have in a journal, read as strictly. Those of token games have the form in which the card
//! table keeps them.

use super::judgement::Reason;
use super::v1::{self, EventRecord};
use crate::engine::{Event, State, Table};
use crate::tokens::TokenGame;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A kind of game that journals record: War, whose state is a [`Table`], and the games of the
/// card table, whose state is a [`TokenGame`].
///
/// Nothing outside of this library can be recorded: the format would have no form for it.
pub trait Journaled: State + Clone + v1::Form {
    /// How the game ended, or that it was cut off.
    fn reason(&self) -> Reason;
}

impl Journaled for Table {
    fn reason(&self) -> Reason {
        Reason::of(self)
    }
}

impl Journaled for TokenGame {
    fn reason(&self) -> Reason {
        Reason::of_tokens(self)
    }
}

/// As in a journal of version 1: `{"won":{"player":2}}`.
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
