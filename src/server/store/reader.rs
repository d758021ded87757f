use super::{Past, StoreError};
use crate::log::Hash;
use crate::recording::Settlement;
use crate::room::{HandTally, PlayerId, RoomEvent};
use crate::tokens::Name;
use std::ops::Range;

/// Messages with their numbers.
pub type Messages = Vec<(u64, String)>;

/// Where messages to a player begin that were removed before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The number of the first message that is kept.
    pub first_seq: u64,
    /// The tokens of the player before that message.
    pub balance: i64,
}

/// Which games of a player are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Whose.
    pub player: PlayerId,
    /// Before which game they ended; none for the last ones of all.
    pub before: Option<u64>,
    /// How many at most.
    pub limit: u32,
}

/// A store for those who only read it; what they see is committed and synced.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails or is damaged"
)]
pub trait Reader: Send {
    /// Up to 100 messages after `after` to a player, in order.
    fn messages(&self, player: PlayerId, after: u64) -> Result<Messages, StoreError>;

    /// The same, and where messages in between are not kept any more, what comes in their place.
    fn resumed(&self, player: PlayerId, after: u64) -> Result<(Option<Gap>, Messages), StoreError>;

    /// What a player is called now; an error where nobody has this number.
    fn name(&self, player: PlayerId) -> Result<Name, StoreError>;

    /// The events of a game in order; none where it was not played.
    fn game(&self, number: u64) -> Result<Vec<RoomEvent>, StoreError>;

    /// What the journal of a game says besides its events, if that was kept.
    fn settlement(&self, game: u64) -> Result<Option<Settlement>, StoreError>;

    /// Games of a player that are over, the last one first. None where there was no such game before.
    fn games(&self, page: Page) -> Result<Vec<Past>, StoreError>;

    /// What came of a player's games, by kind and by the hand that they held.
    fn figures(&self, player: PlayerId) -> Result<Vec<HandTally>, StoreError>;

    /// The hashes of these leaves of the log, counted from 0: all of them that are there.
    fn leaf_hashes(&self, range: Range<u64>) -> Result<Vec<Hash>, StoreError>;

    /// The texts of these leaves of the log, counted from 0: all of them that are there.
    fn leaf_texts(&self, range: Range<u64>) -> Result<Vec<String>, StoreError>;
}
