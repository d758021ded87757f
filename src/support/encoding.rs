//! The check that bytes are UTF-8 text. It recognizes UTF-16, which Windows PowerShell writes.

use std::str;
use thiserror::Error;

/// Error of bytes that are not UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {}", if *.is_utf16 { "UTF-16 text" } else { "invalid UTF-8" })]
pub struct EncodingError {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte in the line, counted from 1.
    pub column: usize,
    /// True if the bytes look like UTF-16.
    pub is_utf16: bool,
}

/// Number of bytes at the start of a text by which UTF-16 is recognized.
pub const UTF16_START: usize = 4;

/// Decodes UTF-8.
///
/// # Errors
///
/// [`EncodingError`] with the place of the first byte that is not UTF-8 or, in UTF-16, a NUL.
pub fn decode_utf8(bytes: &[u8]) -> Result<&str, EncodingError> {
    let is_utf16 = is_utf16(bytes);
    let decoded = str::from_utf8(bytes);
    let valid = match decoded {
        Ok(text) if !is_utf16 => return Ok(text),
        Ok(_) => bytes.len(),
        Err(error) => error.valid_up_to(),
    };
    let nul = bytes.iter().position(|&byte| is_utf16 && byte == 0);
    let before = &bytes[..nul.map_or(valid, |nul| nul.min(valid))];
    let lines: Vec<_> = before.split(|&byte| byte == b'\n').collect();
    Err(EncodingError {
        line: lines.len(),
        column: lines.last().map_or(0, |line| line.len()) + 1,
        is_utf16,
    })
}

/// Returns true if a text starts as UTF-16 does: with its byte-order mark, or with ASCII characters
/// and a NUL beside each.
#[must_use]
pub fn is_utf16(text: &[u8]) -> bool {
    match text {
        // The mark of UTF-32 begins like that of UTF-16.
        [0xff, 0xfe, 0, 0, ..] => false,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [first, 0, second, 0, ..] | [0, first, 0, second, ..] => *first != 0 && *second != 0,
        [only, 0] | [0, only] => *only != 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::decode_utf8;

    fn place(bytes: &[u8]) -> Option<(usize, usize, bool)> {
        let error = decode_utf8(bytes).err()?;
        Some((error.line, error.column, error.is_utf16))
    }

    #[test]
    fn utf16_is_recognized_by_its_mark_or_its_nuls() {
        for (bytes, column) in [
            (&b"\xff\xfe[\0]\0"[..], 1),
            (b"\xfe\xff\0[\0]", 1),
            (b"[\0]\0\n\0", 2),
            (b"\0[\0]\0\n", 1),
            (b"{\0", 2),
            (b"\xff\xfe", 1),
            // A Polish letter follows two ASCII characters.
            (b"a\0b\0\x05\x01", 2),
        ] {
            assert_eq!(place(bytes), Some((1, column, true)), "{bytes:?}");
        }
    }

    #[test]
    fn other_bytes_are_located_by_line_and_byte() {
        for (bytes, line, column) in [
            // The byte-order mark of UTF-32, and a letter of ISO 8859-2.
            (&b"\xff\xfe\0\0[\0\0\0"[..], 1, 1),
            (b"\xb3", 1, 1),
            (b"ab\n\xc5\x82\xb3\n", 2, 3),
        ] {
            assert_eq!(place(bytes), Some((line, column, false)), "{bytes:?}");
        }
    }

    #[test]
    fn text_with_a_byte_order_mark_or_nuls_elsewhere_is_utf8() {
        for text in [
            "",
            "a",
            "\u{feff}[]",
            "ł",
            "[[9]]\0",
            "\0\0\0\0",
            "ab\0\0",
            "\0",
        ] {
            assert_eq!(decode_utf8(text.as_bytes()), Ok(text));
        }
    }
}
