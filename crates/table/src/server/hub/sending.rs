//! Rooms that are opened under load: who goes there, and who comes back.

use super::state::Hub;
use super::{ALONE, ARRIVALS, FOLLOWED, UnitOfWork};
use crate::protocol::PlayerId;
use crate::room::{Command, Meeting};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Coming, StoreError};
use war::tokens::Kind;

impl Hub {
    /// Whether all who want a game of this kind meet here.
    pub(super) fn is_meeting(&self, kind: Kind) -> bool {
        self.location.meeting_elsewhere(kind).is_none()
    }

    /// Where somebody goes who wants a game of this kind, if not into this room: it plays as many
    /// games as it should, is asked for more than it can do soon, and nobody waits here. The next one
    /// goes there as well, so that they meet.
    pub(super) fn overflow(&mut self, kind: Kind) -> Option<RoomNumber> {
        let is_busy = self.room.running() >= self.full.games && self.asked >= self.full.asked;
        let is_full = is_busy && self.room.waits_for(kind).is_none();
        let others = self.location.rooms.count() - 1;
        if !is_full || others == 0 || !self.is_meeting(kind) {
            return None;
        }
        let pair = self.sent_on / 2;
        self.sent_on = self.sent_on.wrapping_add(1);
        let behind = 1 + u16::try_from(pair % u64::from(others)).unwrap_or(0);
        let number =
            (u32::from(self.location.room.0) + u32::from(behind)) % (u32::from(others) + 1);
        u16::try_from(number).ok().map(RoomNumber)
    }

    /// When the next player is sent on, or looked for.
    pub(super) fn next_sending(&self) -> Option<u64> {
        if !self.is_shared {
            return None;
        }
        let alone = self
            .alone()
            .map(|(since, ..)| since.saturating_add(ALONE))
            .min();
        let meets = self.location.is_meeting();
        let arrivals = meets.then(|| self.looked.saturating_add(ARRIVALS));
        alone.into_iter().chain(arrivals).min()
    }

    /// Who waits here alone for a game for which all others meet elsewhere, and since when.
    fn alone(&self) -> impl Iterator<Item = (u64, PlayerId, Kind)> {
        let kinds = Kind::ALL.into_iter().filter(|kind| !self.is_meeting(*kind));
        kinds.filter_map(|kind| {
            let (player, since) = self.room.waits_for(kind)?;
            Some((since, player, kind))
        })
    }

    /// Sends those on who have waited here alone for long enough.
    pub(super) fn send_on_who_is_alone(
        &mut self,
        now: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if !self.is_shared {
            return Ok(());
        }
        let late = self
            .alone()
            .filter(|(since, ..)| since.saturating_add(ALONE) <= now);
        let late: Vec<_> = late.collect();
        for (_, player, kind) in late {
            let to = self.location.rooms.meeting(kind);
            let room = to.0;
            let sent = self.room.step(&Command::SendOn { player, room }, now);
            self.persist(&sent.expect("they wait"), unit)?;
            self.gone.remove(&player);
            unit.send_on(player, to);
        }
        Ok(())
    }

    /// Receives those whom other rooms have sent on, if it is time to look for them.
    pub(super) fn look_for_arrivals(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let now = unit.now();
        let meets = self.location.is_meeting();
        if self.is_shared && meets && self.looked.saturating_add(ARRIVALS) <= now {
            self.receive(unit)?;
        }
        Ok(())
    }

    /// Receives those whom other rooms have sent on.
    pub(super) fn receive(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        self.looked = now;
        for coming in unit.store().coming()? {
            let Coming {
                id,
                player,
                kind,
                waited,
                seed_hash,
            } = coming;
            self.make_way(id, kind, Meeting::Anyone, unit)?;
            self.room.admit(id, player);
            unit.touch(id);
            let received = Command::Receive {
                player: id,
                kind,
                waited,
                seed_hash,
                secret: self.randomness.secret(),
            };
            let received = self.room.step(&received, now);
            self.persist(&received.expect("they are free"), unit)?;
            if !self.connections.contains_key(&id) {
                self.gone.insert(id, now.saturating_add(FOLLOWED));
            }
        }
        Ok(())
    }
}
