use super::{PlayerId, Sent};

/// A message for one player.
///
/// Deadlines in it are those of the room's clock, and nobody is named in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// Who it is for.
    pub to: PlayerId,
    /// The message, with its number among those of this player.
    pub sent: Sent,
}
