//! What becomes of the pairs of a pass, as masks with a bit for each pair.
//!
//! `tests/proof` has a model of this arithmetic, and proves it for all masks: change both together.
#![allow(
    clippy::inline_always,
    reason = "what is compiled for a kind of processor has to be part of the pass"
)]

use super::game::Game;

/// How the cards of a war are found.
#[derive(Debug, Clone)]
pub(in crate::kernel) struct Wars {
    /// How many pairs further the cards of a war are compared.
    step: usize,
    /// How many pairs further the cards are compared that show a depth of 3.
    two_steps: usize,
    /// For the place of a war's first pair: all places at which its cards are not compared.
    skipped: [u64; 64],
}

/// What a pass plays.
#[derive(Debug, Clone, Copy)]
pub(in crate::kernel) struct Pass {
    /// The pairs that are played, from the first on.
    pub(in crate::kernel) pairs: u64,
    /// Those that player 1 wins.
    pub(in crate::kernel) won: u64,
    /// Those of the war.
    pub(in crate::kernel) span: u64,
    /// The first pair of the war.
    pub(in crate::kernel) start: u64,
}

/// Cards that are further apart are not both in a mask: no pass settles such a war.
const FARTHEST: usize = 63;

impl Wars {
    pub(in crate::kernel) fn new(step: usize) -> Self {
        let step = step.min(FARTHEST);
        let compared =
            |first: usize, place: usize| place >= first && (place - first).is_multiple_of(step);
        let skipped = |first: usize| {
            let places = (0..64).filter(|&place| !compared(first, place));
            places.fold(0, |places, place| places | 1 << place)
        };
        Self {
            step,
            two_steps: FARTHEST.min(2 * step),
            skipped: std::array::from_fn(skipped),
        }
    }

    /// The pass over these pairs, of which `held` are there for certain; `same` are among them.
    #[inline(always)]
    pub(in crate::kernel) const fn pass(&self, held: u64, higher: u64, same: u64) -> Pass {
        // The lowest place, and how far a carry from it runs over pairs that settle nothing:
        // up to the pair that settles the war.
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
    pub(in crate::kernel) fn count(&self, pass: &Pass, same: u64, game: &mut Game) {
        let again = pass.start & (same >> self.step);
        let wars = u64::from(pass.start != 0);
        let turns = u64::from((pass.pairs & !pass.span).count_ones()) + wars;
        game.count(turns, wars, u64::from(again != 0));
        if again & (same >> self.two_steps) != 0 {
            game.note_deep(self.depth(same >> pass.start.trailing_zeros()));
        }
    }

    /// How often in a row the cards of a war are the same that begins with the first of these
    /// pairs.
    #[cold]
    pub(super) fn depth(&self, same: u64) -> usize {
        let compared = (0..64).step_by(self.step);
        compared.take_while(|place| same >> place & 1 == 1).count()
    }
}

#[cfg(test)]
mod tests {
    use super::Wars;
    use crate::game::Depths;
    use crate::kernel::passes::game::{Ended, Game};

    /// What the model that is proven makes of some masks: `tests/proof/prove.py --vectors`.
    const VECTORS: &str = include_str!("../../../../../tests/proof/passes.tsv");

    #[test]
    fn passes_are_those_of_the_model_that_is_proven() {
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
            let wars = Wars::new(step.try_into().expect("a small number"));
            let pass = wars.pass(!(u64::MAX << length), higher, same);
            let played = [pass.pairs, pass.won, pass.span, pass.start];
            assert_eq!(played, masks, "{line}");

            let (mut game, mut ended) = (Game::default(), Ended::default());
            wars.count(&pass, same, &mut game);
            assert_eq!((game.turns(), game.wars()), (turns, count), "{line}");
            ended.add(&game);
            let (mut depths, mut expected) = (Depths::default(), Depths::default());
            ended.flush(&mut depths);
            expected.count(depth.try_into().expect("a small number"));
            assert_eq!(depths, expected, "{line}");
        }
        assert_eq!(VECTORS.lines().count(), 3_001);
    }
}
