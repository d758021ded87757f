use crate::tokens::Kind;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a room, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoomNumber(pub u16);

impl fmt::Display for RoomNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How many rooms a table has: at least one, and the same as long as its store exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rooms(u16);

impl Rooms {
    /// As many as an embedded store has.
    pub const ONE: Self = Self(1);

    /// This many rooms; `None` for none.
    #[must_use]
    pub const fn new(count: u16) -> Option<Self> {
        match count {
            0 => None,
            count => Some(Self(count)),
        }
    }

    /// How many there are.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.0
    }

    /// All of them, in order.
    pub fn all(self) -> impl Iterator<Item = RoomNumber> {
        (0..self.0).map(RoomNumber)
    }

    /// Where those meet who wait for a game of this kind.
    #[must_use]
    pub const fn meeting(self, kind: Kind) -> RoomNumber {
        RoomNumber(kind as u16 % self.0)
    }

    /// Where a player who is in no room is looked up, by the hash of their token: two requests
    /// to join with the same token meet in one room.
    #[must_use]
    pub const fn home(self, token: &[u8; 32]) -> RoomNumber {
        let [first, second, ..] = *token;
        RoomNumber(u16::from_be_bytes([first, second]) % self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{RoomNumber, Rooms};
    use crate::tokens::Kind;

    #[test]
    fn each_kind_of_game_has_one_meeting_room() {
        let rooms = Rooms::new(16).expect("rooms");
        assert_eq!(
            Kind::ALL.map(|kind| rooms.meeting(kind)),
            [0, 1].map(RoomNumber)
        );
        assert_eq!(
            Kind::ALL.map(|kind| Rooms::ONE.meeting(kind)),
            [0, 0].map(RoomNumber)
        );
        assert_eq!(Rooms::new(0), None);
    }
}
