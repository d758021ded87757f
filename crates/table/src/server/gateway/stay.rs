use super::Errand;
use super::visit::{RoomGone, Visit};
use crate::server::mailbox::Inbox;
use crate::server::peers::PeerVisit;

/// A client's stay in a room, wherever that is.
pub(in crate::server) enum Stay {
    /// In a room of this node.
    Here(Visit),
    /// In a room of another one.
    There(PeerVisit),
}

impl Stay {
    /// Asks for something that came when the node's clock showed `arrived`.
    pub(super) async fn ask(&self, errand: Errand, arrived: u64) -> Result<(), RoomGone> {
        match self {
            Self::Here(visit) => visit.ask(errand, arrived).await,
            Self::There(visit) => visit.ask(errand, arrived).await,
        }
    }

    /// Leaves the room.
    pub(super) async fn leave(self, now: u64) {
        match self {
            Self::Here(visit) => visit.leave(now).await,
            Self::There(visit) => visit.leave(now).await,
        }
    }

    /// What the room says.
    pub(super) const fn inbox(&mut self) -> &mut Inbox {
        match self {
            Self::Here(visit) => visit.inbox(),
            Self::There(visit) => visit.inbox(),
        }
    }

    /// What the room has said so far.
    pub(super) const fn heard(&self) -> &Inbox {
        match self {
            Self::Here(visit) => visit.heard(),
            Self::There(visit) => visit.heard(),
        }
    }
}
