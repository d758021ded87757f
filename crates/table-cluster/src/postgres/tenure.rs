//! A room as its owner holds it, and as the last one left it.

use super::session::Session;
use super::statements::{PLAYER, Statements, event, number, player};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use tokio_postgres::{Client, Error, Row};
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};
use war_table::protocol::PlayerId;
use war_table::room::{Room, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::rows::meeting;
use war_table::server::store::{Coming, Damage, StoreError};

/// How often new leaves of the log get their numbers, in milliseconds. A log has to show each leaf
/// within 10 seconds.
const NUMBERING: u64 = 500;

/// A room as its owner holds it in one epoch.
pub(super) struct Tenure {
    pub(super) session: Session,
    pub(super) statements: Statements,
    pub(super) heights: Arc<Heights>,
    pub(super) number: RoomNumber,
    pub(super) epoch: i64,
    /// The number of the next batch.
    pub(super) next_seq: Cell<i64>,
    pub(super) time: Cell<u64>,
    /// When this room last gave new leaves their numbers, if it is the one that does.
    pub(super) numbered: Cell<u64>,
    /// Whether nothing may be committed in this epoch any more: the room is lost, or it is not
    /// known what was committed.
    pub(super) spent: Cell<bool>,
    /// What is known of the games that run.
    pub(super) running: RefCell<Running>,
}

impl Tenure {
    /// The number of this room, as rows have it.
    pub(super) fn id(&self) -> i32 {
        i32::from(self.number.0)
    }

    /// Notes that the batch of this transaction is committed, at this time if it wrote any.
    pub(super) fn committed(&self, time: Option<u64>) -> Result<(), StoreError> {
        self.next_seq.set(self.next_seq.get() + 1);
        if let Some(time) = time {
            self.time.set(time.max(self.time.get()));
        }
        self.heights
            .note(self.number, (self.epoch, self.next_seq.get()))
    }

    /// Whether new leaves get their numbers in a batch of this time: only one room gives them,
    /// and its fence sees to it that only one owner of it does.
    pub(super) fn numbers_leaves(&self, now: u64) -> bool {
        let due = self.number == RoomNumber(0) && now >= self.numbered.get() + NUMBERING;
        if due {
            self.numbered.set(now);
        }
        due
    }

    /// Ends what a transaction left.
    pub(super) fn roll_back(&self) {
        let rolled_back = self.session.client().batch_execute("ROLLBACK");
        if self.session.wait(rolled_back).is_err() {
            self.spent.set(true);
        }
    }
}

/// How far each room was known to be, by its epoch and the number of its next batch: a store
/// that shows less has lost what was confirmed.
#[derive(Debug, Default)]
pub(super) struct Heights(Mutex<BTreeMap<RoomNumber, (i64, i64)>>);

impl Heights {
    /// Notes how far a room is.
    ///
    /// # Errors
    ///
    /// [`StoreError::WentBack`] where it was further before.
    pub(super) fn note(&self, room: RoomNumber, height: (i64, i64)) -> Result<(), StoreError> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.entry(room).or_default();
        if height.0 < known.0 || height.1 < known.1 {
            return Err(StoreError::WentBack);
        }
        *known = height;
        Ok(())
    }
}

/// What is found of a room.
pub(super) struct Found {
    players: Vec<Row>,
    waiting: Vec<Row>,
    events: Vec<Row>,
    logged: Vec<Row>,
}

/// What a room's owner keeps in memory, besides the room.
#[derive(Default)]
pub(super) struct Running {
    /// The events of the games that run.
    pub(super) games: BTreeMap<u64, Vec<RoomEvent>>,
    /// Those of them that have a leaf in the log.
    pub(super) logged: BTreeSet<u64>,
}

impl Running {
    /// Keeps what a batch has played, and which games got a leaf in it.
    pub(super) fn keep(&mut self, played: BTreeMap<u64, Vec<RoomEvent>>, logged: BTreeSet<u64>) {
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

/// Whether an event is the last of its game.
const fn is_end(event: &RoomEvent) -> bool {
    let RoomEvent::Played { event, .. } = event else {
        return false;
    };
    matches!(event, TokenEvent::Settled { .. })
}

/// Finds all that is in a room: its house players, and those who wait or play.
pub(super) async fn find(client: &Client, room: i32) -> Result<Found, Error> {
    let players = format!(
        "SELECT {PLAYER} FROM player WHERE room = $1 \
         AND (house OR id IN (SELECT player FROM waiting WHERE room = $1) \
              OR id IN (SELECT player FROM seat WHERE room = $1))"
    );
    // Those who were sent on are of another room.
    let waiting = "SELECT player, kind, since, seed_hash, meeting FROM waiting WHERE room = $1 \
                   AND player IN (SELECT id FROM player WHERE room = $1) \
                   ORDER BY since, player";
    let events = "SELECT body FROM event WHERE game IN (SELECT game FROM seat WHERE room = $1) \
                  AND room = $1 ORDER BY seq, part";
    let logged = "SELECT DISTINCT game FROM leaf \
                  WHERE game IN (SELECT game FROM seat WHERE room = $1)";
    Ok(Found {
        players: client.query(&players, &[&room]).await?,
        waiting: client.query(waiting, &[&room]).await?,
        events: client.query(events, &[&room]).await?,
        logged: client.query(logged, &[&room]).await?,
    })
}

/// Brings all that was found into a room.
///
/// # Errors
///
/// [`StoreError`] where it does not fit together.
pub(super) fn load(found: &Found, room: &mut Room) -> Result<Running, StoreError> {
    for row in &found.players {
        let (id, player) = player(row)?;
        room.admit(id, player);
    }
    for row in &found.waiting {
        room.apply(&chose(row)?).map_err(Damage::from)?;
    }
    let mut running = Running::default();
    for row in &found.events {
        let event = event(row)?;
        room.apply(&event).map_err(Damage::from)?;
        if let Some(game) = event.game() {
            running.games.entry(game).or_default().push(event);
        }
    }
    for row in &found.logged {
        running.logged.insert(number(row.get(0))?);
    }
    Ok(running)
}

/// The choice of a player who waits.
fn chose(row: &Row) -> Result<RoomEvent, StoreError> {
    Ok(RoomEvent::Chose {
        player: PlayerId(number(row.get(0))?),
        kind: Kind::named(row.get(1)).ok_or(Damage::Kind)?,
        at: number(row.get(2))?,
        seed_hash: hash(row.get(3))?,
        with: meeting(row.get(4))?,
    })
}

/// A player who was sent on, of a row that has them first, and then `kind, since, seed_hash`.
pub(super) fn coming(row: &Row) -> Result<Coming, StoreError> {
    let (id, player) = player(row)?;
    Ok(Coming {
        id,
        player,
        kind: Kind::named(row.get(8)).ok_or(Damage::Kind)?,
        waited: number(row.get(9))?,
        seed_hash: hash(row.get(10))?.ok_or(Damage::Layout)?,
    })
}

fn hash(bytes: Option<&[u8]>) -> Result<Option<Hex<32>>, StoreError> {
    let hash = bytes.map(<[u8; 32]>::try_from).transpose();
    Ok(hash.map_err(|_| Damage::Layout)?.map(Hex::new))
}
