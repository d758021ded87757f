//! Descriptions of turns in words.

use super::film::GameInfo;
use war::engine::{Outcome, Seat};
use war::i18n::{Count, Text, text};
use war::projections::frames::{Frame, FrameContent, PlayerDeal, TokenDeal, Turn};
use war::tokens::Decision;

/// Headline of a turn.
pub(super) fn headline_text(frame: &Frame) -> Text {
    let turn = Count(frame.turn.into());
    match &frame.content {
        FrameContent::Turn(_) if frame.turn == 0 => text!(WatchDealt),
        FrameContent::Turn(shown) if shown.is_war => text!(WatchWar, turn = turn),
        FrameContent::Turn(_) => text!(WatchTurn, turn = turn),
        FrameContent::Deal(_) if frame.turn == 0 => text!(WatchBeforeDeal),
        FrameContent::Deal(shown) if shown.is_tied => text!(WatchDealTied, deal = turn),
        FrameContent::Deal(_) => text!(WatchDeal, deal = turn),
    }
}

/// Describes a turn after its headline; `may_continue` is true if the turn may be incomplete.
pub(super) fn sentence_texts(frame: &Frame, info: &GameInfo, may_continue: bool) -> Vec<Text> {
    let mut texts = match &frame.content {
        FrameContent::Turn(turn) => turn_sentences(turn, frame.turn == 0, info),
        FrameContent::Deal(deal) => deal_sentences(deal, frame.turn == 0, info),
    };
    if frame.turn == 0 {
        texts.extend(info.corrections.iter().cloned());
    }
    if may_continue {
        texts.push(text!(WatchWaits));
    } else if let FrameContent::Turn(turn) = &frame.content
        && frame.turn > 0
        && turn.outcome.is_none()
        && turn.seats.iter().all(|held| held.taken == 0)
    {
        texts.push(text!(WatchCutOff));
    }
    texts
}

fn turn_sentences(turn: &Turn, is_deal: bool, info: &GameInfo) -> Vec<Text> {
    let player = |seat: Seat| info.player_name(seat.index());
    let mut texts = Vec::new();
    if is_deal {
        let cards: usize = turn.seats.iter().map(|held| held.after).sum();
        texts.push(text!(WatchDealtCards, cards = cards));
    }
    if let Some(seat) = turn.winner {
        let cards = turn.seats.get(seat.index()).map(|held| held.taken);
        let cards = cards.unwrap_or_default();
        texts.push(text!(WatchTakes, player = player(seat), cards = cards));
    } else if turn.seats.iter().any(|held| held.taken > 0) {
        texts.push(text!(WatchNobodyTakes));
    }
    for (seat, held) in Seat::all().zip(&turn.seats) {
        if held.out_at.is_some() {
            texts.push(text!(WatchOut, player = player(seat)));
        }
    }
    if let (Some(seat), None) = (turn.new_leader, turn.outcome) {
        texts.push(text!(WatchLeads, player = player(seat)));
    }
    if turn.is_reshuffled {
        texts.push(text!(WatchShuffled));
    }
    texts.extend(turn.outcome.map(|outcome| match outcome {
        Outcome::Won(seat) => text!(WatchWon, player = player(seat)),
        Outcome::Endless { from, .. } => text!(WatchEndless, turn = Count(from.into())),
        Outcome::Drawn => text!(WatchDrawn),
        Outcome::Stopped(Some(seat)) => text!(WatchStoppedWon, player = player(seat)),
        Outcome::Stopped(None) => text!(WatchStopped),
    }));
    texts
}

fn deal_sentences(deal: &TokenDeal, is_before: bool, info: &GameInfo) -> Vec<Text> {
    let mut texts = Vec::new();
    for (seat, dealt) in deal.seats.iter().enumerate() {
        let player = info.player_name(seat);
        texts.extend(hand_action(dealt).map(|action| match action {
            HandAction::Played => text!(WatchPlays, player = player),
            HandAction::Folded => text!(WatchFolds, player = player),
            HandAction::TimedOut => text!(WatchLate, player = player),
            HandAction::Forfeited => text!(WatchForfeits, player = player),
        }));
    }
    if deal.is_tied {
        texts.push(text!(WatchAgain));
    } else if is_before && texts.is_empty() {
        texts.push(if info.has_player_commitments {
            text!(WatchCommitted)
        } else {
            text!(WatchTableCommitted)
        });
    }
    texts
}

/// Action of a player in a deal of a token game.
enum HandAction {
    Played,
    Folded,
    TimedOut,
    Forfeited,
}

fn hand_action(dealt: &PlayerDeal) -> Option<HandAction> {
    match dealt.decision {
        _ if dealt.forfeited => Some(HandAction::Forfeited),
        _ if dealt.timed_out => Some(HandAction::TimedOut),
        Some(Decision::Play) => Some(HandAction::Played),
        Some(Decision::Fold) => Some(HandAction::Folded),
        None => None,
    }
}

/// Short text for a player's result in a turn.
pub(super) fn turn_action_text(turn: &Turn, seat: usize) -> Option<Text> {
    let held = turn.seats.get(seat)?;
    let is_winner = |winner: Seat| winner.index() == seat;
    match turn.outcome {
        Some(Outcome::Won(winner)) if is_winner(winner) => Some(text!(WatchDidWin)),
        _ if held.out_at.is_some() || held.after == 0 && held.put.is_empty() => {
            Some(text!(WatchDidRunOut))
        }
        _ if held.taken > 0 => Some(text!(WatchDidTake, cards = held.taken)),
        _ => None,
    }
}

/// Short text for a player's action in a deal.
pub(super) fn hand_action_text(dealt: &PlayerDeal) -> Option<Text> {
    hand_action(dealt).map(|action| match action {
        HandAction::Played => text!(WatchDidPlay),
        HandAction::Folded => text!(WatchDidFold),
        HandAction::TimedOut => text!(WatchDidLate),
        HandAction::Forfeited => text!(WatchDidForfeit),
    })
}
