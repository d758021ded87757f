use super::page;
use axum::http::HeaderMap;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A connection on which hyper's own answers get the headers of all the others.
///
/// What is not HTTP, or too long, hyper refuses before anybody is asked, and it has no hook for
/// that. It writes the head of such an answer alone, and only there those headers are missing.
pub(super) struct Protected<S> {
    stream: S,
    /// What is still to be written of such an answer.
    rest: Vec<u8>,
}

impl<S: AsyncWrite + Unpin> Protected<S> {
    pub(super) fn new(stream: S) -> Self {
        let rest = Vec::new();
        Self { stream, rest }
    }

    fn poll_rest(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.rest.is_empty() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.rest.drain(..written);
        }
        Poll::Ready(Ok(()))
    }
}

/// The head of a refusal with all headers; `None` of what is none, or has them.
fn protected(written: &[u8]) -> Option<Vec<u8>> {
    let head = written.strip_suffix(b"\r\n")?;
    if !head.starts_with(b"HTTP/1.1 4") || !head.ends_with(b"\r\n") {
        return None;
    }
    let mut headers = HeaderMap::new();
    page::protect(&mut headers);
    let mut all = head.to_vec();
    for (name, value) in &headers {
        let line = [name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat();
        if head.windows(line.len()).any(|found| found == line) {
            return None;
        }
        all.extend(line);
    }
    all.extend(b"\r\n");
    Some(all)
}

impl<S: AsyncRead + Unpin> AsyncRead for Protected<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Protected<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_rest(cx))?;
        if let [alone] = slices
            && let Some(refusal) = protected(alone)
        {
            self.rest = refusal;
            // What can't be written yet is written when the connection is flushed.
            return match self.poll_rest(cx) {
                Poll::Ready(Err(error)) => Poll::Ready(Err(error)),
                _ => Poll::Ready(Ok(alone.len())),
            };
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_rest(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
