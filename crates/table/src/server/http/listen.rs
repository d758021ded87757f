use super::page::{self, requested_language, text_response};
use super::{operator, routes};
use crate::server::host::{Hosts, accept};
use crate::server::limits::Address;
use crate::server::placement::Placement;
use crate::server::shared::Shared;
use crate::server::{HostName, Listeners};
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use slog::debug;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use war::i18n::text;

/// The most connections of the operator at a time.
const ADMIN_CONNECTIONS: u32 = 64;

/// Serves players and the operator, each at their own addresses and by these names, until the
/// server is closing.
pub(in crate::server) async fn listen(
    listeners: Listeners,
    hosts: Vec<HostName>,
    shared: Arc<Shared>,
    placement: Arc<dyn Placement>,
) {
    let Listeners { players, admin } = listeners;
    let router = |routes: Router, listeners: &[TcpListener], is_limited| {
        let addresses = listeners.iter().filter_map(|at| at.local_addr().ok());
        let addresses = addresses.map(|address| address.ip());
        let guard = Guard {
            hosts: Hosts::new(hosts.clone(), addresses),
            shared: Arc::clone(&shared),
            is_limited,
        };
        routes.layer(from_fn_with_state(Arc::new(guard), admit))
    };
    let closing = || shared.closing.clone();
    let for_players = router(
        routes::router(Arc::clone(&shared), Arc::clone(&placement)),
        &players,
        true,
    );
    let for_admin = router(
        operator::router(Arc::clone(&shared), placement),
        &admin,
        false,
    );
    let most = shared.limits.connections;
    let refuse = || shared.metrics.refused_connection();
    let players = accept_all(players, for_players, most, closing(), refuse);
    let operator = async {
        if !admin.is_empty() {
            accept_all(admin, for_admin, ADMIN_CONNECTIONS, closing(), || {}).await;
        }
    };
    tokio::join!(players, operator);
}

/// How long a client may take to send the head of a request.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// How long a connection may ask for one page after the other, and take to read them.
const LIFE: Duration = Duration::from_secs(60);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 16 * 1024;
/// How long the server waits when it can't accept a connection.
const PAUSE: Duration = Duration::from_millis(50);
/// How long the server waits for its last connections to end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Accepts connections at all of these, so many at a time, until the server is closing, and
/// waits for the last to end; `refuse` hears of each that is one too many.
async fn accept_all(
    listeners: Vec<TcpListener>,
    router: Router,
    most: u32,
    mut closing: watch::Receiver<bool>,
    refuse: impl Fn(),
) {
    let free = Arc::new(Semaphore::new(most as usize));
    let closes = closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = accept(&listeners) => accepted,
            _ = closing.changed() => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file descriptors, most likely: some will be free soon.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        match Arc::clone(&free).try_acquire_owned() {
            Ok(permit) => {
                // A WebSocket outlives the HTTP connection: its handler holds the permit.
                let router = router.clone().layer(Extension(Arc::new(permit)));
                let router = router.layer(Extension(Peer(peer.ip())));
                drop(tokio::spawn(take(stream, router, closes.clone())));
            }
            Err(_) => refuse(),
        }
    }
    let all = free.acquire_many(most);
    let _ = tokio::time::timeout(LAST_WAIT, all).await;
}

async fn take(stream: TcpStream, router: Router, closing: watch::Receiver<bool>) {
    // Without it a message may wait for the one before it to be acknowledged.
    let _ = stream.set_nodelay(true);
    serve(stream, router, closing).await;
}

/// Serves an HTTP connection until it ends, or becomes a WebSocket.
async fn serve(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    mut closing: watch::Receiver<bool>,
) {
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_PATIENCE)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(
            TokioIo::new(Protected::new(stream)),
            TowerToHyperService::new(router),
        )
        .with_upgrades();
    let mut connection = pin!(connection);
    let life = async {
        tokio::select! {
            _ = connection.as_mut() => {}
            _ = closing.changed() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
    };
    // How a connection ends is the client's business; a WebSocket leaves it at once.
    let _ = tokio::time::timeout(LIFE, life).await;
}

/// How much of what a stranger sent is logged, in bytes.
const LONGEST_LOGGED: usize = 100;

/// Who is at the other end of a connection: a client, or a proxy.
#[derive(Debug, Clone, Copy)]
struct Peer(IpAddr);

/// What every request has to pass.
struct Guard {
    pub(super) shared: Arc<Shared>,
    hosts: Hosts,
    /// Whether addresses may ask for so much only.
    is_limited: bool,
}

/// Why a request is not passed on.
enum Refused {
    /// It does not say, or not clearly, which host it asks for.
    NoHost,
    /// It asks for a host that this is not.
    ForeignHost,
    /// Its address asks for too much; in milliseconds, it may ask again.
    TooMany(u64),
}

/// Passes a request on if it may come in, and gives every response the headers of a page.
async fn admit(
    State(guard): State<Arc<Guard>>,
    Extension(Peer(peer)): Extension<Peer>,
    mut request: Request,
    next: Next,
) -> Response {
    let address = guard.address(peer, request.headers());
    let mut response = match guard.check(&request, address) {
        Ok(()) => {
            request.extensions_mut().insert(address);
            next.run(request).await
        }
        Err(refused) => refusal(&refused, &request),
    };
    guard.shared.metrics.response(response.status().as_u16());
    page::add_common_headers(response.headers_mut());
    response
}

impl Guard {
    /// Where a request comes from: its peer, or what a trusted proxy says in its place.
    fn address(&self, peer: IpAddr, headers: &HeaderMap) -> Address {
        let header = self.shared.limits.proxy_header.as_ref();
        let values = header.map(|header| headers.get_all(header.as_str()).iter());
        // The proxy's own is the last one: clients may send others before it.
        let own = values.and_then(Iterator::last);
        let addresses = own.and_then(|value| value.to_str().ok());
        addresses
            .and_then(Address::last_of)
            .unwrap_or_else(|| peer.into())
    }

    fn check(&self, request: &Request, address: Address) -> Result<(), Refused> {
        for host in hosts(request).ok_or(Refused::NoHost)? {
            if !self.hosts.know(&host) {
                self.shared.metrics.refused_host();
                let host = host.to_string();
                let host = &host[..host.len().min(LONGEST_LOGGED)];
                debug!(self.shared.log, "foreign host"; "host" => host);
                return Err(Refused::ForeignHost);
            }
        }
        if !self.is_limited {
            return Ok(());
        }
        let now = self.shared.clock.now();
        let allowed = self.shared.crowds.request(address, now);
        allowed.map_err(Refused::TooMany)
    }
}

/// The hosts that a request asks for: that of its `Host`, and that of its target where it has
/// one. `None` where it does not say what it has to, or not clearly.
///
/// # Source
///
/// RFC 9112, section 3.2.
fn hosts(request: &Request) -> Option<Vec<HostName>> {
    let mut named = request.headers().get_all(header::HOST).iter();
    let host = match (named.next(), named.next()) {
        (Some(host), None) => Some(host.to_str().ok()?.parse().ok()?),
        // No browser is that old.
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

fn refusal(refused: &Refused, request: &Request) -> Response {
    let lang = requested_language(request.uri());
    match refused {
        Refused::NoHost => text_response(StatusCode::BAD_REQUEST, &text!(NoHost), lang),
        Refused::ForeignHost => {
            text_response(StatusCode::MISDIRECTED_REQUEST, &text!(ForeignHost), lang)
        }
        Refused::TooMany(wait) => {
            let text = text!(TooManyRequests);
            let mut response = text_response(StatusCode::TOO_MANY_REQUESTS, &text, lang);
            let seconds = HeaderValue::from(wait.div_ceil(1000));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
            response
        }
    }
}

/// A connection on which hyper's own answers get the headers of all the others.
///
/// What is not HTTP, or too long, hyper refuses before anybody is asked, and it has no hook for
/// that. It writes the head of such an answer alone, and only there those headers are missing.
struct Protected<S> {
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

#[cfg(test)]
mod tests {
    use super::serve;
    use axum::Router;
    use std::time::Duration;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::sync::watch;
    use tokio::time::{Instant, timeout};

    /// A connection to a server with no pages, and the way to keep the server open.
    fn connection() -> (DuplexStream, watch::Sender<bool>) {
        let (client, server) = duplex(4096);
        let (closing, closes) = watch::channel(false);
        drop(tokio::spawn(serve(server, Router::new(), closes)));
        (client, closing)
    }

    /// How long it takes until the server closes.
    async fn closed_after(client: &mut DuplexStream) -> Duration {
        let began = Instant::now();
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).await.expect("a stream");
        began.elapsed()
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_does_not_end_its_head_is_cut_off_after_10_seconds() {
        let (mut client, _open) = connection();
        let half = client.write_all(b"GET / HTTP/1.1\r\nHost: x");
        half.await.expect("a stream");
        assert_eq!(closed_after(&mut client).await.as_secs(), 10);
    }

    /// What the server answers to these bytes, and that it closes then.
    async fn answered(request: &[u8]) -> String {
        let (mut client, _open) = connection();
        // The server may refuse it before its end.
        let _ = client.write_all(request).await;
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.expect("a stream");
        answer
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_not_http_or_too_long_is_refused_with_the_headers_of_all_answers() {
        let long = format!("GET / HTTP/1.1\r\nHost: x\r\nX: {}", "x".repeat(20_000));
        let path = format!("GET /{} HTTP/1.1\r\n", "x".repeat(70_000));
        for (request, status) in [
            ("nothing of the kind\r\n\r\n", "400 Bad Request"),
            ("GET / HTTP/1.1\r\nHost : x\r\n\r\n", "400 Bad Request"),
            (&long, "431 Request Header Fields Too Large"),
            (&path, "431 Request Header Fields Too Large"),
        ] {
            let answer = answered(request.as_bytes()).await;
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
    async fn a_client_that_asks_again_and_again_is_cut_off_after_a_minute() {
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
