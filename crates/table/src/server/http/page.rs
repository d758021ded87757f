//! The page and its words, as they are served.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use war::i18n::{Catalogue, Lang, Text};
use war::support::hex::Hex;
use war_viewer::SHA256;
use war_viewer::drawings;

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
    let embedded = files();
    let version = version(&embedded);
    let page = Bytes::from(page(&embedded, &version));
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

/// A file of the page, of some kind.
#[derive(Debug)]
struct File {
    kind: HeaderValue,
    /// What no other content has; the packed file and the plain one share it.
    tag: HeaderValue,
    plain: Bytes,
    /// Empty where packing failed.
    packed: Bytes,
}

impl File {
    /// A file with this content, which is packed now.
    pub(super) fn new(kind: &'static str, content: Bytes) -> Self {
        let hash: [u8; 32] = Sha256::digest(&content).into();
        let tag = format!("W/\"{}\"", Hex::new(hash));
        Self {
            kind: HeaderValue::from_static(kind),
            // Digits and quotation marks can stand in a header.
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("")),
            packed: packed(&content).unwrap_or_default().into(),
            plain: content,
        }
    }

    /// What is answered to a request with these headers.
    pub(super) fn answer(&self, asked: &HeaderMap) -> Response {
        let shared = [
            (header::CONTENT_TYPE, self.kind.clone()),
            (header::ETAG, self.tag.clone()),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if listed(asked, &header::IF_NONE_MATCH).any(|tag| tag == self.tag) {
            return (StatusCode::NOT_MODIFIED, shared).into_response();
        }
        if self.packed.is_empty() || !listed(asked, &header::ACCEPT_ENCODING).any(is_gzip) {
            return (shared, self.plain.clone()).into_response();
        }
        let gzip = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        (shared, gzip, self.packed.clone()).into_response()
    }
}

/// What stands between the commas of a header, which can be there several times.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Whether a browser that names this encoding takes gzip: it may refuse it by its weight, 0.
fn is_gzip(encoding: &str) -> bool {
    let (name, weight) = encoding.split_once(';').unwrap_or((encoding, "q=1"));
    let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
    name.trim().eq_ignore_ascii_case("gzip") && weight != Some(Ok(0.0))
}

fn packed(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

/// What can be asked for in an address.
#[derive(Deserialize)]
pub(super) struct Asked {
    lang: Option<String>,
}

impl Asked {
    pub(super) fn lang(&self) -> Lang {
        let known = self.lang.as_deref().and_then(Lang::from_code);
        known.unwrap_or(Lang::ALL[0])
    }
}

/// The language that an address asks for, or the first one.
pub(super) fn asked_language(uri: &Uri) -> Lang {
    let asked = Query::<Asked>::try_from_uri(uri);
    asked.map_or(Lang::ALL[0], |asked| asked.lang())
}

/// Says why there is nothing to see.
pub(super) fn said(status: StatusCode, text: &Text, lang: Lang) -> Response {
    let line = Catalogue::built_in(lang).text(text) + "\n";
    (status, typed("text/plain; charset=utf-8", line)).into_response()
}

/// How many bytes of a hash tell one version of the page from another.
const VERSION_BYTES: usize = 8;

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// A file: its name, its type and its content.
type Embedded = (&'static str, &'static str, &'static str);

/// Files of the page: their names, types and contents.
macro_rules! files {
    ($($kind:ident $name:literal)*) => {
        &[$(($name, $kind, include_str!(concat!("../page/", $name)))),*]
    };
}

/// The files of the page but for those that other parts own.
const FILES: &[Embedded] = files! {
    CSS "styles/table.css"
    CSS "styles/frame.css"
    CSS "styles/lobby.css"
    CSS "styles/game.css"
    CSS "styles/dock.css"
    CSS "styles/result.css"
    CSS "styles/small.css"
    CSS "styles/wide.css"
    CSS "styles/verification.css"
    CSS "styles/history.css"
    CSS "styles/pages.css"
    SVG "icon.svg"
    MANIFEST "manifest.webmanifest"
    SCRIPT "controllers/account.js"
    SCRIPT "controllers/actions.js"
    SCRIPT "controllers/connection-listener.js"
    SCRIPT "controllers/history.js"
    SCRIPT "controllers/input.js"
    SCRIPT "controllers/router.js"
    SCRIPT "controllers/spectator.js"
    SCRIPT "fairness/deal.js"
    SCRIPT "fairness/game-record.js"
    SCRIPT "fairness/log-format.js"
    SCRIPT "fairness/log-monitor.js"
    SCRIPT "fairness/merkle-tree.js"
    SCRIPT "fairness/referee.js"
    SCRIPT "fairness/seeds.js"
    SCRIPT "fairness/tiles.js"
    SCRIPT "fairness/verification.js"
    SCRIPT "protocol/connection.js"
    SCRIPT "protocol/environment.js"
    SCRIPT "protocol/request-queue.js"
    SCRIPT "state/invitations.js"
    SCRIPT "state/reducer.js"
    SCRIPT "state/rules.js"
    SCRIPT "state/storage.js"
    SCRIPT "state/store.js"
    SCRIPT "table.js"
    SCRIPT "views/account-key.js"
    SCRIPT "views/game.js"
    SCRIPT "views/history.js"
    SCRIPT "views/lobby.js"
    SCRIPT "views/log.js"
    SCRIPT "views/page.js"
    SCRIPT "views/result.js"
    SCRIPT "views/settings.js"
    SCRIPT "views/spectator.js"
    SCRIPT "widgets/alerts.js"
    SCRIPT "widgets/animation.js"
    SCRIPT "widgets/announcer.js"
    SCRIPT "widgets/dom.js"
    SCRIPT "widgets/hands.js"
    SCRIPT "widgets/labels.js"
    SCRIPT "widgets/qr-code.js"
    SCRIPT "widgets/words.js"
};

/// The words, and what the page shares with the one that shows a game.
const SHARED: &[Embedded] = &[
    ("sha256.js", SCRIPT, SHA256.code),
    (
        "words/en.json",
        JSON,
        include_str!("../../../../../i18n/page.en.json"),
    ),
    (
        "words/pl.json",
        JSON,
        include_str!("../../../../../i18n/page.pl.json"),
    ),
];

/// The page itself. Its files are named by `href` and `src` as they lie in its folder.
const PAGE: &str = include_str!("../page/index.html");

/// All files but for the page itself.
fn files() -> Vec<(String, &'static str, &'static str)> {
    let drawings = drawings::MODULES
        .iter()
        .map(|module| (format!("{}.js", module.name), SCRIPT, module.code));
    let own = FILES.iter().chain(SHARED);
    own.map(|&(name, kind, content)| (name.to_owned(), kind, content))
        .chain(drawings)
        .collect()
}

/// What no other version of these files has.
fn version(files: &[(String, &str, &str)]) -> String {
    let mut hash = Sha256::new();
    for (name, _, content) in files {
        for part in [name.as_str(), content] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
    }
    let hash: [u8; 32] = hash.finalize().into();
    Hex::new(hash).to_string()[..2 * VERSION_BYTES].to_owned()
}

/// The page, which names its files where they are for ever: below the version's own folder. Scripts
/// import one another by relative paths, so that they stay in it.
fn page(files: &[(String, &str, &str)], version: &str) -> String {
    let mut page = PAGE.to_owned();
    for (name, ..) in files {
        for attribute in ["href", "src"] {
            let plain = format!("{attribute}=\"/{name}\"");
            page = page.replace(&plain, &format!("{attribute}=\"/v/{version}/{name}\""));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::{files, page, version};

    #[test]
    fn every_change_of_a_file_is_another_version() {
        let files = files();
        let now = version(&files);
        for at in 0..files.len() {
            let mut others = files.clone();
            others[at].2 = "changed";
            assert_ne!(version(&others), now, "{}", files[at].0);
            others.remove(at);
            assert_ne!(version(&others), now, "{}", files[at].0);
        }
    }

    #[test]
    fn the_page_names_its_files_below_the_version() {
        let page = page(&files(), "abc");
        assert!(page.contains("<script type=\"module\" src=\"/v/abc/table.js\">"));
        assert!(page.contains("<link rel=\"stylesheet\" href=\"/v/abc/styles/table.css\">"));
        let plain = page.split("=\"/").skip(1).filter(|part| {
            let path = part.split('"').next().unwrap_or_default();
            [".js", ".css"].iter().any(|end| path.ends_with(end)) && !path.starts_with("v/abc/")
        });
        assert_eq!(plain.collect::<Vec<_>>(), [""; 0]);
    }
}
