//! Work that is due once a day: rating the games of the ladder, and committing to the next daily
//! duel.
#![expect(
    clippy::disallowed_methods,
    reason = "it rates in real time, beside the games"
)]

use super::clock::Clock;
use super::hub::HubCommand;
use super::metrics::Metrics;
use super::placement::Placement;
use super::room_actor::ActorMessage;
use super::rooms::RoomNumber;
use super::store::{StoreError, StoreReader};
use crate::daily::Day;
use crate::ladder::{LadderPeriod, LadderUpdate, Standings, day_of, start_of_day};
use crate::protocol::PlayerId;
use crate::time::WallTime;
use slog::{Logger, info, warn};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Time from the end of a day until it is rated, and its duel is opened. By then all games of the day
/// are stored, even if the clocks of nodes differ.
pub(super) const RATING_DELAY: Duration = Duration::from_secs(600);

/// Computes an update of the ladder if a day is over that has not been rated.
///
/// # Errors
///
/// [`StoreError`] if the store fails.
fn next_update(
    reader: &dyn StoreReader,
    now: WallTime,
) -> Result<Option<LadderUpdate>, StoreError> {
    let Some(day) = day_of(now.saturating_sub(RATING_DELAY)).checked_sub(1) else {
        return Ok(None);
    };
    let Some(first) = reader.first_game_end()?.map(day_of) else {
        return Ok(None);
    };
    let rated = reader.rated_day()?;
    let from = rated.map_or(first, |rated| rated.saturating_add(1));
    if from > day {
        return Ok(None);
    }
    let mut ever = match rated {
        Some(_) => reader.standings(LadderPeriod::Ever)?,
        None => Standings::default(),
    };
    let mut changed: Vec<PlayerId> = Vec::new();
    for day in from..=day {
        changed.extend(rate(reader, &mut ever, day)?);
    }
    changed.sort_unstable();
    changed.dedup();
    let standing = |id| {
        ever.get(id)
            .map(|standing| (LadderPeriod::Ever, id, *standing))
    };
    let mut standings: Vec<_> = changed.into_iter().filter_map(standing).collect();
    for span in [LadderPeriod::Week, LadderPeriod::Month] {
        let all = recompute_standings(reader, span, day)?;
        standings.extend(all.iter().map(|(id, standing)| (span, id, *standing)));
    }
    let previous_day = rated;
    Ok(Some(LadderUpdate {
        previous_day,
        day,
        standings,
    }))
}

/// Computes the standings of a period that ends with this day, from all games of the period.
///
/// # Errors
///
/// [`StoreError`] if the store fails.
pub(super) fn recompute_standings(
    reader: &dyn StoreReader,
    span: LadderPeriod,
    day: u64,
) -> Result<Standings, StoreError> {
    let mut standings = Standings::default();
    if let Some(first) = reader.first_game_end()?.map(day_of) {
        for day in first.max(span.first_day(day))..=day {
            rate(reader, &mut standings, day)?;
        }
    }
    Ok(standings)
}

fn rate(
    reader: &dyn StoreReader,
    standings: &mut Standings,
    day: u64,
) -> Result<Vec<PlayerId>, StoreError> {
    let games = reader.public_games(start_of_day(day)..start_of_day(day.saturating_add(1)))?;
    Ok(standings.rate(day, games))
}

/// Room that saves the ladder.
const LADDER_ROOM: RoomNumber = RoomNumber(0);
/// Number of sleeps of length [`STEP`] between two checks for a day that is over.
const STEPS_PER_CHECK: u32 = 50;
/// Time that the worker sleeps before it checks whether the server is closing. A closing server
/// waits at most this long for a sleeping worker.
const STEP: Duration = Duration::from_millis(200);

/// Worker that commits to each daily duel on the day before, and rates the games of each day after
/// the end of the day, in a separate thread. Only the server that owns [`LADDER_ROOM`] does so. The
/// actor of that room writes the leaf and the update.
pub(super) struct Rater {
    /// Reader that nobody else uses.
    pub(super) reader: Box<dyn StoreReader>,
    pub(super) placement: Arc<dyn Placement>,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
    pub(super) closing: watch::Receiver<bool>,
}

impl Rater {
    /// Does what is due until the server closes. If the store fails, tries again later.
    pub(super) fn run(self) {
        loop {
            if let Err(error) = self.update() {
                self.metrics.count_store_error();
                warn!(self.log, "the ladder or the daily duel can't be updated"; "reason" => %error);
            }
            for _ in 0..STEPS_PER_CHECK {
                if *self.closing.borrow() || self.closing.has_changed().is_err() {
                    return;
                }
                std::thread::sleep(STEP);
            }
        }
    }

    /// Commits to the daily duel of tomorrow, and rates the games of all days that are over, unless
    /// this has been done. Each is done even if the other fails.
    fn update(&self) -> Result<(), StoreError> {
        let Some(writer) = self.placement.room_sender(LADDER_ROOM) else {
            return Ok(());
        };
        let send = |command| {
            let message = ActorMessage::Hub {
                arrived: self.clock.now(),
                command,
                permit: None,
            };
            // If the actor is gone, the next actor gets the command at a later check.
            let _ = writer.blocking_send(message);
        };
        let now = self.clock.wall_time();
        let tomorrow = Day::of(now).next();
        let committed = self.reader.day_commitment(tomorrow).map(|committed| {
            if committed.is_none() {
                send(HubCommand::CommitDay(tomorrow));
            }
        });
        let rated = next_update(&*self.reader, now).map(|update| {
            if let Some(update) = update {
                info!(self.log, "rated"; "day" => update.day, "standings" => update.standings.len());
                send(HubCommand::Rate(update));
            }
        });
        committed.and(rated)
    }
}

#[cfg(test)]
mod tests {
    use super::{RATING_DELAY, next_update, recompute_standings};
    use crate::ladder::{LadderPeriod, start_of_day};
    use crate::protocol::{AccessToken, FinalAction, PlayerId};
    use crate::room::{Player, PlayerGameRecord};
    use crate::server::store::{
        Registration, SqliteStore, Store, StoreError, StoreReader, TokenHash, Transaction,
    };
    use std::time::Duration;
    use war::support::hex::Hex;
    use war::tokens::{Kind, Name};

    /// Writes into a store in one transaction.
    fn write(
        store: &SqliteStore,
        write: impl FnOnce(&mut dyn Transaction) -> Result<(), StoreError>,
    ) {
        let begun = store.begin().expect("a store that works");
        let mut transaction = begun.expect("nobody else writes");
        write(&mut *transaction).expect("a store that works");
        transaction.commit().expect("a store that works");
    }

    fn join(store: &SqliteStore, number: u8) {
        let player = Player::new(Name::new("Ann").expect("a name"), false);
        let registration = Registration {
            id: PlayerId(number.into()),
            player: &player,
            token: TokenHash::from_token(&AccessToken::new(Hex::new([number; 32]))),
        };
        write(store, |store| store.register(&registration));
    }

    /// Saves a game that player 1 won against this opponent on this day.
    fn play(store: &SqliteStore, game: u64, opponent: u64, day: u64) {
        let kept = |player, opponent, tokens| PlayerGameRecord {
            player: PlayerId(player),
            game,
            at: start_of_day(day).saturating_add(Duration::from_millis(game)),
            kind: Kind::Single,
            opponent: PlayerId(opponent),
            yours: FinalAction::Play,
            theirs: FinalAction::Play,
            cards: None,
            their_cards: None,
            tokens,
            balance: 1_000,
            is_public: true,
        };
        for game in [kept(1, opponent, 10), kept(opponent, 1, -10)] {
            write(store, |store| store.save_game(&game));
        }
    }

    // While a clock is far ahead, all days before its time are rated. Once the clock is corrected,
    // games end on days that have already been rated.
    #[test]
    fn the_ladder_is_rated_again_after_the_clock_was_set_back() {
        let place = tempfile::tempdir().expect("a directory");
        let store = SqliteStore::open(&place.path().join("table.db")).expect("a store");
        let reader = store.open_reader().expect("a store");
        (1..=3).for_each(|number| join(&store, number));
        let rate = |day: u64| {
            let now = start_of_day(day + 1).saturating_add(RATING_DELAY);
            let rated = next_update(&reader, now).expect("a store that works");
            write(&store, |store| {
                rated.iter().try_for_each(|rated| store.save_ladder(rated))
            });
        };
        let is_right = |day: u64| {
            assert_eq!(reader.rated_day().expect("a store that works"), Some(day));
            for span in LadderPeriod::ALL {
                let right = recompute_standings(&reader, span, day).expect("a store that works");
                let kept = reader.standings(span).expect("a store that works");
                assert_eq!(kept, right, "{day} {span:?}");
            }
        };
        play(&store, 1, 2, 100);
        rate(100);
        is_right(100);
        play(&store, 2, 3, 500);
        rate(500);
        is_right(500);
        play(&store, 3, 2, 101);
        rate(101);
        // The day of player 3's game is not over.
        is_right(101);
        rate(101);
        is_right(101);
        rate(500);
        is_right(500);
    }
}
