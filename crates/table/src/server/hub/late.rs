//! What comes when time is up, while the same may be on its way that was asked for in time: over
//! another connection, or before the room got its owner.

use super::requests::command;
use super::state::{Hub, Late};
use super::{ClientId, UnitOfWork};
use crate::room::{PlayerId, Refusal, Request};
use crate::server::store::StoreError;

impl Hub {
    /// Why a request is not granted, if it came too late and time has not decided yet; what was
    /// answered before is not late.
    pub(super) fn is_late(
        &mut self,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<Refusal>, StoreError> {
        let refusal = self.lateness(player, request, unit.asked());
        if refusal.is_some() && unit.store().answer(player, request.id())?.is_some() {
            return Ok(None);
        }
        Ok(refusal)
    }

    /// Why what a player asked for at this time is too late, until time has decided.
    fn lateness(&self, player: PlayerId, request: &Request, asked: u64) -> Option<Refusal> {
        if !matches!(request, Request::Seed { .. } | Request::Decide { .. }) {
            return None;
        }
        let command = command(player, request)?;
        self.room.too_late(&command, asked)
    }

    /// Answers a request later that came too late.
    pub(super) fn hold_back(
        &mut self,
        client: ClientId,
        request: &Request,
        refusal: Refusal,
        unit: &UnitOfWork<'_>,
    ) {
        self.late.push(Late {
            client,
            request: request.clone(),
            refusal,
            asked: unit.asked(),
        });
    }

    /// Answers what came too late, where that can't be granted any more: by what came in time, or
    /// by a refusal.
    pub(super) fn answer_late(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        for late in std::mem::take(&mut self.late) {
            let client = self.clients.get(&late.client);
            // One that is gone asks again, if at all.
            let Some(player) = client.and_then(|client| client.player) else {
                continue;
            };
            if self.lateness(player, &late.request, late.asked).is_some() {
                self.late.push(late);
            } else {
                self.do_and_answer(late.client, &late.request, Some(late.refusal), unit)?;
            }
        }
        Ok(())
    }
}
