use super::state::Hub;
use super::{ClientId, HubDelivery, UnitOfWork};
use crate::protocol::{Message, PlayerId, Refusal, RequestId};
use crate::room::{Activity, Order, OrderError, PlayerStatus};
use crate::server::reply::error_message;
use crate::server::store::{Damage, StoreError};

/// Highest number of a player: stores use signed 64-bit integers.
const MAX_PLAYER_NUMBER: u64 = i64::MAX as u64;

impl Hub {
    /// Carries out an operator's order in the room of its player.
    pub(super) fn handle_order(
        &mut self,
        client: ClientId,
        order: &Order,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let player = order.player();
        if !is_known(player, unit)? {
            let unknown = HubDelivery::OrderOutcome(Err(OrderError::UnknownPlayer));
            unit.publish(client, unknown);
            return Ok(());
        }
        if let Some(room) = self.admit(player, unit)? {
            unit.publish(client, HubDelivery::Redirect(room));
            return Ok(());
        }
        if matches!(order, Order::Ban { .. } | Order::Forget { .. }) {
            self.prepare_rematch_withdrawal(player, unit)?;
        }
        let operated = self.room.execute_order(order, unit.now());
        unit.touch(player);
        let effects = match operated {
            Ok(effects) => effects,
            Err(refused) => {
                unit.publish(client, HubDelivery::OrderOutcome(Err(refused)));
                return Ok(());
            }
        };
        self.persist(&effects, None, unit)?;
        match order {
            Order::Ban { .. } => self.expel(player, Some(Refusal::Banned), unit),
            Order::Forget { .. } => self.forget(player, unit)?,
            Order::Adjust { .. } | Order::Rename { .. } | Order::Readmit { .. } => {}
        }
        let known = self.room.player(player).expect("the player was admitted");
        unit.publish(client, HubDelivery::OrderOutcome(Ok(known.clone())));
        Ok(())
    }

    /// Returns whether a player was forgotten.
    pub(super) fn is_forgotten(&self, player: PlayerId) -> bool {
        let known = self.room.player(player);
        known.is_some_and(|known| known.status == PlayerStatus::Forgotten)
    }

    /// Returns whether a player is in a game.
    pub(super) fn is_playing(&self, player: PlayerId) -> bool {
        let activity = self.room.player(player).map(|known| known.activity);
        matches!(activity, Some(Activity::Playing(_)))
    }

    /// Forgets a player at their own request. The player must not be in a game.
    ///
    /// The answer is not kept: a client that lost it is refused as forgotten, and its connection
    /// answers a repeated request.
    pub(super) fn forget_at_own_request(
        &mut self,
        client: ClientId,
        player: PlayerId,
        id: &RequestId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.prepare_rematch_withdrawal(player, unit)?;
        let operated = self
            .room
            .execute_order(&Order::Forget { player }, unit.now());
        unit.touch(player);
        // Fails only if the store is damaged, since players who can't be forgotten have no
        // connection.
        let effects = operated.map_err(|_| Damage::Player)?;
        self.persist(&effects, None, unit)?;
        let message = Message::Forgotten {
            in_reply_to: id.clone(),
        };
        let seq = self.last_seq(player);
        unit.publish(client, HubDelivery::new_answer(seq, message));
        self.publish_done(client, unit);
        self.forget(player, unit)
    }

    /// Removes a player's token, messages and answers, and closes their connections.
    fn forget(&mut self, player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        // Erasing needs the player's number of messages, and the store still has the number from
        // before this batch.
        if let Some(known) = self.room.player(player) {
            unit.transaction_mut().save_player(player, known)?;
        }
        unit.transaction_mut().erase(player)?;
        self.expel(player, None, unit);
        Ok(())
    }

    /// Closes all connections of a player, after sending an error with this reason if there is one.
    /// A running game goes on without the player.
    pub(super) fn expel(
        &mut self,
        player: PlayerId,
        why: Option<Refusal>,
        unit: &mut UnitOfWork<'_>,
    ) {
        let seq = self.last_seq(player);
        for (client, known) in self.connections.remove_player(player) {
            if let Some(code) = why {
                let error = error_message(known.catalogue, code);
                unit.publish(client, HubDelivery::new_answer(seq, error));
            }
            unit.publish(client, HubDelivery::Expelled);
        }
        self.presence.forget(player);
    }
}

fn is_known(player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<bool, StoreError> {
    if player.0 > MAX_PLAYER_NUMBER {
        return Ok(false);
    }
    match unit.transaction_mut().player(player) {
        Ok(_) => Ok(true),
        Err(StoreError::Damaged(Damage::Player)) => Ok(false),
        Err(error) => Err(error),
    }
}
