//! What others have published, in words.

use war::i18n::{Catalogue, Text, text};
use war_simulate::simulate::Estimate;
use war_simulate::simulate::literature::{Claim, Figure, Row};

/// How many decimals a figure has at most.
const PLACES: usize = 4;

/// A number with four decimals at most.
fn rounded(value: f64, catalogue: &Catalogue) -> String {
    let text = catalogue.decimal(value, PLACES);
    text.trim_end_matches('0')
        .trim_end_matches(['.', ','])
        .to_owned()
}

/// What a figure is called.
fn figure_name(figure: Figure, catalogue: &Catalogue) -> Text {
    match figure {
        Figure::MeanTurns => text!(LitMeanTurns),
        Figure::Deviation => text!(LitDeviation),
        Figure::Median => text!(LitMedian),
        Figure::MeanRounds => text!(LitMeanRounds),
        Figure::RoundsDeviation => text!(LitRoundsDeviation),
        Figure::MedianRounds => text!(LitMedianRounds),
        Figure::Quantile(thousandths) => {
            let percent = rounded(f64::from(thousandths) / 10.0, catalogue);
            text!(LitQuantile, value = percent)
        }
        Figure::Longest => text!(LitLongest),
        Figure::MeanWars => text!(LitMeanWars),
        Figure::MeanTies => text!(LitMeanTies),
        Figure::MeanPlayedOn => text!(LitMeanPlayedOn),
        Figure::Finished => text!(LitFinished),
        Figure::MeanTurnsPerSquare(cards) => {
            text!(LitMeanTurnsPerSquare, cards = cards.to_string())
        }
        Figure::FirstWins => text!(LitFirstWins),
        Figure::Endless => text!(LitEndless),
        Figure::Cycles => text!(LitCycles),
        Figure::Period => text!(LitPeriod),
        Figure::MeanPairs => text!(LitMeanPairs),
        Figure::MostPairs => text!(LitMostPairs),
        Figure::Deals => text!(LitDeals),
        Figure::Sweeps => text!(LitSweeps),
    }
}

/// A source, with the command that makes the same games: this many random ones of a seed.
pub(crate) fn row_text(row: &Row, (games, seed): (u64, u64)) -> Text {
    match row.games.command(games, seed) {
        Some(command) => text!(LitRow, source = row.source, command = command),
        None => text!(LitCounted, source = row.source),
    }
}

/// A figure as it was published and as it is found here, and whether they agree; `is_ours` where
/// nobody else published it.
pub(crate) fn claim_text(
    claim: &Claim,
    found: Estimate,
    is_ours: bool,
    catalogue: &Catalogue,
) -> Text {
    let verdict = if claim.agrees(found) {
        text!(LitAgrees)
    } else {
        text!(LitDiffers)
    };
    let figure = figure_name(claim.figure, catalogue);
    let published = rounded(claim.published, catalogue);
    let error = match found.error {
        0.0 => String::new(),
        error => format!(" ± {}", catalogue.decimal(error, PLACES)),
    };
    let ours = format!("{}{error}", rounded(found.value, catalogue));
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
