//! The page and its words, embedded in the program.

use super::file::File;
use crate::drawings;
use crate::view::SHA256;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use std::sync::Arc;

/// Files of the page: their paths, types and contents.
macro_rules! files {
    ($($kind:ident $name:literal)*) => {
        &[$((concat!("/", $name), $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The files of the page but for those that other parts own.
const FILES: &[(&str, &str, &str)] = files! {
    CSS "table.css"
    CSS "frame.css"
    CSS "lobby.css"
    CSS "game.css"
    CSS "dock.css"
    CSS "result.css"
    CSS "small.css"
    CSS "checks.css"
    CSS "pages.css"
    SVG "icon.svg"
    MANIFEST "manifest.webmanifest"
    SCRIPT "acts.js"
    SCRIPT "alerts.js"
    SCRIPT "announcer.js"
    SCRIPT "card-names.js"
    SCRIPT "company.js"
    SCRIPT "connection.js"
    SCRIPT "controls.js"
    SCRIPT "deal.js"
    SCRIPT "dom.js"
    SCRIPT "fair.js"
    SCRIPT "games.js"
    SCRIPT "hear.js"
    SCRIPT "held.js"
    SCRIPT "log.js"
    SCRIPT "logbook.js"
    SCRIPT "motion.js"
    SCRIPT "outside.js"
    SCRIPT "pages.js"
    SCRIPT "referee.js"
    SCRIPT "requests.js"
    SCRIPT "seeds.js"
    SCRIPT "settings.js"
    SCRIPT "signature.js"
    SCRIPT "state.js"
    SCRIPT "storage.js"
    SCRIPT "store.js"
    SCRIPT "table.js"
    SCRIPT "tiles.js"
    SCRIPT "view-company.js"
    SCRIPT "view-game.js"
    SCRIPT "view-log.js"
    SCRIPT "view-pages.js"
    SCRIPT "view-result.js"
    SCRIPT "view-title.js"
    SCRIPT "view.js"
    SCRIPT "words.js"
};

/// Where the page is: each of its parts has an address, and the scripts show the one that is asked
/// for.
const ADDRESSES: &[&str] = &["/", "/table", "/how-to-play", "/fair", "/settings"];

/// The words, and what it shares with the page that shows a game.
const SHARED: &[(&str, &str, &str)] = &[
    ("/sha256.js", SCRIPT, SHA256.code),
    (
        "/words/en.json",
        JSON,
        include_str!("../../../i18n/page.en.json"),
    ),
    (
        "/words/pl.json",
        JSON,
        include_str!("../../../i18n/page.pl.json"),
    ),
];

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// What a page of this server may do: load from here, and talk to here.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the page.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let pages = ADDRESSES
        .iter()
        .map(|&path| (path.to_owned(), HTML, include_str!("../page/index.html")));
    let files = FILES
        .iter()
        .chain(SHARED)
        .map(|&(path, kind, content)| (path.to_owned(), kind, content));
    let drawings = drawings::MODULES
        .iter()
        .map(|module| (format!("/{}.js", module.name), SCRIPT, module.code));
    pages
        .chain(files)
        .chain(drawings)
        .fold(Router::new(), |routes, (path, kind, content)| {
            let file = Arc::new(File::new(kind, content));
            let answer = async move |asked: HeaderMap| file.answer(&asked);
            routes.route(&path, get(answer))
        })
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
