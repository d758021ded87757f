//! Frames as the page's scripts read them.

use serde::Serialize;
use war::engine::{Face, Outcome, Put, Seat};
use war::projections::frames::{Deal, Dealt, Frame, Held, Shown, Turn};
use war::tokens::Decision;

/// What a face-down card is: its rank stays hidden.
const HIDDEN: u8 = 0;

/// A block of frames, each with its text.
#[derive(Debug, Default, Serialize)]
pub(super) struct Block {
    /// The cards that each player held before the first of these frames.
    pub(super) before: Vec<usize>,
    pub(super) frames: Vec<FrameForm>,
    pub(super) texts: Vec<String>,
}

/// A frame; what is not there did not happen.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum FrameForm {
    Turn(TurnForm),
    Deal(DealForm),
}

#[derive(Debug, Serialize)]
pub(super) struct TurnForm {
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
pub(super) struct DealForm {
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
