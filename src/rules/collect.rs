//! The order in which the cards of a turn go under the winner's hand.

use super::parameters::Collect;
use crate::cards::{Chance, Rank};
use crate::engine::{Face, Place, Seat, Table};

impl Collect {
    /// The cards on the table in the order in which this winner takes them.
    pub(super) fn order(self, seat: Seat, table: &Table, chance: &mut dyn Chance) -> Vec<Rank> {
        let own = &table.places()[seat.index()];
        let others = table.seated().filter(|(other, _)| *other != seat);
        let lost = || others.flat_map(|(_, place)| put(place));
        match self {
            Self::Seat => table.pot().collect(),
            Self::SeatInterleaved => by_round(table, |_, round| round),
            Self::WinnerFirst => by_round(table, |other, round| (round, other != seat)),
            Self::Bataille => {
                let key = |other, round| (std::cmp::Reverse(round), other != seat);
                by_round(table, key)
            }
            Self::WinnerPile => put(own).into_iter().chain(lost()).collect(),
            Self::Shuffled => {
                let mut lost: Vec<_> = lost().collect();
                chance.shuffle(&mut lost);
                let mut cards = put(own);
                cards.append(&mut lost);
                chance.shuffle(&mut cards);
                cards
            }
        }
    }
}

/// The cards that a player has put on the table, in the order put.
pub(super) fn put(place: &Place) -> Vec<Rank> {
    place.pile().iter().map(|put| put.card).collect()
}

/// A round of a turn: how many cards lay face up before it, and how many face down since
/// the last of them; the round that is put face up comes after all that are put face down.
type Round = (usize, usize);

/// The cards on the table, sorted by what the key makes of each card's seat and round;
/// where it makes no difference, lower seats and earlier cards go first.
fn by_round<K: Ord>(table: &Table, key: impl Fn(Seat, Round) -> K) -> Vec<Rank> {
    let mut cards = Vec::new();
    for (seat, place) in table.seated() {
        let (mut face_up, mut face_down) = (0, 0);
        for put in place.pile() {
            let round = match put.face {
                Face::Down => (face_up, face_down),
                Face::Up => (face_up, usize::MAX),
            };
            (face_up, face_down) = match put.face {
                Face::Down => (face_up, face_down + 1),
                Face::Up => (face_up + 1, 0),
            };
            cards.push((key(seat, round), put.card));
        }
    }
    cards.sort_by(|(a, _), (b, _)| a.cmp(b));
    cards.into_iter().map(|(_, card)| card).collect()
}
