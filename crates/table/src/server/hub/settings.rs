use crate::room::Timeouts;
use std::time::Duration;

/// Operator-configurable limits of a hub.
#[derive(Debug, Clone, Copy)]
pub struct HubSettings {
    /// Timeouts of games.
    pub timeouts: Timeouts,
    /// Minimum number of house players; 0 keeps the house from playing.
    pub house_players: usize,
    /// Time that a player waits for an opponent before the house steps in.
    pub house_delay: Duration,
    /// Maximum number of new players from one address per minute.
    pub new_players: u32,
    /// Load above which matchmaking forwards players to another room.
    pub full_load: RoomLoad,
}

/// Default for the time that a player waits for an opponent before the house steps in.
pub const DEFAULT_HOUSE_DELAY: Duration = Duration::from_secs(5);
/// Default load above which matchmaking forwards players to another room.
pub const DEFAULT_FULL_LOAD: RoomLoad = RoomLoad {
    games: 256,
    requests: 512,
};
/// Load of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RoomLoad {
    /// Number of running games.
    pub games: usize,
    /// Number of requests in one batch. A batch with more requests takes longer, but costs no less
    /// per request.
    pub requests: usize,
}
