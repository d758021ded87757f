//! Routes for the operator: authenticated requests, health and metrics.

use super::metrics_format::MetricsFormat;
use super::orders::{OrderContext, RoomRedirect, carry_out_request};
use super::page;
use crate::operator::{
    AUTH_SCHEME, CHALLENGE_HEADER, Challenge, MIN_RETENTION, OPERATOR_PATH, OperatorProof,
    OperatorRequest, is_valid_proof,
};
use crate::server::audit::answer_inspection;
use crate::server::placement::Placement;
use crate::server::shared_state::SharedState;
use crate::server::table_health::HealthSummary;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use slog::warn;
use std::sync::{Arc, PoisonError};

/// Maximum length of a request, in bytes.
const MAX_REQUEST: usize = 16 * 1024;
const JSON: &str = "application/json";

fn routes() -> Router<Arc<SharedState>> {
    let routes = Router::new().route(OPERATOR_PATH, get(challenge).post(handle_request));
    routes.layer(DefaultBodyLimit::max(MAX_REQUEST))
}

/// Generates a random challenge.
pub(in crate::server) fn new_challenge() -> Challenge {
    let mut bytes = [0; 32];
    rand::fill(&mut bytes);
    Challenge::new(bytes)
}

/// Returns the challenge for the next proof. The challenge is not secret.
async fn challenge(State(shared): State<Arc<SharedState>>) -> Response {
    let challenge = *shared
        .challenge
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    page::build_response("text/plain", challenge.to_string())
}

async fn handle_request(
    State(shared): State<Arc<SharedState>>,
    Extension(placement): Extension<Arc<dyn Placement>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Err(refused) = authenticate(&shared, &headers, &body) {
        return refused.into_response();
    }
    let Ok(ask) = serde_json::from_slice(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let context = OrderContext {
        placement: &*placement,
        clock: &shared.clock,
    };
    let answer = match ask {
        OperatorRequest::Retain { milliseconds, .. } if milliseconds < MIN_RETENTION => {
            return StatusCode::BAD_REQUEST.into_response();
        }
        OperatorRequest::Order(_) | OperatorRequest::Retain { .. } => {
            match carry_out_request(context, &ask).await {
                Ok(answer) => answer,
                Err(RoomRedirect(room)) => placement.forward_operator_request(&ask, room).await,
            }
        }
        ask => shared
            .read_with_inspector(move |reader| answer_inspection(reader, &ask))
            .await
            .flatten(),
    };
    match answer {
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(answer) => {
            let body = serde_json::to_vec(&answer).expect("answers are plain values");
            page::build_response(JSON, body)
        }
    }
}

/// Checks the operator's proof for a request, and uses up the challenge.
fn authenticate(
    shared: &SharedState,
    headers: &HeaderMap,
    request: &[u8],
) -> Result<(), StatusCode> {
    let text = |name| headers.get(name)?.to_str().ok();
    // An HTML form on a foreign page can't send this content type.
    if text(header::CONTENT_TYPE.as_str()) != Some(JSON) {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let challenge: Option<Challenge> = text(CHALLENGE_HEADER).and_then(|text| text.parse().ok());
    let proof =
        text(header::AUTHORIZATION.as_str()).and_then(|text| text.strip_prefix(AUTH_SCHEME));
    let proof: Option<OperatorProof> = proof.and_then(|proof| proof.parse().ok());
    let proven = challenge.zip(proof).filter(|(challenge, proof)| {
        let key = &shared.identity.key;
        is_valid_proof(key, challenge, request, proof)
    });
    let Some((challenge, _)) = proven else {
        warn!(shared.log, "not an operator");
        return Err(StatusCode::UNAUTHORIZED);
    };
    let mut current = shared
        .challenge
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if *current != challenge {
        return Err(StatusCode::CONFLICT);
    }
    *current = new_challenge();
    Ok(())
}

pub(super) fn build_router(shared: Arc<SharedState>, placement: Arc<dyn Placement>) -> Router {
    routes()
        .route("/health", get(health))
        .route("/health/node", get(node_health))
        .route("/metrics", get(metrics))
        .layer(Extension(placement))
        .with_state(shared)
}

/// Reports the health of the table as players meet it: status 200, or 503 if it is draining or a
/// room is unserved, with the state of the store and the sums over the rooms of this server.
async fn health(
    State(shared): State<Arc<SharedState>>,
    Extension(placement): Extension<Arc<dyn Placement>>,
) -> Response {
    let HealthSummary {
        status,
        store,
        sum,
        rooms,
        unserved,
    } = shared.health.summary(shared.clock.now());
    let mut body = serde_json::json!({
        "status": status,
        "store": store,
        "players": sum.players,
        "waiting": sum.waiting,
        "running": sum.running,
    });
    if placement.is_shared() {
        body["rooms"] = rooms.into();
        body["unserved"] = unserved.into();
    }
    health_response(status, &body)
}

/// Reports the health of this server for balancers: status 200, or 503 for faults of its own, which
/// other nodes may not have.
async fn node_health(State(shared): State<Arc<SharedState>>) -> Response {
    let status = shared.health.node_status(shared.clock.now());
    health_response(status, &serde_json::json!({ "status": status }))
}

/// Creates the answer to a health check: status 200 if all is well, else 503.
fn health_response(status: &str, body: &serde_json::Value) -> Response {
    let code = if status == "ok" {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let body = page::build_response(JSON, body.to_string() + "\n");
    (code, body).into_response()
}

async fn metrics(State(shared): State<Arc<SharedState>>, headers: HeaderMap) -> Response {
    let format = MetricsFormat::from_accept(&headers);
    let text = format.convert(shared.metrics.published_text());
    let mut response = page::build_response(format.content_type(), text);
    let vary = HeaderValue::from_static("accept");
    response.headers_mut().insert(header::VARY, vary);
    response
}
