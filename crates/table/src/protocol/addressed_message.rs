use super::{NumberedMessage, PlayerId};

/// A message for one player.
///
/// Its deadlines are in the room's time, and it names no player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressedMessage {
    /// The recipient.
    pub to: PlayerId,
    /// The message with its number in the recipient's sequence.
    pub sent: NumberedMessage,
}
