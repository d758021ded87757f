//! State of an owned room, and loading of the room's contents from the database.

use super::session::DatabaseSession;
use super::statements::{PLAYER_COLUMNS, PreparedStatements, parse_event, parse_player, to_u64};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_postgres::{Client, Error, Row};
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::protocol::PlayerId;
use war_table::room::{Room, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::rows::decode_opponent;
use war_table::server::store::{Damage, IncomingPlayer, StoreError};
use war_table::time::TableTime;

/// Interval at which new leaves of the log are numbered. The log has to show each leaf within 10
/// seconds.
const NUMBERING_INTERVAL: Duration = Duration::from_millis(500);

/// Lease of a room that this node owns in one epoch.
pub(super) struct RoomLease {
    pub(super) session: DatabaseSession,
    pub(super) statements: PreparedStatements,
    pub(super) progress: Arc<HighWaterMarks>,
    pub(super) number: RoomNumber,
    pub(super) epoch: i64,
    /// Number of the next batch.
    pub(super) next_seq: Cell<i64>,
    pub(super) time: Cell<TableTime>,
    /// Time at which this room last numbered new leaves. Only room 0 numbers leaves.
    pub(super) last_numbering: Cell<TableTime>,
    /// True once nothing may be committed in this epoch any more: the room is lost, or the outcome
    /// of a commit is unknown.
    pub(super) is_lost: Cell<bool>,
    /// Cache of the running games.
    pub(super) running: RefCell<RunningGames>,
}

impl RoomLease {
    /// Number of the room, as a parameter.
    pub(super) fn id(&self) -> i32 {
        i32::from(self.number.0)
    }

    /// Records the commit of the batch. `time` is the time of the room that the batch stored, if
    /// any.
    pub(super) fn record_commit(&self, time: Option<TableTime>) -> Result<(), StoreError> {
        self.next_seq.set(self.next_seq.get() + 1);
        if let Some(time) = time {
            self.time.set(time.max(self.time.get()));
        }
        self.progress
            .record(self.number, (self.epoch, self.next_seq.get()))
    }

    /// Returns true if a batch at this time has to number new leaves, and records the time. Only
    /// room 0 numbers leaves, and its fence ensures that it has one owner.
    pub(super) fn start_numbering_if_due(&self, now: TableTime) -> bool {
        let due = self.number == RoomNumber(0)
            && now >= self.last_numbering.get().saturating_add(NUMBERING_INTERVAL);
        if due {
            self.last_numbering.set(now);
        }
        due
    }

    /// Rolls back the open transaction.
    pub(super) fn roll_back(&self) {
        let rolled_back = self.session.client().batch_execute("ROLLBACK");
        if self.session.wait(rolled_back).is_err() {
            self.is_lost.set(true);
        }
    }
}

/// High-water marks of rooms: the highest observed epoch and sequence number of each room. A store
/// with lower numbers has lost confirmed commits.
#[derive(Debug, Default)]
pub(super) struct HighWaterMarks(Mutex<BTreeMap<RoomNumber, (i64, i64)>>);

impl HighWaterMarks {
    /// Records the epoch and the sequence number of a room.
    ///
    /// # Errors
    ///
    /// [`StoreError::StaleCopy`] if either of them is lower than recorded before.
    pub(super) fn record(&self, room: RoomNumber, mark: (i64, i64)) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(room).or_default();
        if mark.0 < known.0 || mark.1 < known.1 {
            return Err(StoreError::StaleCopy);
        }
        *known = mark;
        Ok(())
    }
}

/// Rows from which a room is restored.
pub(super) struct RoomRows {
    players: Vec<Row>,
    waiting: Vec<Row>,
    events: Vec<Row>,
    logged: Vec<Row>,
}

/// Running games of a room, cached by its owner.
#[derive(Default)]
pub(super) struct RunningGames {
    /// Events by game.
    pub(super) games: BTreeMap<u64, Vec<RoomEvent>>,
    /// Games that have a leaf in the log.
    pub(super) logged: BTreeSet<u64>,
}

impl RunningGames {
    /// Adds the events of a committed batch, and the games for which the batch appended leaves.
    pub(super) fn add_batch(
        &mut self,
        played: BTreeMap<u64, Vec<RoomEvent>>,
        logged: BTreeSet<u64>,
    ) {
        self.logged.extend(logged);
        for (game, events) in played {
            if events.iter().any(is_end) {
                self.games.remove(&game);
                self.logged.remove(&game);
            } else if matches!(events[..], [RoomEvent::Matched(_), ..]) {
                self.games.insert(game, events);
            } else if let Some(known) = self.games.get_mut(&game) {
                known.extend(events);
            }
        }
    }
}

/// True if the event is the last of its game.
const fn is_end(event: &RoomEvent) -> bool {
    let RoomEvent::Played { event, .. } = event else {
        return false;
    };
    matches!(event, TokenEvent::Settled { .. })
}

/// Reads the rows of a room: its house players, and players who wait or play.
pub(super) async fn read_room_rows(client: &Client, room: i32) -> Result<RoomRows, Error> {
    let players = format!(
        "SELECT {PLAYER_COLUMNS} FROM player WHERE room = $1 \
         AND (house OR id IN (SELECT player FROM waiting WHERE room = $1) \
              OR id IN (SELECT player FROM seat WHERE room = $1))"
    );
    // A forwarded player still has a `waiting` row here, but belongs to another room.
    let waiting = "SELECT player, kind, since, seed_hash, meeting FROM waiting WHERE room = $1 \
                   AND player IN (SELECT id FROM player WHERE room = $1) \
                   ORDER BY since, player";
    let events = "SELECT body FROM event WHERE game IN (SELECT game FROM seat WHERE room = $1) \
                  AND room = $1 ORDER BY seq, part";
    let logged = "SELECT DISTINCT game FROM leaf \
                  WHERE game IN (SELECT game FROM seat WHERE room = $1)";
    Ok(RoomRows {
        players: client.query(&players, &[&room]).await?,
        waiting: client.query(waiting, &[&room]).await?,
        events: client.query(events, &[&room]).await?,
        logged: client.query(logged, &[&room]).await?,
    })
}

/// Restores a room from its rows.
///
/// # Errors
///
/// [`StoreError`] if the rows are inconsistent.
pub(super) fn restore_room(rows: &RoomRows, room: &mut Room) -> Result<RunningGames, StoreError> {
    for row in &rows.players {
        let (id, player) = parse_player(row)?;
        room.admit(id, player);
    }
    for row in &rows.waiting {
        room.apply(&parse_waiting_player(row)?)
            .map_err(Damage::from)?;
    }
    let mut running = RunningGames::default();
    for row in &rows.events {
        let event = parse_event(row)?;
        room.apply(&event).map_err(Damage::from)?;
        if let Some(game) = event.game() {
            running.games.entry(game).or_default().push(event);
        }
    }
    for row in &rows.logged {
        running.logged.insert(to_u64(row.get(0))?);
    }
    Ok(running)
}

/// Parses the row of a waiting player.
fn parse_waiting_player(row: &Row) -> Result<RoomEvent, StoreError> {
    Ok(RoomEvent::Chose {
        player: PlayerId(to_u64(row.get(0))?),
        kind: Kind::from_name(row.get(1)).ok_or(Damage::Kind)?,
        at: TableTime::from_millis(to_u64(row.get(2))?),
        seed_hash: parse_hash(row.get(3))?,
        with: decode_opponent(row.get(4))?,
    })
}

/// Parses a player whom another room has forwarded, from a row with the columns [`PLAYER_COLUMNS`],
/// `kind`, `since` and `seed_hash`.
pub(super) fn parse_incoming_player(row: &Row) -> Result<IncomingPlayer, StoreError> {
    let (id, player) = parse_player(row)?;
    Ok(IncomingPlayer {
        id,
        player,
        kind: Kind::from_name(row.get(8)).ok_or(Damage::Kind)?,
        waited: Duration::from_millis(to_u64(row.get(9))?),
        seed_hash: parse_hash(row.get(10))?.ok_or(Damage::Layout)?,
    })
}

fn parse_hash(bytes: Option<&[u8]>) -> Result<Option<Hex<32>>, StoreError> {
    let hash = bytes.map(<[u8; 32]>::try_from).transpose();
    Ok(hash.map_err(|_| Damage::Layout)?.map(Hex::new))
}
