use super::state::Hub;

/// How a hub is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Health {
    /// Players who are connected.
    pub players: usize,
    /// Players who wait for an opponent.
    pub waiting: usize,
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
            running: self.room.running(),
            draining: self.draining,
        }
    }
}
