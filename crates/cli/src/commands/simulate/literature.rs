//! `war literature`: compares published figures with simulations.

use super::command::{MAX_GAMES, MIN_GAMES};
use super::rules::JobOptions;
use crate::arguments::values::count_parser;
use crate::context::Context;
use crate::failure::ExitStatus;
use crate::machine::progress;
use crate::machine::signals::Interruption;
use clap::Args;
use war::i18n::{Catalogue, Text, text};
use war_simulate::Estimate;
use war_simulate::literature::{Claim, Figure, PlaySettings, SourceRow, source_rows};

pub(crate) const LITERATURE_EXAMPLES: &str = "\
Examples:
  war literature                       compare everything
  war literature --games 20000         have a quick look
  war --lang pl literature --jobs 1    print it in Polish, using one thread";

#[derive(Debug, Args)]
pub(crate) struct LiteratureArgs {
    /// Most games to play for each row [default: 100000]
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = count_parser(MIN_GAMES..=MAX_GAMES))]
    pub(crate) games: Option<u64>,
    #[command(flatten)]
    pub(crate) jobs: JobOptions,
}

/// Default number of games of a row.
const DEFAULT_GAMES: u64 = 100_000;

/// Seed of the rows with random games.
const SEED: u64 = 1;

/// Plays the games of the literature, and reports which published figures agree.
pub(crate) fn compare_literature(options: &LiteratureArgs, context: &mut Context) -> ExitStatus {
    let games = options.games.unwrap_or(DEFAULT_GAMES);
    let playing = PlaySettings {
        games,
        seed: SEED,
        jobs: options.jobs.thread_count(),
    };
    let interruption = Interruption::catch(|| ());
    let (mut agreeing, mut all) = (0_usize, 0);
    for row in source_rows() {
        context.terminal.print_line(&row_text(&row, (games, SEED)));
        context.terminal.flush();
        if context.terminal.out.has_failed() {
            // Nobody would read the other rows, and each of them takes seconds.
            return ExitStatus::Success;
        }
        let catalogue = context.terminal.catalogue;
        let watch = |games| progress::GameProgress::new(games, &interruption, catalogue);
        let ours = playing.play_row(&row, watch);
        if interruption.is_requested() {
            context.terminal.report_warning(&text!(LitInterrupted));
            return ExitStatus::Incomplete;
        }
        for claim in &row.claims {
            let Some(estimate) = ours(claim.figure) else {
                continue;
            };
            let agrees = print_figure(claim, estimate, (&row, games), context);
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
    ExitStatus::Success
}

/// Prints the computed figure beside the published one; returns true if both agree.
fn print_figure(
    claim: &Claim,
    ours: Estimate,
    (row, games): (&SourceRow, u64),
    context: &mut Context,
) -> bool {
    let claim = row.add_sampling_error(claim, ours, games);
    let agrees = claim.agrees_with(ours);
    let text = claim_text(&claim, ours, row.is_ours, context.terminal.catalogue);
    context.terminal.print_line(&text);
    agrees
}

/// Maximum number of decimals of a figure.
const MAX_DECIMALS: usize = 4;

/// Formats a number with at most four decimals.
fn format_rounded(value: f64, catalogue: &Catalogue) -> String {
    let text = catalogue.format_decimal(value, MAX_DECIMALS);
    text.trim_end_matches('0')
        .trim_end_matches(['.', ','])
        .to_owned()
}

fn figure_name(figure: Figure, catalogue: &Catalogue) -> Text {
    match figure {
        Figure::MeanTurns => text!(LitMeanTurns),
        Figure::TurnsDeviation => text!(LitDeviation),
        Figure::MedianTurns => text!(LitMedian),
        Figure::MeanRounds => text!(LitMeanRounds),
        Figure::RoundsDeviation => text!(LitRoundsDeviation),
        Figure::MedianRounds => text!(LitMedianRounds),
        Figure::Quantile(thousandths) => {
            let percent = format_rounded(f64::from(thousandths) / 10.0, catalogue);
            text!(LitQuantile, value = percent)
        }
        Figure::MostTurns => text!(LitLongest),
        Figure::MeanWars => text!(LitMeanWars),
        Figure::MeanTies => text!(LitMeanTies),
        Figure::MeanPlayedOn => text!(LitMeanPlayedOn),
        Figure::FinishedShare => text!(LitFinished),
        Figure::MeanTurnsPerSquare(cards) => {
            text!(LitMeanTurnsPerSquare, cards = cards.to_string())
        }
        Figure::FirstWins => text!(LitFirstWins),
        Figure::EndlessShare => text!(LitEndless),
        Figure::EndlessCount => text!(LitCycles),
        Figure::Period => text!(LitPeriod),
        Figure::MeanPairs => text!(LitMeanPairs),
        Figure::MostPairs => text!(LitMostPairs),
        Figure::Deals => text!(LitDeals),
        Figure::Sweeps => text!(LitSweeps),
    }
}

/// Source of a row, and the command that plays the same games, with their number and seed.
fn row_text(row: &SourceRow, (games, seed): (u64, u64)) -> Text {
    match row.to_command(games, seed) {
        Some(command) => text!(LitRow, source = row.source.as_str(), command = command),
        None => text!(LitCounted, source = row.source.as_str()),
    }
}

/// Published figure, computed figure, and the verdict on both; `is_ours` is true if the published
/// figure is this project's own reference value.
fn claim_text(claim: &Claim, found: Estimate, is_ours: bool, catalogue: &Catalogue) -> Text {
    let verdict = if claim.agrees_with(found) {
        text!(LitAgrees)
    } else {
        text!(LitDiffers)
    };
    let figure = figure_name(claim.figure, catalogue);
    let published = format_rounded(claim.published, catalogue);
    let error = match found.error {
        0.0 => String::new(),
        error => format!(" ± {}", catalogue.format_decimal(error, MAX_DECIMALS)),
    };
    let ours = format!("{}{error}", format_rounded(found.value, catalogue));
    if is_ours {
        text!(
            LitFigureOfOurs,
            figure = figure,
            published = published,
            ours = ours,
            verdict = verdict
        )
    } else {
        text!(
            LitFigure,
            figure = figure,
            published = published,
            ours = ours,
            verdict = verdict
        )
    }
}
