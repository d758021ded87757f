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

/// Every file of the page but for the drawings of cards: its path, its type, its content.
const FILES: &[(&str, &str, &str)] = &[
    ("/", HTML, include_str!("../page/index.html")),
    ("/table.css", CSS, include_str!("../page/table.css")),
    ("/frame.css", CSS, include_str!("../page/frame.css")),
    ("/lobby.css", CSS, include_str!("../page/lobby.css")),
    ("/game.css", CSS, include_str!("../page/game.css")),
    ("/checks.css", CSS, include_str!("../page/checks.css")),
    ("/icon.svg", SVG, include_str!("../page/icon.svg")),
    ("/acts.js", SCRIPT, include_str!("../page/acts.js")),
    (
        "/announcer.js",
        SCRIPT,
        include_str!("../page/announcer.js"),
    ),
    (
        "/card-names.js",
        SCRIPT,
        include_str!("../page/card-names.js"),
    ),
    (
        "/connection.js",
        SCRIPT,
        include_str!("../page/connection.js"),
    ),
    ("/controls.js", SCRIPT, include_str!("../page/controls.js")),
    ("/deal.js", SCRIPT, include_str!("../page/deal.js")),
    ("/dom.js", SCRIPT, include_str!("../page/dom.js")),
    ("/fair.js", SCRIPT, include_str!("../page/fair.js")),
    ("/games.js", SCRIPT, include_str!("../page/games.js")),
    ("/held.js", SCRIPT, include_str!("../page/held.js")),
    ("/log.js", SCRIPT, include_str!("../page/log.js")),
    ("/logbook.js", SCRIPT, include_str!("../page/logbook.js")),
    ("/referee.js", SCRIPT, include_str!("../page/referee.js")),
    ("/seeds.js", SCRIPT, include_str!("../page/seeds.js")),
    ("/sha256.js", SCRIPT, SHA256.code),
    (
        "/signature.js",
        SCRIPT,
        include_str!("../page/signature.js"),
    ),
    ("/state.js", SCRIPT, include_str!("../page/state.js")),
    ("/storage.js", SCRIPT, include_str!("../page/storage.js")),
    ("/store.js", SCRIPT, include_str!("../page/store.js")),
    ("/table.js", SCRIPT, include_str!("../page/table.js")),
    ("/tiles.js", SCRIPT, include_str!("../page/tiles.js")),
    (
        "/view-game.js",
        SCRIPT,
        include_str!("../page/view-game.js"),
    ),
    ("/view-log.js", SCRIPT, include_str!("../page/view-log.js")),
    (
        "/view-result.js",
        SCRIPT,
        include_str!("../page/view-result.js"),
    ),
    (
        "/view-title.js",
        SCRIPT,
        include_str!("../page/view-title.js"),
    ),
    ("/view.js", SCRIPT, include_str!("../page/view.js")),
    ("/words.js", SCRIPT, include_str!("../page/words.js")),
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
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// What a page of this server may do: load from here, and talk to here.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The routes of the page.
pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let files = FILES
        .iter()
        .map(|&(path, kind, content)| (path.to_owned(), kind, content));
    let drawings = drawings::MODULES
        .iter()
        .map(|module| (format!("/{}.js", module.name), SCRIPT, module.code));
    files
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
