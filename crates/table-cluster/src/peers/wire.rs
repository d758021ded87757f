//! Frames of a link: JSON, prefixed with its length as a big-endian `u32`.
//!
//! Unknown fields are ignored: a later version may have added them.

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
use war_table::protocol::{PlayerId, ProtocolVersion, Request, RequestId};
use war_table::server::ClientAddress;
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::RoomNumber;
use war_table::time::Monotonic;

/// Longest frame, in bytes: far longer than any message.
pub(super) const MAX_FRAME_LEN: usize = 1 << 20;
/// Interval at which an idle side sends a beat.
const KEEP_ALIVE_INTERVAL: Duration = Duration::from_millis(400);
/// Time limit for reading or writing a frame: well under the lease of a room, and long enough for a
/// busy machine.
const TIMEOUT: Duration = Duration::from_millis(1500);
/// Largest number of frames that are written at once.
const MAX_BATCH: usize = 256;

/// Item of a link's send queue, which becomes a frame when it is written.
pub(super) trait IntoFrame {
    /// Type of the frame.
    type Wire: Serialize;

    /// Converts the item to a frame that is written at the time `now`.
    fn into_wire(self, now: Monotonic) -> Self::Wire;

    /// Creates the frame that an idle side sends.
    fn keep_alive() -> Self::Wire;
}

/// Reader of the frames that arrive over a connection.
pub(super) struct FrameReader<R> {
    read: BufReader<R>,
    body: Vec<u8>,
}

impl<R: AsyncRead + Unpin> FrameReader<R> {
    pub(super) fn new(read: R) -> Self {
        Self {
            read: BufReader::new(read),
            body: Vec::new(),
        }
    }

    /// Reads a frame of at most `longest` bytes. After an error, nothing more can be read.
    pub(super) async fn read_frame<T: DeserializeOwned>(
        &mut self,
        longest: usize,
    ) -> Result<T, LinkError> {
        run_with_timeout(self.read(longest)).await?;
        serde_json::from_slice(&self.body).map_err(|_| LinkError::Garbled)
    }

    async fn read(&mut self, longest: usize) -> Result<(), LinkError> {
        let length = self.read.read_u32().await.map_err(read_error)? as usize;
        if length > longest {
            return Err(LinkError::TooLong(length));
        }
        self.body.resize(length, 0);
        self.read
            .read_exact(&mut self.body)
            .await
            .map_err(read_error)?;
        Ok(())
    }
}

fn read_error(error: io::Error) -> LinkError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => LinkError::Closed,
        _ => LinkError::Io(error),
    }
}

/// Appends a frame to a buffer.
fn append_frame<T: Serialize>(bytes: &mut Vec<u8>, frame: &T) -> Result<(), LinkError> {
    let start = bytes.len();
    bytes.extend([0; 4]);
    serde_json::to_writer(&mut *bytes, frame).map_err(|_| LinkError::Garbled)?;
    let length = bytes.len() - start - 4;
    if length > MAX_FRAME_LEN {
        return Err(LinkError::TooLong(length));
    }
    let length = u32::try_from(length).map_err(|_| LinkError::TooLong(length))?;
    bytes[start..start + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

pub(super) async fn send_frame<W: AsyncWrite + Unpin, T: Serialize>(
    write: &mut W,
    frame: &T,
) -> Result<(), LinkError> {
    let mut bytes = Vec::new();
    append_frame(&mut bytes, frame)?;
    write_all(write, &bytes).await
}

/// Sends frames from a queue in batches until the link fails. Sends beats while the queue is empty.
/// `now` reads the clock.
pub(super) async fn run_sender<W: AsyncWrite + Unpin, F: IntoFrame>(
    write: &mut W,
    mut frames: mpsc::Receiver<F>,
    now: impl Fn() -> Monotonic,
) -> Result<std::convert::Infallible, LinkError> {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match timeout(KEEP_ALIVE_INTERVAL, frames.recv_many(&mut batch, MAX_BATCH)).await {
            Ok(0) => return Err(LinkError::Closed),
            Ok(_) => {
                // Lets other tasks queue their frames, which go out in the same batch.
                yield_now().await;
                while batch.len() < MAX_BATCH
                    && let Ok(frame) = frames.try_recv()
                {
                    batch.push(frame);
                }
                for frame in batch.drain(..) {
                    append_frame(&mut bytes, &frame.into_wire(now()))?;
                }
            }
            Err(_) => append_frame(&mut bytes, &F::keep_alive())?,
        }
        write_all(write, &bytes).await?;
    }
}

/// Runs a future with the time limit [`TIMEOUT`].
pub(super) async fn run_with_timeout<T>(
    work: impl Future<Output = Result<T, LinkError>>,
) -> Result<T, LinkError> {
    let done = timeout(TIMEOUT, work).await;
    done.map_err(|_| LinkError::Silent)?
}

async fn write_all<W: AsyncWrite + Unpin>(write: &mut W, bytes: &[u8]) -> Result<(), LinkError> {
    let write = async {
        write.write_all(bytes).await?;
        // TLS may keep bytes that the socket did not take.
        write.flush().await
    };
    let written = timeout(TIMEOUT, write).await;
    Ok(written.map_err(|_| LinkError::Stuck)??)
}

/// Reason for the end of a link.
///
/// The message never shows the contents of a frame, which may be secret.
#[derive(Debug, thiserror::Error)]
pub(super) enum LinkError {
    /// Link closed by the other node, or no longer needed by this node.
    #[error("it was closed")]
    Closed,
    /// Failure to connect, read or write.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Timeout while waiting for the other node.
    #[error("the other node is silent")]
    Silent,
    /// Backlog of frames that the other node does not read.
    #[error("the other node does not take what it is sent")]
    Stuck,
    /// Frame that exceeds the longest allowed length.
    #[error("a frame of {0} bytes is too long")]
    TooLong(usize),
    /// Frame that can't be parsed, or is not allowed at this point.
    #[error("a frame means nothing")]
    Garbled,
    /// Mismatch between the protocol versions of the two nodes.
    #[error("the other node speaks version {theirs} of the link, and this one version {ours}")]
    Version {
        /// The version of the other node.
        theirs: u16,
        /// The version of this node.
        ours: u16,
    },
    /// Node that speaks only version 1 of the link, where this one needs version 2.
    #[error("the other node does not encrypt the link")]
    Clear,
    /// Invalid proof: the other node does not know the secret of this table's store.
    #[error("the other node does not know the secret of this table")]
    Secret,
}

/// Id of a stream, unique on its link and assigned by the gateway.
pub(super) type StreamId = u64;

/// Frame from a gateway to the owner of rooms.
///
/// An `age` is the time since the client's data reached the gateway, in milliseconds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FrameToOwner {
    /// Entry of a client into a room.
    Enter {
        #[serde(rename = "visit")]
        stream: StreamId,
        age: u64,
        room: RoomNumber,
        address: ClientAddress,
        /// True if the client may be a new player. The gateway limits new players by address.
        may_join: bool,
        /// Code of the client's language.
        lang: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        player: Option<PlayerId>,
    },
    /// Request of the client.
    #[serde(rename = "ask")]
    Request {
        #[serde(rename = "visit")]
        stream: StreamId,
        age: u64,
        /// The request as sent by the client, including secrets.
        request: Box<RawValue>,
        /// Version of the protocol of a `hello` that is not of version 2. Nodes of earlier versions
        /// ignore it, and treat the `hello` as one of version 2.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        protocol: Option<ProtocolVersion>,
    },
    /// Departure of the client.
    Leave {
        #[serde(rename = "visit")]
        stream: StreamId,
    },
    /// Keeps an idle link open.
    Beat {},
}

/// Frame from the owner of rooms to a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FrameToGateway {
    /// Output of the room for the client.
    #[serde(rename = "hand")]
    Deliver {
        #[serde(rename = "visit")]
        stream: StreamId,
        #[serde(rename = "what")]
        delivery: WireDelivery,
        /// The `id` of the request that the message answers. Nodes of earlier versions ignore it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        in_reply_to: Option<RequestId>,
    },
    /// Notice that the sender does not own the room, or no longer owns it: the stream is closed.
    NotOwner {
        #[serde(rename = "visit")]
        stream: StreamId,
    },
    /// Keeps an idle link open.
    Beat {},
}

/// Form of a [`HubDelivery`] in a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WireDelivery {
    Welcome {
        body: String,
        player: PlayerId,
        seq: u64,
        returns: bool,
        /// Nodes of earlier versions leave it out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        watchable: Option<bool>,
    },
    Push {
        seq: u64,
        #[serde(with = "shared_text")]
        body: Arc<str>,
    },
    Resumed(Option<u64>),
    Answer(String),
    #[serde(rename = "elsewhere")]
    Redirect(RoomNumber),
    Done,
    Released,
    Expelled,
}

impl FrameToGateway {
    /// Creates the frame of a delivery; `None` for the outcome of an operator's order, as operators
    /// are not clients of other nodes.
    pub(super) fn deliver(stream: StreamId, delivery: HubDelivery) -> Option<Self> {
        let mut answered = None;
        let delivery = match delivery {
            HubDelivery::Welcome {
                player,
                seq,
                returns,
                watchable,
                body,
            } => WireDelivery::Welcome {
                body,
                player,
                seq,
                returns,
                watchable,
            },
            HubDelivery::Push {
                seq,
                body,
                in_reply_to,
            } => {
                answered = in_reply_to;
                WireDelivery::Push { seq, body }
            }
            HubDelivery::Answer { body, in_reply_to } => {
                answered = in_reply_to;
                WireDelivery::Answer(body)
            }
            HubDelivery::Resumed(after) => WireDelivery::Resumed(after),
            HubDelivery::Redirect(room) => WireDelivery::Redirect(room),
            HubDelivery::Done => WireDelivery::Done,
            HubDelivery::Released => WireDelivery::Released,
            HubDelivery::Expelled => WireDelivery::Expelled,
            HubDelivery::OrderOutcome(_) | HubDelivery::MessagesPruned(_) => return None,
        };
        Some(Self::Deliver {
            stream,
            delivery,
            in_reply_to: answered,
        })
    }
}

impl WireDelivery {
    /// Returns the delivery, whose message answers this request.
    pub(super) fn into_delivery(self, in_reply_to: Option<RequestId>) -> HubDelivery {
        match self {
            Self::Welcome {
                body,
                player,
                seq,
                returns,
                watchable,
            } => HubDelivery::Welcome {
                player,
                seq,
                returns,
                watchable,
                body,
            },
            Self::Push { seq, body } => HubDelivery::Push {
                seq,
                body,
                in_reply_to,
            },
            Self::Answer(body) => HubDelivery::Answer { body, in_reply_to },
            Self::Resumed(after) => HubDelivery::Resumed(after),
            Self::Redirect(room) => HubDelivery::Redirect(room),
            Self::Done => HubDelivery::Done,
            Self::Released => HubDelivery::Released,
            Self::Expelled => HubDelivery::Expelled,
        }
    }
}

/// Serialization of a text that several clients share.
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

impl FrameToOwner {
    /// Creates the frame of a request; the stream ends if the request can't be serialized.
    pub(super) fn request(stream: StreamId, age: u64, mut request: Request) -> Self {
        let version_of_hello = match &mut request {
            Request::Hello { protocol, .. } => {
                Some(std::mem::replace(protocol, ProtocolVersion::V2))
            }
            _ => None,
        };
        match serde_json::value::to_raw_value(&request) {
            Ok(request) => Self::Request {
                stream,
                age,
                request,
                protocol: version_of_hello.filter(|version| *version != ProtocolVersion::V2),
            },
            Err(_) => Self::Leave { stream },
        }
    }
}

/// Decodes a request of a frame, with the version of a `hello`; returns `None` if this version of the
/// program can't parse the request.
pub(super) fn decode_request(
    request: &RawValue,
    version: Option<ProtocolVersion>,
) -> Option<Request> {
    let mut request = Request::parse(request.get()).ok()?;
    if let (Request::Hello { protocol, .. }, Some(version)) = (&mut request, version) {
        *protocol = version;
    }
    Some(request)
}
