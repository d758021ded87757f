use super::state::Hub;

/// How a hub is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
