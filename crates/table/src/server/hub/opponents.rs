//! Opponents of players who choose a game, here and in other rooms.

use super::UnitOfWork;
use super::matchmaking::{INCOMING_POLL_INTERVAL, LONE_WAIT, LonePlayer};
use super::state::Hub;
use crate::protocol::{OpponentFilter, PlayerId, Refusal, Request};
use crate::room::{Activity, Command, Match, OpponentChoice, PlayerStatus, RoomEvent, is_game_end};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Claim, IncomingPlayer, StoreError};
use crate::time::TableTime;
use std::collections::BTreeSet;
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::Kind;

/// Time that the clients of a forwarded player may take to follow before the player counts as
/// absent.
pub const FOLLOW_TIMEOUT: Duration = Duration::from_secs(1);

impl Hub {
    /// Finds the room in which a player has to ask for a game instead of this room, if any.
    ///
    /// Players who want any opponent may be forwarded under load. Players who want a particular
    /// opponent meet in one room, whichever room they asked in.
    pub(super) fn find_other_room(
        &mut self,
        player: PlayerId,
        request: &Request,
    ) -> Option<RoomNumber> {
        let Request::Choose { game, with, .. } = request else {
            return None;
        };
        let activity = self.room.player(player).map(|known| known.activity);
        let Some(opponent) = with else {
            let room = self.matchmaking.pick_overflow_room(&self.room, *game);
            return room.filter(|_| activity.is_none());
        };
        let location = self.matchmaking.position;
        let room = location.rooms.private_room(*opponent)?;
        let is_free = activity.is_none_or(|activity| activity == Activity::Free);
        (is_free && room != location.room).then_some(room)
    }

    /// Builds the command for a player who chooses a game, or returns the reason for a refusal.
    pub(super) fn build_choose_command(
        &mut self,
        player: PlayerId,
        choice: GameChoice,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Result<Command, Refusal>, StoreError> {
        let GameChoice {
            kind,
            seed_hash,
            with,
            secret,
        } = choice;
        let is_friend = matches!(with, Some(OpponentFilter::Friend(_)));
        if !is_friend && (seed_hash.is_none() || secret.is_some()) {
            return Ok(Err(Refusal::BadMessage));
        }
        let opponent = match with {
            None => OpponentChoice::Anyone,
            Some(OpponentFilter::House) if !self.matchmaking.house_is_open => {
                return Ok(Err(Refusal::HouseClosed));
            }
            Some(OpponentFilter::House) => OpponentChoice::House,
            Some(OpponentFilter::Invitation(code)) => OpponentChoice::Invitation(code),
            Some(OpponentFilter::Accept(code)) => {
                let meeting = OpponentChoice::Invitation(code);
                match self.room.find_opponent(player, kind, meeting, unit.now()) {
                    None => return Ok(Err(Refusal::NotInvited)),
                    // The invitation stays open until the inviter returns.
                    Some(inviter) if self.presence.is_absent(inviter, unit.now()) => {
                        return Ok(Err(Refusal::InviterAway));
                    }
                    Some(_) => meeting,
                }
            }
            Some(OpponentFilter::Rematch(_))
                if !self.answers.quota.has_rematch_left(player, unit.now()) =>
            {
                return Ok(Err(Refusal::TooFast));
            }
            Some(OpponentFilter::Rematch(game)) => {
                match self.rematch_opponent(player, game, kind, unit)? {
                    Some(opponent) => {
                        self.admit_if_free(opponent, unit)?;
                        OpponentChoice::Rematch { game, opponent }
                    }
                    None => return Ok(Err(Refusal::NoRematch)),
                }
            }
            Some(OpponentFilter::Friend(link)) => {
                match self.find_friend(player, kind, link, secret, unit)? {
                    Some(opponent) => {
                        self.friends.forget(player);
                        opponent
                    }
                    None => return Ok(Err(Refusal::NoLink)),
                }
            }
        };
        self.cancel_absent_opponent(player, kind, opponent, unit)?;
        Ok(Ok(Command::Choose {
            player,
            kind,
            opponent,
            seed_hash,
            secret: self.randomness.secret(),
        }))
    }

    /// Opponent of a player in this game, if the game is finished and of this kind, and if the
    /// opponent may play a rematch: a person who is neither banned nor forgotten.
    fn rematch_opponent(
        &self,
        player: PlayerId,
        game: u64,
        kind: Kind,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<PlayerId>, StoreError> {
        let events = unit.transaction_mut().game_events(game)?;
        let Some(RoomEvent::Matched(Match { seats, .. })) =
            events.first().filter(|event| is_start_of_kind(event, kind))
        else {
            return Ok(None);
        };
        let opponent = match *seats {
            [one, other] if one == player => other,
            [one, other] if other == player => one,
            _ => return Ok(None),
        };
        let is_over = events.last().is_some_and(is_game_end);
        let known = match self.room.player(opponent) {
            Some(known) => known.clone(),
            None => unit.transaction_mut().player(opponent)?,
        };
        let may_play = !known.house && known.status == PlayerStatus::Welcome;
        Ok((is_over && may_play).then_some(opponent))
    }

    /// Prepares for a player to withdraw a rematch request, if they wait for one: counts it against
    /// the player's quota, and admits the opponent, who will be sent a message.
    pub(super) fn prepare_rematch_withdrawal(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.player(player).map(|known| known.activity) {
            Some(Activity::Waiting(_, OpponentChoice::Rematch { opponent, .. })) => {
                self.answers
                    .quota
                    .count_withdrawn_rematch(player, unit.now());
                self.admit_if_free(opponent, unit)
            }
            _ => Ok(()),
        }
    }

    /// Admits a player to this room unless they are in another one.
    fn admit_if_free(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if self.room.player(player).is_some() {
            return Ok(());
        }
        let claimed = unit.transaction_mut().claim(&BTreeSet::from([player]))?;
        if let Some((_, Claim::Granted(known))) = claimed.into_iter().next() {
            self.room.admit(player, known);
            unit.touch(player);
        }
        Ok(())
    }

    /// Cancels the wait of an absent player with whom this player would be matched: nobody is
    /// matched with a player without a connection.
    fn cancel_absent_opponent(
        &mut self,
        player: PlayerId,
        kind: Kind,
        meeting: OpponentChoice,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.find_opponent(player, kind, meeting, unit.now()) {
            Some(other) if self.presence.is_absent(other, unit.now()) => {
                self.cancel_absent_wait(other, unit)
            }
            _ => Ok(()),
        }
    }

    /// Cancels the wait of an absent player.
    pub(super) fn cancel_absent_wait(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.presence.drop_absence(player);
        self.prepare_rematch_withdrawal(player, unit)?;
        let activity = self.room.player(player).map(|player| player.activity);
        // The player may have been matched in the meantime.
        let Some(Activity::Waiting(kind, _)) = activity else {
            return Ok(());
        };
        let cancelled = self
            .room
            .step(&Command::Cancel { player, kind }, unit.now());
        self.persist(&cancelled.expect("they wait"), None, unit)
    }

    /// Forwards players who have waited alone for long enough.
    pub(super) fn forward_lone_players(
        &mut self,
        now: TableTime,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if !self.is_shared {
            return Ok(());
        }
        let lone = self.matchmaking.lone_players(&self.room);
        let due: Vec<_> = lone
            .filter(|lone| lone.since.saturating_add(LONE_WAIT) <= now)
            .collect();
        for LonePlayer { player, kind, .. } in due {
            let to = self.matchmaking.position.rooms.matchmaking_room(kind);
            let room = to.0;
            let sent = self.room.step(&Command::Forward { player, room }, now);
            self.persist(&sent.expect("they wait"), None, unit)?;
            self.presence.drop_absence(player);
            unit.mark_forwarded(player, to);
        }
        Ok(())
    }

    /// Receives players forwarded from other rooms, if a poll is due.
    pub(super) fn poll_incoming_players(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let polls = self.is_shared && self.matchmaking.position.is_matchmaking_room();
        if polls
            && self
                .matchmaking
                .polled
                .saturating_add(INCOMING_POLL_INTERVAL)
                <= unit.now()
        {
            self.receive_incoming_players(unit)?;
        }
        Ok(())
    }

    /// Receives players forwarded from other rooms.
    pub(super) fn receive_incoming_players(
        &mut self,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        let now = unit.now();
        self.matchmaking.polled = now;
        for coming in unit.transaction_mut().incoming()? {
            let IncomingPlayer {
                id,
                player,
                kind,
                waited,
                seed_hash,
            } = coming;
            self.cancel_absent_opponent(id, kind, OpponentChoice::Anyone, unit)?;
            self.room.admit(id, player);
            unit.touch(id);
            let receive = Command::Receive {
                player: id,
                kind,
                waited,
                seed_hash,
                secret: self.randomness.secret(),
            };
            let received = self.room.step(&receive, now);
            self.persist(&received.expect("they are free"), None, unit)?;
            if !self.connections.is_connected(id) {
                self.presence
                    .mark_absent(id, now.saturating_add(FOLLOW_TIMEOUT));
            }
        }
        Ok(())
    }
}

/// Game that a player chooses, and the opponent whom they want.
#[derive(Clone, Copy)]
pub(super) struct GameChoice {
    pub(super) kind: Kind,
    pub(super) seed_hash: Option<Hex<32>>,
    pub(super) with: Option<OpponentFilter>,
    /// Secret of the friend link, if that is the choice of another player's link.
    pub(super) secret: Option<Hex<16>>,
}

/// Returns whether an event starts a game of this kind.
fn is_start_of_kind(event: &RoomEvent, kind: Kind) -> bool {
    matches!(event, RoomEvent::Matched(matched) if matched.kind == kind)
}
