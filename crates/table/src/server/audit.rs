//! What operators read of a store, and the check that they ask for, part by part: what follows
//! from what.

use super::played::Played;
use super::rating;
use super::store::{Booked, Inspector, PlayedGame, StoreError, transfers};
use crate::log::{Continuation, Frontier, GameEnd, GameStart, Leaf, leaf_hash};
use crate::operator::{
    CheckPosition, CheckReport, LedgerPosition, OperatorAnswer, OperatorRequest, StoreFault,
};
use crate::protocol::LadderPeriod;
use crate::room::{Match, OrderError, Parties, RoomEvent};
use std::collections::BTreeSet;
use war::i18n::Lang;
use war::journal::Verdict;
use war::replay::verify;

/// How many events are checked at once.
const EVENTS: u32 = 5_000;
/// How many players are checked at once.
const PLAYERS: u32 = 1_000;
/// How many games are replayed at once.
const GAMES: u32 = 200;
/// How many leaves are checked at once.
const LEAVES: u64 = 500;

/// Answers a question for which a store is only read; there is none to another question. A table
/// may write meanwhile.
///
/// # Errors
///
/// [`StoreError`] where the store fails.
pub fn inspect(
    store: &dyn Inspector,
    ask: &OperatorRequest,
) -> Result<Option<OperatorAnswer>, StoreError> {
    Ok(match *ask {
        OperatorRequest::Players { after } => Some(OperatorAnswer::Players(store.players(after)?)),
        OperatorRequest::Export { player } => {
            let unknown = OperatorAnswer::Refused(OrderError::UnknownPlayer);
            Some(store.export(player)?.map_or(unknown, OperatorAnswer::Kept))
        }
        OperatorRequest::Verify(from) => Some(OperatorAnswer::Checked(check(store, from)?)),
        OperatorRequest::Order(_) | OperatorRequest::Retain { .. } => None,
    })
}

/// Checks one part of a store. It changes nothing, and a table may write meanwhile.
///
/// # Errors
///
/// [`StoreError`] where the store fails.
fn check(store: &dyn Inspector, from: CheckPosition) -> Result<CheckReport, StoreError> {
    match from {
        CheckPosition::Ledger(after) => ledger(store, after),
        CheckPosition::Balances => {
            let (count, wrong) = store.wrong_balances()?;
            let next = Some(CheckPosition::Messages { player: 0 });
            let faults = wrong.into_iter().map(StoreFault::Balance).collect();
            Ok(CheckReport {
                count,
                faults,
                next,
            })
        }
        CheckPosition::Messages { player } => {
            let players = store.kept_messages(player, PLAYERS)?;
            let more = |&(player, _): &(u64, bool)| CheckPosition::Messages { player };
            let next = players
                .last()
                .map_or(CheckPosition::Journals { game: 0 }, more);
            let wrong = players.iter().filter(|(_, right)| !right);
            Ok(CheckReport {
                count: players.len() as u64,
                faults: wrong.map(|(id, _)| StoreFault::Messages(*id)).collect(),
                next: Some(next),
            })
        }
        CheckPosition::Journals { game } => {
            let games = store.settled_games(game, GAMES)?;
            let more = |&game: &u64| CheckPosition::Journals { game };
            let next = games.last().map_or(CheckPosition::Games { game: 0 }, more);
            let mut faults = Vec::new();
            for &game in &games {
                if !is_verified(store, game)? {
                    faults.push(StoreFault::Journal(game));
                }
            }
            Ok(CheckReport {
                count: games.len() as u64,
                faults,
                next: Some(next),
            })
        }
        CheckPosition::Games { game } => games(store, game),
        CheckPosition::Records { player } => {
            let records = store.records(player, PLAYERS)?;
            let more = |&(player, _): &(u64, bool)| CheckPosition::Records { player };
            let wrong = records.iter().filter(|(_, right)| !right);
            Ok(CheckReport {
                count: records.len() as u64,
                faults: wrong.map(|(id, _)| StoreFault::Record(*id)).collect(),
                next: Some(records.last().map_or(CheckPosition::Ladder, more)),
            })
        }
        CheckPosition::Ladder => ladder(store),
        CheckPosition::Log { leaf } => log(store, leaf),
    }
}

/// Computes the ladder anew, and compares.
fn ladder(store: &dyn Inspector) -> Result<CheckReport, StoreError> {
    let mut checked = CheckReport {
        count: 0,
        faults: Vec::new(),
        next: Some(CheckPosition::Log { leaf: 0 }),
    };
    let Some(day) = store.rated_day()? else {
        return Ok(checked);
    };
    for span in LadderPeriod::ALL {
        // A game that can't be read was named before.
        let Some(right) = sound(rating::all(store, span, day))? else {
            continue;
        };
        let kept = store.standings(span)?;
        checked.count += kept.iter().count() as u64;
        let players = right.iter().chain(kept.iter()).map(|(id, _)| id);
        let players: BTreeSet<_> = players.collect();
        let wrong = players
            .into_iter()
            .filter(|id| right.of(*id) != kept.of(*id));
        checked
            .faults
            .extend(wrong.map(|id| StoreFault::Rating(id.0)));
    }
    // It has changed in the meantime: the next check sees it.
    if store.rated_day()? != Some(day) {
        checked.faults.clear();
    }
    Ok(checked)
}

/// Checks what is kept of games for their players.
fn games(store: &dyn Inspector, after: u64) -> Result<CheckReport, StoreError> {
    let Some(games) = sound(store.played_games(after, GAMES))? else {
        // One of the rows says nothing.
        let after = after.saturating_add(1);
        return Ok(CheckReport {
            count: 0,
            faults: vec![StoreFault::Game(after)],
            next: Some(CheckPosition::Records { player: 0 }),
        });
    };
    let more = |game: &PlayedGame| CheckPosition::Games { game: game.game };
    let wrong = games.iter().filter(|game| !game.is_sound());
    Ok(CheckReport {
        count: games.len() as u64,
        faults: wrong.map(|game| StoreFault::Game(game.game)).collect(),
        next: Some(
            games
                .last()
                .map_or(CheckPosition::Records { player: 0 }, more),
        ),
    })
}

fn ledger(store: &dyn Inspector, after: LedgerPosition) -> Result<CheckReport, StoreError> {
    let (mut booked, next) = store.booked(after, EVENTS)?;
    let wrong = |booked: &mut Booked| match &booked.event {
        None => Some(StoreFault::Event(booked.name.clone())),
        Some(event) => {
            let mut right = transfers(event);
            right.sort_unstable();
            booked.entries.sort_unstable();
            (right != booked.entries).then(|| StoreFault::Ledger(booked.name.clone()))
        }
    };
    Ok(CheckReport {
        count: booked.len() as u64,
        faults: booked.iter_mut().filter_map(wrong).collect(),
        next: Some(next.map_or(CheckPosition::Balances, CheckPosition::Ledger)),
    })
}

/// Whether the journal of a game is played by the rules, and the one that it was.
fn is_verified(store: &dyn Inspector, game: u64) -> Result<bool, StoreError> {
    let events = sound(store.game(game))?;
    let settled = sound(store.settlement(game))?.flatten();
    let Some((events, settled)) = events.zip(settled) else {
        return Ok(false);
    };
    let Some(played) = Played::of(&events) else {
        return Ok(false);
    };
    let Some(journal) = played.journal(Some(&settled), &settled.engine, Lang::ALL[0]) else {
        return Ok(false);
    };
    let verified = verify(&journal[..]).ok();
    Ok(verified.is_some_and(|judged| {
        let same = judged.end().is_some_and(|end| end.chain == settled.digest);
        judged.verdict() == Verdict::Verified && same
    }))
}

fn log(store: &dyn Inspector, first: u64) -> Result<CheckReport, StoreError> {
    let range = first..first.saturating_add(LEAVES);
    let hashes = sound(store.leaf_hashes(range.clone()))?;
    let texts = sound(store.leaf_texts(range))?;
    let Some((hashes, texts)) = hashes.zip(texts) else {
        // One of them is missing.
        return Ok(CheckReport {
            count: 0,
            faults: vec![StoreFault::Leaf(first)],
            next: None,
        });
    };
    let mut faults = Vec::new();
    for (number, (hash, text)) in (first..).zip(hashes.iter().zip(&texts)) {
        let same = leaf_hash(text.as_bytes()) == *hash;
        if !same || !is_true(store, number, text)? {
            faults.push(StoreFault::Leaf(number));
        }
    }
    let count = texts.len() as u64;
    let leaf = first.saturating_add(count);
    Ok(CheckReport {
        count,
        faults,
        next: (count > 0).then_some(CheckPosition::Log { leaf }),
    })
}

/// Whether a leaf of this number says what the events say, or the leaves before it.
fn is_true(store: &dyn Inspector, number: u64, text: &str) -> Result<bool, StoreError> {
    Ok(match text.parse() {
        Ok(Leaf::Start(start)) => {
            let events = sound(store.game(start.game))?;
            let first = events.as_ref().and_then(|events| events.first());
            matches!(first, Some(RoomEvent::Matched(matched)) if begins(matched, &start))
        }
        Ok(Leaf::End(GameEnd { game, digest, .. })) => {
            let settled = sound(store.settlement(game))?.flatten();
            settled.is_some_and(|settled| settled.digest == digest)
        }
        Ok(Leaf::Restored(restored)) => goes_on(store, number, &restored)?,
        Err(_) => false,
    })
}

/// Whether a table that was restored goes on from all leaves before this one.
fn goes_on(
    store: &dyn Inspector,
    number: u64,
    restored: &Continuation,
) -> Result<bool, StoreError> {
    let mut log = Frontier::default();
    while log.size() < number {
        let range = log.size()..number.min(log.size() + LEAVES);
        let Some(hashes) = sound(store.leaf_hashes(range))?.filter(|read| !read.is_empty()) else {
            return Ok(false);
        };
        for hash in hashes {
            log.append(hash);
        }
    }
    Ok((restored.size, restored.root) == (number, log.root()))
}

/// What was read, unless that is what is wrong with the store.
fn sound<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(StoreError::Damaged(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn begins(matched: &Match, start: &GameStart) -> bool {
    let Parties::Committed { seed_hashes } = matched.parties else {
        return false;
    };
    let players = matched.seats.map(|seat| seat.0);
    let commitment = matched.secret.commitment();
    (players, seed_hashes, commitment) == (start.players, start.seed_hashes, start.commitment)
        && matched.rules().id() == start.rules
}
