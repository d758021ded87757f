//! What an operator asks for, at an address of its own.

use super::page;
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long the writer may take to say that it works.
const HEALTH: Duration = Duration::from_secs(2);

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .with_state(shared)
}

/// Whether the hub works: 200, or 503 where it does not, drains, or stands by; and how its store
/// is.
async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let (reply, answer) = oneshot::channel();
    let writer = shared.commands.borrow().clone();
    let stands_by = writer.is_none();
    let asked = async {
        writer?.send(WriterCommand::Health(reply)).await.ok()?;
        answer.await.ok()
    };
    let health = tokio::time::timeout(HEALTH, asked).await.ok().flatten();
    let (status, word) = match health {
        Some(health) if !health.draining => (StatusCode::OK, "ok"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        None if stands_by => (StatusCode::SERVICE_UNAVAILABLE, "standing_by"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "failing"),
    };
    let body = serde_json::json!({
        "status": word,
        "store": shared.metrics.store(),
        "players": health.map(|health| health.players),
        "waiting": health.map(|health| health.waiting),
        "running": health.map(|health| health.running),
    });
    let body = page::typed("application/json", body.to_string() + "\n");
    (status, body).into_response()
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    page::typed(kind, shared.metrics.published())
}
