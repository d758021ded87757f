//! The HTTP side: the page, the WebSocket, journals, health and metrics.

use super::connection::Connection;
use super::desk::Ask;
use super::metrics::Metrics;
use super::page;
use super::store::{Reader, StoreError};
use crate::app::session::ENGINE;
use crate::i18n::{Catalogue, Lang, Message, Text};
use crate::journal::Committed;
use crate::recording::token_journal;
use crate::room::schema::SCHEMA;
use crate::room::{PlayerId, RoomEvent};
use crate::tokens;
use axum::Router;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use slog::{Logger, debug};
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc, oneshot, watch};

/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(10);
/// How long a connection may ask for one page after the other, and take to read them.
const LIFE: Duration = Duration::from_secs(60);
/// How long the desk may take to say that it is well.
const HEALTH: Duration = Duration::from_secs(2);
/// The longest message of a client, in bytes.
const LONGEST: usize = 4096;

/// How much of a foreign origin is logged, in bytes.
const LONGEST_ORIGIN: usize = 100;

/// What every connection needs.
pub(super) struct Server {
    pub(super) desk: mpsc::Sender<Ask>,
    pub(super) metrics: Arc<Metrics>,
    /// Becomes true when all connections are to end.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) limits: Limits,
    pub(super) log: Logger,
    reader: Mutex<Reader>,
    connections: AtomicU64,
}

/// What keeps the server from being used up.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Connections at a time.
    pub(super) connections: u32,
    /// Messages a second and connection.
    pub(super) rate: u32,
    /// Origins of pages that may connect, besides the server's own.
    pub(super) origins: Vec<String>,
}

/// What can be asked for in an address.
#[derive(Deserialize)]
struct Asked {
    lang: Option<String>,
}

impl Asked {
    fn lang(&self) -> Lang {
        let known = self.lang.as_deref().and_then(Lang::from_code);
        known.unwrap_or(Lang::ALL[0])
    }
}

impl Server {
    pub(super) fn new(
        desk: mpsc::Sender<Ask>,
        reader: Reader,
        metrics: Arc<Metrics>,
        closing: watch::Receiver<bool>,
        limits: Limits,
        log: Logger,
    ) -> Self {
        Self {
            desk,
            metrics,
            closing,
            limits,
            log,
            reader: Mutex::new(reader),
            connections: AtomicU64::new(0),
        }
    }

    /// Up to 100 messages after this one to a player; `None` where the store fails.
    pub(super) async fn messages(
        self: &Arc<Self>,
        player: PlayerId,
        after: u64,
    ) -> Option<Vec<(u64, String)>> {
        self.read(move |reader| reader.messages(player, after))
            .await
    }

    /// Reads the store, away from the threads that serve connections.
    async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let server = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || {
            // A reader changes nothing, so that it is sound even after a panic.
            let reader = server.reader.lock();
            read(&reader.unwrap_or_else(PoisonError::into_inner)).ok()
        });
        reading.await.ok()?
    }
}

/// Accepts connections until the server is closing, and waits for the last to end.
pub(super) async fn listen(listener: TcpListener, server: Arc<Server>) {
    let most = server.limits.connections;
    let free = Arc::new(Semaphore::new(most as usize));
    let router = router(Arc::clone(&server));
    let mut closing = server.closing.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = closing.changed() => break,
        };
        let Ok((stream, _)) = accepted else {
            // Out of file descriptors, most likely: some will be free soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match Arc::clone(&free).try_acquire_owned() {
            Ok(permit) => {
                let closing = server.closing.clone();
                drop(tokio::spawn(serve(stream, router.clone(), permit, closing)));
            }
            Err(_) => server.metrics.refused_connection(),
        }
    }
    let all = free.acquire_many(most);
    let _ = tokio::time::timeout(Duration::from_secs(5), all).await;
}

async fn serve(
    stream: TcpStream,
    router: Router,
    permit: OwnedSemaphorePermit,
    mut closing: watch::Receiver<bool>,
) {
    // Without it a message may wait for the one before it to be acknowledged.
    let _ = stream.set_nodelay(true);
    // A WebSocket outlives the HTTP connection: its handler holds the permit.
    let router = router.layer(axum::Extension(Arc::new(permit)));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(16 * 1024)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router))
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

fn router(server: Arc<Server>) -> Router {
    page::routes()
        .route("/ws", get(web_socket))
        .route("/schema.json", get(schema))
        .route("/games/{game}/journal.json", get(journal))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .with_state(server)
}

type Permit = axum::Extension<Arc<OwnedSemaphorePermit>>;

async fn web_socket(
    State(server): State<Arc<Server>>,
    axum::Extension(permit): Permit,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !may_connect(&headers, &server.limits.origins) {
        server.metrics.refused_origin();
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let origin = origin.map(|origin| origin[..origin.len().min(LONGEST_ORIGIN)].escape_ascii());
        debug!(server.log, "foreign origin"; "origin" => origin.map(|origin| origin.to_string()));
        return told(StatusCode::FORBIDDEN, Message::FOREIGN_ORIGIN, asked.lang());
    }
    let catalogue = catalogue(asked.lang());
    let number = server.connections.fetch_add(1, Ordering::Relaxed);
    upgrade
        .read_buffer_size(LONGEST)
        .write_buffer_size(0)
        .max_write_buffer_size(64 * 1024)
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .on_upgrade(move |socket| async move {
            server.metrics.connected();
            debug!(server.log, "connected"; "connection" => number);
            let connection = Connection::new(socket, Arc::clone(&server), number, catalogue);
            connection.serve().await;
            server.metrics.disconnected();
            debug!(server.log, "disconnected"; "connection" => number);
            drop(permit);
        })
}

fn catalogue(lang: Lang) -> &'static Catalogue {
    Catalogue::of(lang).expect("the built-in catalogues are tested")
}

/// Says why there is nothing to see.
fn told(status: StatusCode, message: Message, lang: Lang) -> Response {
    let line = catalogue(lang).text(&Text::new(message)) + "\n";
    (status, line).into_response()
}

/// Whether a page of this origin may connect: the server's own, one that is allowed, or no
/// page at all. A browser always says where a page is from.
fn may_connect(headers: &HeaderMap, allowed: &[String]) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let own = origin.split_once("://").map(|(_, host)| host);
    own.is_some() && own == host || allowed.iter().any(|known| known == origin)
}

async fn schema() -> Response {
    page::typed("application/schema+json", SCHEMA)
}

/// The journal of a game that is over.
async fn journal(
    State(server): State<Arc<Server>>,
    Path(game): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    let lang = asked.lang();
    let events = server.read(move |reader| reader.game(game)).await;
    match events.map(|events| recorded(&events, lang)) {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(None) => told(StatusCode::NOT_FOUND, Message::NO_SUCH_GAME, lang),
        Some(Some(journal)) => page::typed("application/json", journal),
    }
}

/// The journal of these events, where they are those of a game that is over.
fn recorded(events: &[RoomEvent], lang: Lang) -> Option<Vec<u8>> {
    let (first, played) = events.split_first()?;
    let RoomEvent::Matched {
        game,
        kind,
        names,
        secret,
        ..
    } = first
    else {
        return None;
    };
    let players = names.clone();
    let mut told = vec![tokens::TokenEvent::Started { players }];
    told.extend(played.iter().filter_map(|event| match event {
        RoomEvent::Played { event, .. } => Some(event.clone()),
        _ => None,
    }));
    let committed = Committed {
        kind: *kind,
        game: *game,
        commitment: secret.commitment(),
        secret: *secret,
    };
    let over = matches!(told.last(), Some(tokens::TokenEvent::Settled { .. }));
    let journal = over.then(|| token_journal(ENGINE, committed, lang, &told))?;
    journal.ok()
}

/// Whether the desk works: 200, or 503 where it does not or drains.
async fn health(State(server): State<Arc<Server>>) -> Response {
    let (reply, answer) = oneshot::channel();
    let asked = server.desk.try_send(Ask::Health(reply)).is_ok();
    let answer = tokio::time::timeout(HEALTH, answer).await;
    let health = answer.ok().and_then(Result::ok).filter(|_| asked);
    let (status, word) = match health {
        Some(health) if !health.draining => (StatusCode::OK, "ok"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "failing"),
    };
    let body = serde_json::json!({
        "status": word,
        "players": health.map(|health| health.players),
        "waiting": health.map(|health| health.waiting),
        "running": health.map(|health| health.running),
    });
    (
        status,
        page::typed("application/json", body.to_string() + "\n"),
    )
        .into_response()
}

async fn metrics(State(server): State<Arc<Server>>) -> Response {
    const TYPE: HeaderValue =
        HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    let body = server.metrics.to_string();
    ([(header::CONTENT_TYPE, TYPE)], body).into_response()
}
