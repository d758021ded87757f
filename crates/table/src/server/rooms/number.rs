use crate::protocol::OpponentFilter;
use serde::{Deserialize, Serialize};
use std::fmt;
use war::tokens::Kind;

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

    /// Where those meet who want to play with somebody in particular; the house plays in every room.
    #[must_use]
    pub fn private(self, whom: OpponentFilter) -> Option<RoomNumber> {
        let number = match whom {
            OpponentFilter::House => return None,
            OpponentFilter::Invitation(code) | OpponentFilter::Accept(code) => {
                let [first, second, ..] = *code.bytes();
                u64::from(u16::from_be_bytes([first, second]))
            }
            OpponentFilter::Rematch(game) => game,
        };
        u16::try_from(number % u64::from(self.0))
            .ok()
            .map(RoomNumber)
    }

    /// Where a player who is in no room is looked up, by the hash of their token: two requests
    /// to join with the same token meet in one room.
    #[must_use]
    pub const fn home(self, token: &[u8; 32]) -> RoomNumber {
        let [first, second, ..] = *token;
        RoomNumber(u16::from_be_bytes([first, second]) % self.0)
    }
}

/// Which room of a table a room is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Its number.
    pub room: RoomNumber,
    /// How many rooms the table has.
    pub rooms: Rooms,
}

impl Location {
    /// Where the only room of a table is.
    pub const ONLY: Self = Self {
        room: RoomNumber(0),
        rooms: Rooms::ONE,
    };

    /// Whether those meet here who wait for a game of any kind.
    #[must_use]
    pub fn is_meeting(self) -> bool {
        Kind::ALL
            .iter()
            .any(|kind| self.rooms.meeting(*kind) == self.room)
    }

    /// The room where those meet who wait for a game of this kind, if it is another one.
    #[must_use]
    pub fn meeting_elsewhere(self, kind: Kind) -> Option<RoomNumber> {
        let meeting = self.rooms.meeting(kind);
        (meeting != self.room).then_some(meeting)
    }
}

#[cfg(test)]
mod tests {
    use super::{Location, RoomNumber, Rooms};
    use crate::protocol::OpponentFilter;
    use war::support::hex::Hex;
    use war::tokens::Kind;

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

    #[test]
    fn both_sides_of_an_invitation_and_of_a_rematch_meet_in_one_room() {
        let rooms = Rooms::new(16).expect("rooms");
        let mut code = [0; 16];
        code[1] = 0x1b;
        let code = Hex::new(code);
        let invited = [
            OpponentFilter::Invitation(code),
            OpponentFilter::Accept(code),
        ];
        assert_eq!(
            invited.map(|whom| rooms.private(whom)),
            [Some(RoomNumber(0x1b % 16)); 2]
        );
        let rematch = OpponentFilter::Rematch(1_000_003);
        assert_eq!(rooms.private(rematch), Some(RoomNumber(3)));
        assert_eq!(rooms.private(OpponentFilter::House), None);
        assert_eq!(Rooms::ONE.private(rematch), Some(RoomNumber(0)));
    }

    #[test]
    fn those_who_want_to_play_meet_in_the_first_rooms() {
        let rooms = Rooms::new(16).expect("rooms");
        let at = |room| Location {
            room: RoomNumber(room),
            rooms,
        };
        let meeting = [0, 1, 2, 15].map(|room| at(room).is_meeting());
        assert_eq!(meeting, [true, true, false, false]);
        let elsewhere = Kind::ALL.map(|kind| at(1).meeting_elsewhere(kind));
        assert_eq!(elsewhere, [Some(RoomNumber(0)), None]);
        let only = Kind::ALL.map(|kind| Location::ONLY.meeting_elsewhere(kind));
        assert_eq!(only, [None, None]);
        assert!(Location::ONLY.is_meeting());
    }
}
