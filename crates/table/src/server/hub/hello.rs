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
    /// Version of the protocol. Before version 4, a `hello` changes the settings of known players.
    pub(super) protocol: ProtocolVersion,
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
            protocol,
        } = hello;
        let hash = TokenHash::from_token(&token);
        let known = unit.transaction_mut().player_with_token(&hash)?;
        let returns = known.is_some();
        let was_forgotten = !returns
            && unit
                .transaction_mut()
                .player_with_token(&hash.of_forgotten_player())?
                .is_some();
        let changes_settings = !returns || protocol < ProtocolVersion::V4;
        if let Some(player) = known
            && let Some(room) = self.admit(player, unit)?
        {
            self.redirect(client, room, unit);
            return Ok(());
        }
        let found = match known {
            None if was_forgotten => Err(RefusedHello {
                refusal: Refusal::Forgotten,
                seq: 0,
            }),
            None if !self.may_join(client, unit.now()) => {
                let refusal = Refusal::TooFast;
                Err(RefusedHello { refusal, seq: 0 })
            }
            None => Ok(self.join(name.clone(), false, &token, unit)?),
            Some(known) => self.welcome_back(known),
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
        if changes_settings {
            self.apply_settings(player, Some(name), Some(watchable), unit);
        }
        self.connections.set_player(client, player);
        let known = self.room.player(player).expect("the player was admitted");
        let message = Message::Welcome {
            player,
            name: Some(known.name.clone()),
            watchable: None,
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
            watchable: Some(known.watchable),
            body: serialize_message(seq, message),
        };
        unit.publish(client, welcome);
        self.publish_done(client, unit);
        Ok(())
    }

    /// Welcomes a player back.
    fn welcome_back(&self, player: PlayerId) -> Result<PlayerId, RefusedHello> {
        let known = self.room.player(player);
        let refusal = match known.map(|known| known.status) {
            Some(PlayerStatus::Banned) => Some(Refusal::Banned),
            Some(PlayerStatus::Forgotten) => Some(Refusal::Forgotten),
            Some(PlayerStatus::Welcome) | None => None,
        };
        if let Some(refusal) = refusal {
            let seq = self.last_seq(player);
            return Err(RefusedHello { refusal, seq });
        }
        let connections = self.connections.clients_of(player).len();
        if connections >= MAX_CONNECTIONS_PER_PLAYER {
            let refusal = Refusal::TooManyConnections;
            let seq = self.last_seq(player);
            return Err(RefusedHello { refusal, seq });
        }
        Ok(player)
    }

    /// Changes the settings of a player; `None` leaves one as it is. Returns `true` if anything
    /// changed.
    pub(super) fn apply_settings(
        &mut self,
        player: PlayerId,
        name: Option<Name>,
        watchable: Option<bool>,
        unit: &mut UnitOfWork<'_>,
    ) -> bool {
        let is_renamed = name.is_some_and(|name| self.room.rename(player, name));
        let is_switched = watchable.is_some_and(|on| self.room.set_watchable(player, on));
        if is_renamed || is_switched {
            unit.touch(player);
        }
        is_renamed || is_switched
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
