use super::StoreError;
use crate::server::rooms::RoomNumber;

/// What operators ask of the nodes that own rooms, by way of the store: any node takes it in.
///
/// What is asked is done once or not at all: who takes it does it.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails"
)]
pub trait Inbox: Send {
    /// Asks the node that owns this room, or any room, for something; the result is what it is
    /// called from then on.
    fn hand_in(&self, ask: &str, room: Option<RoomNumber>) -> Result<String, StoreError>;

    /// The answer, once it is there. Nobody else gets it.
    fn answer(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// Takes back what nobody has taken; the result is whether nobody had.
    fn withdraw(&self, id: &str) -> Result<bool, StoreError>;

    /// Takes something that was handed in lately, for the node that owns these rooms, and what it is
    /// called.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError>;

    /// Answers what was taken.
    fn settle(&self, id: &str, answer: &str) -> Result<(), StoreError>;
}
