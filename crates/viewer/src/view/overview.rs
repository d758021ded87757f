//! The whole game at a glance, as the page's scripts read it: the chart, and the turns that a
//! scrubber marks.

use serde::Serialize;
use war::projections::frames::Overview;

/// The most points of a chart: more than a screen has columns for helps nobody.
const POINTS: usize = 1_200;

/// An overview as the page's scripts read it.
#[derive(Debug, Serialize)]
pub(super) struct OverviewForm {
    /// The turns of the chart's points.
    turns: Vec<usize>,
    /// The cards of each seat there.
    hands: Vec<Vec<u16>>,
    marks: MarksForm,
}

/// The marked turns, each as the distance from the one before.
#[derive(Debug, Serialize)]
struct MarksForm {
    wars: Vec<u32>,
    leads: Vec<u32>,
    outs: Vec<u32>,
}

impl From<&Overview> for OverviewForm {
    fn from(overview: &Overview) -> Self {
        // The deal, the last turn, and as many between them as there is room for.
        let last = overview.turns().saturating_sub(1);
        let points = last.min(POINTS);
        let turns =
            (0..=points).map(|point| (point * last).checked_div(points).unwrap_or_default());
        let turns: Vec<_> = turns.collect();
        let of_seat = |seat: usize| {
            let cards = turns.iter().map(|turn| overview.cards(*turn));
            cards.filter_map(|cards| cards.get(seat).copied()).collect()
        };
        let marks = overview.marks();
        Self {
            hands: (0..overview.seats()).map(of_seat).collect(),
            turns,
            marks: MarksForm {
                wars: distances(&marks.wars),
                leads: distances(&marks.leads),
                outs: distances(&marks.outs),
            },
        }
    }
}

/// Each number as what is added to the one before.
fn distances(turns: &[u32]) -> Vec<u32> {
    let before = [0].into_iter().chain(turns.iter().copied());
    turns
        .iter()
        .zip(before)
        .map(|(turn, before)| turn - before)
        .collect()
}
