//! Routes of the page, its files and its texts.

use crate::time::whole_millis;
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
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use war::i18n::{Catalogue, Lang, Text, text};
use war::support::hex::Hex;
use war_viewer::SHA256_MODULE;
use war_viewer::drawings;

/// Addresses of the page. The server returns the same file for all of them, and its scripts show
/// the part for the address.
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

/// Value of `Cache-Control` for content that never changes.
pub(super) const IMMUTABLE_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// Content security policy: a page may only load from this server, and connect to it.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Builds the routes of the page: its addresses, its files by name, and the same files in the
/// folder of this version, where browsers may cache them forever.
pub(super) fn build_routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let embedded = files();
    let version = version(&embedded);
    let page = Bytes::from(page(&embedded, &version));
    let page = Arc::new(File::new(HTML, page));
    let files: BTreeMap<_, _> = embedded
        .into_iter()
        .map(|asset| {
            let content = Bytes::from_static(asset.content.as_bytes());
            let file = File::new(asset.content_type, content);
            (asset.name.into_owned(), Arc::new(file))
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
                get(async move |request: HeaderMap| file.answer(&request)),
            )
        });
    let files = Arc::new(files);
    let versioned = async move |Path((named, name)): Path<(String, String)>, request: HeaderMap| {
        let Some(file) = files.get(&name) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let mut response = file.answer(&request);
        // During an update the page may come from a node of another version. Requests for the other
        // version's files get this version's files, which must not be cached under the other
        // version's path.
        if named == version {
            response
                .headers_mut()
                .insert(header::CACHE_CONTROL, IMMUTABLE_CACHE_CONTROL);
        }
        response
    };
    routes.route("/v/{version}/{*name}", get(versioned))
}

/// Builds a response with this content type.
pub(super) fn build_response(kind: &'static str, content: impl Into<Body>) -> Response {
    let kind = HeaderValue::from_static(kind);
    ([(header::CONTENT_TYPE, kind)], content.into()).into_response()
}

/// Adds the headers that all responses have.
pub(super) fn add_common_headers(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        // Responses that may be cached have set `Cache-Control` themselves.
        let header = headers.entry(name);
        header.or_insert(HeaderValue::from_static(value));
    }
}

/// A file that is served again and again.
#[derive(Debug)]
pub(super) struct File {
    content_type: HeaderValue,
    /// Entity tag, a hash of the content. The tag is weak, as the compressed file has the same tag.
    tag: HeaderValue,
    plain: Bytes,
    /// Empty if the file is not compressed.
    compressed: Bytes,
}

impl File {
    /// Compresses the content.
    fn new(content_type: &'static str, content: Bytes) -> Self {
        Self {
            compressed: gzip(&content).unwrap_or_default().into(),
            ..Self::new_uncompressed(content_type, content)
        }
    }

    /// Creates a file that takes longer to compress than it is worth.
    pub(super) fn new_uncompressed(content_type: &'static str, content: Bytes) -> Self {
        let hash: [u8; 32] = Sha256::digest(&content).into();
        let tag = format!("W/\"{}\"", Hex::new(hash));
        Self {
            content_type: HeaderValue::from_static(content_type),
            // Digits and quotation marks are valid in a header.
            tag: HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("")),
            compressed: Bytes::new(),
            plain: content,
        }
    }

    /// Answers a request with these headers.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let shared = [
            (header::CONTENT_TYPE, self.content_type.clone()),
            (header::ETAG, self.tag.clone()),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if elements(request, &header::IF_NONE_MATCH).any(|tag| tag == self.tag) {
            return (StatusCode::NOT_MODIFIED, shared).into_response();
        }
        if self.compressed.is_empty()
            || !elements(request, &header::ACCEPT_ENCODING).any(accepts_gzip)
        {
            return (shared, self.plain.clone()).into_response();
        }
        let gzip = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        (shared, gzip, self.compressed.clone()).into_response()
    }
}

/// Elements of a comma-separated header, which may be repeated.
pub(super) fn elements<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> impl Iterator<Item = &'a str> {
    let values = headers.get_all(name).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

/// Returns true if an element of `Accept-Encoding` is gzip with a weight other than 0.
fn accepts_gzip(encoding: &str) -> bool {
    let (name, weight) = encoding.split_once(';').unwrap_or((encoding, "q=1"));
    let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
    name.trim().eq_ignore_ascii_case("gzip") && weight != Some(Ok(0.0))
}

fn gzip(content: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content)?;
    encoder.finish()
}

/// Query string of an address, with the language.
#[derive(Deserialize)]
pub(super) struct LanguageQuery {
    lang: Option<String>,
}

impl LanguageQuery {
    pub(super) fn lang(&self) -> Lang {
        let known = self.lang.as_deref().and_then(Lang::from_code);
        known.unwrap_or(Lang::ALL[0])
    }
}

/// Parses the language in the query of an address. The default is the first language of
/// `Lang::ALL`.
pub(super) fn parse_language(uri: &Uri) -> Lang {
    let asked = Query::<LanguageQuery>::try_from_uri(uri);
    asked.map_or(Lang::ALL[0], |asked| asked.lang())
}

/// Builds a response with a text for people.
pub(super) fn build_text_response(status: StatusCode, text: &Text, lang: Lang) -> Response {
    let line = Catalogue::built_in(lang).format_text(text) + "\n";
    (status, build_response("text/plain; charset=utf-8", line)).into_response()
}

/// Builds the response to a client that has asked for too much, and may ask again after this time.
pub(super) fn build_wait_response(wait: Duration, lang: Lang) -> Response {
    let text = text!(TooManyRequests);
    let mut response = build_text_response(StatusCode::TOO_MANY_REQUESTS, &text, lang);
    let seconds = HeaderValue::from(whole_millis(wait).div_ceil(1000));
    response.headers_mut().insert(header::RETRY_AFTER, seconds);
    response
}

/// Length of the version of the page's files, in bytes before it is encoded.
const VERSION_BYTES: usize = 8;

const CSS: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// A file of the page, built into the program.
#[derive(Debug, Clone)]
struct Asset {
    name: Cow<'static, str>,
    content_type: &'static str,
    content: &'static str,
}

/// Embeds files of the page, each with its content type.
macro_rules! files {
    ($($content_type:ident $name:literal)*) => {
        &[$(Asset {
            name: Cow::Borrowed($name),
            content_type: $content_type,
            content: include_str!(concat!("../page/", $name)),
        }),*]
    };
}

/// Files of the page itself.
const FILES: &[Asset] = files! {
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

/// Texts of the page, and the script that the page shares with the viewer.
const SHARED: &[Asset] = &[
    Asset {
        name: Cow::Borrowed("sha256.js"),
        content_type: SCRIPT,
        content: SHA256_MODULE.code,
    },
    Asset {
        name: Cow::Borrowed("words/en.json"),
        content_type: JSON,
        content: include_str!("../../../../../i18n/page.en.json"),
    },
    Asset {
        name: Cow::Borrowed("words/pl.json"),
        content_type: JSON,
        content: include_str!("../../../../../i18n/page.pl.json"),
    },
];

/// The page. Its `href` and `src` attributes name files by their path in its folder.
const PAGE: &str = include_str!("../page/index.html");

/// Returns all files but the page.
fn files() -> Vec<Asset> {
    let drawings = drawings::DRAWING_MODULES.iter().map(|module| Asset {
        name: Cow::Owned(format!("{}.js", module.name)),
        content_type: SCRIPT,
        content: module.code,
    });
    let own = FILES.iter().chain(SHARED);
    own.cloned().chain(drawings).collect()
}

/// Returns the version of the files, a hash of their names and contents.
fn version(files: &[Asset]) -> String {
    let mut hash = Sha256::new();
    for Asset { name, content, .. } in files {
        for part in [&**name, *content] {
            hash.update(part.len().to_le_bytes());
            hash.update(part);
        }
    }
    let hash: [u8; 32] = hash.finalize().into();
    Hex::new(hash).to_string()[..2 * VERSION_BYTES].to_owned()
}

/// Returns the page with links to the files in the version's folder. Scripts import one another by
/// relative paths, so they load from the same folder.
fn page(files: &[Asset], version: &str) -> String {
    let mut page = PAGE.to_owned();
    for Asset { name, .. } in files {
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
    fn every_change_of_a_file_changes_the_version() {
        let files = files();
        let now = version(&files);
        for at in 0..files.len() {
            let mut others = files.clone();
            others[at].content = "changed";
            assert_ne!(version(&others), now, "{}", files[at].name);
            others.remove(at);
            assert_ne!(version(&others), now, "{}", files[at].name);
        }
    }

    #[test]
    fn the_page_links_files_in_the_folder_of_its_version() {
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
