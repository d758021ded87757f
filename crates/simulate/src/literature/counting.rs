//! Games that no plan of a simulation plays, shared between threads.

use crate::parallel::{Part, Watch, play_parts};
use crate::tally::Tally;
use std::convert::Infallible;
use std::iter;
use std::num::NonZero;
use std::ops::Range;

/// How many games a thread takes at a time.
const GAMES: i64 = 1_000;

/// Plays the games with these numbers, with so many threads, and counts them; each thread has a
/// player, which counts a game.
///
/// A watch that does not go on ends it after some of the games, from the first on.
pub(super) fn counted<P: FnMut(i64, &mut Tally)>(
    numbers: Range<i64>,
    jobs: NonZero<usize>,
    watch: &dyn Watch,
    player: impl Fn() -> P + Sync,
) -> Tally {
    let mut sum = Tally::default();
    let end = numbers.end;
    let starts = iter::successors(Some(numbers.start), |start| start.checked_add(GAMES));
    let starts = starts.take_while(|&start| start < end);
    let player = || {
        let mut play = player();
        move |start: i64, _: &dyn Fn() -> bool| {
            let mut tally = Tally::default();
            for number in start..end.min(start.saturating_add(GAMES)) {
                play(number, &mut tally);
            }
            Part {
                games: tally.games(),
                sum: tally,
                is_whole: true,
            }
        }
    };
    let add = |part: Part<Tally>| {
        sum.add(&part.sum);
        Ok::<(), Infallible>(())
    };
    match play_parts(jobs, watch, starts, player, add) {
        Ok(()) => sum,
    }
}
