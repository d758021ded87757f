use crate::engine::{Seat, Table};

/// Who holds the most cards.
pub(super) enum Leader {
    /// One player, with this many cards.
    One(Seat, usize),
    /// Several, with this many cards each.
    Draw(usize),
}

impl Leader {
    /// Who led at the start of the turn that has just begun: the cards put in it count.
    pub(super) fn of(table: &Table) -> Self {
        let held = |(seat, place): (Seat, &crate::engine::Place)| {
            (seat, place.hand().len() + place.pile().len())
        };
        let mut leader = Self::Draw(0);
        for (seat, cards) in table.seated().map(held) {
            let (Self::One(_, most) | Self::Draw(most)) = leader;
            match cards.cmp(&most) {
                std::cmp::Ordering::Greater => leader = Self::One(seat, cards),
                std::cmp::Ordering::Equal => leader = Self::Draw(cards),
                std::cmp::Ordering::Less => {}
            }
        }
        leader
    }
}
