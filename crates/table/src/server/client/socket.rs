use super::CloseCode;
use super::frames::Frames;
use futures_util::{SinkExt, StreamExt};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Message, Utf8Bytes};

/// The longest message of a client, in bytes.
pub(in crate::server) const LONGEST_MESSAGE: usize = 4096;
/// The longest message that is read whole, in bytes; what a longer one says is thrown away.
const LONGEST_READ: usize = 4 * LONGEST_MESSAGE;
/// How much may wait to be sent, in bytes.
const LONGEST_WAITING: usize = 64 * 1024;
/// The most frames that continue a message which does not end: more than fit into one read, so
/// that they can't belong to several messages.
const MOST_CONTINUATIONS: u32 = 1024;
/// How long the client may be silent when it is closed, until nothing more is read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A WebSocket at the server's side.
pub(in crate::server) struct Socket<S> {
    stream: WebSocketStream<Watched<S>>,
}

/// A message comes in more frames than one may have.
#[derive(Debug, thiserror::Error)]
#[error("too many frames")]
struct TooManyFrames;

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// The WebSocket on a connection on which the handshake is done.
    pub(in crate::server) async fn open(stream: S) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(LONGEST_MESSAGE)
            .write_buffer_size(LONGEST_MESSAGE)
            .max_write_buffer_size(LONGEST_WAITING)
            .max_message_size(Some(LONGEST_READ))
            .max_frame_size(Some(LONGEST_READ));
        let watched = Watched {
            stream,
            frames: Frames::default(),
        };
        let stream = WebSocketStream::from_raw_socket(watched, Role::Server, Some(config)).await;
        Self { stream }
    }

    /// The next message; `None` where the client is gone. Nothing is lost where it is dropped.
    pub(super) async fn receive(&mut self) -> Option<Result<Message, tungstenite::Error>> {
        self.stream.next().await
    }

    /// How many frames continued messages since this was asked last.
    pub(super) fn take_continuations(&mut self) -> u32 {
        self.stream.get_mut().frames.take_continuations()
    }

    /// Sends a message with what comes after it, once there is enough or with [`Self::flush`].
    pub(super) async fn feed(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.stream.feed(message).await
    }

    /// Sends what was fed.
    pub(super) async fn flush(&mut self) -> Result<(), tungstenite::Error> {
        self.stream.flush().await
    }

    /// Sends a message at once.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.stream.send(message).await
    }

    /// Answers the client's close.
    pub(super) async fn leave(&mut self) {
        while let Some(Ok(_)) = self.receive().await {}
    }

    /// Closes the connection, and says why.
    ///
    /// A connection that is dropped with bytes unread is reset, and the reset would take the
    /// reason away from the client: so all that it still says is thrown away first.
    pub(super) async fn close(&mut self, code: CloseCode) {
        let frame = CloseFrame {
            code: (code as u16).into(),
            reason: Utf8Bytes::default(),
        };
        // Nobody knows whether it comes through.
        let _ = self.send(Message::Close(Some(frame))).await;
        let raw = &mut self.stream.get_mut().stream;
        let _ = raw.shutdown().await;
        let mut thrown_away = [0; LONGEST_MESSAGE];
        while let Ok(Ok(1..)) = timeout(LAST_WORDS, raw.read(&mut thrown_away)).await {}
    }
}

/// How the connection of a client ends that sends what can't be read; `None` where it is gone.
pub(super) fn unreadable(error: &tungstenite::Error) -> Option<CloseCode> {
    match error {
        tungstenite::Error::Capacity(_) => Some(CloseCode::Size),
        tungstenite::Error::Utf8(_) => Some(CloseCode::Invalid),
        tungstenite::Error::Protocol(_) => Some(CloseCode::Protocol),
        tungstenite::Error::Io(error) => {
            let cause = error.get_ref()?;
            cause.is::<TooManyFrames>().then_some(CloseCode::Policy)
        }
        _ => None,
    }
}

/// A stream that counts the frames which are read from it.
struct Watched<S> {
    stream: S,
    frames: Frames,
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.frames.feed(&buffer.filled()[before..]);
        Poll::Ready(if self.frames.continuations() > MOST_CONTINUATIONS {
            Err(io::Error::other(TooManyFrames))
        } else {
            Ok(())
        })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
