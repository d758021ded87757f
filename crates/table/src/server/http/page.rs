//! Routes of the page and its files.

use super::assets;
use super::document::{self, Document};
use super::hand_values;
use crate::time::whole_millis;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Query;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;
use war::i18n::{Catalogue, Lang, Text, text};
use war::support::hex::Hex;

/// Addresses of the page. The server returns the same document for all of them, and its script
/// shows the part for the address.
const ADDRESSES: &[&str] = &[
    "/",
    "/table",
    "/watch",
    "/daily",
    "/games",
    "/ladder",
    "/how-to-play",
    "/fair",
    "/settings",
];

pub(super) const HTML: &str = "text/html; charset=utf-8";

/// Value of `Cache-Control` for content that never changes.
pub(super) const IMMUTABLE_CACHE_CONTROL: HeaderValue =
    HeaderValue::from_static("public, max-age=31536000, immutable");

/// Content security policy of everything but the page itself.
const POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Builds the routes of the page: its addresses, the files that it links, and its sources.
pub(super) fn build_routes<S: Clone + Send + Sync + 'static>(documents: &[Document]) -> Router<S> {
    let pages: Arc<Vec<_>> = Arc::new(documents.iter().map(build_page).collect());
    let addresses = ADDRESSES.iter().fold(Router::new(), |routes, path| {
        let pages = Arc::clone(&pages);
        let answer = async move |request: HeaderMap| {
            let lang = preferred_language(&request);
            let page = pages.iter().find(|(known, _)| *known == lang);
            page.map(|(_, page)| page.answer(&request))
                .ok_or(StatusCode::INTERNAL_SERVER_ERROR)
        };
        routes.route(path, get(answer))
    });
    let mut files: Vec<_> = assets::files()
        .into_iter()
        .map(|asset| {
            let content = Bytes::from_static(asset.content);
            let file = File::new(asset.content_type, content);
            (asset.path, Arc::new(file))
        })
        .collect();
    let values = File::new("application/json", hand_values::to_json().into());
    files.push(("/hand-values.json".to_owned(), Arc::new(values)));
    for lang in Lang::ALL {
        let texts = Bytes::from_static(document::texts(lang).as_bytes());
        let path = format!("/texts/{}.json", lang.code());
        files.push((path, Arc::new(File::new("application/json", texts))));
    }
    files.into_iter().fold(addresses, |routes, (path, file)| {
        routes.route(
            &path,
            get(async move |request: HeaderMap| file.answer(&request)),
        )
    })
}

/// Builds the page in one language.
fn build_page(document: &Document) -> (Lang, File) {
    let mut page = File::new(HTML, document.to_html().into());
    page.policy = Some(document.policy.clone());
    page.vary = HeaderValue::from_static("accept-encoding, accept-language");
    (document.lang, page)
}

/// Returns the language that a browser wants most, or the first language of [`Lang::ALL`]. Its user
/// may have chosen another one on the page, which then loads the texts.
pub(super) fn preferred_language(request: &HeaderMap) -> Lang {
    let wanted = elements(request, &header::ACCEPT_LANGUAGE);
    let known = wanted.filter_map(|range| {
        let (tag, weight) = range.split_once(";q=").unwrap_or((range, "1"));
        let code = tag.split('-').next()?.to_ascii_lowercase();
        Some((weight.parse::<f32>().ok()?, Lang::from_code(&code)?))
    });
    // Of equal weights, the first one counts.
    let best = known.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map_or(Lang::ALL[0], |(_, lang)| lang)
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
    /// Names of the request headers on which the response depends.
    vary: HeaderValue,
    /// Content security policy, if it is not the one of other responses.
    policy: Option<HeaderValue>,
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
            vary: HeaderValue::from_static("accept-encoding"),
            policy: None,
        }
    }

    /// Answers a request with these headers.
    pub(super) fn answer(&self, request: &HeaderMap) -> Response {
        let mut response = self.answer_without_policy(request);
        if let Some(policy) = &self.policy {
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
        }
        response
    }

    fn answer_without_policy(&self, request: &HeaderMap) -> Response {
        let shared = [
            (header::CONTENT_TYPE, self.content_type.clone()),
            (header::ETAG, self.tag.clone()),
            (header::VARY, self.vary.clone()),
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
pub(super) fn accepts_gzip(encoding: &str) -> bool {
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
