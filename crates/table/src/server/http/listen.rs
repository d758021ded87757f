use super::page::{self, build_text_response, build_wait_response, parse_language};
use super::{operator, routes};
use crate::server::address_connections::{ClientConnection, ConnectionSlot, may_be_proxy};
use crate::server::host::{AllowedHosts, accept_connection};
use crate::server::limits::ClientAddress;
use crate::server::placement::Placement;
use crate::server::shared_state::SharedState;
use crate::server::{HostName, Listeners};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use slog::{debug, warn};
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use war::i18n::text;

/// Maximum number of concurrent connections of the operator.
const ADMIN_CONNECTIONS: u32 = 64;

/// Serves players and the operator on separate listeners until the server is closing. Requests must
/// name one of `hosts`, a listening address, or this machine itself.
pub(in crate::server) async fn serve(
    listeners: Listeners,
    hosts: Vec<HostName>,
    shared: Arc<SharedState>,
    placement: Arc<dyn Placement>,
) {
    let Listeners { players, admin } = listeners;
    let router = |routes: Router, listeners: &[TcpListener], is_limited| {
        let addresses = listeners.iter().filter_map(|at| at.local_addr().ok());
        let addresses = addresses.map(|address| address.ip());
        let guard = Guard {
            hosts: AllowedHosts::new(hosts.clone(), addresses),
            shared: Arc::clone(&shared),
            is_limited,
        };
        routes.layer(from_fn_with_state(Arc::new(guard), check_and_pass))
    };
    let closing = || shared.closing.clone();
    let for_players = router(
        routes::build_router(Arc::clone(&shared), Arc::clone(&placement)),
        &players,
        true,
    );
    let for_admin = router(
        operator::build_router(Arc::clone(&shared), placement),
        &admin,
        false,
    );
    let limit = shared.limits.connections;
    let admission = ConnectionAdmission {
        shared: Arc::clone(&shared),
        has_warned: AtomicBool::new(false),
    };
    let players = accept_all(players, for_players, limit, closing(), |peer, permit| {
        let admitted = permit.and_then(|permit| admission.admit(peer, permit));
        if admitted.is_none() {
            shared.metrics.count_refused_connection();
        }
        admitted
    });
    let operator = async {
        if !admin.is_empty() {
            let admit = |peer, permit: Option<_>| {
                permit.map(|permit| ClientConnection::new(peer, false, permit, None))
            };
            accept_all(admin, for_admin, ADMIN_CONNECTIONS, closing(), admit).await;
        }
    };
    tokio::join!(players, operator);
}

/// Admission of players' connections.
struct ConnectionAdmission {
    shared: Arc<SharedState>,
    /// `true` once a peer that may be a proxy had more connections than one client may have.
    has_warned: AtomicBool,
}

impl ConnectionAdmission {
    /// Admits a connection of a peer; `None` if its address has too many.
    ///
    /// The connections of a proxy are those of many clients, which are counted request by request.
    /// A peer close by may be a proxy that the operator has not named, so its connections are not
    /// limited.
    fn admit(&self, peer: IpAddr, permit: OwnedSemaphorePermit) -> Option<ClientConnection> {
        let is_behind_proxy = self.shared.limits.proxy_header.is_some();
        let connections = &self.shared.address_connections;
        let slot = if is_behind_proxy {
            None
        } else {
            connections.take_slot(peer.into())
        };
        let is_limited = is_behind_proxy || !may_be_proxy(peer);
        if slot.is_none() && !is_behind_proxy {
            if is_limited {
                return None;
            }
            if !self.has_warned.swap(true, Ordering::Relaxed) {
                warn!(self.shared.log, "many connections of a private address: a proxy needs --trust-proxy";
                    "address" => %peer);
            }
        }
        Some(ClientConnection::new(peer, is_limited, permit, slot))
    }
}

/// Time limit for a client to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for all requests and responses of an HTTP connection, not for WebSocket connections.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum length of the head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;
/// Pause after a failure to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Time that a closing server waits for its last connections to end.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Accepts up to `limit` concurrent connections until the server is closing, and waits for the last
/// ones to end. `admit` gets the address of the other end, and no permit if there are as many
/// connections already; connections that it does not admit are closed.
async fn accept_all(
    listeners: Vec<TcpListener>,
    router: Router,
    limit: u32,
    mut closing: watch::Receiver<bool>,
    admit: impl Fn(IpAddr, Option<OwnedSemaphorePermit>) -> Option<ClientConnection>,
) {
    let free = Arc::new(Semaphore::new(limit as usize));
    let closes = closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = accept_connection(&listeners) => accepted,
            _ = closing.changed() => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Probably out of file descriptors, some of which will be free soon.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let permit = Arc::clone(&free).try_acquire_owned().ok();
        if let Some(client) = admit(peer.ip(), permit) {
            let served = serve_stream(stream, Arc::new(client), router.clone(), closes.clone());
            drop(tokio::spawn(served));
        }
    }
    let all = free.acquire_many(limit);
    let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, all).await;
}

async fn serve_stream(
    stream: TcpStream,
    client: Arc<ClientConnection>,
    router: Router,
    closing: watch::Receiver<bool>,
) {
    // With Nagle's algorithm, a message may wait until the previous one is acknowledged.
    let _ = stream.set_nodelay(true);
    let handler = TowerToHyperService::new(router);
    // All connections share the router: layers of their own would copy all of its routes.
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        // A WebSocket outlives the HTTP connection, so the handler of the WebSocket holds the
        // client's connection, too.
        request.extensions_mut().insert(Arc::clone(&client));
        handler.call(request)
    });
    serve_connection(stream, service, closing).await;
}

/// Serves an HTTP connection until it ends or becomes a WebSocket.
async fn serve_connection<S>(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    service: S,
    mut closing: watch::Receiver<bool>,
) where
    S: Service<hyper::Request<Incoming>, Response = Response, Error = Infallible>,
    S::Future: Send + 'static,
{
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(HeaderStream::new(stream)), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let until_end = async {
        tokio::select! {
            _ = connection.as_mut() => {}
            _ = closing.changed() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    };
    // Errors of a connection concern only its client. An upgrade to a WebSocket ends the HTTP
    // connection at once.
    let _ = tokio::time::timeout(CONNECTION_TIMEOUT, until_end).await;
}

/// Time after which a client with too many connections may try again.
const CONNECTION_WAIT: Duration = Duration::from_secs(1);
/// Maximum length of untrusted text in the log, in bytes.
const MAX_LOGGED: usize = 100;

/// Set of checks that every request must pass.
struct Guard {
    pub(super) shared: Arc<SharedState>,
    hosts: AllowedHosts,
    /// `true` if the number of requests of an address is limited.
    is_limited: bool,
}

/// Reason for refusing a request.
enum RequestRejection {
    /// Missing or ambiguous host.
    NoHost,
    /// Host that does not belong to this server.
    ForeignHost,
    /// Too many requests from an address, which may send the next one after this time.
    TooMany(Duration),
}

/// Passes an allowed request on to its route, refuses any other, and adds the common headers to
/// every response.
async fn check_and_pass(
    State(guard): State<Arc<Guard>>,
    Extension(client): Extension<Arc<ClientConnection>>,
    mut request: Request,
    next: Next,
) -> Response {
    let reported = guard.reported_address(request.headers());
    let address = reported.unwrap_or_else(|| client.peer.into());
    let checked = guard.check(&request, address);
    let mut response = match checked.and_then(|()| guard.take_slot(reported)) {
        Ok(slot) => {
            let slot = slot.map(Arc::new);
            request.extensions_mut().insert(address);
            // The handler of a WebSocket holds the slot, too.
            request.extensions_mut().insert(slot.clone());
            next.run(request).await
        }
        Err(refused) => refusal(&refused, &request),
    };
    guard
        .shared
        .metrics
        .count_response(response.status().as_u16());
    page::add_common_headers(response.headers_mut());
    response
}

impl Guard {
    /// Returns the address of the client that a trusted proxy reports; `None` without a proxy.
    fn reported_address(&self, headers: &HeaderMap) -> Option<ClientAddress> {
        let header = self.shared.limits.proxy_header.as_ref();
        let values = header.map(|header| headers.get_all(header.as_str()).iter());
        // The proxy appends its header after any that the client has sent, so only the last header
        // counts.
        let own = values.and_then(Iterator::last);
        let addresses = own.and_then(|value| value.to_str().ok());
        addresses.and_then(ClientAddress::parse_last)
    }

    /// Counts a request through a proxy as a connection of its client.
    fn take_slot(
        &self,
        reported: Option<ClientAddress>,
    ) -> Result<Option<ConnectionSlot>, RequestRejection> {
        let Some(address) = reported.filter(|_| self.is_limited) else {
            return Ok(None);
        };
        let slot = self.shared.address_connections.take_slot(address);
        if slot.is_none() {
            self.shared.metrics.count_refused_connection();
            return Err(RequestRejection::TooMany(CONNECTION_WAIT));
        }
        Ok(slot)
    }

    fn check(&self, request: &Request, address: ClientAddress) -> Result<(), RequestRejection> {
        for host in hosts(request).ok_or(RequestRejection::NoHost)? {
            if !self.hosts.is_allowed(&host) {
                self.shared.metrics.count_refused_host();
                let host = host.to_string();
                let host = &host[..host.len().min(MAX_LOGGED)];
                debug!(self.shared.log, "foreign host"; "host" => host);
                return Err(RequestRejection::ForeignHost);
            }
        }
        if !self.is_limited {
            return Ok(());
        }
        let now = self.shared.clock.now();
        let allowed = self.shared.address_limits.count_request(address, now);
        allowed.map_err(RequestRejection::TooMany)
    }
}

/// Returns the hosts named by a request: in its `Host` header, and in its target if the target
/// names a host. `None` if the header is ambiguous or a host is invalid, or if the header is
/// missing and the request is not HTTP/1.0.
///
/// # Source
///
/// RFC 9112, section 3.2.
fn hosts(request: &Request) -> Option<Vec<HostName>> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => Some(host.to_str().ok()?.parse().ok()?),
        // HTTP/1.0 requires no host, and browsers don't use that version.
        (None, None) if request.version() == Version::HTTP_10 => None,
        _ => return None,
    };
    let target = request.uri().authority().cloned();
    let all = host.into_iter().chain(target);
    all.map(|authority| host_name(&authority)).collect()
}

fn host_name(authority: &Authority) -> Option<HostName> {
    let has_user = authority.as_str().contains('@');
    let host = authority.host().parse().ok();
    host.filter(|_| !has_user)
}

fn refusal(refused: &RequestRejection, request: &Request) -> Response {
    let lang = parse_language(request.uri());
    match refused {
        RequestRejection::NoHost => {
            build_text_response(StatusCode::BAD_REQUEST, &text!(NoHost), lang)
        }
        RequestRejection::ForeignHost => {
            build_text_response(StatusCode::MISDIRECTED_REQUEST, &text!(ForeignHost), lang)
        }
        RequestRejection::TooMany(wait) => build_wait_response(*wait, lang),
    }
}

/// Stream that adds the common headers to responses which hyper creates itself.
///
/// Before any handler runs, hyper refuses requests that are not HTTP or are too long, and it has no
/// hook for adding headers. hyper writes the head of such a refusal separately, and no other head
/// lacks the common headers.
struct HeaderStream<S> {
    stream: S,
    /// Part of a head, with the common headers added, that is still to be written.
    rest: Vec<u8>,
}

impl<S: AsyncWrite + Unpin> HeaderStream<S> {
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

/// Adds the common headers to the head of a refusal. Returns `None` if the bytes are not the head
/// of a refusal, or if the head already has these headers.
fn with_common_headers(written: &[u8]) -> Option<Vec<u8>> {
    let head = written.strip_suffix(b"\r\n")?;
    if !head.starts_with(b"HTTP/1.1 4") || !head.ends_with(b"\r\n") {
        return None;
    }
    let mut headers = HeaderMap::new();
    page::add_common_headers(&mut headers);
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

impl<S: AsyncRead + Unpin> AsyncRead for HeaderStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for HeaderStream<S> {
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
            && let Some(refusal) = with_common_headers(alone)
        {
            self.rest = refusal;
            // The rest is written when the connection is flushed.
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

#[cfg(test)]
mod tests {
    use super::serve_connection;
    use axum::Router;
    use hyper_util::service::TowerToHyperService;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::sync::watch;
    use tokio::time::{Instant, timeout};

    /// Connects to a server without routes, which stays open until the sender is dropped.
    fn connection() -> (DuplexStream, watch::Sender<bool>) {
        let (client, server) = duplex(4096);
        let (closing, closes) = watch::channel(false);
        drop(tokio::spawn(serve_connection(
            server,
            TowerToHyperService::new(Router::new()),
            closes,
        )));
        (client, closing)
    }

    /// Measures the time until the server closes the connection.
    async fn closed_after(client: &mut DuplexStream) -> Duration {
        let began = Instant::now();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.expect("a stream");
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_with_an_unfinished_head_is_disconnected_after_10_seconds() {
        let (mut client, _open) = connection();
        let half = client.write_all(b"GET / HTTP/1.1\r\nHost: x");
        half.await.expect("a stream");
        assert_eq!(closed_after(&mut client).await.as_secs(), 10);
    }

    /// Sends these bytes, and reads the answer until the server closes the connection.
    async fn send(request: &[u8]) -> String {
        let (mut client, _open) = connection();
        // The server may close the connection before it has read everything.
        let _ = client.write_all(request).await;
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.expect("a stream");
        answer
    }

    #[tokio::test(start_paused = true)]
    async fn invalid_and_oversized_requests_are_refused_with_the_common_headers() {
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}", "x".repeat(20_000));
        let path = format!("GET /{} HTTP/1.1\r\n", "x".repeat(70_000));
        for (request, status) in [
            ("nothing of the kind\r\n\r\n", "400 Bad Request"),
            ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", "400 Bad Request"),
            (&long, "431 Request Header Fields Too Large"),
            (&path, "431 Request Header Fields Too Large"),
        ] {
            let answer = send(request.as_bytes()).await;
            let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
            assert!(
                head.starts_with(&format!("HTTP/1.1 {status}\r\n")),
                "{head}"
            );
            assert!(
                head.contains("\r\nx-content-type-options: nosniff"),
                "{head}"
            );
            assert!(head.contains("\r\ncontent-security-policy: "), "{head}");
            assert!(head.contains("\r\ncontent-length: 0"), "{head}");
            assert_eq!(body, "");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_keeps_sending_requests_is_disconnected_after_a_minute() {
        let (mut client, _open) = connection();
        let began = Instant::now();
        let request = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        loop {
            client.write_all(request).await.expect("a stream");
            let rest = Duration::from_secs(5);
            if let Ok(closed) = timeout(rest, client.read_to_end(&mut Vec::new())).await {
                closed.expect("a stream");
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(120));
        }
        assert_eq!(began.elapsed().as_secs(), 60);
    }
}
