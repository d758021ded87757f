//! The table's log: C2SP `tlog-tiles`.

use super::page;
use crate::log::Tile;
use crate::server::shared::Shared;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

const TEXT: &str = "text/plain; charset=utf-8";

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/log/checkpoint", get(checkpoint))
        .route("/log/key", get(key))
        .route("/log/tile/{*path}", get(tile))
}

async fn checkpoint(State(shared): State<Arc<Shared>>) -> Response {
    let now = shared.clock.now();
    let read = shared.read_log(move |log, reader| log.checkpoint(reader, now));
    match read.await {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(checkpoint) => page::typed(TEXT, checkpoint),
    }
}

async fn key(State(shared): State<Arc<Shared>>) -> Response {
    page::typed(TEXT, shared.identity.key.public_file())
}

async fn tile(State(shared): State<Arc<Shared>>, Path(path): Path<String>) -> Response {
    let Ok(tile) = format!("tile/{path}").parse::<Tile>() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let read = shared.read_log(move |log, reader| log.tile(reader, tile));
    match read.await {
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Some(None) => StatusCode::NOT_FOUND.into_response(),
        Some(Some(bytes)) => {
            let mut response = page::typed("application/octet-stream", bytes);
            let headers = response.headers_mut();
            headers.insert(header::CACHE_CONTROL, page::FOR_EVER);
            response
        }
    }
}
