use super::counting::counted;
use crate::game::{Depths, Played};
use crate::kernel::General;
use crate::parallel::Watch;
use crate::setup::GameSetup;
use crate::tally::Tally;
use std::num::NonZero;
use war::cards::GameNumber;

/// Plays the first games of a seed by these rules with so many threads, and counts how often cards
/// are put in a game, face up or face down, in place of its turns.
///
/// A watch that does not go on ends it after some of the games, from the first on.
#[must_use]
pub fn play_rounds(
    rules: &GameSetup,
    (seed, games): (u64, u64),
    jobs: NonZero<usize>,
    watch: &dyn Watch,
) -> Tally {
    let games = i64::try_from(games).unwrap_or(i64::MAX);
    counted(0..games, jobs, watch, || {
        let mut kernel = General::new(rules.parameters);
        move |game, tally| {
            let game = game.unsigned_abs();
            let mut depths = Depths::default();
            let dealt = rules.deal(GameNumber { seed, game });
            let counted =
                dealt.and_then(|(hands, mut chance)| kernel.play(&hands, &mut chance, &mut depths));
            if let Some(counted) = counted {
                let turns = u32::try_from(counted.rounds).unwrap_or(u32::MAX);
                tally.depths.add(&depths);
                tally.count(
                    game,
                    &Played {
                        turns,
                        ..counted.played
                    },
                );
            }
        }
    })
}
