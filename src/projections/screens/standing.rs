use crate::engine::{Seat, Table};
use crate::i18n::{Catalogue, Hole, Template, Text};

/// What a header leaves open, turn for turn.
pub(super) const TURN: Hole = Hole(0);
pub(super) const LEADER: Hole = Hole(1);
pub(super) const CARDS: Hole = Hole(2);
pub(super) const TOTAL: Hole = Hole(3);

/// The header of a turn with the standing: one for a player who leads, and one for a draw.
pub(super) struct Standing {
    leads: Template<4>,
    draw: Template<4>,
}

impl Standing {
    /// A header whose words are these.
    pub(super) fn new(catalogue: &Catalogue, leads: &Text, draw: &Text) -> Self {
        Self {
            leads: catalogue.template(leads),
            draw: catalogue.template(draw),
        }
    }

    /// Writes the header of the turn that has just begun.
    pub(super) fn write(&self, table: &Table, out: &mut String) {
        let [mut turn, mut leader, mut cards, mut total] = [itoa::Buffer::new(); 4];
        let (template, seat, held) = match Leader::of(table) {
            Leader::One(seat, cards) => (&self.leads, seat.number(), cards),
            Leader::Draw(cards) => (&self.draw, 0, cards),
        };
        template.fill(
            out,
            [
                turn.format(table.turn()),
                leader.format(seat),
                cards.format(held),
                total.format(table.cards()),
            ],
        );
        out.push('\n');
    }
}

/// Who holds the most cards.
enum Leader {
    /// One player, with this many cards.
    One(Seat, usize),
    /// Several, with this many cards each.
    Draw(usize),
}

impl Leader {
    /// Who led at the start of the turn that has just begun: the cards put in it count.
    fn of(table: &Table) -> Self {
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
