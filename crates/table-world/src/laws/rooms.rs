//! The laws of rooms: who owns one, how its time goes, and whom it has claimed.

use super::law::{Lawful, When, law};
use crate::store::Write;
use std::collections::{BTreeMap, BTreeSet};
use war::tokens::TokenEvent;
use war_table::protocol::PlayerId;
use war_table::room::RoomEvent;
use war_table::server::rooms::RoomNumber;
use war_table_cluster::leases::{Epoch, LEASE};

/// How much sooner than after a whole lease a node may take a room, in milliseconds: its clock may
/// be too fast.
const DRIFT: u64 = 10;
/// How far the table's time and the time that it served may be apart in milliseconds: a step that
/// takes a second more than it should counts, and a commit stores a time a little before it.
const APART: u64 = 2_500;

/// Who may commit, as the owners of a room follow one another.
#[derive(Default)]
pub(super) struct Epochs {
    epoch: u64,
    next: u64,
    /// When the owner showed last that it is there, by the world's time, if there is one.
    beat: Option<u64>,
    /// Whether the owner has handed the room over, and nobody has taken it.
    is_free: bool,
}

impl Epochs {
    /// A node takes the room.
    pub(super) fn taken(&mut self, epoch: Epoch, now: u64) -> Lawful {
        let last = std::mem::replace(&mut self.epoch, epoch.0);
        law(
            "each owner has an epoch of its own",
            epoch.0 == last + 1,
            || format!("{} after {last}", epoch.0),
        )?;
        self.is_free = false;
        let beat = self.beat.replace(now);
        let silent = beat.map_or(u64::MAX, |beat| now.saturating_sub(beat));
        law(
            "a lease is kept",
            silent.saturating_add(DRIFT) >= LEASE,
            || format!("{silent} ms"),
        )
    }

    /// The owner hands the room over.
    pub(super) const fn handed_over(&mut self) {
        self.beat = None;
        self.is_free = true;
    }

    /// A batch is committed.
    pub(super) fn committed(&mut self, epoch: Epoch, seq: u64, now: u64) -> Lawful {
        law("one epoch commits", epoch.0 == self.epoch, || {
            format!("{} in {}", epoch.0, self.epoch)
        })?;
        law(
            "who hands a room over is done with it",
            !self.is_free,
            || format!("batch {seq} of {}", epoch.0),
        )?;
        let due = std::mem::replace(&mut self.next, seq + 1);
        self.beat = self.beat.map(|_| now);
        law("batches have no gap", seq == due, || {
            format!("{seq} instead of {due}")
        })
    }
}

/// How the table's time goes.
#[derive(Default)]
pub(super) struct Pace {
    /// The first commit since the table began to serve: the table's time, and the world's.
    first: Option<(u64, When)>,
    last: u64,
    /// When a server began to serve, until it commits, by the world's time.
    began: Option<u64>,
}

impl Pace {
    /// The server starts: its time goes on from where it was stored, which may be a while ago.
    pub(super) const fn begins(&mut self, now: u64) {
        self.first = None;
        self.began = Some(now);
    }

    /// The table's time was stored.
    pub(super) fn stored(&mut self, table: u64, when: When) -> Lawful {
        let last = std::mem::replace(&mut self.last, table);
        law("the table's time goes on", table >= last, || {
            format!("{table} after {last}")
        })?;
        let since = when
            .now
            .saturating_sub(self.began.take().unwrap_or(when.now));
        law(
            "time goes on from where it was",
            self.first.is_some() || table - last <= since + since / 1_000 + APART,
            || format!("{table} after {last}, {since} ms since somebody serves"),
        )?;
        let Some((first, since)) = self.first.filter(|(_, since)| since.starts == when.starts)
        else {
            self.first = Some((table, when));
            return Ok(());
        };
        let passed = table - first;
        let (served, world) = (when.served - since.served, when.now - since.now);
        let told = || {
            let (room, now) = (when.room, when.now);
            format!("{passed} ms while room {room} was served for {served}, at {now}")
        };
        law(
            "time goes on while the table serves",
            passed + passed / 1_000 + APART >= served,
            told,
        )?;
        law(
            "time goes no faster than the clock",
            passed <= world + world / 1_000 + APART,
            told,
        )
    }

    /// The table's time at the last commit.
    pub(super) const fn now(&self) -> u64 {
        self.last
    }
}

/// Which room has claimed whom, where there are several.
#[derive(Default)]
pub(super) struct Places {
    claimed: BTreeMap<PlayerId, RoomNumber>,
    /// Who waits or plays.
    busy: BTreeSet<PlayerId>,
    house: BTreeSet<PlayerId>,
    /// Who was claimed, or became free, in this batch.
    touched: BTreeSet<PlayerId>,
}

impl Places {
    /// Takes what a batch of a room wrote: only about players whom it has claimed.
    pub(super) fn written(&mut self, room: RoomNumber, write: &Write) -> Lawful {
        match write {
            Write::Register(id, player, _) => {
                self.claimed.insert(*id, room);
                if player.house {
                    self.house.insert(*id);
                } else {
                    self.touched.insert(*id);
                }
            }
            Write::Claim(id) => {
                let before = self.claimed.insert(*id, room);
                self.touched.insert(*id);
                law("nobody is in two rooms", before.is_none(), || {
                    format!("{id} comes to {room} from {before:?}")
                })?;
            }
            Write::SendOn(id, to) => {
                self.is_here(*id, room)?;
                self.claimed.insert(*id, *to);
            }
            Write::Release(id) => {
                self.is_here(*id, room)?;
                self.claimed.remove(id);
            }
            Write::Persist(id, _) | Write::Post(id, ..) | Write::Answer(id, ..) => {
                self.is_here(*id, room)?;
            }
            Write::Record(_, event) => self.happened(event),
            _ => {}
        }
        Ok(())
    }

    fn is_here(&self, player: PlayerId, room: RoomNumber) -> Lawful {
        let place = self.claimed.get(&player);
        law(
            "only the room that has claimed a player writes of them",
            place == Some(&room),
            || format!("{player} of {place:?} in {room}"),
        )
    }

    fn happened(&mut self, event: &RoomEvent) {
        match event {
            RoomEvent::Chose { player, .. } => {
                self.busy.insert(*player);
            }
            RoomEvent::Cancelled { player } => self.is_free(*player),
            RoomEvent::Matched(matched) => self.busy.extend(matched.seats),
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => seats.iter().for_each(|seat| self.is_free(*seat)),
            _ => {}
        }
    }

    fn is_free(&mut self, player: PlayerId) {
        self.busy.remove(&player);
        if !self.house.contains(&player) {
            self.touched.insert(player);
        }
    }

    /// A batch has ended: those who neither wait nor play are in no room, and the others in one.
    pub(super) fn all_free(&mut self) -> Lawful {
        for player in std::mem::take(&mut self.touched) {
            let (place, busy) = (self.claimed.get(&player), self.busy.contains(&player));
            law(
                "a free player is in no room",
                place.is_some() == busy,
                || format!("{player} in {place:?}"),
            )?;
        }
        Ok(())
    }
}
