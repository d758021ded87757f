use super::daily;
use super::document::Document;
use super::friend_page;
use super::games;
use super::page::{self, LanguageQuery, build_text_response};
use crate::log::Tile;
use crate::protocol::TableLimits;
use crate::protocol::schema::{PROTOCOL_2_SCHEMA, PROTOCOL_3_SCHEMA, PROTOCOL_SCHEMA};
use crate::server::Origin;
use crate::server::address_connections::{ClientConnection, ConnectionSlot};
use crate::server::client::{AcceptedClient, Socket};
use crate::server::hub::MAX_REQUESTS_PER_HOUR;
use crate::server::limits::{ClientAddress, address_rate};
use crate::server::mailbox::PendingClient;
use crate::server::placement::Placement;
use crate::server::shared_state::SharedState;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use slog::debug;
use std::sync::Arc;
use tokio_tungstenite::tungstenite::handshake::server::create_response;
use war::i18n::{Catalogue, Lang, text};

/// Maximum length of a foreign origin in the log, in bytes.
const MAX_LOGGED_ORIGIN: usize = 100;

pub(super) fn build_router(shared: Arc<SharedState>, placement: Arc<dyn Placement>) -> Router {
    let documents = Lang::ALL.map(Document::build);
    page::build_routes(&documents)
        .merge(friend_page::build_routes(&documents))
        .merge(routes())
        .merge(games::build_routes())
        .merge(daily::build_routes())
        .route("/ws", get(web_socket))
        .route(
            "/schema.json",
            get(async || schema_response(PROTOCOL_SCHEMA)),
        )
        .route(
            "/schema-3.json",
            get(async || schema_response(PROTOCOL_3_SCHEMA)),
        )
        .route(
            "/schema-2.json",
            get(async || schema_response(PROTOCOL_2_SCHEMA)),
        )
        .route("/limits.json", get(limits))
        .layer(Extension(placement))
        .with_state(shared)
}

/// Slot of a client behind a proxy.
type ProxySlot = Option<Arc<ConnectionSlot>>;

async fn web_socket(
    State(shared): State<Arc<SharedState>>,
    Extension(placement): Extension<Arc<dyn Placement>>,
    Extension(connection): Extension<Arc<ClientConnection>>,
    Extension(slot): Extension<ProxySlot>,
    Extension(address): Extension<ClientAddress>,
    Query(asked): Query<LanguageQuery>,
    request: Request,
) -> Response {
    let headers = request.headers();
    if !may_connect(headers, &shared.limits.origins) {
        shared.metrics.count_refused_origin();
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let origin =
            origin.map(|origin| origin[..origin.len().min(MAX_LOGGED_ORIGIN)].escape_ascii());
        debug!(shared.log, "foreign origin"; "origin" => origin.map(|origin| origin.to_string()));
        return build_text_response(StatusCode::FORBIDDEN, &text!(ForeignOrigin), asked.lang());
    }
    let visitor = PendingClient {
        address,
        may_join: false,
        catalogue: Catalogue::built_in(asked.lang()),
        player: None,
    };
    let number = placement.next_connection();
    upgrade(request, async move |socket| {
        shared.metrics.add_connection();
        debug!(shared.log, "connected"; "connection" => number);
        let caller = AcceptedClient {
            number,
            visitor,
            socket,
            shared: Arc::clone(&shared),
        };
        placement.serve(caller).await;
        shared.metrics.remove_connection();
        debug!(shared.log, "disconnected"; "connection" => number);
        drop((connection, slot));
    })
}

/// Returns true if a WebSocket may connect: from a page of the server or an allowed origin, or from
/// a program. Browsers always send the origin of a page.
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

fn schema_response(schema: &'static str) -> Response {
    page::build_response("application/schema+json", schema)
}

/// Returns the limits on what a client may ask for.
async fn limits(
    State(shared): State<Arc<SharedState>>,
    Extension(connection): Extension<Arc<ClientConnection>>,
) -> Response {
    let policy = &shared.limits;
    let per_address = policy.connections_per_address;
    let limits = TableLimits {
        messages_per_second: policy.rate,
        address_requests_per_second: address_rate(policy.rate),
        new_players_per_minute: policy.new_players,
        requests_per_hour: MAX_REQUESTS_PER_HOUR,
        connections_per_address: connection.is_limited.then_some(per_address),
    };
    let text = serde_json::to_string(&limits).expect("the limits are plain values");
    page::build_response("application/json", text)
}

const TEXT: &str = "text/plain; charset=utf-8";

fn routes() -> Router<Arc<SharedState>> {
    Router::new()
        .route("/log/checkpoint", get(checkpoint))
        .route("/log/key", get(key))
        .route("/log/tile/{*path}", get(tile))
}

async fn checkpoint(State(shared): State<Arc<SharedState>>) -> Response {
    let now = shared.clock.now();
    let read = shared.read_log(move |log, reader| log.refresh_checkpoint(reader, now));
    match read.await {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(checkpoint) => page::build_response(TEXT, checkpoint),
    }
}

async fn key(State(shared): State<Arc<SharedState>>) -> Response {
    page::build_response(TEXT, shared.identity.key.to_public_key_file())
}

async fn tile(State(shared): State<Arc<SharedState>>, Path(path): Path<String>) -> Response {
    let Ok(tile) = format!("tile/{path}").parse::<Tile>() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let read = shared.read_log(move |log, reader| log.read_tile(reader, tile));
    match read.await {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(None) => StatusCode::NOT_FOUND.into_response(),
        Some(Some(bytes)) => {
            let mut response = page::build_response("application/octet-stream", bytes);
            let headers = response.headers_mut();
            headers.insert(header::CACHE_CONTROL, page::IMMUTABLE_CACHE_CONTROL);
            response
        }
    }
}

/// Answers a request for a WebSocket, and passes on the socket once it is open.
///
/// The socket needs the raw bytes, which the extractor of axum does not give.
fn upgrade<F: Future<Output = ()> + Send>(
    request: Request,
    serve: impl FnOnce(Socket<TokioIo<Upgraded>>) -> F + Send + 'static,
) -> Response {
    let mut request = request.map(|_| ());
    let Ok(response) = create_response(&request) else {
        return not_a_web_socket();
    };
    let upgraded = hyper::upgrade::on(&mut request);
    drop(tokio::spawn(async move {
        // The client may be gone before the upgrade is complete.
        if let Ok(upgraded) = upgraded.await {
            serve(Socket::open(TokioIo::new(upgraded)).await).await;
        }
    }));
    response.map(|()| Body::empty())
}

/// Response to a request that is not for a WebSocket, or is for another version of the protocol.
fn not_a_web_socket() -> Response {
    let headers = [
        (header::CONNECTION, "upgrade"),
        (header::UPGRADE, "websocket"),
        (header::SEC_WEBSOCKET_VERSION, "13"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (StatusCode::UPGRADE_REQUIRED, headers).into_response()
}
