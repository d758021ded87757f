//! What an operator asks of the table, once they have proven that they are one.

use super::inbox::hand_in;
use super::orders::{Elsewhere, carry_out};
use super::page;
use crate::operator::{Ask, CHALLENGE, Challenge, LEAST_RETAINED, PATH, Proof, SCHEME, is_proven};
use crate::server::audit::inspect;
use crate::server::shared::Shared;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use slog::warn;
use std::sync::{Arc, PoisonError};

/// The longest question, in bytes.
const LONGEST: usize = 16 * 1024;
const JSON: &str = "application/json";

pub(super) fn routes() -> Router<Arc<Shared>> {
    let routes = Router::new().route(PATH, get(challenge).post(answer));
    routes.layer(DefaultBodyLimit::max(LONGEST))
}

/// A challenge that nobody can foresee.
pub(in crate::server) fn draw() -> Challenge {
    let mut bytes = [0; 32];
    rand::fill(&mut bytes);
    Challenge::new(bytes)
}

/// What the next proof has to be of, which everybody may know.
async fn challenge(State(shared): State<Arc<Shared>>) -> Response {
    let challenge = *shared
        .challenge
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    page::typed("text/plain", challenge.to_string())
}

async fn answer(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Bytes) -> Response {
    if let Err(refused) = admit(&shared, &headers, &body) {
        return refused.into_response();
    }
    let Ok(ask) = serde_json::from_slice(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let answer = match ask {
        Ask::Retain { milliseconds, .. } if milliseconds < LEAST_RETAINED => {
            return StatusCode::BAD_REQUEST.into_response();
        }
        Ask::Order(_) | Ask::Retain { .. } => match carry_out(&shared, &ask).await {
            Ok(answer) => answer,
            Err(Elsewhere(room)) => hand_in(&shared, &ask, room).await,
        },
        ask => shared
            .inspect(move |reader| inspect(reader, &ask))
            .await
            .flatten(),
    };
    match answer {
        None => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Some(answer) => {
            let body = serde_json::to_vec(&answer).expect("answers are plain values");
            page::typed(JSON, body)
        }
    }
}

/// Lets a question in that is proven to be the operator's, once.
fn admit(shared: &Shared, headers: &HeaderMap, question: &[u8]) -> Result<(), StatusCode> {
    let text = |name| headers.get(name)?.to_str().ok();
    // No form of a page in a browser can send this.
    if text(header::CONTENT_TYPE.as_str()) != Some(JSON) {
        return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    }
    let challenge: Option<Challenge> = text(CHALLENGE).and_then(|text| text.parse().ok());
    let proof = text(header::AUTHORIZATION.as_str()).and_then(|text| text.strip_prefix(SCHEME));
    let proof: Option<Proof> = proof.and_then(|proof| proof.parse().ok());
    let proven = challenge.zip(proof).filter(|(challenge, proof)| {
        let key = &shared.identity.key;
        is_proven(key, challenge, question, proof)
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
    *current = draw();
    Ok(())
}
