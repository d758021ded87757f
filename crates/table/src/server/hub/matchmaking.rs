//! State of matchmaking: the room where players meet, its load, and the house.

use super::presence::Presence;
use super::settings::{HubSettings, RoomLoad};
use crate::protocol::PlayerId;
use crate::room::Room;
use crate::server::rooms::{RoomNumber, RoomPosition};
use crate::time::TableTime;
use std::sync::LazyLock;
use std::time::Duration;
use war::tokens::equilibrium::Strategy;
use war::tokens::{Decision, Hand, Kind};

/// Time that a player waits alone in a room to which they were forwarded because of load, before
/// matchmaking forwards them to the room where all players meet.
pub const LONE_WAIT: Duration = Duration::from_secs(1);
/// Time between two polls for players forwarded from other rooms.
pub const INCOMING_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// State of matchmaking in a room.
pub(super) struct Matchmaking {
    pub(super) house: HouseStrategy,
    /// `false` if the house does not play. House players of an earlier run still finish their
    /// games.
    pub(super) house_is_open: bool,
    /// Time that a player waits before the house steps in.
    pub(super) house_after: Duration,
    pub(super) position: RoomPosition,
    /// Load above which players are forwarded to other rooms.
    full_load: RoomLoad,
    /// Number of players forwarded so far.
    forwarded: u64,
    /// Requests of players in the current batch.
    pub(super) requests: usize,
    /// Time of the last poll for players forwarded from other rooms.
    pub(super) polled: TableTime,
}

/// A player who waits alone in a room to which they were forwarded because of load.
pub(super) struct LonePlayer {
    pub(super) player: PlayerId,
    pub(super) kind: Kind,
    /// Start of the wait.
    pub(super) since: TableTime,
}

impl Matchmaking {
    pub(super) fn new(settings: &HubSettings, position: RoomPosition, now: TableTime) -> Self {
        Self {
            house: HouseStrategy::new(),
            house_is_open: settings.house_players > 0,
            house_after: settings.house_delay,
            position,
            full_load: settings.full_load,
            forwarded: 0,
            requests: 0,
            polled: now,
        }
    }

    /// Returns whether all players who want a game of this kind meet in this room.
    fn is_matchmaking_room_for(&self, kind: Kind) -> bool {
        self.position.other_matchmaking_room(kind).is_none()
    }

    /// Picks the room to which a player who wants a game of this kind is forwarded, if this room is
    /// under load and nobody waits in it. Two players in a row get the same room, so that they
    /// meet.
    pub(super) fn pick_overflow_room(&mut self, room: &Room, kind: Kind) -> Option<RoomNumber> {
        let is_busy = room.running_count() >= self.full_load.games
            && self.requests >= self.full_load.requests;
        let is_full = is_busy && room.first_waiting_player(kind).is_none();
        let others = self.position.rooms.count() - 1;
        if !is_full || others == 0 || !self.is_matchmaking_room_for(kind) {
            return None;
        }
        let pair = self.forwarded / 2;
        self.forwarded = self.forwarded.wrapping_add(1);
        let offset = 1 + u16::try_from(pair % u64::from(others)).unwrap_or(0);
        let number =
            (u32::from(self.position.room.0) + u32::from(offset)) % (u32::from(others) + 1);
        u16::try_from(number).ok().map(RoomNumber)
    }

    /// Players who wait here alone although all others meet in another room.
    pub(super) fn lone_players(&self, room: &Room) -> impl Iterator<Item = LonePlayer> {
        let kinds = Kind::ALL
            .into_iter()
            .filter(|kind| !self.is_matchmaking_room_for(*kind));
        kinds.filter_map(|kind| {
            let (player, since) = room.first_waiting_player(kind)?;
            Some(LonePlayer {
                player,
                kind,
                since,
            })
        })
    }

    /// Time of the next forwarding, or of the next poll for players forwarded here.
    pub(super) fn next_due(&self, room: &Room) -> Option<TableTime> {
        let lone = self.lone_players(room);
        let forwarding = lone.map(|lone| lone.since.saturating_add(LONE_WAIT)).min();
        let polls = self.position.is_matchmaking_room();
        let poll = polls.then(|| self.polled.saturating_add(INCOMING_POLL_INTERVAL));
        forwarding.into_iter().chain(poll).min()
    }

    /// Time at which the house is to join a game next, and the kind of the game.
    ///
    /// The house does not play with absent players. Players who come back get time to cancel first.
    pub(super) fn next_house_game(
        &self,
        room: &Room,
        presence: &Presence,
    ) -> Option<(TableTime, Kind)> {
        let due = |kind: Kind| {
            let (player, since) = room.first_waiting_player(kind)?;
            let since = since.max(presence.returned_at(player));
            let due = since.saturating_add(self.house_after);
            (!presence.is_absent_or_leaving(player)).then_some((due, kind))
        };
        let kinds = Kind::ALL.into_iter().filter(|_| self.house_is_open);
        kinds.filter_map(due).min_by_key(|(due, _)| *due)
    }
}

/// Equilibrium strategy for each kind of game, computed once for all hubs.
pub static EQUILIBRIA: LazyLock<[Strategy; 2]> =
    LazyLock::new(|| Kind::ALL.map(Strategy::compute_equilibrium));

/// The house's strategy: the equilibrium strategy for each kind of game.
pub(super) struct HouseStrategy(&'static [Strategy; 2]);

impl HouseStrategy {
    pub(super) fn new() -> Self {
        Self(&EQUILIBRIA)
    }

    /// Decides on a hand, by a uniformly random number.
    pub(super) fn decide(&self, kind: Kind, hand: &Hand, chance: u32) -> Decision {
        self.0[kind as usize].decide(hand, chance)
    }
}

#[cfg(test)]
mod tests {
    use super::HouseStrategy;
    use war::tokens::{Decision, Kind};

    // The equilibrium never plays the two and always plays the ace, even for the lowest and the
    // highest random number.
    #[test]
    fn the_house_plays_as_often_as_the_equilibrium_says() {
        let house = HouseStrategy::new();
        for (card, decision) in [("2c", Decision::Fold), ("Ac", Decision::Play)] {
            let hand = vec![card.parse().expect("a card")];
            for chance in [0, 1, 1 << 31, u32::MAX - 1, u32::MAX] {
                let decided = house.decide(Kind::Single, &hand, chance);
                assert_eq!(decided, decision, "{card} {chance}");
            }
        }
    }
}
