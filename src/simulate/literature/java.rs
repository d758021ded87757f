use crate::cards::{Chance, Deck, JavaRandom, deal};
use crate::parallel::{Watch, fold_in_order};
use crate::rules::XY;
use crate::simulate::game::Depths;
use crate::simulate::kernel::General;
use crate::simulate::tally::Tally;
use std::iter;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

/// How many Java seeds a thread takes at a time.
const SEEDS: i64 = 1_000;

/// Plays the X/Y games of these Java seeds with so many threads, and counts them; games are
/// numbered by seed.
///
/// A watch that does not go on ends it after some of the seeds, from the first on.
#[must_use]
pub fn play_java_seeds(seeds: Range<i64>, jobs: NonZero<usize>, watch: &dyn Watch) -> Tally {
    let mut sum = Tally::default();
    let end = seeds.end;
    let starts = iter::successors(Some(seeds.start), |start| start.checked_add(SEEDS));
    let starts = starts.take_while(|&start| start < end);
    let player = || {
        let mut kernel = General::new(XY.parameters);
        move |start: i64, _: &dyn Fn() -> bool| {
            let mut tally = Tally::default();
            for seed in start..end.min(start.saturating_add(SEEDS)) {
                play_java_seed(seed, &mut kernel, &mut tally);
            }
            tally
        }
    };
    let counted: ControlFlow<()> = fold_in_order(jobs, watch, starts, player, |tally| {
        sum.add(&tally);
        watch.counted(tally.games());
        ControlFlow::Continue(())
    });
    debug_assert!(counted.is_continue());
    sum
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
