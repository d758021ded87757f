use super::schema_types;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::support::hex::Hex;
use war::tokens::Kind;

/// Maximum number of friend links of one player.
pub const MAX_LINKS_PER_PLAYER: usize = 20;

/// A link by which a player invites friends again and again, until the player revokes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FriendLink {
    /// The link's ID, which is public: `/with/` and the ID is the link's address, without its
    /// secret.
    #[schemars(with = "schema_types::Hex<8>")]
    pub link: Hex<8>,
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// The SHA-256 of the link's secret, by which a client finds the link that it made.
    #[schemars(with = "schema_types::Hex<32>")]
    pub secret_hash: Hex<32>,
}

/// A friend's presence, as a player who waits for the friend sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FriendPresence {
    /// Friend who does not wait with the link, or is not connected.
    Away,
    /// Friend who waits with the link, without a seed hash.
    Here,
    /// Friend who is ready to play. The player is asked to choose the game again, with a fresh seed
    /// hash, if they are ready too.
    Ready,
}
