//! Answers operators' requests that only read a store, and verifies the store part by part.

use super::completed_game::CompletedGame;
use super::rating;
use super::store::rows::damage_to_none;
use super::store::{GameRecords, Inspector, LedgerEntry, StoreError, compute_transfers};
use crate::log::{Continuation, Frontier, GameEnd, GameStart, Leaf, TreeHash, hash_leaf};
use crate::operator::{
    CheckPosition, CheckReport, LedgerPosition, OperatorAnswer, OperatorRequest, StoreFault,
};
use crate::protocol::LadderPeriod;
use crate::room::{Match, OrderError, Parties, RoomEvent};
use std::collections::{BTreeMap, BTreeSet};
use war::i18n::Lang;
use war::journal::Verdict;
use war::recording::RecordingMetadata;
use war::replay::verify;

/// Maximum number of events checked by one verification request.
const EVENTS_PER_PART: u32 = 5_000;
/// Maximum number of players checked by one verification request.
const PLAYERS_PER_PART: u32 = 1_000;
/// Maximum number of games replayed by one verification request.
const GAMES_PER_PART: u32 = 200;
/// Maximum number of leaves checked by one verification request.
const LEAVES_PER_PART: u64 = 500;

/// Answers an operator's request that only reads the store; `None` for other requests. The table
/// may write to the store meanwhile.
///
/// # Errors
///
/// [`StoreError`] if the store fails.
pub fn answer_inspection(
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

/// Checks one part of a store. The table may write to the store meanwhile.
///
/// # Errors
///
/// [`StoreError`] if the store fails.
fn check(store: &dyn Inspector, from: CheckPosition) -> Result<CheckReport, StoreError> {
    match from {
        CheckPosition::Ledger(after) => check_ledger(store, after),
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
            let players = store.check_messages(player, PLAYERS_PER_PART)?;
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
            let games = store.settled_games(game, GAMES_PER_PART)?;
            let more = |&game: &u64| CheckPosition::Journals { game };
            let next = games.last().map_or(CheckPosition::Games { game: 0 }, more);
            let numbers: BTreeSet<_> = games.iter().copied().collect();
            let (events, settled) = (
                store.events_of_games(&numbers)?,
                store.settlements(&numbers)?,
            );
            let is_wrong = |game: &&u64| {
                let events = events.get(game).and_then(Option::as_deref);
                let verified = events
                    .zip(settled.get(game))
                    .is_some_and(|(events, settled)| is_verified(events, settled));
                !verified
            };
            let wrong = games.iter().filter(is_wrong);
            Ok(CheckReport {
                count: games.len() as u64,
                faults: wrong.map(|game| StoreFault::Journal(*game)).collect(),
                next: Some(next),
            })
        }
        CheckPosition::Games { game } => check_games(store, game),
        CheckPosition::Records { player } => {
            let records = store.check_records(player, PLAYERS_PER_PART)?;
            let more = |&(player, _): &(u64, bool)| CheckPosition::Records { player };
            let wrong = records.iter().filter(|(_, right)| !right);
            Ok(CheckReport {
                count: records.len() as u64,
                faults: wrong.map(|(id, _)| StoreFault::Record(*id)).collect(),
                next: Some(records.last().map_or(CheckPosition::Ladder, more)),
            })
        }
        CheckPosition::Ladder => check_ladder(store),
        CheckPosition::Log { leaf } => check_log(store, leaf),
    }
}

/// Computes the ladder from all games, and compares it with the stored one.
fn check_ladder(store: &dyn Inspector) -> Result<CheckReport, StoreError> {
    let mut checked = CheckReport {
        count: 0,
        faults: Vec::new(),
        next: Some(CheckPosition::Log { leaf: 0 }),
    };
    let Some(day) = store.rated_day()? else {
        return Ok(checked);
    };
    for span in LadderPeriod::ALL {
        // A game that can't be read is reported by the check of games.
        let Some(right) = damage_to_none(rating::recompute_standings(store, span, day))? else {
            continue;
        };
        let kept = store.standings(span)?;
        checked.count += kept.iter().count() as u64;
        let players = right.iter().chain(kept.iter()).map(|(id, _)| id);
        let players: BTreeSet<_> = players.collect();
        let wrong = players
            .into_iter()
            .filter(|id| right.get(*id) != kept.get(*id));
        checked
            .faults
            .extend(wrong.map(|id| StoreFault::Rating(id.0)));
    }
    // If the ladder has changed in the meantime, the comparison means nothing.
    if store.rated_day()? != Some(day) {
        checked.faults.clear();
    }
    Ok(checked)
}

/// Compares the stored records of games with those computed from the games' events.
fn check_games(store: &dyn Inspector, after: u64) -> Result<CheckReport, StoreError> {
    let Some(games) = damage_to_none(store.game_records(after, GAMES_PER_PART))? else {
        // One of the rows has an invalid value. It is unknown which one, so the first possible
        // number of a game is reported.
        let after = after.saturating_add(1);
        return Ok(CheckReport {
            count: 0,
            faults: vec![StoreFault::Game(after)],
            next: Some(CheckPosition::Records { player: 0 }),
        });
    };
    let more = |game: &GameRecords| CheckPosition::Games { game: game.game };
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

fn check_ledger(store: &dyn Inspector, after: LedgerPosition) -> Result<CheckReport, StoreError> {
    let (mut entries, next) = store.ledger_entries(after, EVENTS_PER_PART)?;
    let wrong = |entry: &mut LedgerEntry| match &entry.event {
        None => Some(StoreFault::Event(entry.name.clone())),
        Some(event) => {
            let mut right = compute_transfers(event);
            right.sort_unstable();
            entry.transfers.sort_unstable();
            (right != entry.transfers).then(|| StoreFault::Ledger(entry.name.clone()))
        }
    };
    Ok(CheckReport {
        count: entries.len() as u64,
        faults: entries.iter_mut().filter_map(wrong).collect(),
        next: Some(next.map_or(CheckPosition::Balances, CheckPosition::Ledger)),
    })
}

/// Returns true if the journal of a game with these events verifies and has the stored digest.
fn is_verified(events: &[RoomEvent], settled: &RecordingMetadata) -> bool {
    let Some(played) = CompletedGame::from_events(events) else {
        return false;
    };
    let Some(journal) = played.write_journal(Some(settled), &settled.engine, Lang::ALL[0]) else {
        return false;
    };
    let verified = verify(&journal[..]).ok();
    verified.is_some_and(|judged| {
        let same = judged.end().is_some_and(|end| end.digest == settled.digest);
        judged.verdict() == Verdict::Verified && same
    })
}

fn check_log(store: &dyn Inspector, first: u64) -> Result<CheckReport, StoreError> {
    let range = first..first.saturating_add(LEAVES_PER_PART);
    let hashes = damage_to_none(store.leaf_hashes(range.clone()))?;
    let texts = damage_to_none(store.leaf_texts(range))?;
    let Some((hashes, texts)) = hashes.zip(texts) else {
        // One of the leaves is missing or can't be read. The first leaf of the range is reported.
        return Ok(CheckReport {
            count: 0,
            faults: vec![StoreFault::Leaf(first)],
            next: None,
        });
    };
    // A leaf that was changed is a fault anyway, and may name any game.
    let leaf = |(hash, text): (&TreeHash, &String)| {
        let same = hash_leaf(text.as_bytes()) == *hash;
        same.then(|| text.parse().ok()).flatten()
    };
    let leaves: Vec<Option<Leaf>> = hashes.iter().zip(&texts).map(leaf).collect();
    let games = LoggedGames::read(store, &leaves)?;
    let mut faults = Vec::new();
    for (number, leaf) in (first..).zip(&leaves) {
        let consistent = match leaf {
            Some(leaf) => is_consistent(store, number, leaf, &games)?,
            None => false,
        };
        if !consistent {
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

/// Stored parts of the games that leaves name.
struct LoggedGames {
    /// Events of the games that start; `None` for a game with an event that can't be read.
    started: BTreeMap<u64, Option<Vec<RoomEvent>>>,
    ended: BTreeMap<u64, RecordingMetadata>,
}

impl LoggedGames {
    fn read(store: &dyn Inspector, leaves: &[Option<Leaf>]) -> Result<Self, StoreError> {
        let (mut started, mut ended) = (BTreeSet::new(), BTreeSet::new());
        for leaf in leaves.iter().flatten() {
            let _is_new = match leaf {
                Leaf::Start(start) => started.insert(start.game),
                Leaf::End(end) => ended.insert(end.game),
                Leaf::Restored(_) | Leaf::Day(_) => false,
            };
        }
        Ok(Self {
            started: store.events_of_games(&started)?,
            ended: store.settlements(&ended)?,
        })
    }
}

/// Returns true if a leaf agrees with the stored events of its game, for a restored table with the
/// leaves before it, and for a daily duel with the store's secret.
fn is_consistent(
    store: &dyn Inspector,
    number: u64,
    leaf: &Leaf,
    games: &LoggedGames,
) -> Result<bool, StoreError> {
    Ok(match leaf {
        Leaf::Start(start) => {
            let events = games.started.get(&start.game).and_then(Option::as_ref);
            let first = events.and_then(|events| events.first());
            matches!(first, Some(RoomEvent::Matched(matched)) if is_start_of(matched, start))
        }
        Leaf::End(GameEnd { game, digest, .. }) => {
            let settled = games.ended.get(game);
            settled.is_some_and(|settled| settled.digest == *digest)
        }
        Leaf::Restored(restored) => covers_log(store, number, restored)?,
        Leaf::Day(committed) => {
            let duel = store.secret()?.daily_duel(committed.day);
            committed.is_in_time() && duel.seed.commitment() == committed.commitment
        }
    })
}

/// Returns true if the leaf of a restored table covers all leaves before it.
fn covers_log(
    store: &dyn Inspector,
    number: u64,
    restored: &Continuation,
) -> Result<bool, StoreError> {
    let mut log = Frontier::default();
    while log.size() < number {
        let range = log.size()..number.min(log.size() + LEAVES_PER_PART);
        let Some(hashes) =
            damage_to_none(store.leaf_hashes(range))?.filter(|read| !read.is_empty())
        else {
            return Ok(false);
        };
        for hash in hashes {
            log.append(hash);
        }
    }
    Ok((restored.size, restored.root) == (number, log.root()))
}

fn is_start_of(matched: &Match, start: &GameStart) -> bool {
    let Parties::Committed { seed_hashes } = matched.parties else {
        return false;
    };
    let players = matched.seats.map(|seat| seat.0);
    let commitment = matched.secret.commitment();
    (players, seed_hashes, commitment) == (start.players, start.seed_hashes, start.commitment)
        && matched.rules().id() == start.rules
}
