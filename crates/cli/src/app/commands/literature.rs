//! `war literature`: what others have published, played again.

use crate::app::context::Context;
use crate::app::exit::Exit;
use crate::cli::Literature;
use crate::machine::progress;
use crate::machine::signals::Interruption;
use crate::wording::{claim_text, row_text};
use war::i18n::text;
use war_simulate::simulate::Estimate;
use war_simulate::simulate::literature::{Claim, Playing, Row, rows};

/// How many games a row plays, where nothing else is asked for.
const GAMES: u64 = 100_000;
/// The seed of the random rows.
const SEED: u64 = 1;

/// Plays what others have published, and says whether it agrees.
pub(crate) fn literature(options: &Literature, context: &mut Context) -> Exit {
    let games = options.games.unwrap_or(GAMES);
    let playing = Playing {
        games,
        seed: SEED,
        jobs: options.jobs.number(),
    };
    let interruption = Interruption::catch(|| ());
    let (mut agreeing, mut all) = (0_usize, 0);
    for row in rows() {
        context.terminal.print_line(&row_text(&row, (games, SEED)));
        context.terminal.flush();
        let catalogue = context.terminal.catalogue;
        let watch = |games| progress::Games::new(games, &interruption, catalogue);
        let ours = playing.figures(&row, watch);
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
