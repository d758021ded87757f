//! What others have published, in words.

use crate::i18n::{Catalogue, Text, text};
use crate::simulate::literature::Figure;

/// How many decimals a figure has at most.
pub(crate) const PLACES: usize = 4;

/// A number with four decimals at most.
pub(crate) fn rounded(value: f64, catalogue: &Catalogue) -> String {
    let text = catalogue.decimal(value, PLACES);
    text.trim_end_matches('0')
        .trim_end_matches(['.', ','])
        .to_owned()
}

/// What a figure is called.
pub(crate) fn figure_name(figure: Figure, catalogue: &Catalogue) -> Text {
    match figure {
        Figure::MeanTurns => text!(LitMeanTurns),
        Figure::Deviation => text!(LitDeviation),
        Figure::Median => text!(LitMedian),
        Figure::Quantile(thousandths) => {
            let percent = rounded(f64::from(thousandths) / 10.0, catalogue);
            text!(LitQuantile, value = percent)
        }
        Figure::Longest => text!(LitLongest),
        Figure::MeanWars => text!(LitMeanWars),
        Figure::MeanTies => text!(LitMeanTies),
        Figure::FirstWins => text!(LitFirstWins),
        Figure::Endless => text!(LitEndless),
        Figure::Cycles => text!(LitCycles),
        Figure::Period => text!(LitPeriod),
        Figure::MeanPairs => text!(LitMeanPairs),
        Figure::MostPairs => text!(LitMostPairs),
        Figure::Deals => text!(LitDeals),
    }
}
