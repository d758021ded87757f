//! What an operator asks for, at an address of its own.

use super::{operator, page};
use crate::server::directory::Commands;
use crate::server::hub::Health;
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::join_all;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// How long the writer may take to say that it works.
const HEALTH: Duration = Duration::from_secs(2);

pub(super) fn router(shared: Arc<Shared>) -> Router {
    operator::routes()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .with_state(shared)
}

/// Whether the table works: 200, or 503 where it does not, or drains; and how its store is. Of
/// several rooms the sum counts.
async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let directory = shared.directory.borrow().clone();
    let rooms: Vec<_> = directory.here().cloned().collect();
    let asked = join_all(rooms.iter().map(room_health));
    let healths = tokio::time::timeout(HEALTH, asked).await.ok();
    let healths: Option<Vec<_>> = healths.and_then(|all| all.into_iter().collect());
    let healths = healths.filter(|_| directory.is_open());
    let health = healths.map(|all| all.into_iter().fold(Health::default(), Health::and));
    let (status, word) = match health {
        Some(health) if !health.draining => (StatusCode::OK, "ok"),
        Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        None => (StatusCode::SERVICE_UNAVAILABLE, "failing"),
    };
    let mut body = serde_json::json!({
        "status": word,
        "store": shared.metrics.store(),
        "players": health.map(|health| health.players),
        "waiting": health.map(|health| health.waiting),
        "running": health.map(|health| health.running),
    });
    if shared.entrance.is_some() {
        body["rooms"] = rooms.len().into();
    }
    let body = page::typed("application/json", body.to_string() + "\n");
    (status, body).into_response()
}

/// How the hub of a room is, if it works.
async fn room_health(room: &Commands) -> Option<Health> {
    let (reply, answer) = oneshot::channel();
    room.send(WriterCommand::Health(reply)).await.ok()?;
    answer.await.ok()
}

async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    page::typed(kind, shared.metrics.published())
}
