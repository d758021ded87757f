//! A file of the page as it is served: packed once, and not sent to those who have it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
use war::support::hex::Hex;

/// A file of the page, of some kind.
#[derive(Debug)]
pub(super) struct File {
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
