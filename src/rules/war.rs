use crate::cards::Rank;
use crate::engine::{Face, Place, Seat, Step, Table};

/// A turn as far as it is played: who shares the highest card of its last comparison.
pub(super) struct War<'a> {
    /// How many face-up cards the longest row has.
    pub(super) round: u32,
    /// How many rows end with the highest of the cards compared last.
    pub(super) tied: usize,
    /// Those of them who are still in the game, lowest seat first; never empty.
    pub(super) left: Vec<(Seat, &'a Place)>,
    /// How many cards they have put face down since.
    pub(super) face_down: usize,
}

impl<'a> War<'a> {
    /// The turn on this table, on which cards lie.
    pub(super) fn of(table: &'a Table) -> Self {
        let mut last = (0, Rank::ACE);
        let mut tied = 0;
        for row in table.places().iter().filter_map(revealed) {
            if tied == 0 || row > last {
                (last, tied) = (row, 1);
            } else if row == last {
                tied += 1;
            }
        }
        let shares = |place: &Place| place.in_game() && revealed(place) == Some(last);
        let left: Vec<_> = table.seated().filter(|(_, place)| shares(place)).collect();
        let face_down = left.first().map_or(0, |(_, place)| face_down_of(place));
        Self {
            round: last.0,
            tied,
            left,
            face_down,
        }
    }

    /// The lowest of those who are left.
    pub(super) fn lowest(&self) -> Seat {
        self.left[0].0
    }

    /// Whether only one is left.
    pub(super) fn is_of_one(&self) -> bool {
        self.left.len() == 1
    }

    /// The lowest of those who are left and hold no card.
    pub(super) fn first_without_cards(&self) -> Option<Seat> {
        let mut left = self.left.iter();
        let found = left.find(|(_, place)| place.hand().is_empty());
        found.map(|(seat, _)| *seat)
    }

    /// The step that is due in a war with this many cards face down.
    pub(super) const fn due(&self, size: usize) -> Step {
        if self.face_down < size {
            Step::FaceDown
        } else {
            Step::FaceUp
        }
    }
}

/// How many cards a player has put face down since their last one face up.
pub(super) fn face_down_of(place: &Place) -> usize {
    let pile = place.pile().iter().rev();
    pile.take_while(|put| put.face == Face::Down).count()
}

/// The number of face-up cards in a row, and the last of them.
fn revealed(place: &Place) -> Option<(u32, Rank)> {
    let face_up = place.pile().iter().filter(|put| put.face == Face::Up);
    face_up.fold(None, |last, put| {
        Some((last.map_or(1, |(round, _)| round + 1), put.card))
    })
}
