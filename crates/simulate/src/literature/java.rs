use super::counting::counted;
use crate::game::Depths;
use crate::kernel::General;
use crate::parallel::Watch;
use crate::tally::Tally;
use std::num::NonZero;
use std::ops::Range;
use war::cards::{Chance, Deck, JavaRandom, deal};
use war::rules::XY;

/// Plays the X/Y games of these Java seeds with so many threads, and counts them; games are
/// numbered by seed.
///
/// A watch that does not go on ends it after some of the seeds, from the first on.
#[must_use]
pub fn play_java_seeds(seeds: Range<i64>, jobs: NonZero<usize>, watch: &dyn Watch) -> Tally {
    counted(seeds, jobs, watch, || {
        let mut kernel = General::new(XY.parameters);
        move |seed, tally| play_java_seed(seed, &mut kernel, tally)
    })
}

fn play_java_seed(seed: i64, kernel: &mut General, tally: &mut Tally) {
    let (mut cards, mut chance) = (Deck::Thirteen.cards(), JavaRandom::new(seed));
    chance.shuffle(&mut cards);
    let mut depths = Depths::default();
    if let Some(counted) = kernel.play(&deal(&cards, 2), &mut chance, &mut depths) {
        tally.depths.add(&depths);
        tally.count(seed.unsigned_abs(), &counted.played);
    }
}
