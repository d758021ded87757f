//! The page and its words, as they are served.

use super::file::File;
use super::shipped;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where the page is: each of its parts has an address, and the scripts show the one that is asked
/// for.
const ADDRESSES: &[&str] = &[
    "/",
    "/table",
    "/watch",
    "/games",
    "/ladder",
    "/how-to-play",
    "/fair",
    "/settings",
];

const HTML: &str = "text/html; charset=utf-8";

/// What is never another one may be kept for ever.
pub(super) const FOR_EVER: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// What a page of this server may do: load from here, and talk to here.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the page: its addresses, its files by their names, and the same files below the
/// folder of this version, where browsers may keep them for ever.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let embedded = shipped::files();
    let version = shipped::version(&embedded);
    let page = Bytes::from(shipped::page(&embedded, &version));
    let page = Arc::new(File::new(HTML, page));
    let files: BTreeMap<_, _> = embedded
        .into_iter()
        .map(|(name, kind, content)| {
            let content = Bytes::from_static(content.as_bytes());
            (name, Arc::new(File::new(kind, content)))
        })
        .collect();
    let addresses = ADDRESSES.iter().map(|&path| (path.to_owned(), &page));
    let plain = files.iter().map(|(name, file)| (format!("/{name}"), file));
    let routes = addresses
        .chain(plain)
        .fold(Router::new(), |routes, (path, file)| {
            let file = Arc::clone(file);
            routes.route(
                &path,
                get(async move |asked: HeaderMap| file.answer(&asked)),
            )
        });
    let files = Arc::new(files);
    let versioned = async move |Path((named, name)): Path<(String, String)>, asked: HeaderMap| {
        let Some(file) = files.get(&name) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let mut response = file.answer(&asked);
        // While a table is updated, its page may come from a node of another version: its files are
        // there, and are asked for again.
        if named == version {
            response
                .headers_mut()
                .insert(header::CACHE_CONTROL, FOR_EVER);
        }
        response
    };
    routes.route("/v/{version}/{*name}", get(versioned))
}

/// A response of this type.
pub(super) fn typed(kind: &'static str, content: impl Into<Body>) -> Response {
    let kind = HeaderValue::from_static(kind);
    ([(header::CONTENT_TYPE, kind)], content.into()).into_response()
}

/// Gives a response the headers that all of them have.
pub(super) fn protect(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        // What may be kept says so itself.
        let kept = headers.entry(name);
        kept.or_insert(HeaderValue::from_static(value));
    }
}
