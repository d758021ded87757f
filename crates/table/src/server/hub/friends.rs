//! Friend links, and the presence of players who wait for each other with one.

use super::presence::SeenFriend;
use super::state::Hub;
use super::{ClientId, HubDelivery, UnitOfWork};
use crate::protocol::{
    FriendPresence, MAX_LINKS_PER_PLAYER, Message, Opponent, PlayerId, Refusal, Request, RequestId,
};
use crate::room::{Activity, OpponentChoice, PlayerStatus};
use crate::server::store::{FriendLinkRecord, StoreError};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war::tokens::Kind;

impl Hub {
    /// Creates or revokes a friend link.
    pub(super) fn change_links(
        &mut self,
        player: PlayerId,
        request: &Request,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Result<(), Refusal>, StoreError> {
        match *request {
            Request::CreateLink {
                game, secret_hash, ..
            } => {
                let transaction = unit.transaction_mut();
                if transaction.friend_links(player)?.len() >= MAX_LINKS_PER_PLAYER {
                    return Ok(Err(Refusal::TooManyLinks));
                }
                let link = FriendLinkRecord {
                    id: self.randomness.link_id(),
                    player,
                    kind: game,
                    secret_hash,
                };
                if !transaction.is_upgraded()? {
                    return Ok(Err(Refusal::Unavailable));
                }
                transaction.save_friend_link(&link)?;
                Ok(Ok(()))
            }
            Request::RevokeLink { link, .. } => {
                unit.transaction_mut().remove_friend_link(player, link)?;
                Ok(Ok(()))
            }
            _ => Ok(Ok(())),
        }
    }

    /// Tells a client the friend links of its player.
    pub(super) fn publish_links(
        &self,
        player: PlayerId,
        client: ClientId,
        id: &RequestId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let links = unit.transaction_mut().friend_links(player)?;
        let message = Message::Links {
            links: links.iter().map(FriendLinkRecord::to_message).collect(),
            in_reply_to: id.clone(),
        };
        let seq = self.last_seq(player);
        unit.publish(client, HubDelivery::new_answer(seq, message));
        Ok(())
    }

    /// Checks a friend link with which a player chooses a game of this kind. The player who made the
    /// link needs no secret.
    pub(super) fn find_friend(
        &self,
        player: PlayerId,
        kind: Kind,
        link: Hex<8>,
        secret: Option<Hex<16>>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<OpponentChoice>, StoreError> {
        let Some(known) = unit.transaction_mut().friend_link(link)? else {
            return Ok(None);
        };
        let inviter = known.player;
        let hash = secret.map(|secret| Hex::new(Sha256::digest(secret.bytes()).into()));
        let is_admitted = inviter == player || hash == Some(known.secret_hash);
        let status = match self.room.player(inviter) {
            Some(known) => known.status,
            None => unit.transaction_mut().player(inviter)?.status,
        };
        let fits = is_admitted && kind == known.kind && status == PlayerStatus::Welcome;
        Ok(fits.then_some(OpponentChoice::Friend { link, inviter }))
    }

    /// Tells players who wait with a friend link about each change in the presence of their friend,
    /// and players whose friends wait for them.
    pub(super) fn publish_friends(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let mut seen = BTreeMap::new();
        for (player, choice) in self.players_with_friends() {
            let friend = self.see_friend(player, choice);
            seen.insert(player, friend);
            if self.friends.0.get(&player) == Some(&friend) {
                continue;
            }
            let OpponentChoice::Friend { link, .. } = choice else {
                continue;
            };
            let opponent = match friend.friend {
                None => None,
                Some((id, _)) => Some(Opponent {
                    player: id,
                    name: Some(self.read_name(id, unit)?),
                    house: false,
                }),
            };
            let message = Message::Friend {
                link,
                opponent,
                presence: friend.presence,
            };
            let seq = self.last_seq(player);
            for client in self.connections.clients_of(player) {
                let told = HubDelivery::new_answer(seq, message.clone());
                unit.publish(*client, told);
            }
        }
        self.friends.0 = seen;
        Ok(())
    }

    /// Players who wait with a friend link, and free players with whose links others wait.
    fn players_with_friends(&self) -> BTreeMap<PlayerId, OpponentChoice> {
        let waiting: BTreeMap<_, _> = self.room.friends().collect();
        let mut players = BTreeMap::new();
        for choice in waiting.values() {
            let OpponentChoice::Friend { inviter, .. } = *choice else {
                continue;
            };
            let known = self.room.player(inviter);
            if known.is_some_and(|known| known.activity == Activity::Free) {
                players.insert(inviter, *choice);
            }
        }
        players.extend(waiting);
        players
    }

    /// Presence of a player's friend: of one who is ready, if there is one.
    fn see_friend(&self, player: PlayerId, choice: OpponentChoice) -> SeenFriend {
        let friends = self.room.friends_of(player, choice);
        let present = friends.filter(|friend| !self.presence.is_absent_or_leaving(friend.player));
        let found = present.max_by_key(|friend| (friend.is_ready, std::cmp::Reverse(friend.since)));
        SeenFriend {
            friend: found.map(|friend| (friend.player, friend.since)),
            presence: match found {
                None => FriendPresence::Away,
                Some(friend) if friend.is_ready => FriendPresence::Ready,
                Some(_) => FriendPresence::Here,
            },
        }
    }
}
