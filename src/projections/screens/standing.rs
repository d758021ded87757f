use super::leader::Leader;
use crate::engine::Table;
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
