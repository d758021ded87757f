use super::journal::recorded;
use super::page;
use crate::i18n::{Catalogue, Lang, Text, text};
use crate::room::schema::SCHEMA;
use crate::server::Origin;
use crate::server::client::{Connection, LONGEST_MESSAGE, LONGEST_READ};
use crate::server::hub::ClientId;
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use axum::Router;
use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::Deserialize;
use slog::debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

/// How long the writer may take to say that it works.
const HEALTH: Duration = Duration::from_secs(2);
/// How much of a foreign origin is logged, in bytes.
const LONGEST_ORIGIN: usize = 100;

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

pub(super) fn router(shared: Arc<Shared>) -> Router {
    page::routes()
        .route("/ws", get(web_socket))
        .route("/schema.json", get(schema))
        .route("/games/{game}/journal.json", get(journal))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .with_state(shared)
}

type Permit = axum::Extension<Arc<OwnedSemaphorePermit>>;

async fn web_socket(
    State(shared): State<Arc<Shared>>,
    axum::Extension(permit): Permit,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if !may_connect(&headers, &shared.limits.origins) {
        shared.metrics.refused_origin();
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let origin = origin.map(|origin| origin[..origin.len().min(LONGEST_ORIGIN)].escape_ascii());
        debug!(shared.log, "foreign origin"; "origin" => origin.map(|origin| origin.to_string()));
        return said(StatusCode::FORBIDDEN, &text!(ForeignOrigin), asked.lang());
    }
    let catalogue = catalogue(asked.lang());
    let number = shared.next_connection();
    upgrade
        .read_buffer_size(LONGEST_MESSAGE)
        .write_buffer_size(0)
        .max_write_buffer_size(64 * 1024)
        .max_message_size(LONGEST_READ)
        .max_frame_size(LONGEST_READ)
        .on_upgrade(move |socket| async move {
            shared.metrics.connected();
            debug!(shared.log, "connected"; "connection" => number);
            let connection =
                Connection::new(socket, Arc::clone(&shared), ClientId(number), catalogue);
            connection.serve().await;
            shared.metrics.disconnected();
            debug!(shared.log, "disconnected"; "connection" => number);
            drop(permit);
        })
}

fn catalogue(lang: Lang) -> &'static Catalogue {
    Catalogue::of(lang).expect("the built-in catalogues are tested")
}

/// Says why there is nothing to see.
fn said(status: StatusCode, text: &Text, lang: Lang) -> Response {
    let line = catalogue(lang).text(text) + "\n";
    (status, line).into_response()
}

/// Whether a page of this origin may connect: the server's own, one that is allowed, or no
/// page at all. A browser always says where a page is from.
fn may_connect(headers: &HeaderMap, allowed: &[Origin]) -> bool {
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
    own.is_some() && own == host || allowed.iter().any(|known| known.as_str() == origin)
}

async fn schema() -> Response {
    page::typed("application/schema+json", SCHEMA)
}

/// The journal of a game that is over.
async fn journal(
    State(shared): State<Arc<Shared>>,
    Path(game): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    let lang = asked.lang();
    let events = shared.read(move |reader| reader.game(game)).await;
    match events.map(|events| recorded(shared.engine, &events, lang)) {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(None) => said(StatusCode::NOT_FOUND, &text!(NoSuchGame), lang),
        Some(Some(journal)) => page::typed("application/json", journal),
    }
}

/// Whether the hub works: 200, or 503 where it does not or drains.
async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let (reply, answer) = oneshot::channel();
    let asked = shared.writer.try_send(WriterCommand::Health(reply)).is_ok();
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

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    const TYPE: HeaderValue =
        HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
    let body = shared.metrics.to_string();
    ([(header::CONTENT_TYPE, TYPE)], body).into_response()
}
