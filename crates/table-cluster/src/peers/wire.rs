//! Frames on a connection: four bytes say how many follow, the highest first, and those are JSON.
//!
//! Once both nodes are proven they say these frames to each other. A field that is not known is left
//! out of account: a later version may have added it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::timeout;
use war_table::protocol::{PlayerId, Request};
use war_table::room::{OrderError, Player};
use war_table::server::Address;
use war_table::server::hub::Outbound;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Removed;

/// The longest frame, in bytes: many times what any message needs.
pub(super) const LONGEST: usize = 1 << 20;
/// A side that has nothing to say says so this often.
const BEAT: Duration = Duration::from_millis(400);
/// How long a link may be silent, and how long the other side may take to take what it is sent:
/// well under the lease of a room, and long enough for a machine that is busy.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How many frames are written at once, at most.
const MOST_AT_ONCE: usize = 256;

/// What may be sent: what it is on the wire depends on when it is written.
pub(super) trait Frame {
    /// The frame.
    type Wire: Serialize;

    /// The frame that is written when the clock shows `now`.
    fn wire(self, now: u64) -> Self::Wire;

    /// The frame that only says that this side is there.
    fn beat() -> Self::Wire;
}

/// The frames that come.
pub(super) struct Frames<R> {
    read: BufReader<R>,
    body: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub(super) fn new(read: R) -> Self {
        Self {
            read: BufReader::new(read),
            body: Vec::new(),
        }
    }

    /// The next frame, of so many bytes at most. Once it has failed nothing more can be read.
    pub(super) async fn next<T: DeserializeOwned>(
        &mut self,
        longest: usize,
    ) -> Result<T, LinkError> {
        in_time(self.read(longest)).await?;
        serde_json::from_slice(&self.body).map_err(|_| LinkError::Garbled)
    }

    async fn read(&mut self, longest: usize) -> Result<(), LinkError> {
        let length = self.read.read_u32().await.map_err(ended)? as usize;
        if length > longest {
            return Err(LinkError::TooLong(length));
        }
        self.body.resize(length, 0);
        self.read.read_exact(&mut self.body).await.map_err(ended)?;
        Ok(())
    }
}

fn ended(error: io::Error) -> LinkError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => LinkError::Closed,
        _ => LinkError::Io(error),
    }
}

/// Adds a frame to what is to be written.
fn put<T: Serialize>(bytes: &mut Vec<u8>, frame: &T) -> Result<(), LinkError> {
    let start = bytes.len();
    bytes.extend([0; 4]);
    serde_json::to_writer(&mut *bytes, frame).map_err(|_| LinkError::Garbled)?;
    let length = bytes.len() - start - 4;
    if length > LONGEST {
        return Err(LinkError::TooLong(length));
    }
    let length = u32::try_from(length).map_err(|_| LinkError::TooLong(length))?;
    bytes[start..start + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

/// Sends one frame.
pub(super) async fn send<W: AsyncWrite + Unpin, T: Serialize>(
    write: &mut W,
    frame: &T,
) -> Result<(), LinkError> {
    let mut bytes = Vec::new();
    put(&mut bytes, frame)?;
    write_all(write, &bytes).await
}

/// Sends all frames that come, as many as there are at once, until the link ends; without any, a
/// beat now and then. `now` is what the clock shows.
pub(super) async fn send_all<W: AsyncWrite + Unpin, F: Frame>(
    write: &mut W,
    mut frames: mpsc::Receiver<F>,
    now: impl Fn() -> u64,
) -> Result<std::convert::Infallible, LinkError> {
    let mut taken = Vec::with_capacity(MOST_AT_ONCE);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match timeout(BEAT, frames.recv_many(&mut taken, MOST_AT_ONCE)).await {
            Ok(0) => return Err(LinkError::Closed),
            Ok(_) => {
                // Those who are about to send get the time to do it: their frames go out together.
                yield_now().await;
                while taken.len() < MOST_AT_ONCE
                    && let Ok(frame) = frames.try_recv()
                {
                    taken.push(frame);
                }
                for frame in taken.drain(..) {
                    put(&mut bytes, &frame.wire(now()))?;
                }
            }
            Err(_) => put(&mut bytes, &F::beat())?,
        }
        write_all(write, &bytes).await?;
    }
}

/// What this results in, unless it takes too long.
pub(super) async fn in_time<T>(
    work: impl Future<Output = Result<T, LinkError>>,
) -> Result<T, LinkError> {
    let done = timeout(PATIENCE, work).await;
    done.map_err(|_| LinkError::Silent)?
}

async fn write_all<W: AsyncWrite + Unpin>(write: &mut W, bytes: &[u8]) -> Result<(), LinkError> {
    let written = timeout(PATIENCE, write.write_all(bytes)).await;
    Ok(written.map_err(|_| LinkError::Stuck)??)
}

/// Why a link ended.
///
/// It never shows what was in a frame: that may be secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// The other node closed it, or nobody needs it any more.
    #[error("it was closed")]
    Closed,
    /// It could not be made, read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Nothing came for too long.
    #[error("the other node is silent")]
    Silent,
    /// The other node does not take what it is sent.
    #[error("the other node does not take what it is sent")]
    Stuck,
    /// A frame is longer than any may be.
    #[error("a frame of {0} bytes is too long")]
    TooLong(usize),
    /// A frame means nothing.
    #[error("a frame means nothing")]
    Garbled,
    /// The other node speaks another version of the link's protocol.
    #[error("the other node speaks version {theirs} of the link, and this one version {ours}")]
    Version {
        /// The version of the other node.
        theirs: u16,
        /// The version of this one.
        ours: u16,
    },
    /// The other node does not know the secret of this table's store.
    #[error("the other node does not know the secret of this table")]
    Secret,
}

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
        #[serde(with = "DeliveryFrame")]
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
enum DeliveryFrame {
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

/// An request as it travels; `None` where it can't be written.
pub(super) fn sealed(request: &Request) -> Option<Box<RawValue>> {
    serde_json::value::to_raw_value(request).ok()
}

/// A request as it came; `None` where this version does not know it.
pub(super) fn opened(request: &RawValue) -> Option<Request> {
    Request::parse(request.get()).ok()
}
