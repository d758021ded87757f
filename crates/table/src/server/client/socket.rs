use super::CloseCode;
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

/// Longest message of a client, in bytes.
pub(in crate::server) const MAX_MESSAGE_LEN: usize = 4096;
/// Maximum length of a message that is read to its end, in bytes. Any message longer than
/// [`MAX_MESSAGE_LEN`] closes the connection.
const LONGEST_READ: usize = 4 * MAX_MESSAGE_LEN;
/// Maximum number of bytes that may wait to be sent.
const MAX_WRITE_BUFFER: usize = 64 * 1024;
/// Maximum number of continuation frames of one message. The count may include frames of other
/// messages in the same read, but a single read can't hold this many frames.
const MAX_CONTINUATIONS: u32 = 1024;
/// Time that a close waits for more bytes from the client before it gives up.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Server side of a WebSocket.
pub(in crate::server) struct Socket<S> {
    stream: WebSocketStream<FrameCountingStream<S>>,
}

/// Error for a message in too many frames.
#[derive(Debug, thiserror::Error)]
#[error("too many frames")]
struct TooManyFrames;

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    /// Creates the WebSocket on a connection after the handshake.
    pub(in crate::server) async fn open(stream: S) -> Self {
        let config = WebSocketConfig::default()
            .read_buffer_size(MAX_MESSAGE_LEN)
            .write_buffer_size(MAX_MESSAGE_LEN)
            .max_write_buffer_size(MAX_WRITE_BUFFER)
            .max_message_size(Some(LONGEST_READ))
            .max_frame_size(Some(LONGEST_READ));
        let watched = FrameCountingStream {
            stream,
            frames: FrameCounter::default(),
        };
        let stream = WebSocketStream::from_raw_socket(watched, Role::Server, Some(config)).await;
        Self { stream }
    }

    /// Next message; `None` if the client is gone. Cancel safe.
    pub(super) async fn receive(&mut self) -> Option<Result<Message, tungstenite::Error>> {
        self.stream.next().await
    }

    /// Returns the number of continuation frames received since the last call.
    pub(super) fn take_continuations(&mut self) -> u32 {
        self.stream.get_mut().frames.take_continuations()
    }

    /// Queues a message, which is sent once enough messages are queued, or by [`Self::flush`].
    pub(super) async fn feed(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.stream.feed(message).await
    }

    /// Sends queued messages.
    pub(super) async fn flush(&mut self) -> Result<(), tungstenite::Error> {
        self.stream.flush().await
    }

    /// Sends a message at once.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.stream.send(message).await
    }

    /// Completes the closing handshake that the client started.
    pub(super) async fn finish_close(&mut self) {
        while let Some(Ok(_)) = self.receive().await {}
    }

    /// Closes the connection with a reason.
    ///
    /// Dropping a connection with unread bytes resets it, and then the client may never see the
    /// reason. Therefore everything that the client still sends is discarded first.
    pub(super) async fn close(&mut self, code: CloseCode) {
        let frame = CloseFrame {
            code: (code as u16).into(),
            reason: Utf8Bytes::default(),
        };
        // Fails only if the client is gone and no longer needs the reason.
        let _ = self.send(Message::Close(Some(frame))).await;
        let raw = &mut self.stream.get_mut().stream;
        let _ = raw.shutdown().await;
        let mut thrown_away = [0; MAX_MESSAGE_LEN];
        while let Ok(Ok(1..)) = timeout(CLOSE_TIMEOUT, raw.read(&mut thrown_away)).await {}
    }
}

/// Close code for an error caused by the client's data; `None` if the client is gone.
pub(super) fn close_code_of(error: &tungstenite::Error) -> Option<CloseCode> {
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

/// A stream that counts the frames read from it.
struct FrameCountingStream<S> {
    stream: S,
    frames: FrameCounter,
}

impl<S: AsyncRead + Unpin> AsyncRead for FrameCountingStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        self.frames.count_frames(&buffer.filled()[before..]);
        Poll::Ready(if self.frames.continuations() > MAX_CONTINUATIONS {
            Err(io::Error::other(TooManyFrames))
        } else {
            Ok(())
        })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FrameCountingStream<S> {
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

/// Parser of frame headers in a WebSocket stream, which counts continuation frames.
///
/// The library that assembles messages does not reveal how many frames they came in.
///
/// # Source
///
/// RFC 6455, section 5.2.
#[derive(Debug, Default)]
struct FrameCounter {
    /// Beginning of a header, without the mask.
    head: [u8; LONGEST_HEAD],
    /// Number of header bytes read so far.
    length: usize,
    /// Bytes of mask and payload still to come.
    rest: u64,
    continuations: u32,
}

/// Maximum length of a frame header without its mask: two bytes, and an eight-byte length.
const LONGEST_HEAD: usize = 10;
const MASK_LENGTH: u64 = 4;
/// Bits of the first byte that hold the kind of frame.
const OPCODE_MASK: u8 = 0x0f;
const CONTINUATION: u8 = 0;

impl FrameCounter {
    /// Counts the frames in the next bytes of the stream.
    pub(super) fn count_frames(&mut self, mut bytes: &[u8]) {
        while let Some((first, others)) = bytes.split_first() {
            if self.rest > 0 {
                let skipped = usize::try_from(self.rest).unwrap_or(usize::MAX);
                let skipped = skipped.min(bytes.len());
                self.rest -= skipped as u64;
                bytes = &bytes[skipped..];
                continue;
            }
            bytes = others;
            self.head[self.length] = *first;
            self.length += 1;
            self.end_head();
        }
    }

    /// Returns the number of continuation frames received since the last call.
    pub(super) const fn take_continuations(&mut self) -> u32 {
        std::mem::replace(&mut self.continuations, 0)
    }

    /// Number of continuation frames since the last
    /// [`take_continuations`](Self::take_continuations).
    const fn continuations(&self) -> u32 {
        self.continuations
    }

    fn end_head(&mut self) {
        let [first, second, ..] = self.head;
        let long = match second & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.length < 2 + long {
            return;
        }
        let payload = if long == 0 {
            u64::from(second & 0x7f)
        } else {
            let length = self.head[2..2 + long].iter();
            length.fold(0, |length, byte| length << 8 | u64::from(*byte))
        };
        let mask = if second & 0x80 == 0 { 0 } else { MASK_LENGTH };
        self.rest = payload.saturating_add(mask);
        self.length = 0;
        if first & OPCODE_MASK == CONTINUATION {
            self.continuations = self.continuations.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FrameCounter;

    /// A frame with a mask of zeros.
    fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
        let length = payload.len();
        let mut frame = vec![first];
        match u16::try_from(length) {
            Ok(short @ 0..126) => frame.push(0x80 | short.to_le_bytes()[0]),
            Ok(length) => {
                frame.push(0x80 | 0x7e);
                frame.extend(length.to_be_bytes());
            }
            Err(_) => {
                frame.push(0x80 | 0x7f);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(payload);
        frame
    }

    #[test]
    fn only_frames_that_continue_a_message_are_counted_however_the_bytes_come() {
        let zeros = vec![0; 70_000];
        let parts = [
            frame(0x81, b"whole"),
            frame(0x01, &zeros[..300]),
            frame(0x89, b"ping"),
            frame(0x00, &[]),
            frame(0x00, &zeros),
            frame(0x80, &zeros[..125]),
            frame(0x82, &zeros[..126]),
            // A frame without a mask.
            vec![0x00, 0],
            frame(0x88, &[]),
        ];
        let bytes = parts.concat();
        for size in [1, 2, 3, 7, 1000, bytes.len()] {
            let mut frames = FrameCounter::default();
            for part in bytes.chunks(size) {
                frames.count_frames(part);
            }
            assert_eq!(frames.take_continuations(), 4, "{size} bytes at a time");
            assert_eq!(frames.continuations(), 0);
        }
    }
}
