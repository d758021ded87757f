use crate::broken::{Lawful, law};
use std::collections::{BTreeMap, BTreeSet};
use war::tokens::TokenEvent;
use war_table::room::{PlayerId, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Write;

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
