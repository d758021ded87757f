//! The frames of a game and its overview as the page's scripts read them. The overview is the whole
//! game at a glance: the chart, and the turns that a scrubber marks.

use serde::Serialize;
use war::engine::{Face, Outcome, Put, Seat};
use war::projections::frames::{Deal, Dealt, Frame, Held, Overview, Shown, Turn};
use war::tokens::Decision;

/// What a face-down card is: its rank stays hidden.
const HIDDEN: u8 = 0;
/// The most points of a chart: more than a screen has columns for helps nobody.
const POINTS: usize = 1_200;

/// A block of frames, each with its text.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Block {
    /// The cards that each player held before the first of these frames.
    pub(crate) before: Vec<usize>,
    pub(crate) frames: Vec<FrameForm>,
    pub(crate) texts: Vec<String>,
}

/// A frame; what is not there did not happen.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum FrameForm {
    Turn(TurnForm),
    Deal(DealForm),
}

#[derive(Debug, Serialize)]
pub(crate) struct TurnForm {
    /// The cards of each player after the turn.
    hands: Vec<usize>,
    /// The cards that each player put; 0 for one that lies face down.
    put: Vec<Vec<u8>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    war: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    out: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leader: Option<usize>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shuffled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndForm>,
}

/// How a game of War ended.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum EndForm {
    Won(usize),
    Endless(u32),
    Drawn,
    Stopped(Option<usize>),
}

#[derive(Debug, Serialize)]
pub(crate) struct DealForm {
    seats: [DealtForm; 2],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tied: bool,
}

#[derive(Debug, Serialize)]
struct DealtForm {
    cards: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    won: Option<i64>,
}

impl From<&Frame> for FrameForm {
    fn from(frame: &Frame) -> Self {
        match &frame.shown {
            Shown::Turn(turn) => Self::Turn(turn.into()),
            Shown::Deal(deal) => Self::Deal(deal.into()),
        }
    }
}

impl From<&Turn> for TurnForm {
    fn from(turn: &Turn) -> Self {
        let taken = turn.seats.iter().map(|held| held.taken);
        let is_taken = turn.seats.iter().any(|held| held.taken > 0);
        let out = turn.seats.iter().enumerate();
        let out = out.filter_map(|(seat, held)| held.out.map(|_| seat));
        Self {
            hands: turn.seats.iter().map(|held| held.after).collect(),
            put: turn.seats.iter().map(put).collect(),
            taken: is_taken.then(|| taken.collect()),
            winner: turn.winner.map(Seat::index),
            war: turn.is_war,
            out: out.collect(),
            leader: turn.new_leader.map(Seat::index),
            shuffled: turn.is_reshuffled,
            end: turn.outcome.map(EndForm::from),
        }
    }
}

fn put(held: &Held) -> Vec<u8> {
    let shown = |put: &Put| match put.face {
        Face::Up => put.card.get(),
        Face::Down => HIDDEN,
    };
    held.put.iter().map(shown).collect()
}

impl From<Outcome> for EndForm {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Won(seat) => Self::Won(seat.index()),
            Outcome::Endless { from, .. } => Self::Endless(from),
            Outcome::Drawn => Self::Drawn,
            Outcome::Stopped(winner) => Self::Stopped(winner.map(Seat::index)),
        }
    }
}

impl From<&Deal> for DealForm {
    fn from(deal: &Deal) -> Self {
        Self {
            seats: deal.seats.each_ref().map(DealtForm::from),
            tied: deal.is_tied,
        }
    }
}

impl From<&Dealt> for DealtForm {
    fn from(dealt: &Dealt) -> Self {
        let did = match dealt.decision {
            _ if dealt.forfeited => Some("forfeited"),
            _ if dealt.timed_out => Some("late"),
            Some(Decision::Play) => Some("played"),
            Some(Decision::Fold) => Some("folded"),
            None => None,
        };
        Self {
            cards: dealt.hand.iter().map(ToString::to_string).collect(),
            did,
            won: dealt.won,
        }
    }
}

/// An overview as the page's scripts read it.
#[derive(Debug, Serialize)]
pub(crate) struct OverviewForm {
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
