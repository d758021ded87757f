use super::connections::Client;
use super::state::Hub;
use super::{ClientId, HubCommand, HubDelivery, TimedCommand, UnitOfWork};
use crate::protocol::{PlayerId, Request};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Claim, Damage, PrefetchKeys, Sequence, Store, StoreError, TokenHash};
use std::collections::BTreeSet;

impl Hub {
    /// Reserves new blocks of player and game numbers in the store if the remaining numbers run
    /// low.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn reserve_numbers(&mut self, store: &dyn Store) -> Result<(), StoreError> {
        if self.room.player_numbers_mut().is_low() {
            let block = store.reserve_numbers(Sequence::Players)?;
            self.room.player_numbers_mut().add(block);
        }
        if self.room.game_numbers_mut().is_low() {
            let block = store.reserve_numbers(Sequence::Games)?;
            self.room.game_numbers_mut().add(block);
        }
        Ok(())
    }

    /// Prefetches the players and requests of a batch, so that the store reads them in one go.
    pub(super) fn prefetch(
        &self,
        commands: &[TimedCommand],
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let mut keys = PrefetchKeys::default();
        // A client may be attached in the same batch as its request.
        let mut attached = Vec::new();
        for TimedCommand { command, .. } in commands {
            match command {
                HubCommand::Request {
                    request: Request::Hello { token, .. },
                    ..
                } => {
                    let hash = TokenHash::from_token(token);
                    keys.tokens.extend([hash, hash.of_forgotten_player()]);
                }
                HubCommand::Attach { client, player, .. } => attached.push((*client, *player)),
                HubCommand::Request { client, request } => {
                    let new = attached.iter().rfind(|(known, _)| known == client);
                    let known = self.connections.player_of(*client);
                    let Some(player) = new.map(|(_, player)| *player).or(known) else {
                        continue;
                    };
                    keys.requests.push((player, request.id().clone()));
                    if self.room.player(player).is_none() {
                        keys.players.insert(player);
                    }
                }
                HubCommand::Order { order, .. } => {
                    keys.players.insert(order.player());
                }
                HubCommand::Connect { .. }
                | HubCommand::Disconnect { .. }
                | HubCommand::PruneMessages { .. }
                | HubCommand::CommitDay(_)
                | HubCommand::Rate(_)
                | HubCommand::Drain => {}
            }
        }
        unit.transaction_mut().prefetch(&keys)
    }

    /// Admits a player to the room. If the player is in another room, returns that room instead.
    pub(super) fn admit(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<RoomNumber>, StoreError> {
        if self.room.player(player).is_some() {
            return Ok(None);
        }
        let claimed = unit.transaction_mut().claim(&BTreeSet::from([player]))?;
        match claimed.into_iter().next() {
            Some((_, Claim::Granted(known))) => {
                self.room.admit(player, known);
                unit.touch(player);
                Ok(None)
            }
            Some((_, Claim::Incoming)) => {
                self.receive_incoming_players(unit)?;
                Ok(None)
            }
            Some((_, Claim::Denied(room))) => Ok(Some(room)),
            None => Err(Damage::Player.into()),
        }
    }

    /// Attaches a client whose player is known from another room, or from a previous owner of this
    /// room.
    pub(super) fn attach(&mut self, client: ClientId, known: Client, unit: &mut UnitOfWork<'_>) {
        if let Some(player) = known.player {
            self.presence.mark_returned(player, unit.now());
        }
        // Even a player who belongs to no room stays attached until their first request, which may
        // be on its way.
        self.connections.add(client, known);
    }

    /// Redirects a client to the room of its player.
    pub(super) fn redirect(
        &mut self,
        client: ClientId,
        room: RoomNumber,
        unit: &mut UnitOfWork<'_>,
    ) {
        self.disconnect(client, unit);
        unit.publish(client, HubDelivery::Redirect(room));
    }

    /// Publishes the end of a request, if the table has several rooms.
    pub(super) fn publish_done(&self, client: ClientId, unit: &mut UnitOfWork<'_>) {
        if self.is_shared {
            unit.publish(client, HubDelivery::Done);
        }
    }

    /// Releases a player who neither waits nor plays. Players of an open house stay, and at a table
    /// with one room so do players with a connection.
    pub(super) fn release_if_free(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let known = self.room.player(player);
        let plays_for_house =
            known.is_some_and(|known| known.house) && self.matchmaking.house_is_open;
        let stays = !self.is_shared && self.connections.is_connected(player);
        if plays_for_house || stays {
            return Ok(());
        }
        let was_here = known.is_some();
        if !self.room.dismiss(player) {
            return Ok(());
        }
        let sent_to = unit.forwarding_room(player);
        match sent_to {
            Some(room) => unit.transaction_mut().forward(player, room)?,
            None if was_here => unit.transaction_mut().release(player)?,
            None => {}
        }
        self.presence.forget_return(player);
        for (client, _) in self.connections.remove_player(player) {
            unit.publish(
                client,
                sent_to.map_or(HubDelivery::Released, HubDelivery::Redirect),
            );
        }
        Ok(())
    }
}
