use crate::protocol::OpponentFilter;
use serde::{Deserialize, Serialize};
use std::fmt;
use war::tokens::Kind;

/// Number of a room, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoomNumber(pub u16);

impl fmt::Display for RoomNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Number of rooms of a table, at least 1. It never changes while the table's store exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoomCount(u16);

impl RoomCount {
    /// A single room, as in an embedded store.
    pub const ONE: Self = Self(1);

    /// Creates a number of rooms; `None` for 0.
    #[must_use]
    pub const fn new(count: u16) -> Option<Self> {
        match count {
            0 => None,
            count => Some(Self(count)),
        }
    }

    /// Number of rooms.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.0
    }

    /// Iterates over all rooms, in order.
    pub fn room_numbers(self) -> impl Iterator<Item = RoomNumber> {
        (0..self.0).map(RoomNumber)
    }

    /// Room in which players wait for a game of this kind.
    #[must_use]
    pub const fn matchmaking_room(self, kind: Kind) -> RoomNumber {
        RoomNumber(kind as u16 % self.0)
    }

    /// Room for players who want this opponent; `None` for the house, which plays in every room.
    #[must_use]
    pub fn private_room(self, whom: OpponentFilter) -> Option<RoomNumber> {
        let number = match whom {
            OpponentFilter::House => return None,
            OpponentFilter::Invitation(code) | OpponentFilter::Accept(code) => {
                let [first, second, ..] = *code.bytes();
                u64::from(u16::from_be_bytes([first, second]))
            }
            OpponentFilter::Rematch(game) => game,
            OpponentFilter::Friend(link) => {
                let [first, second, ..] = *link.bytes();
                u64::from(u16::from_be_bytes([first, second]))
            }
        };
        u16::try_from(number % u64::from(self.0))
            .ok()
            .map(RoomNumber)
    }

    /// Room that looks up a player who is in no room, chosen by the hash of the player's token. Two
    /// requests to join with the same token thus reach the same room.
    #[must_use]
    pub const fn home_room(self, token: &[u8; 32]) -> RoomNumber {
        let [first, second, ..] = *token;
        RoomNumber(u16::from_be_bytes([first, second]) % self.0)
    }
}

/// Position of a room among the rooms of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoomPosition {
    /// Number of the room.
    pub room: RoomNumber,
    /// Number of rooms of the table.
    pub rooms: RoomCount,
}

impl RoomPosition {
    /// Position of the only room of a table.
    pub const ONLY_ROOM: Self = Self {
        room: RoomNumber(0),
        rooms: RoomCount::ONE,
    };

    /// Returns true if players wait in this room for a game of at least one kind.
    #[must_use]
    pub fn is_matchmaking_room(self) -> bool {
        Kind::ALL
            .iter()
            .any(|kind| self.rooms.matchmaking_room(*kind) == self.room)
    }

    /// Returns the room in which players wait for a game of this kind, if it is not this room.
    #[must_use]
    pub fn other_matchmaking_room(self, kind: Kind) -> Option<RoomNumber> {
        let meeting = self.rooms.matchmaking_room(kind);
        (meeting != self.room).then_some(meeting)
    }
}

#[cfg(test)]
mod tests {
    use super::{RoomCount, RoomNumber, RoomPosition};
    use crate::protocol::OpponentFilter;
    use war::support::hex::Hex;
    use war::tokens::Kind;

    #[test]
    fn each_kind_of_game_has_one_matchmaking_room() {
        let rooms = RoomCount::new(16).expect("rooms");
        assert_eq!(
            Kind::ALL.map(|kind| rooms.matchmaking_room(kind)),
            [0, 1].map(RoomNumber)
        );
        assert_eq!(
            Kind::ALL.map(|kind| RoomCount::ONE.matchmaking_room(kind)),
            [0, 0].map(RoomNumber)
        );
        assert_eq!(RoomCount::new(0), None);
    }

    #[test]
    fn both_sides_of_an_invitation_and_of_a_rematch_meet_in_one_room() {
        let rooms = RoomCount::new(16).expect("rooms");
        let mut code = [0; 16];
        code[1] = 0x1b;
        let code = Hex::new(code);
        let invited = [
            OpponentFilter::Invitation(code),
            OpponentFilter::Accept(code),
        ];
        assert_eq!(
            invited.map(|whom| rooms.private_room(whom)),
            [Some(RoomNumber(0x1b % 16)); 2]
        );
        let rematch = OpponentFilter::Rematch(1_000_003);
        assert_eq!(rooms.private_room(rematch), Some(RoomNumber(3)));
        assert_eq!(rooms.private_room(OpponentFilter::House), None);
        assert_eq!(RoomCount::ONE.private_room(rematch), Some(RoomNumber(0)));
    }

    #[test]
    fn players_wait_in_the_first_rooms() {
        let rooms = RoomCount::new(16).expect("rooms");
        let at = |room| RoomPosition {
            room: RoomNumber(room),
            rooms,
        };
        let meeting = [0, 1, 2, 15].map(|room| at(room).is_matchmaking_room());
        assert_eq!(meeting, [true, true, false, false]);
        let elsewhere = Kind::ALL.map(|kind| at(1).other_matchmaking_room(kind));
        assert_eq!(elsewhere, [Some(RoomNumber(0)), None]);
        let only = Kind::ALL.map(|kind| RoomPosition::ONLY_ROOM.other_matchmaking_room(kind));
        assert_eq!(only, [None, None]);
        assert!(RoomPosition::ONLY_ROOM.is_matchmaking_room());
    }
}
