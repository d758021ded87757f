use super::{RoomNumber, Rooms};
use war::tokens::Kind;

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
    use super::Location;
    use crate::server::rooms::{RoomNumber, Rooms};
    use war::tokens::Kind;

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
