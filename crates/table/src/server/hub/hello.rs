use super::connections::MAX_CONNECTIONS_PER_PLAYER;
use super::state::Hub;
use super::{ClientId, HubDelivery, UnitOfWork};
use crate::protocol::{AccessToken, Message, PlayerId, ProtocolVersion, Refusal, RequestId};
use crate::room::{Activity, Command, PlayerStatus, RoomEvent};
use crate::server::reply::serialize_message;
use crate::server::store::{Registration, StoreError, TokenHash};
use crate::time::TableTime;
use war::tokens::Name;

/// The first request of a connection.
pub(super) struct HelloRequest {
    /// Id of the request.
    pub(super) id: RequestId,
    /// Name of the player.
    pub(super) name: Name,
    /// Access token of the player, or of a new player.
    pub(super) token: AccessToken,
    /// `true` if others may watch the player's games.
    pub(super) watchable: bool,
}

impl Hub {
    /// Identifies the player of a client, or lets a new player join.
    pub(super) fn handle_hello(
        &mut self,
        client: ClientId,
        hello: HelloRequest,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if self.is_shared && self.connections.client(client).is_none() {
            // The client was released in the meantime, and has been redirected.
            return Ok(());
        }
        let HelloRequest {
            id,
            name,
            token,
            watchable,
        } = hello;
        let known = unit
            .transaction_mut()
            .player_with_token(&TokenHash::from_token(&token))?;
        let returns = known.is_some();
        if let Some(player) = known
            && let Some(room) = self.admit(player, unit)?
        {
            self.redirect(client, room, unit);
            return Ok(());
        }
        let found = match known {
            None if !self.may_join(client, unit.now()) => {
                let refusal = Refusal::TooFast;
                Err(RefusedHello { refusal, seq: 0 })
            }
            None => Ok(self.join(name, false, &token, unit)?),
            Some(known) => self.welcome_back(known, name, unit),
        };
        let player = match found {
            Ok(found) => found,
            Err(refused) => {
                self.refuse(client, refused.seq, refused.refusal, id, unit);
                self.publish_done(client, unit);
                if self.is_shared {
                    self.connections.remove(client);
                    unit.publish(client, HubDelivery::Released);
                }
                return Ok(());
            }
        };
        self.presence.mark_returned(player, unit.now());
        if self.room.set_watchable(player, watchable) {
            unit.touch(player);
        }
        self.connections.set_player(client, player);
        let known = self.room.player(player).expect("the player was admitted");
        let message = Message::Welcome {
            player,
            name: Some(known.name.clone()),
            balance: known.balance,
            now_ms: unit.wall_time_at(unit.now()).as_millis(),
            protocol: ProtocolVersion::V2,
            table: Some(self.identity.table),
            key: Some(self.identity.public_key()),
            in_reply_to: id,
        };
        let seq = known.seq;
        let welcome = HubDelivery::Welcome {
            player,
            seq,
            returns,
            body: serialize_message(seq, message),
        };
        unit.publish(client, welcome);
        self.publish_done(client, unit);
        Ok(())
    }

    /// Welcomes a player back, whose name may have changed.
    fn welcome_back(
        &mut self,
        player: PlayerId,
        name: Name,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<PlayerId, RefusedHello> {
        let known = self.room.player(player);
        if known.is_some_and(|known| known.status == PlayerStatus::Banned) {
            let refusal = Refusal::Banned;
            let seq = self.last_seq(player);
            return Err(RefusedHello { refusal, seq });
        }
        let connections = self.connections.clients_of(player).len();
        if connections >= MAX_CONNECTIONS_PER_PLAYER {
            let refusal = Refusal::TooManyConnections;
            let seq = self.last_seq(player);
            return Err(RefusedHello { refusal, seq });
        }
        if self.room.rename(player, name) {
            unit.touch(player);
        }
        Ok(player)
    }

    /// Returns whether one more new player may come from this client's address. A table with one
    /// room also counts the new player here.
    fn may_join(&mut self, client: ClientId, now: TableTime) -> bool {
        let Some(client) = self.connections.client(client) else {
            return false;
        };
        if self.is_shared {
            // Only gateways know who joined in other rooms.
            client.may_join
        } else {
            let address = client.address;
            self.connections.try_count_newcomer(address, now)
        }
    }

    /// Adds a new player.
    pub(super) fn join(
        &mut self,
        name: Name,
        house: bool,
        token: &AccessToken,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<PlayerId, StoreError> {
        let joined = self.room.step(&Command::Join { name, house }, unit.now());
        let joined = joined.expect("anybody may join");
        let [event @ RoomEvent::Joined { player, .. }] = &joined.events[..] else {
            unreachable!("to join is one event");
        };
        let known = self.room.player(*player).expect("the player has joined");
        let token = TokenHash::from_token(token);
        unit.transaction_mut().register(&Registration {
            id: *player,
            player: known,
            token,
        })?;
        self.record_event(event, unit)?;
        unit.touch(*player);
        Ok(*player)
    }

    /// Removes a client. Its player may become absent.
    pub(super) fn disconnect(&mut self, client: ClientId, unit: &mut UnitOfWork<'_>) {
        let Some(player) = self.connections.remove(client) else {
            return;
        };
        self.presence.forget_return(player);
        let activity = self.room.player(player).map(|player| player.activity);
        if matches!(activity, Some(Activity::Waiting(..))) {
            self.presence.mark_absent(player, unit.now());
        }
        // The player is dismissed once their balance and last message are persisted.
        unit.touch(player);
    }

    /// Number of the last message to a player; 0 before the first.
    pub(super) fn last_seq(&self, player: PlayerId) -> u64 {
        self.room.player(player).map_or(0, |player| player.seq)
    }
}

/// Refusal of a `hello`.
struct RefusedHello {
    refusal: Refusal,
    /// Number of the last message to the player; 0 if there is none.
    seq: u64,
}
