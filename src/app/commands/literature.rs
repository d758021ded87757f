//! `war literature`: what others have published, played again.

use crate::app::context::Context;
use crate::app::exit::Exit;
use crate::cli::Literature;
use crate::host::progress;
use crate::host::signals::Interruption;
use crate::i18n::{Catalogue, text};
use crate::simulate::literature::{Claim, Figure, Games, Row, play_java_seeds, play_rounds, rows};
use crate::simulate::{Enumeration, Estimate, GameSetup, Kernel, Plan, Tally};
use crate::wording::claim_text;
use std::num::NonZero;

/// How many games a row plays, where nothing else is asked for.
const GAMES: u64 = 100_000;
/// How many Java seeds are played for each game of another row: by default all of them.
const SEEDS: u64 = 10;
/// The seed of the random rows.
const SEED: u64 = 1;

/// Plays what others have published, and says whether it agrees.
pub(crate) fn literature(options: &Literature, context: &mut Context) -> Exit {
    let games = options.games.unwrap_or(GAMES);
    let jobs = options.jobs.number();
    let interruption = Interruption::catch(|| ());
    let (mut agreeing, mut all) = (0_usize, 0);
    for row in rows() {
        let text = text!(
            LitRow,
            source = row.source,
            command = row.games.command(games, SEED)
        );
        context.terminal.print_line(&text);
        context.terminal.flush();
        let players = Players {
            games,
            jobs,
            interruption: &interruption,
            catalogue: context.terminal.catalogue,
        };
        let ours = players.figures(&row);
        if interruption.is_requested() {
            context.terminal.warning(&text!(LitInterrupted));
            return Exit::Incomplete;
        }
        for claim in &row.claims {
            let Some(estimate) = ours(claim.figure) else {
                continue;
            };
            let agrees = printed(claim, estimate, (&row, games), context);
            agreeing += usize::from(agrees);
            all += 1;
        }
    }
    let text = text!(
        LitSummary,
        agreeing = agreeing.to_string(),
        all = all.to_string()
    );
    context.terminal.print_line(&text);
    Exit::Success
}

/// Prints a figure; the result says whether it agrees.
fn printed(
    claim: &Claim,
    ours: Estimate,
    (row, games): (&Row, u64),
    context: &mut Context,
) -> bool {
    let claim = row.sampled(claim, ours, games);
    let agrees = claim.agrees(ours);
    let text = claim_text(&claim, ours, row.is_ours, context.terminal.catalogue);
    context.terminal.print_line(&text);
    agrees
}

/// What gives a row's figures.
type Figures = Box<dyn Fn(Figure) -> Option<Estimate>>;

/// How the games of a row are played.
struct Players<'a> {
    /// How many games, where a row has no number of its own.
    games: u64,
    jobs: NonZero<usize>,
    interruption: &'a Interruption,
    catalogue: &'a Catalogue,
}

impl Players<'_> {
    /// Plays the games of a row.
    fn figures(&self, row: &Row) -> Figures {
        let tally = match &row.games {
            Games::Enumerated(parameters, deck) => {
                let Ok(enumeration) = Enumeration::new(*parameters, *deck) else {
                    return Box::new(|_| None);
                };
                let watch = self.watch(enumeration.deals());
                let exact = enumeration.play_all(self.jobs, &watch);
                return Box::new(move |figure| figure.of_all(&exact));
            }
            Games::JavaSeeds(seeds) => {
                let most = i64::try_from(self.games.saturating_mul(SEEDS)).unwrap_or(i64::MAX);
                let played = seeds.start..seeds.end.min(most.saturating_add(1));
                let watch = self.watch(played.end.abs_diff(played.start));
                let tally = play_java_seeds(played.clone(), self.jobs, &watch);
                // The very games of the source have no error: what is left is its rounding.
                let same = played == *seeds;
                return Box::new(move |figure| {
                    let estimate = figure.of(&tally)?;
                    let error = if same { 0.0 } else { estimate.error };
                    Some(Estimate { error, ..estimate })
                });
            }
            Games::Simulated(rules) => self.simulated(rules, self.games),
            Games::Rounds(rules) => {
                let watch = self.watch(self.games);
                play_rounds(rules, (SEED, self.games), self.jobs, &watch)
            }
            Games::One(rules) => self.simulated(rules, 1),
        };
        Box::new(move |figure| figure.of(&tally))
    }

    fn simulated(&self, rules: &GameSetup, games: u64) -> Tally {
        let plan = Plan {
            rules: rules.clone(),
            seed: SEED,
            games,
            part: 0..games,
            kernel: Kernel::Fastest,
        };
        plan.play(self.jobs, &self.watch(games)).tally
    }

    fn watch(&self, games: u64) -> progress::Games<'_> {
        progress::Games::new(games, self.interruption, self.catalogue)
    }
}
