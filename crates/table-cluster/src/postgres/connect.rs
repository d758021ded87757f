//! The way to a database: a socket, TLS as the address says, and a login that shows no password.

use super::DatabaseAddress;
use super::authentication_guard::AuthenticationGuard;
use super::tls_config::{TlsFileError, build_config};
use super::tls_options::TlsMode;
use futures_util::future::BoxFuture;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio_postgres::config::{SslMode, SslNegotiation};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_postgres::{Client, Config, Connection};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Request for TLS: its length, and the number that PostgreSQL gave it.
const TLS_REQUEST: [u8; 8] = [0, 0, 0, 8, 4, 210, 22, 47];

/// Connection to a database, and the future that drives it.
pub(super) type OpenedConnection = (Client, BoxFuture<'static, ()>);

/// Failure to connect to a database.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    /// Socket that can't be opened.
    #[error(transparent)]
    Socket(#[from] io::Error),
    /// File for TLS that can't be used.
    #[error(transparent)]
    TlsFile(#[from] TlsFileError),
    /// Error reported by the database, or by the library.
    #[error(transparent)]
    Failed(#[from] tokio_postgres::Error),
}

/// Connects to a database. `config` is that of the address, with more settings.
///
/// # Errors
///
/// [`ConnectError`] if there is no way that the address allows.
pub(super) async fn connect(
    address: &DatabaseAddress,
    config: Config,
) -> Result<OpenedConnection, ConnectError> {
    let options = address.tls();
    let tls = match options.mode {
        TlsMode::Disable => None,
        _ => Some(MakeRustlsConnect::new(build_config(options)?)),
    };
    let (first, second) = match options.mode {
        TlsMode::Disable => (TlsUse::Never, None),
        TlsMode::Allow => (TlsUse::Never, Some(TlsUse::Always)),
        TlsMode::Prefer => (TlsUse::IfOffered, Some(TlsUse::Never)),
        TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => (TlsUse::Always, None),
    };
    let negotiator = |tls_use| Negotiator {
        tls_use,
        tls: tls.clone(),
        is_direct: options.is_direct,
    };
    let connected = connect_with(&config, negotiator(first)).await;
    match (connected, second) {
        // The server takes this user only with TLS, or only without.
        (Err(ConnectError::Failed(error)), Some(second))
            if error.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION) =>
        {
            connect_with(&config, negotiator(second)).await
        }
        (connected, _) => connected,
    }
}

async fn connect_with(
    config: &Config,
    negotiator: Negotiator,
) -> Result<OpenedConnection, ConnectError> {
    let mut config = config.clone();
    // The library hands a new socket to the negotiator at once.
    config
        .ssl_mode(SslMode::Require)
        .ssl_negotiation(SslNegotiation::Direct);
    #[cfg(unix)]
    if let Some(tokio_postgres::config::Host::Unix(directory)) = config.get_hosts().first() {
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let socket = directory.join(format!(".s.PGSQL.{port}"));
        let socket = tokio::net::UnixStream::connect(socket).await?;
        let negotiation = Negotiation {
            host: String::new(),
            negotiator: Negotiator {
                tls_use: TlsUse::Never,
                ..negotiator
            },
        };
        return Ok(drive(config.connect_raw(socket, negotiation).await?));
    }
    Ok(drive(config.connect(negotiator).await?))
}

/// Prepares the future that drives a connection.
fn drive<S, T>((client, connection): (Client, Connection<S, T>)) -> OpenedConnection
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let driving = async {
        // Callers that wait for an answer get the error.
        let _ = connection.await;
    };
    (client, Box::pin(driving))
}

/// Use of TLS on one connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TlsUse {
    Never,
    /// If the server offers it.
    IfOffered,
    Always,
}

/// Negotiator of TLS with a server, as the address says.
#[derive(Clone)]
struct Negotiator {
    tls_use: TlsUse,
    /// The client of TLS, unless it is never used.
    tls: Option<MakeRustlsConnect>,
    /// True if TLS begins without a request for it.
    is_direct: bool,
}

/// Negotiation with one server.
struct Negotiation {
    /// Name of the server, which its certificate has to have.
    host: String,
    negotiator: Negotiator,
}

/// Failure to agree on TLS with a server.
#[derive(Debug, thiserror::Error)]
pub(super) enum NegotiationError {
    /// Server without TLS.
    #[error("the server has no TLS")]
    NotOffered,
    /// Answer other than yes or no.
    #[error("the server does not speak the protocol of PostgreSQL")]
    Garbled,
    /// Failure of TLS, such as a certificate that is not trusted.
    #[error("{0}")]
    Tls(io::Error),
    /// Failure to read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<S> MakeTlsConnect<S> for Negotiator
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = AuthenticationGuard<MaybeTls<S>>;
    type TlsConnect = Negotiation;
    type Error = Infallible;

    fn make_tls_connect(&mut self, host: &str) -> Result<Negotiation, Infallible> {
        Ok(Negotiation {
            host: host.to_owned(),
            negotiator: self.clone(),
        })
    }
}

impl<S> TlsConnect<S> for Negotiation
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = AuthenticationGuard<MaybeTls<S>>;
    type Error = NegotiationError;
    type Future = BoxFuture<'static, Result<Self::Stream, NegotiationError>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async {
            let negotiated = self.negotiate(stream).await;
            negotiated.map(AuthenticationGuard::new)
        })
    }
}

impl Negotiation {
    /// Asks for TLS where it is used, and begins it.
    async fn negotiate<S>(self, mut stream: S) -> Result<MaybeTls<S>, NegotiationError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Negotiator {
            tls_use,
            tls,
            is_direct,
        } = self.negotiator;
        let Some(mut tls) = tls.filter(|_| tls_use != TlsUse::Never) else {
            return Ok(MaybeTls::Clear(stream));
        };
        if !is_direct {
            stream.write_all(&TLS_REQUEST).await?;
            // One byte is read, so that nothing in clear passes for a part of TLS.
            match stream.read_u8().await? {
                b'S' => {}
                b'N' if tls_use == TlsUse::IfOffered => return Ok(MaybeTls::Clear(stream)),
                b'N' => return Err(NegotiationError::NotOffered),
                _ => return Err(NegotiationError::Garbled),
            }
        }
        let Ok(connector) = MakeTlsConnect::<S>::make_tls_connect(&mut tls, &self.host);
        let stream = connector.connect(stream).await;
        Ok(MaybeTls::Tls(Box::new(
            stream.map_err(NegotiationError::Tls)?,
        )))
    }
}

/// TLS over a socket.
type Tls<S> = <MakeRustlsConnect as MakeTlsConnect<S>>::Stream;

/// Connection with or without TLS.
enum MaybeTls<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    Clear(S),
    Tls(Box<Tls<S>>),
}

impl<S> AsyncRead for MaybeTls<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Clear(stream) => Pin::new(stream).poll_read(context, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl<S> AsyncWrite for MaybeTls<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut *self {
            Self::Clear(stream) => Pin::new(stream).poll_write(context, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Clear(stream) => Pin::new(stream).poll_flush(context),
            Self::Tls(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut *self {
            Self::Clear(stream) => Pin::new(stream).poll_shutdown(context),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}

impl<S> TlsStream for MaybeTls<S>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    fn channel_binding(&self) -> ChannelBinding {
        match self {
            Self::Clear(_) => ChannelBinding::none(),
            Self::Tls(stream) => stream.channel_binding(),
        }
    }
}
