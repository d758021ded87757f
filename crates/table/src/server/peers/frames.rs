//! What nodes say to each other once both are proven. A field that is not known is left out of
//! account: a later version may have added it.

use crate::room::{OrderError, Player, PlayerId, Protocol, Request};
use crate::server::gateway::Errand;
use crate::server::hub::{Hello, Outbound};
use crate::server::limits::Address;
use crate::server::rooms::RoomNumber;
use crate::server::store::Removed;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The number of a visit, which the gateway gives it: never twice on one link.
pub(super) type VisitNumber = u64;

/// What a gateway says to the owner of rooms.
///
/// Ages are in milliseconds: how long ago what is said came from the client.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToOwner {
    /// A client comes to a room.
    Enter {
        visit: VisitNumber,
        age: u64,
        room: RoomNumber,
        address: Address,
        /// Whether the client may be a new player: its gateway counts those of each address.
        may_join: bool,
        /// The language of the client, by its code.
        lang: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<PlayerId>,
    },
    /// The client asks for this.
    Ask {
        visit: VisitNumber,
        age: u64,
        /// The request as a client sends it, with all that is secret in it.
        request: Box<RawValue>,
    },
    /// The client leaves.
    Leave { visit: VisitNumber },
    /// This node is there.
    Beat {},
}

/// What the owner of rooms says to a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToGateway {
    /// The room hands this to the client.
    Hand {
        visit: VisitNumber,
        #[serde(with = "Handed")]
        what: Outbound,
    },
    /// This node does not own the room, or not any more: the visit is over.
    NotOwner { visit: VisitNumber },
    /// This node is there.
    Beat {},
}

/// An [`Outbound`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Outbound", rename_all = "snake_case")]
enum Handed {
    Welcome {
        body: String,
        player: PlayerId,
        seq: u64,
        returns: bool,
    },
    Push {
        seq: u64,
        #[serde(with = "shared_text")]
        body: Arc<str>,
    },
    Resumed(Option<u64>),
    Answer(String),
    Elsewhere(RoomNumber),
    Done,
    Released,
    Expelled,
    /// Only the clients of operators are handed this, and they are of this node.
    #[serde(skip)]
    Operated(Result<Player, OrderError>),
    #[serde(skip)]
    Retained(Removed),
}

/// A text that many clients are handed.
mod shared_text {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(
        text: &Arc<str>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<str>, D::Error> {
        String::deserialize(deserializer).map(Arc::from)
    }
}

/// An errand as it travels; `None` where it can't be written.
pub(super) fn sealed(errand: Errand) -> Option<Box<RawValue>> {
    let request = match errand {
        Errand::Request(request) => request,
        Errand::Hello(Hello {
            id,
            name,
            token,
            watchable,
        }) => Request::Hello {
            id,
            name,
            token,
            protocol: Protocol,
            watchable,
        },
    };
    serde_json::value::to_raw_value(&request).ok()
}

/// An errand as it came; `None` where this version does not know it.
pub(super) fn opened(request: &RawValue) -> Option<Errand> {
    let request = Request::parse(request.get()).ok()?;
    Some(match request {
        Request::Hello {
            id,
            name,
            token,
            watchable,
            ..
        } => Errand::Hello(Hello {
            id,
            name,
            token,
            watchable,
        }),
        request => Errand::Request(request),
    })
}
