use super::state::Hub;
use super::{ClientId, Outbound, UnitOfWork};
use crate::room::{Order, OrderError, PlayerId, Refusal};
use crate::server::reply::{json, told};
use crate::server::store::{Damage, StoreError, TokenHash};

/// The highest number that a player may have: stores count in 64 bits with a sign.
const LAST_PLAYER: u64 = i64::MAX as u64;

impl Hub {
    /// Does what an operator asks for, in the room that the player is in.
    pub(super) fn handle_order(
        &mut self,
        client: ClientId,
        order: &Order,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let player = order.player();
        if !is_known(player, unit)? {
            let unknown = Outbound::Operated(Err(OrderError::UnknownPlayer));
            unit.publish(client, unknown);
            return Ok(());
        }
        if let Some(room) = self.admit(player, unit)? {
            unit.publish(client, Outbound::Elsewhere(room));
            return Ok(());
        }
        let operated = self.room.operate(order, unit.now());
        unit.touch(player);
        let effects = match operated {
            Ok(effects) => effects,
            Err(refused) => {
                unit.publish(client, Outbound::Operated(Err(refused)));
                return Ok(());
            }
        };
        self.persist(&effects, unit)?;
        match order {
            Order::Ban { .. } => self.expel(player, Some(Refusal::Banned), unit),
            Order::Forget { .. } => {
                let nobodys = TokenHash::of(&self.randomness.access_token());
                // Its number of messages is that of before this batch.
                if let Some(known) = self.room.player(player) {
                    unit.store().persist(player, known)?;
                }
                unit.store().forget(player, nobodys)?;
                self.expel(player, None, unit);
            }
            Order::Adjust { .. } | Order::Rename { .. } | Order::Readmit { .. } => {}
        }
        let known = self.room.player(player).expect("the player was admitted");
        unit.publish(client, Outbound::Operated(Ok(known.clone())));
        Ok(())
    }

    /// Ends all connections of a player, and says why where there is a reason. A game that they
    /// play goes on without them.
    fn expel(&mut self, player: PlayerId, why: Option<Refusal>, unit: &mut UnitOfWork<'_>) {
        let seq = self.last_message(player);
        for client in self.connections.remove(&player).unwrap_or_default() {
            let Some(known) = self.clients.remove(&client) else {
                continue;
            };
            if let Some(code) = why {
                let error = told(known.catalogue, code);
                unit.publish(client, Outbound::Answer(json(seq, error)));
            }
            unit.publish(client, Outbound::Expelled);
        }
        self.gone.remove(&player);
        self.back.remove(&player);
    }
}

fn is_known(player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<bool, StoreError> {
    if player.0 > LAST_PLAYER {
        return Ok(false);
    }
    match unit.store().player(player) {
        Ok(_) => Ok(true),
        Err(StoreError::Damaged(Damage::Player)) => Ok(false),
        Err(error) => Err(error),
    }
}
