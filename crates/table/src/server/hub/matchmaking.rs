//! Matchmaking: who meets whom, in which room, and when the house steps in.

use super::UnitOfWork;
use super::house::House;
use super::presence::Presence;
use super::state::{Hub, HubSettings};
use crate::protocol::{OpponentFilter, PlayerId, Refusal, Request};
use crate::room::{Activity, Command, Match, Meeting, PlayerStatus, Room, RoomEvent};
use crate::server::rooms::{Location, RoomNumber};
use crate::server::store::{Claim, Coming, StoreError};
use std::collections::BTreeSet;
use war::support::hex::Hex;
use war::tokens::{Kind, TokenEvent};

/// Default for the milliseconds that a player waits for an opponent before the house steps in.
pub const HOUSE_AFTER: u64 = 5_000;
/// Default load above which matchmaking forwards players to another room.
pub const FULL: Load = Load {
    games: 256,
    asked: 512,
};
/// Milliseconds that a player waits alone in a room opened under load before matchmaking forwards
/// them to the room where all meet.
pub const ALONE: u64 = 1_000;
/// Milliseconds between two polls for players forwarded from other rooms.
pub const ARRIVALS: u64 = 250;
/// Milliseconds that the clients of a forwarded player may take to follow before the player counts
/// as absent.
pub const FOLLOWED: u64 = 1_000;

/// Load of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Load {
    /// Running games.
    pub games: usize,
    /// Requests in one batch. A larger batch costs no less for each request, and takes longer.
    pub asked: usize,
}

/// State of matchmaking in a room.
pub(super) struct Matchmaking {
    pub(super) house: House,
    /// `false` if the house does not play. Its players of an earlier run end their games all the
    /// same.
    pub(super) house_is_open: bool,
    /// Milliseconds that a player waits before the house steps in.
    pub(super) house_after: u64,
    pub(super) location: Location,
    /// Load above which players are forwarded to rooms opened under load.
    full: Load,
    /// Number of players forwarded so far.
    forwarded: u64,
    /// Requests of players in the current batch.
    pub(super) requests: usize,
    /// Time of the last poll for players forwarded from other rooms.
    polled: u64,
}

/// A player who waits alone in a room opened under load.
struct LonePlayer {
    player: PlayerId,
    kind: Kind,
    /// Start of the wait.
    since: u64,
}

impl Matchmaking {
    pub(super) fn new(settings: &HubSettings, location: Location, now: u64) -> Self {
        Self {
            house: House::new(),
            house_is_open: settings.house_players > 0,
            house_after: settings.house_after,
            location,
            full: settings.full,
            forwarded: 0,
            requests: 0,
            polled: now,
        }
    }

    /// Returns whether all players who want a game of this kind meet in this room.
    fn meets(&self, kind: Kind) -> bool {
        self.location.meeting_elsewhere(kind).is_none()
    }

    /// Room to forward a player to who wants a game of this kind, if this room is under load and
    /// nobody waits in it. Two players in a row get the same room, so that they meet.
    fn overflow(&mut self, room: &Room, kind: Kind) -> Option<RoomNumber> {
        let is_busy = room.running() >= self.full.games && self.requests >= self.full.asked;
        let is_full = is_busy && room.waits_for(kind).is_none();
        let others = self.location.rooms.count() - 1;
        if !is_full || others == 0 || !self.meets(kind) {
            return None;
        }
        let pair = self.forwarded / 2;
        self.forwarded = self.forwarded.wrapping_add(1);
        let offset = 1 + u16::try_from(pair % u64::from(others)).unwrap_or(0);
        let number =
            (u32::from(self.location.room.0) + u32::from(offset)) % (u32::from(others) + 1);
        u16::try_from(number).ok().map(RoomNumber)
    }

    /// Players who wait here alone although all others meet in another room.
    fn lone_players(&self, room: &Room) -> impl Iterator<Item = LonePlayer> {
        let kinds = Kind::ALL.into_iter().filter(|kind| !self.meets(*kind));
        kinds.filter_map(|kind| {
            let (player, since) = room.waits_for(kind)?;
            Some(LonePlayer {
                player,
                kind,
                since,
            })
        })
    }

    /// Time of the next forwarding, or of the next poll for players forwarded here.
    pub(super) fn next_due(&self, room: &Room) -> Option<u64> {
        let lone = self.lone_players(room);
        let forwarding = lone.map(|lone| lone.since.saturating_add(ALONE)).min();
        let polls = self.location.is_meeting();
        let poll = polls.then(|| self.polled.saturating_add(ARRIVALS));
        forwarding.into_iter().chain(poll).min()
    }

    /// The game that the house is to join next, and the time at which it does.
    ///
    /// The house does not play with absent players. Those who come back get time to cancel first.
    pub(super) fn next_house_game(&self, room: &Room, presence: &Presence) -> Option<(u64, Kind)> {
        let due = |kind: Kind| {
            let (player, since) = room.waits_for(kind)?;
            let since = since.max(presence.returned_at(player));
            let due = since.saturating_add(self.house_after);
            (!presence.is_leaving(player)).then_some((due, kind))
        };
        let kinds = Kind::ALL.into_iter().filter(|_| self.house_is_open);
        kinds.filter_map(due).min_by_key(|(due, _)| *due)
    }
}

impl Hub {
    /// Room in which a player has to ask for a game instead of this one, if any.
    ///
    /// Players who want any opponent may be forwarded under load. Players who want a particular
    /// opponent meet in one room, whichever room they asked in.
    pub(super) fn other_room(&mut self, player: PlayerId, request: &Request) -> Option<RoomNumber> {
        let Request::Choose { game, with, .. } = request else {
            return None;
        };
        let activity = self.room.player(player).map(|known| known.activity);
        let Some(opponent) = with else {
            let room = self.matchmaking.overflow(&self.room, *game);
            return room.filter(|_| activity.is_none());
        };
        let location = self.matchmaking.location;
        let room = location.rooms.private(*opponent)?;
        let is_free = activity.is_none_or(|activity| activity == Activity::Free);
        (is_free && room != location.room).then_some(room)
    }

    /// Command for a player who chooses a game, or the reason for a refusal.
    pub(super) fn choice(
        &mut self,
        player: PlayerId,
        kind: Kind,
        seed_hash: Hex<32>,
        with: Option<OpponentFilter>,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Result<Command, Refusal>, StoreError> {
        let meeting = match with {
            None => Meeting::Anyone,
            Some(OpponentFilter::House) if !self.matchmaking.house_is_open => {
                return Ok(Err(Refusal::HouseClosed));
            }
            Some(OpponentFilter::House) => Meeting::House,
            Some(OpponentFilter::Invitation(code)) => Meeting::Invitation(code),
            Some(OpponentFilter::Accept(code)) => {
                let meeting = Meeting::Invitation(code);
                match self.room.would_meet(player, kind, meeting) {
                    None => return Ok(Err(Refusal::NotInvited)),
                    // The invitation stays for when the inviter comes back.
                    Some(inviter) if self.presence.is_absent(inviter, unit.now()) => {
                        return Ok(Err(Refusal::InviterAway));
                    }
                    Some(_) => meeting,
                }
            }
            Some(OpponentFilter::Rematch(_))
                if !self.answers.quota.allows_rematch(player, unit.now()) =>
            {
                return Ok(Err(Refusal::TooFast));
            }
            Some(OpponentFilter::Rematch(game)) => {
                match self.rematch_opponent(player, game, kind, unit)? {
                    Some(opponent) => {
                        self.admit_if_free(opponent, unit)?;
                        Meeting::Rematch { game, opponent }
                    }
                    None => return Ok(Err(Refusal::NoRematch)),
                }
            }
        };
        self.skip_absent_opponent(player, kind, meeting, unit)?;
        Ok(Ok(Command::Choose {
            player,
            kind,
            meeting,
            seed_hash,
            secret: self.randomness.secret(),
        }))
    }

    /// Opponent of a player in a finished game of this kind, if they may play once more: a person
    /// who is still welcome.
    fn rematch_opponent(
        &self,
        player: PlayerId,
        game: u64,
        kind: Kind,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<Option<PlayerId>, StoreError> {
        let events = unit.store().game(game)?;
        let Some(RoomEvent::Matched(Match { seats, .. })) =
            events.first().filter(|event| starts(event, kind))
        else {
            return Ok(None);
        };
        let opponent = match *seats {
            [one, other] if one == player => other,
            [one, other] if other == player => one,
            _ => return Ok(None),
        };
        let is_over = events.last().is_some_and(is_settled);
        let known = match self.room.player(opponent) {
            Some(known) => known.clone(),
            None => unit.store().player(opponent)?,
        };
        let may_play = !known.house && known.standing == PlayerStatus::Welcome;
        Ok((is_over && may_play).then_some(opponent))
    }

    /// Admits the opponent of a rematch that a player withdraws, who will be sent a message.
    pub(super) fn admit_opponent_of(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.player(player).map(|known| known.activity) {
            Some(Activity::Waiting(_, Meeting::Rematch { opponent, .. })) => {
                self.answers.quota.withdraw(player, unit.now());
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
        let claimed = unit.store().claim(&BTreeSet::from([player]))?;
        if let Some((_, Claim::Ours(known))) = claimed.into_iter().next() {
            self.room.admit(player, known);
            unit.touch(player);
        }
        Ok(())
    }

    /// Cancels the wait of an absent player whom this one would meet: nobody is matched with a
    /// player without a connection.
    fn skip_absent_opponent(
        &mut self,
        player: PlayerId,
        kind: Kind,
        meeting: Meeting,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.would_meet(player, kind, meeting) {
            Some(other) if self.presence.is_absent(other, unit.now()) => {
                self.cancel_absent(other, unit)
            }
            _ => Ok(()),
        }
    }

    /// Cancels the wait of an absent player.
    pub(super) fn cancel_absent(
        &mut self,
        player: PlayerId,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.presence.end_absence(player);
        self.admit_opponent_of(player, unit)?;
        let activity = self.room.player(player).map(|player| player.activity);
        // They may have been matched in the meantime.
        let Some(Activity::Waiting(kind, _)) = activity else {
            return Ok(());
        };
        let cancelled = self
            .room
            .step(&Command::Cancel { player, kind }, unit.now());
        self.persist(&cancelled.expect("they wait"), unit)
    }

    /// Forwards players who have waited alone for long enough.
    pub(super) fn forward_lone_players(
        &mut self,
        now: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        if !self.is_shared {
            return Ok(());
        }
        let lone = self.matchmaking.lone_players(&self.room);
        let due: Vec<_> = lone
            .filter(|lone| lone.since.saturating_add(ALONE) <= now)
            .collect();
        for LonePlayer { player, kind, .. } in due {
            let to = self.matchmaking.location.rooms.meeting(kind);
            let room = to.0;
            let sent = self.room.step(&Command::SendOn { player, room }, now);
            self.persist(&sent.expect("they wait"), unit)?;
            self.presence.end_absence(player);
            unit.send_on(player, to);
        }
        Ok(())
    }

    /// Receives players forwarded from other rooms, if a poll is due.
    pub(super) fn poll_arrivals(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let polls = self.is_shared && self.matchmaking.location.is_meeting();
        if polls && self.matchmaking.polled.saturating_add(ARRIVALS) <= unit.now() {
            self.receive_arrivals(unit)?;
        }
        Ok(())
    }

    /// Receives players forwarded from other rooms.
    pub(super) fn receive_arrivals(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        self.matchmaking.polled = now;
        for coming in unit.store().coming()? {
            let Coming {
                id,
                player,
                kind,
                waited,
                seed_hash,
            } = coming;
            self.skip_absent_opponent(id, kind, Meeting::Anyone, unit)?;
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
            self.persist(&received.expect("they are free"), unit)?;
            if !self.connections.is_connected(id) {
                self.presence.leave(id, now.saturating_add(FOLLOWED));
            }
        }
        Ok(())
    }
}

/// Returns whether an event starts a game of this kind.
fn starts(event: &RoomEvent, kind: Kind) -> bool {
    matches!(event, RoomEvent::Matched(matched) if matched.kind == kind)
}

/// Returns whether an event ends a game.
const fn is_settled(event: &RoomEvent) -> bool {
    let RoomEvent::Played { event, .. } = event else {
        return false;
    };
    matches!(event, TokenEvent::Settled { .. })
}
