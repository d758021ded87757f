//! Refusal of logins that would show the password to the server.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, TlsStream};

/// Login that would show the password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the database asks for a login by `{method}`")]
pub(super) struct UnsafeLoginError {
    /// Name of the method, as libpq's `require_auth` has it.
    pub(super) method: &'static str,
}

/// Stream of a connection that fails before its reader sees a request for a password in clear, or as
/// MD5: the library would answer it.
pub(super) struct AuthenticationGuard<S> {
    stream: S,
    requests: LoginRequests,
}

impl<S> AuthenticationGuard<S> {
    pub(super) const fn new(stream: S) -> Self {
        let requests = LoginRequests::Header([0; HEADER_LEN], 0);
        Self { stream, requests }
    }
}

/// Length of the beginning of a message: its type, its length, and what may be the code of a login.
const HEADER_LEN: usize = 9;
/// Type of the messages of a login.
const AUTHENTICATION: u8 = b'R';
/// Code of the message that ends a login.
const AUTHENTICATED: u32 = 0;
/// Codes of SASL, by which a password is proven and not shown.
const SASL: std::ops::RangeInclusive<u32> = 10..=12;

/// State of reading the messages that a server sends during a login.
#[derive(Debug)]
enum LoginRequests {
    /// Beginning of a message, with the number of bytes that were read.
    Header([u8; HEADER_LEN], usize),
    /// Rest of a message, with the number of bytes that follow.
    Body(usize),
    /// The login is done, so nothing is read any more.
    Done,
}

impl LoginRequests {
    /// Reads what the server sent.
    fn read(&mut self, mut bytes: &[u8]) -> Result<(), UnsafeLoginError> {
        while let [first, rest @ ..] = bytes {
            match self {
                Self::Done => return Ok(()),
                Self::Body(left) => {
                    let skipped = bytes.len().min(*left);
                    *left -= skipped;
                    bytes = &bytes[skipped..];
                    if *left == 0 {
                        *self = Self::Header([0; HEADER_LEN], 0);
                    }
                }
                Self::Header(header, filled) => {
                    header[*filled] = *first;
                    *filled += 1;
                    bytes = rest;
                    let (header, filled) = (*header, *filled);
                    if let Some(next) = Self::after(header, filled)? {
                        *self = next;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the state after the beginning of a message; `None` if more of it is needed.
    fn after(header: [u8; HEADER_LEN], filled: usize) -> Result<Option<Self>, UnsafeLoginError> {
        let number = |at: usize| u32::from_be_bytes(std::array::from_fn(|i| header[at + i]));
        if filled < 5 || header[0] == AUTHENTICATION && filled < HEADER_LEN {
            return Ok(None);
        }
        // The length counts itself, but not the type.
        let length = usize::try_from(number(1)).unwrap_or(usize::MAX);
        let left = length.saturating_add(1).saturating_sub(filled);
        if header[0] == AUTHENTICATION {
            let code = number(5);
            if code == AUTHENTICATED {
                return Ok(Some(Self::Done));
            }
            if !SASL.contains(&code) {
                let method = method_name(code);
                return Err(UnsafeLoginError { method });
            }
        }
        Ok(Some(match left {
            0 => Self::Header([0; HEADER_LEN], 0),
            left => Self::Body(left),
        }))
    }
}

/// Name of a method to log in, as libpq's `require_auth` has it.
const fn method_name(code: u32) -> &'static str {
    match code {
        3 => "password",
        5 => "md5",
        7 | 8 => "gss",
        9 => "sspi",
        _ => "other",
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for AuthenticationGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = self.requests.read(&buffer.filled()[before..]);
        if read.is_err() {
            buffer.set_filled(before);
        }
        Poll::Ready(read.map_err(io::Error::other))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for AuthenticationGuard<S> {
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

impl<S: TlsStream + Unpin> TlsStream for AuthenticationGuard<S> {
    fn channel_binding(&self) -> ChannelBinding {
        self.stream.channel_binding()
    }
}

#[cfg(test)]
mod tests {
    use super::{LoginRequests, UnsafeLoginError};

    fn login(code: u32, data: &[u8]) -> Vec<u8> {
        let length = u32::try_from(data.len() + 8).expect("a length");
        [
            b"R",
            &length.to_be_bytes()[..],
            &code.to_be_bytes()[..],
            data,
        ]
        .concat()
    }

    /// Reads messages in pieces of this many bytes.
    fn read(messages: &[Vec<u8>], piece: usize) -> Result<(), UnsafeLoginError> {
        let mut requests = LoginRequests::Header([0; 9], 0);
        let bytes = messages.concat();
        bytes.chunks(piece).try_for_each(|part| requests.read(part))
    }

    #[test]
    fn only_logins_that_hide_the_password_pass() {
        let notice = [&b"N"[..], &6_u32.to_be_bytes(), b"R\0"].concat();
        let empty = [&b"N"[..], &4_u32.to_be_bytes()].concat();
        let sasl = login(10, b"SCRAM-SHA-256\0\0");
        let before = [notice, empty, sasl, login(11, b"r=1"), login(12, b"")];
        for piece in [1, 2, 7, 4096] {
            assert_eq!(read(&before, piece), Ok(()));
            for (code, method) in [
                (3, "password"),
                (5, "md5"),
                (7, "gss"),
                (9, "sspi"),
                (2, "other"),
                (13, "other"),
            ] {
                let asked = login(code, b"salt");
                let messages = [&before[..], std::slice::from_ref(&asked)].concat();
                assert_eq!(read(&messages, piece), Err(UnsafeLoginError { method }));
                // Whatever follows a login is the library's.
                let messages = [login(0, b""), asked];
                assert_eq!(read(&messages, piece), Ok(()));
            }
        }
    }
}
