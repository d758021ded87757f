use std::sync::LazyLock;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind};

/// The equilibrium of each game, computed once for all hubs.
static EQUILIBRIA: LazyLock<[Strategy; 2]> = LazyLock::new(|| Kind::ALL.map(Strategy::equilibrium));

/// How the house plays: the equilibrium of each game.
pub(super) struct House(&'static [Strategy; 2]);

impl House {
    pub(super) fn new() -> Self {
        Self(&EQUILIBRIA)
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

#[cfg(test)]
mod tests {
    use super::House;
    use war::tokens::{Decision, Kind};

    // Here the equilibrium leaves nothing to chance: what is never played is not played by the
    // lowest chance, and what is always played is by the highest.
    #[test]
    fn the_house_plays_as_often_as_the_equilibrium_says() {
        let house = House::new();
        for (card, decision) in [("2c", Decision::Fold), ("Ac", Decision::Play)] {
            let hand = vec![card.parse().expect("a card")];
            for chance in [0, 1, 1 << 31, u32::MAX - 1, u32::MAX] {
                let decided = house.decide(Kind::Single, &hand, chance);
                assert_eq!(decided, decision, "{card} {chance}");
            }
        }
    }
}
