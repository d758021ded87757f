//! What happens in a turn, in words.

use super::film::About;
use war::engine::{Outcome, Seat};
use war::i18n::{Count, Text, text};
use war::projections::frames::{Deal, Dealt, Frame, Shown, Turn};
use war::tokens::Decision;

/// The first words of a turn.
pub(super) fn headline(frame: &Frame) -> Text {
    let turn = Count(frame.turn.into());
    match &frame.shown {
        Shown::Turn(_) if frame.turn == 0 => text!(WatchDealt),
        Shown::Turn(shown) if shown.is_war => text!(WatchWar, turn = turn),
        Shown::Turn(_) => text!(WatchTurn, turn = turn),
        Shown::Deal(_) if frame.turn == 0 => text!(WatchBeforeDeal),
        Shown::Deal(shown) if shown.is_tied => text!(WatchDealTied, deal = turn),
        Shown::Deal(_) => text!(WatchDeal, deal = turn),
    }
}

/// All else that happens in a turn, in sentences; `waits` where more of it may come.
pub(super) fn sentences(frame: &Frame, about: &About, waits: bool) -> Vec<Text> {
    let mut told = match &frame.shown {
        Shown::Turn(turn) => played(turn, frame.turn == 0, about),
        Shown::Deal(deal) => dealt(deal, frame.turn == 0, about),
    };
    if waits {
        told.push(text!(WatchWaits));
    } else if let Shown::Turn(turn) = &frame.shown
        && frame.turn > 0
        && turn.outcome.is_none()
        && turn.seats.iter().all(|held| held.taken == 0)
    {
        told.push(text!(WatchCutOff));
    }
    told
}

fn played(turn: &Turn, is_deal: bool, about: &About) -> Vec<Text> {
    let player = |seat: Seat| about.player(seat.index());
    let mut told = Vec::new();
    if is_deal {
        let cards: usize = turn.seats.iter().map(|held| held.after).sum();
        told.push(text!(WatchDealtCards, cards = cards));
    }
    if let Some(seat) = turn.winner {
        let cards = turn.seats.get(seat.index()).map(|held| held.taken);
        let cards = cards.unwrap_or_default();
        told.push(text!(WatchTakes, player = player(seat), cards = cards));
    } else if turn.seats.iter().any(|held| held.taken > 0) {
        told.push(text!(WatchNobodyTakes));
    }
    for (seat, held) in Seat::all().zip(&turn.seats) {
        if held.out.is_some() {
            told.push(text!(WatchOut, player = player(seat)));
        }
    }
    if let (Some(seat), None) = (turn.new_leader, turn.outcome) {
        told.push(text!(WatchLeads, player = player(seat)));
    }
    if turn.is_reshuffled {
        told.push(text!(WatchShuffled));
    }
    told.extend(turn.outcome.map(|outcome| match outcome {
        Outcome::Won(seat) => text!(WatchWon, player = player(seat)),
        Outcome::Endless { from, .. } => text!(WatchEndless, turn = Count(from.into())),
        Outcome::Drawn => text!(WatchDrawn),
        Outcome::Stopped(Some(seat)) => text!(WatchStoppedWon, player = player(seat)),
        Outcome::Stopped(None) => text!(WatchStopped),
    }));
    told
}

fn dealt(deal: &Deal, is_before: bool, about: &About) -> Vec<Text> {
    let mut told = Vec::new();
    for (seat, dealt) in deal.seats.iter().enumerate() {
        let player = about.player(seat);
        told.extend(done(dealt).map(|done| match done {
            Done::Played => text!(WatchPlays, player = player),
            Done::Folded => text!(WatchFolds, player = player),
            Done::Late => text!(WatchLate, player = player),
            Done::Forfeited => text!(WatchForfeits, player = player),
        }));
    }
    if deal.is_tied {
        told.push(text!(WatchAgain));
    } else if is_before && told.is_empty() {
        told.push(if about.do_players_commit {
            text!(WatchCommitted)
        } else {
            text!(WatchTableCommitted)
        });
    }
    told
}

/// What somebody did with a hand.
enum Done {
    Played,
    Folded,
    Late,
    Forfeited,
}

fn done(dealt: &Dealt) -> Option<Done> {
    match dealt.decision {
        _ if dealt.forfeited => Some(Done::Forfeited),
        _ if dealt.timed_out => Some(Done::Late),
        Some(Decision::Play) => Some(Done::Played),
        Some(Decision::Fold) => Some(Done::Folded),
        None => None,
    }
}

/// What a player did in a turn, shortly.
pub(super) fn did(turn: &Turn, seat: usize) -> Option<Text> {
    let held = turn.seats.get(seat)?;
    let is_winner = |winner: Seat| winner.index() == seat;
    match turn.outcome {
        Some(Outcome::Won(winner)) if is_winner(winner) => Some(text!(WatchDidWin)),
        _ if held.out.is_some() || held.after == 0 && held.put.is_empty() => {
            Some(text!(WatchDidRunOut))
        }
        _ if held.taken > 0 => Some(text!(WatchDidTake, cards = held.taken)),
        _ => None,
    }
}

/// What a player did with a hand, shortly.
pub(super) fn did_in_deal(dealt: &Dealt) -> Option<Text> {
    done(dealt).map(|done| match done {
        Done::Played => text!(WatchDidPlay),
        Done::Folded => text!(WatchDidFold),
        Done::Late => text!(WatchDidLate),
        Done::Forfeited => text!(WatchDidForfeit),
    })
}
