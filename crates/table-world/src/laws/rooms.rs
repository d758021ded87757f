//! Laws of rooms: their owners, their time, and their claims on players.

use super::law::{LawResult, Moment, ensure};
use crate::schedule::WorldTime;
use crate::store::StoreWrite;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use war::tokens::TokenEvent;
use war_table::protocol::PlayerId;
use war_table::room::RoomEvent;
use war_table::server::rooms::RoomNumber;
use war_table::time::{TableTime, whole_millis};
use war_table_cluster::leases::{Epoch, LEASE_DURATION};

/// Longest time before the end of a lease at which a node may take the room, since the node's clock
/// may run fast.
const DRIFT: Duration = Duration::from_millis(10);
/// Largest difference between the table's time and the time served. A step that takes a second too
/// long counts as served, and the stored time is a little older than its commit.
const TOLERANCE: Duration = Duration::from_millis(2_500);

/// Returns a thousandth of a duration, in whole milliseconds.
fn thousandth(duration: Duration) -> Duration {
    Duration::from_millis(whole_millis(duration) / 1_000)
}

/// Laws of a room's epochs: only its current owner commits.
#[derive(Default)]
pub(super) struct EpochLaws {
    epoch: u64,
    next: u64,
    /// World time of the owner's last heartbeat.
    beat: Option<WorldTime>,
    /// True if the owner has handed the room over and no node has taken it since.
    is_free: bool,
}

impl EpochLaws {
    /// Records that a node takes the room.
    pub(super) fn record_take(&mut self, epoch: Epoch, now: WorldTime) -> LawResult {
        let last = std::mem::replace(&mut self.epoch, epoch.0);
        ensure(
            "each owner has an epoch of its own",
            epoch.0 == last + 1,
            || format!("{} after {last}", epoch.0),
        )?;
        self.is_free = false;
        let beat = self.beat.replace(now);
        let silent = beat.map_or(Duration::MAX, |beat| now.saturating_since(beat));
        ensure(
            "a lease is kept",
            silent.saturating_add(DRIFT) >= LEASE_DURATION,
            || format!("{} ms", whole_millis(silent)),
        )
    }

    /// Records that the owner hands the room over.
    pub(super) const fn record_hand_over(&mut self) {
        self.beat = None;
        self.is_free = true;
    }

    /// Records the commit of a batch.
    pub(super) fn record_commit(&mut self, epoch: Epoch, seq: u64, now: WorldTime) -> LawResult {
        ensure("one epoch commits", epoch.0 == self.epoch, || {
            format!("{} in {}", epoch.0, self.epoch)
        })?;
        ensure(
            "who hands a room over is done with it",
            !self.is_free,
            || format!("batch {seq} of {}", epoch.0),
        )?;
        let due = std::mem::replace(&mut self.next, seq + 1);
        self.beat = self.beat.map(|_| now);
        ensure("batches have no gap", seq == due, || {
            format!("{seq} instead of {due}")
        })
    }
}

/// Laws of the table's time.
#[derive(Default)]
pub(super) struct TimeLaws {
    /// Table time and world time of the first commit since service last began.
    first: Option<(TableTime, Moment)>,
    last: TableTime,
    /// World time at which a server started, until its first commit.
    began: Option<WorldTime>,
}

impl TimeLaws {
    /// Records the start of a server. Table time resumes from the stored time, which may be old.
    pub(super) const fn record_start(&mut self, now: WorldTime) {
        self.first = None;
        self.began = Some(now);
    }

    /// Checks the time that a commit stores.
    pub(super) fn check_time(&mut self, table: TableTime, moment: Moment) -> LawResult {
        let last = std::mem::replace(&mut self.last, table);
        ensure("the table's time goes on", table >= last, || {
            format!("{table:?} after {last:?}")
        })?;
        let passed = table.saturating_since(last);
        let since = moment
            .now
            .saturating_since(self.began.take().unwrap_or(moment.now));
        ensure(
            "time goes on from where it was",
            self.first.is_some() || passed <= since + thousandth(since) + TOLERANCE,
            || {
                let since = whole_millis(since);
                format!("{table:?} after {last:?}, {since} ms since somebody serves")
            },
        )?;
        let Some((first, since)) = self
            .first
            .filter(|(_, since)| since.starts == moment.starts)
        else {
            self.first = Some((table, moment));
            return Ok(());
        };
        let passed = table.saturating_since(first);
        let served = moment.served.saturating_sub(since.served);
        let world = moment.now.saturating_since(since.now);
        let evidence = || {
            let (room, now) = (moment.room, moment.now);
            let (passed, served) = (whole_millis(passed), whole_millis(served));
            format!("{passed} ms while room {room} was served for {served}, at {now:?}")
        };
        ensure(
            "time goes on while the table serves",
            passed + thousandth(passed) + TOLERANCE >= served,
            evidence,
        )?;
        ensure(
            "time goes no faster than the clock",
            passed <= world + thousandth(world) + TOLERANCE,
            evidence,
        )
    }

    /// Returns the table's time at the last commit.
    pub(super) const fn last_time(&self) -> TableTime {
        self.last
    }
}

/// Laws of the claims of several rooms on players.
#[derive(Default)]
pub(super) struct ClaimLaws {
    claimed: BTreeMap<PlayerId, RoomNumber>,
    /// Players who wait or play.
    busy: BTreeSet<PlayerId>,
    house: BTreeSet<PlayerId>,
    /// Players who were claimed or became free in the current batch.
    touched: BTreeSet<PlayerId>,
}

impl ClaimLaws {
    /// Checks a write of a room. A room may write only about players that it has claimed.
    pub(super) fn check_write(&mut self, room: RoomNumber, write: &StoreWrite) -> LawResult {
        match write {
            StoreWrite::Register(id, player, _) => {
                self.claimed.insert(*id, room);
                if player.house {
                    self.house.insert(*id);
                } else {
                    self.touched.insert(*id);
                }
            }
            StoreWrite::Claim(id) => {
                let before = self.claimed.insert(*id, room);
                self.touched.insert(*id);
                ensure("nobody is in two rooms", before.is_none(), || {
                    format!("{id} comes to {room} from {before:?}")
                })?;
            }
            StoreWrite::Forward(id, to) => {
                self.check_claim(*id, room)?;
                self.claimed.insert(*id, *to);
            }
            StoreWrite::Release(id) => {
                self.check_claim(*id, room)?;
                self.claimed.remove(id);
            }
            StoreWrite::SavePlayer(id, _)
            | StoreWrite::SaveMessage(id, ..)
            | StoreWrite::SaveAnswer(id, ..) => {
                self.check_claim(*id, room)?;
            }
            StoreWrite::Record(_, event) => self.apply(event),
            _ => {}
        }
        Ok(())
    }

    fn check_claim(&self, player: PlayerId, room: RoomNumber) -> LawResult {
        let place = self.claimed.get(&player);
        ensure(
            "only the room that has claimed a player writes of them",
            place == Some(&room),
            || format!("{player} of {place:?} in {room}"),
        )
    }

    fn apply(&mut self, event: &RoomEvent) {
        match event {
            RoomEvent::Chose { player, .. } => {
                self.busy.insert(*player);
            }
            RoomEvent::Cancelled { player } => self.free(*player),
            RoomEvent::Matched(matched) => self.busy.extend(matched.seats),
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => seats.iter().for_each(|seat| self.free(*seat)),
            _ => {}
        }
    }

    fn free(&mut self, player: PlayerId) {
        self.busy.remove(&player);
        if !self.house.contains(&player) {
            self.touched.insert(player);
        }
    }

    /// Checks at the end of a batch that players are claimed exactly while they wait or play.
    pub(super) fn check_touched_players(&mut self) -> LawResult {
        for player in std::mem::take(&mut self.touched) {
            let (place, busy) = (self.claimed.get(&player), self.busy.contains(&player));
            ensure(
                "a free player is in no room",
                place.is_some() == busy,
                || format!("{player} in {place:?}"),
            )?;
        }
        Ok(())
    }
}
