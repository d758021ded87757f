//! The one loop over games that several threads share: for simulated games, for all deals of a
//! deck, and for the games of a source.

use crate::parallel::{Watch, fold_in_order};
use std::num::NonZero;
use std::ops::ControlFlow;

/// What a thread made of the games that it took at a time.
pub(super) struct Part<Sum> {
    /// What was counted of them.
    pub(super) sum: Sum,
    /// How many were played, from the first on.
    pub(super) games: u64,
    /// Whether these were all of them.
    pub(super) is_whole: bool,
}

/// Plays chunks of games with so many threads, and hands out the parts in the order of the
/// chunks, up to the first that is not whole, and tells the watch how many games they have.
///
/// `player` makes for each thread what plays a chunk; it gets a predicate that says whether the
/// work goes on, and may leave a chunk unfinished when it does not.
///
/// # Errors
///
/// What `add` says; the work ends there.
pub(super) fn play_parts<Chunk, Sum, Player, Error>(
    jobs: NonZero<usize>,
    watch: &dyn Watch,
    chunks: impl Iterator<Item = Chunk>,
    player: impl Fn() -> Player + Sync,
    mut add: impl FnMut(Part<Sum>) -> Result<(), Error>,
) -> Result<(), Error>
where
    Chunk: Send,
    Sum: Send,
    Player: FnMut(Chunk, &dyn Fn() -> bool) -> Part<Sum>,
{
    let ended = fold_in_order(jobs, watch, chunks, player, |part: Part<Sum>| {
        let (games, is_whole) = (part.games, part.is_whole);
        if let Err(error) = add(part) {
            return ControlFlow::Break(Err(error));
        }
        watch.counted(games);
        if is_whole {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Ok(()))
        }
    });
    match ended {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(ended) => ended,
    }
}
