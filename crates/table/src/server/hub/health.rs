use super::state::Hub;
use war::tokens::Kind;

/// How a hub is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Players who are connected.
    pub players: usize,
    /// Players who wait for an opponent.
    pub waiting: usize,
    /// Those of them who wait for anyone, by kind of game.
    pub waiting_for: [usize; 2],
    /// Games that run.
    pub running: usize,
    /// Whether no game starts any more.
    pub draining: bool,
}

impl Health {
    /// How two rooms are, taken together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
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
    /// How the hub is.
    #[must_use]
    pub fn health(&self) -> Health {
        Health {
            players: self.connections.len(),
            waiting: self.room.waiting(),
            waiting_for: Kind::ALL.map(|kind| self.room.waiting_for(kind)),
            running: self.room.running(),
            draining: self.draining,
        }
    }
}
