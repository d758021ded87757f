use crate::tokens::equilibrium::Strategy;
use crate::tokens::{Decision, Hand, Kind};

/// How the house plays: the equilibrium of each game.
pub(super) struct House([Strategy; 2]);

impl House {
    pub(super) fn new() -> Self {
        Self(Kind::ALL.map(Strategy::equilibrium))
    }

    /// What the house does with a hand; `chance` is evenly spread over all its values.
    pub(super) fn decide(&self, kind: Kind, hand: &Hand, chance: u32) -> Decision {
        let plays = self.0[kind as usize].plays(hand);
        if f64::from(chance) < plays * (f64::from(u32::MAX) + 1.0) {
            Decision::Play
        } else {
            Decision::Fold
        }
    }
}
