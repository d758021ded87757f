//! The page and its words, embedded in the program.

use super::http::Server;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// Every file of the page: its path, its type, its content.
const FILES: &[(&str, &str, &str)] = &[];

/// What a page of this server may do: load from here, and talk to here.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the page.
pub(super) fn routes() -> Router<Arc<Server>> {
    FILES
        .iter()
        .fold(Router::new(), |routes, &(path, kind, content)| {
            routes.route(path, get(move || async move { typed(kind, content) }))
        })
}

/// A response of this type, with the headers that all of them have.
pub(super) fn typed(kind: &'static str, content: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, content.into()).into_response()
}
