//! The whole game at a glance: the chart, and the turns that a scrubber marks.

use crate::projections::frames::{Frame, Held, Shown};
use serde::Serialize;

/// The most points of a chart: more than a screen has columns for helps nobody.
const POINTS: usize = 1_200;

/// What is kept of every frame.
#[derive(Debug, Default)]
pub(super) struct Overview {
    /// The number of seats, where cards are counted.
    seats: usize,
    /// The cards of all seats after each turn, one turn after the other.
    hands: Vec<u16>,
    marks: Marks,
}

/// Turns to look at, in order.
#[derive(Debug, Default, Serialize)]
struct Marks {
    wars: Vec<u32>,
    leads: Vec<u32>,
    outs: Vec<u32>,
}

/// An overview as the page's scripts read it.
#[derive(Debug, Serialize)]
pub(super) struct OverviewForm {
    /// The turns of the chart's points.
    turns: Vec<usize>,
    /// The cards of each seat there.
    hands: Vec<Vec<u16>>,
    /// The marked turns, each as the distance from the one before.
    marks: Marks,
}

impl Overview {
    pub(super) fn add(&mut self, frame: &Frame) {
        match &frame.shown {
            Shown::Turn(turn) => {
                self.seats = turn.seats.len();
                let held = |held: &Held| u16::try_from(held.after).unwrap_or(u16::MAX);
                self.hands.extend(turn.seats.iter().map(held));
                let is_out = turn.seats.iter().any(|held| held.out.is_some());
                for (happened, turns) in [
                    (turn.is_war, &mut self.marks.wars),
                    (turn.new_leader.is_some(), &mut self.marks.leads),
                    (is_out, &mut self.marks.outs),
                ] {
                    turns.extend(happened.then_some(frame.turn));
                }
            }
            Shown::Deal(deal) => self.marks.wars.extend(deal.is_tied.then_some(frame.turn)),
        }
    }

    pub(super) fn form(&self) -> OverviewForm {
        let turns = self.hands.len().checked_div(self.seats).unwrap_or_default();
        // The deal, the last turn, and as many between them as there is room for.
        let last = turns.saturating_sub(1);
        let points = last.min(POINTS);
        let turns =
            (0..=points).map(|point| (point * last).checked_div(points).unwrap_or_default());
        let turns: Vec<_> = turns.collect();
        let of_seat = |seat: usize| {
            let hands = turns.iter().map(|turn| turn * self.seats + seat);
            hands.filter_map(|at| self.hands.get(at).copied()).collect()
        };
        OverviewForm {
            hands: (0..self.seats).map(of_seat).collect(),
            turns,
            marks: Marks {
                wars: distances(&self.marks.wars),
                leads: distances(&self.marks.leads),
                outs: distances(&self.marks.outs),
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
