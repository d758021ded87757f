use serde::{Deserialize, Serialize};

/// Limits on what a client may ask of a table, as the table publishes them at `/limits.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableLimits {
    /// Messages of a connection in a second; twice as many in a burst.
    pub messages_per_second: u32,
    /// Messages and HTTP requests of an IP address in a second; twice as many in a burst.
    pub address_requests_per_second: u32,
    /// New players of an IP address in a minute; twice as many in a burst.
    pub new_players_per_minute: u32,
    /// Requests with a new `id` that the table keeps for a player in an hour.
    pub requests_per_hour: u32,
    /// Connections of the client's IP address at a time; missing if they are not limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections_per_address: Option<u32>,
}

impl TableLimits {
    /// Number of new players that an IP address without earlier ones may bring at once.
    #[must_use]
    pub const fn new_player_burst(&self) -> u32 {
        self.new_players_per_minute.saturating_mul(2)
    }
}
