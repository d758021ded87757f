use super::said::{Asked, catalogue, said};
use super::upgrade::upgrade;
use super::{games, log, page};
use crate::room::schema::SCHEMA;
use crate::server::Origin;
use crate::server::client::Connection;
use crate::server::gateway::Visitor;
use crate::server::hub::ClientId;
use crate::server::limits::Address;
use crate::server::played::Played;
use crate::server::shared::Shared;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use slog::debug;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use war::i18n::text;

/// How much of a foreign origin is logged, in bytes.
const LONGEST_ORIGIN: usize = 100;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    page::routes()
        .merge(log::routes())
        .route("/ws", get(web_socket))
        .route("/schema.json", get(schema))
        .route("/games/{game}/journal.json", get(games::journal))
        .route("/games/{game}/view", get(games::view))
        .route("/games/{game}/journal.json.minisig", get(signature))
        .with_state(shared)
}

type Permit = Extension<Arc<OwnedSemaphorePermit>>;

async fn web_socket(
    State(shared): State<Arc<Shared>>,
    Extension(permit): Permit,
    Extension(address): Extension<Address>,
    Query(asked): Query<Asked>,
    request: Request,
) -> Response {
    let headers = request.headers();
    if !may_connect(headers, &shared.limits.origins) {
        shared.metrics.refused_origin();
        let origin = headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        let origin = origin.map(|origin| origin[..origin.len().min(LONGEST_ORIGIN)].escape_ascii());
        debug!(shared.log, "foreign origin"; "origin" => origin.map(|origin| origin.to_string()));
        return said(StatusCode::FORBIDDEN, &text!(ForeignOrigin), asked.lang());
    }
    let visitor = Visitor {
        address,
        may_join: false,
        catalogue: catalogue(asked.lang()),
        player: None,
    };
    let number = shared.next_connection();
    upgrade(request, async move |socket| {
        shared.metrics.connected();
        debug!(shared.log, "connected"; "connection" => number);
        let client = ClientId(number);
        if let Some(connection) = Connection::new(socket, Arc::clone(&shared), client, visitor) {
            connection.serve().await;
        }
        shared.metrics.disconnected();
        debug!(shared.log, "disconnected"; "connection" => number);
        drop(permit);
    })
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

/// The table's signature of the journal of a game that is over.
async fn signature(
    State(shared): State<Arc<Shared>>,
    Path(game): Path<u64>,
    Query(asked): Query<Asked>,
) -> Response {
    let identity = shared.identity.clone();
    let read = shared.read(move |reader| {
        let settled = reader.settlement(game)?;
        let played = Played::of(&reader.game(game)?);
        Ok(settled.zip(played).and_then(|(settled, played)| {
            let journal = played.journal(Some(&settled), identity.engine, settled.lang)?;
            Some(identity.key.sign_journal(&journal, &settled.digest))
        }))
    });
    match read.await {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(None) => said(StatusCode::NOT_FOUND, &text!(NoSuchGame), asked.lang()),
        Some(Some(signed)) => page::typed("text/plain; charset=utf-8", signed),
    }
}
