//! Outcome of the pairs of a pass, as masks with a bit for each pair.
//!
//! `tests/proof` has a model of this arithmetic, and proves it for all masks: change both together.
#![allow(
    clippy::inline_always,
    reason = "code for a kind of processor must be inlined into the pass"
)]

use super::game::RunningGame;

/// Places of the cards that are compared in wars.
#[derive(Debug, Clone)]
pub(in crate::kernel) struct WarMasks {
    /// Number of pairs from one comparison of a war to the next.
    step: usize,
    /// Number of pairs to the comparison that shows a depth of 3.
    two_steps: usize,
    /// For the place of a war's first pair, a mask of the places at which its cards aren't
    /// compared.
    skipped: [u64; 64],
}

/// Pairs of a pass, as masks.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel) struct Pass {
    /// Pairs that are played, from the first on.
    pub(in crate::kernel) pairs: u64,
    /// Pairs that player 1 wins.
    pub(in crate::kernel) won: u64,
    /// Pairs of the war.
    pub(in crate::kernel) span: u64,
    /// First pair of the war.
    pub(in crate::kernel) start: u64,
}

/// Maximum distance between two cards in a mask; a war with a greater step isn't settled by a pass.
const MAX_DISTANCE: usize = 63;

impl WarMasks {
    pub(in crate::kernel) fn new(step: usize) -> Self {
        let step = step.min(MAX_DISTANCE);
        let compared =
            |first: usize, place: usize| place >= first && (place - first).is_multiple_of(step);
        let skipped = |first: usize| {
            let places = (0..64).filter(|&place| !compared(first, place));
            places.fold(0, |places, place| places | 1 << place)
        };
        Self {
            step,
            two_steps: MAX_DISTANCE.min(2 * step),
            skipped: std::array::from_fn(skipped),
        }
    }

    /// Returns the pass over the pairs in `held`, for which both players hold cards. Player 1's
    /// card is higher in the pairs in `higher`, and both cards are the same in the pairs in `same`.
    #[inline(always)]
    pub(in crate::kernel) const fn pass(&self, held: u64, higher: u64, same: u64) -> Pass {
        // A carry from the war's first pair runs over the pairs that settle nothing, up to the pair
        // that settles the war.
        let start = same & same.wrapping_neg();
        let unsettled = same | self.skipped[(same.trailing_zeros() % 64) as usize];
        let carried = unsettled.wrapping_add(start);
        let span = unsettled ^ carried;
        let settles = carried & span;
        let in_time = span & !held == 0;
        let pairs = if in_time {
            held
        } else {
            held & start.wrapping_sub(1)
        };
        let won = if higher & settles == 0 {
            higher & !span
        } else {
            higher | span
        };
        let left = same & !span & pairs;
        let pairs = pairs & (left & left.wrapping_neg()).wrapping_sub(1);
        Pass {
            pairs,
            won: won & pairs,
            span: span & pairs,
            start: start & pairs,
        }
    }

    /// Counts the turns and wars of a pass.
    #[inline(always)]
    pub(in crate::kernel) fn count(&self, pass: &Pass, same: u64, game: &mut RunningGame) {
        let again = pass.start & (same >> self.step);
        let wars = u64::from(pass.start != 0);
        let turns = u64::from((pass.pairs & !pass.span).count_ones()) + wars;
        game.count(turns, wars, u64::from(again != 0));
        if again & (same >> self.two_steps) != 0 {
            game.record_deep_war(self.depth(same >> pass.start.trailing_zeros()));
        }
    }

    /// Returns the number of consecutive ties in the war that begins with the first of these pairs.
    #[cold]
    pub(super) fn depth(&self, same: u64) -> usize {
        let compared = (0..64).step_by(self.step);
        compared.take_while(|place| same >> place & 1 == 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::WarMasks;
    use crate::game::WarDepthCounts;
    use crate::kernel::passes::game::{RunningGame, WarTally};

    /// Results of the proven model for some masks: `tests/proof/prove.py --vectors`.
    const VECTORS: &str = include_str!("../../../../../tests/proof/passes.tsv");

    #[test]
    fn passes_match_the_proven_model() {
        for line in VECTORS.lines().skip(1) {
            let fields = line.split('\t').zip(0..).map(|(field, column)| {
                let base = if (2..8).contains(&column) { 16 } else { 10 };
                u64::from_str_radix(field, base).expect("a number")
            });
            let fields: Vec<_> = fields.collect();
            let [
                step,
                length,
                higher,
                same,
                ref masks @ ..,
                turns,
                count,
                depth,
            ] = fields[..]
            else {
                panic!("{line}");
            };
            let wars = WarMasks::new(step.try_into().expect("a small number"));
            let pass = wars.pass(!(u64::MAX << length), higher, same);
            let played = [pass.pairs, pass.won, pass.span, pass.start];
            assert_eq!(played, masks, "{line}");

            let (mut game, mut tally) = (RunningGame::default(), WarTally::default());
            wars.count(&pass, same, &mut game);
            assert_eq!((game.turns(), game.wars()), (turns, count), "{line}");
            tally.add(&game);
            let (mut depths, mut expected) = (WarDepthCounts::default(), WarDepthCounts::default());
            tally.add_to(&mut depths);
            expected.count(depth.try_into().expect("a small number"));
            assert_eq!(depths, expected, "{line}");
        }
        assert_eq!(VECTORS.lines().count(), 3_001);
    }
}
