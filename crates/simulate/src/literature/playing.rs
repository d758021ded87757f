use super::claim::{Figure, Games, Row};
use super::java::play_java_seeds;
use super::rounds::play_rounds;
use super::sweep::share_of_sweeps;
use crate::enumerate::Enumeration;
use crate::figures::Estimate;
use crate::kernel::Kernel;
use crate::parallel::Watch;
use crate::run::Plan;
use crate::setup::GameSetup;
use crate::tally::Tally;
use std::num::NonZero;

/// How many Java seeds are played for each game of another row.
const SEEDS: u64 = 10;

/// How the games of all rows are played.
#[derive(Debug, Clone, Copy)]
pub struct Playing {
    /// How many games, where a row has no number of its own.
    pub games: u64,
    /// The seed of the random rows.
    pub seed: u64,
    /// With how many threads.
    pub jobs: NonZero<usize>,
}

/// What gives the figures of a row; `None` for one that its games do not have.
pub type Figures = Box<dyn Fn(Figure) -> Option<Estimate>>;

impl Playing {
    /// Plays the games of a row; `watch` makes a watch for so many games or deals.
    ///
    /// A watch that does not go on ends it after some of the games, from the first on.
    #[must_use]
    pub fn figures<W: Watch>(&self, row: &Row, watch: impl Fn(u64) -> W) -> Figures {
        let tally = match &row.games {
            Games::Enumerated(parameters, deck) => {
                let Ok(enumeration) = Enumeration::new(*parameters, *deck) else {
                    return Box::new(|_| None);
                };
                let watch = watch(enumeration.deals());
                let exact = enumeration.play_all(self.jobs, &watch);
                return Box::new(move |figure| figure.of_all(&exact));
            }
            Games::Counted(deck) => {
                let value = share_of_sweeps(*deck) * 1e12;
                let sweeps = Estimate { value, error: 0.0 };
                return Box::new(move |figure| (figure == Figure::Sweeps).then_some(sweeps));
            }
            Games::JavaSeeds(seeds) => {
                let most = i64::try_from(self.games.saturating_mul(SEEDS)).unwrap_or(i64::MAX);
                let played = seeds.start..seeds.end.min(most.saturating_add(1));
                let watch = watch(played.end.abs_diff(played.start));
                let tally = play_java_seeds(played.clone(), self.jobs, &watch);
                // The very games of the source have no error: what is left is its rounding.
                let same = played == *seeds;
                return Box::new(move |figure| {
                    let estimate = figure.of(&tally)?;
                    let error = if same { 0.0 } else { estimate.error };
                    Some(Estimate { error, ..estimate })
                });
            }
            Games::Simulated(rules) => self.simulated(rules, self.games, &watch(self.games)),
            Games::Rounds(rules) => {
                let watch = watch(self.games);
                play_rounds(rules, (self.seed, self.games), self.jobs, &watch)
            }
            Games::One(rules) => self.simulated(rules, 1, &watch(1)),
        };
        Box::new(move |figure| figure.of(&tally))
    }

    fn simulated(&self, rules: &GameSetup, games: u64, watch: &dyn Watch) -> Tally {
        let plan = Plan {
            rules: rules.clone(),
            seed: self.seed,
            games,
            part: 0..games,
            kernel: Kernel::Fastest,
        };
        plan.play(self.jobs, watch).tally
    }
}
