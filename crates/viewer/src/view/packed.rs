//! Bytes and values as a page carries them.

use ct_codecs::{Base64, Encoder};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde::Serialize;
use std::io::Write;

/// Bytes deflated, in base 64: browsers inflate them by themselves.
pub(super) fn packed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Neither of these can fail: what is written to is memory.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    Base64::encode_to_string(written.unwrap_or_default()).unwrap_or_default()
}

/// A value as JSON that can stand in an element of a page, whatever it says.
pub(super) fn embedded(value: &impl Serialize) -> String {
    json(value).replace('<', "\\u003c")
}

/// A value as JSON.
pub(super) fn json(value: &impl Serialize) -> String {
    // The forms of this part have plain keys, and nothing in them fails.
    serde_json::to_string(value).unwrap_or_default()
}
