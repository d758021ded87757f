use super::CurrentTime;
use super::answers::AnswerTracker;
use super::connections::Connections;
use super::matchmaking::Matchmaking;
use super::presence::{Presence, SeenFriends};
use super::settings::HubSettings;
use crate::daily::Day;
use crate::room::{Activity, Room};
use crate::server::identity::Identity;
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::rooms::RoomPosition;
use crate::time::TableTime;
use slog::Logger;
use std::sync::Arc;
use war::tokens::Kind;

/// A room with its connections and every policy that concerns players.
pub struct Hub {
    pub(super) room: Room,
    pub(super) connections: Connections,
    pub(super) presence: Presence,
    pub(super) matchmaking: Matchmaking,
    pub(super) answers: AnswerTracker,
    pub(super) friends: SeenFriends,
    /// Time up to which everything due has been done.
    pub(super) run_until: TableTime,
    /// Table time and wall clock when deadlines were last sent to players.
    pub(super) deadlines_sent_at: CurrentTime,
    pub(super) draining: bool,
    /// Last day whose seed this hub has committed to.
    pub(super) committed_day: Option<Day>,
    /// `true` if the table has several rooms: players who neither wait nor play belong to none.
    pub(super) is_shared: bool,
    pub(super) randomness: Box<dyn Randomness>,
    pub(super) identity: Identity,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
}

impl Hub {
    /// A hub of a room without connections.
    pub(super) fn new(
        (room, is_shared, location): (Room, bool, RoomPosition),
        settings: &HubSettings,
        now: CurrentTime,
        randomness: Box<dyn Randomness>,
        identity: Identity,
        metrics: Arc<Metrics>,
        log: Logger,
    ) -> Self {
        Self {
            room,
            connections: Connections::new(settings.new_players),
            presence: Presence::default(),
            matchmaking: Matchmaking::new(settings, location, now.table),
            answers: AnswerTracker::new(now.table),
            friends: SeenFriends::default(),
            run_until: now.table,
            deadlines_sent_at: now,
            draining: false,
            committed_day: None,
            is_shared,
            randomness,
            identity,
            metrics,
            log,
        }
    }

    /// Starts an absence of every player who waits: nobody is connected yet.
    pub(super) fn mark_all_absent(&mut self, now: TableTime) {
        for (id, player) in self.room.players() {
            if matches!(player.activity, Activity::Waiting(..)) {
                self.presence.mark_absent(id, now);
            }
        }
    }

    /// Returns whether the hub was drained and its last game is over.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.draining && self.room.running_count() == 0
    }
}

/// Summary of a hub, for health checks and metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Number of connected players.
    pub players: usize,
    /// Number of players who wait for an opponent.
    pub waiting: usize,
    /// Number of players who wait for any opponent, by kind of game.
    pub waiting_for: [usize; 2],
    /// Number of running games.
    pub running: usize,
    /// `true` if no more games start.
    pub draining: bool,
}

impl Health {
    /// Sum of the summaries of two rooms.
    #[must_use]
    pub const fn add(self, other: Self) -> Self {
        Self {
            players: self.players + other.players,
            waiting: self.waiting + other.waiting,
            waiting_for: [
                self.waiting_for[0] + other.waiting_for[0],
                self.waiting_for[1] + other.waiting_for[1],
            ],
            running: self.running + other.running,
            draining: self.draining || other.draining,
        }
    }
}

impl Hub {
    /// Summary of the hub.
    #[must_use]
    pub fn health(&self) -> Health {
        Health {
            players: self.connections.player_count(),
            waiting: self.room.waiting_count(),
            waiting_for: Kind::ALL.map(|kind| self.room.waiting_count_for(kind)),
            running: self.room.running_count(),
            draining: self.draining,
        }
    }
}
