//! JSON data of the page: the frames of a game, and its overview with the chart and the turns
//! marked on the scrubber.

use serde::Serialize;
use war::engine::{Face, Outcome, Seat, TableCard};
use war::projections::frames::{
    Frame, FrameContent, Overview, PlayerDeal, PlayerTurn, TokenDeal, Turn,
};
use war::tokens::Decision;

/// Rank that marks a face-down card.
const HIDDEN: u8 = 0;
/// Maximum number of points in the chart: a screen could hardly show more.
const MAX_POINTS: usize = 1_200;

/// A block of frames and their texts.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Block {
    /// Numbers of cards that the players held before the first of these frames.
    pub(crate) before: Vec<usize>,
    pub(crate) frames: Vec<FrameData>,
    pub(crate) texts: Vec<String>,
}

/// A frame; fields that don't apply are omitted.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum FrameData {
    Turn(TurnData),
    Deal(DealData),
}

#[derive(Debug, Serialize)]
pub(crate) struct TurnData {
    /// Number of cards of each player after the turn.
    hands: Vec<usize>,
    /// Cards that each player put; [`HIDDEN`] for face-down ones.
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
    end: Option<OutcomeData>,
}

/// Outcome of a game of War.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum OutcomeData {
    Won(usize),
    Endless(u32),
    Drawn,
    Stopped(Option<usize>),
}

#[derive(Debug, Serialize)]
pub(crate) struct DealData {
    seats: [PlayerDealData; 2],
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tied: bool,
}

#[derive(Debug, Serialize)]
struct PlayerDealData {
    cards: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    did: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    won: Option<i64>,
}

impl From<&Frame> for FrameData {
    fn from(frame: &Frame) -> Self {
        match &frame.content {
            FrameContent::Turn(turn) => Self::Turn(turn.into()),
            FrameContent::Deal(deal) => Self::Deal(deal.into()),
        }
    }
}

impl From<&Turn> for TurnData {
    fn from(turn: &Turn) -> Self {
        let taken = turn.seats.iter().map(|held| held.taken);
        let is_taken = turn.seats.iter().any(|held| held.taken > 0);
        let out = turn.seats.iter().enumerate();
        let out = out.filter_map(|(seat, held)| held.out_at.map(|_| seat));
        Self {
            hands: turn.seats.iter().map(|held| held.after).collect(),
            put: turn.seats.iter().map(put_cards).collect(),
            taken: is_taken.then(|| taken.collect()),
            winner: turn.winner.map(Seat::index),
            war: turn.is_war,
            out: out.collect(),
            leader: turn.new_leader.map(Seat::index),
            shuffled: turn.is_reshuffled,
            end: turn.outcome.map(OutcomeData::from),
        }
    }
}

fn put_cards(held: &PlayerTurn) -> Vec<u8> {
    let shown = |put: &TableCard| match put.face {
        Face::Up => put.card.get(),
        Face::Down => HIDDEN,
    };
    held.put.iter().map(shown).collect()
}

impl From<Outcome> for OutcomeData {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Won(seat) => Self::Won(seat.index()),
            Outcome::Endless { from, .. } => Self::Endless(from),
            Outcome::Drawn => Self::Drawn,
            Outcome::Stopped(winner) => Self::Stopped(winner.map(Seat::index)),
        }
    }
}

impl From<&TokenDeal> for DealData {
    fn from(deal: &TokenDeal) -> Self {
        Self {
            seats: deal.seats.each_ref().map(PlayerDealData::from),
            tied: deal.is_tied,
        }
    }
}

impl From<&PlayerDeal> for PlayerDealData {
    fn from(dealt: &PlayerDeal) -> Self {
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
            won: dealt.tokens,
        }
    }
}

/// Overview of a game: the points of the chart and the marked turns.
#[derive(Debug, Serialize)]
pub(crate) struct OverviewData {
    /// Turns of the chart's points.
    turns: Vec<usize>,
    /// Numbers of cards at these points, for each seat.
    hands: Vec<Vec<u16>>,
    marks: MarksData,
}

/// Marked turns, each as the distance from the previous one.
#[derive(Debug, Serialize)]
struct MarksData {
    wars: Vec<u32>,
    leads: Vec<u32>,
    outs: Vec<u32>,
}

impl From<&Overview> for OverviewData {
    fn from(overview: &Overview) -> Self {
        // The deal, the last turn, and evenly spaced turns between them.
        let last = overview.turns().saturating_sub(1);
        let points = last.min(MAX_POINTS);
        let turns =
            (0..=points).map(|point| (point * last).checked_div(points).unwrap_or_default());
        let turns: Vec<_> = turns.collect();
        let of_seat = |seat: usize| {
            let cards = turns.iter().map(|turn| overview.card_counts(*turn));
            cards.filter_map(|cards| cards.get(seat).copied()).collect()
        };
        let marks = overview.notable_turns();
        Self {
            hands: (0..overview.seats()).map(of_seat).collect(),
            turns,
            marks: MarksData {
                wars: distances(&marks.wars),
                leads: distances(&marks.lead_changes),
                outs: distances(&marks.eliminations),
            },
        }
    }
}

/// Returns the differences between consecutive turns, starting from 0.
fn distances(turns: &[u32]) -> Vec<u32> {
    let before = [0].into_iter().chain(turns.iter().copied());
    turns
        .iter()
        .zip(before)
        .map(|(turn, before)| turn - before)
        .collect()
}
