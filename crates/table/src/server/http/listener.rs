use super::guard::Peer;
use super::refused::Protected;
use crate::server::listeners::accept;
use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

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
pub(super) async fn accept_all(
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
