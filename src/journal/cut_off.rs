//! Ends of files that were cut off.

use super::fault::Position;
use std::io::{self, Cursor, Read};
use std::mem;

/// Returns true if a text that ends inside a record can be the start of a valid record.
///
/// The parser has already accepted the text as the start of JSON, except for a string that is not
/// closed. Such a string must be the start of a name, a hash or a card, unless a player wrote it.
pub(super) fn can_continue(text: &[u8]) -> bool {
    OpenString::at_the_end_of(text).is_none_or(|open| {
        let is_free_text = open.is_by_a_player() && starts_utf8(open.text);
        is_free_text || is_word(open.text) || is_card(open.text)
    })
}

/// A string whose end is missing.
struct OpenString<'a> {
    /// The fields around it, the outermost first.
    fields: Vec<&'a [u8]>,
    /// The text up to the end of the file.
    text: &'a [u8],
}

impl<'a> OpenString<'a> {
    fn at_the_end_of(text: &'a [u8]) -> Option<Self> {
        let (mut fields, mut string) = (Vec::new(), &text[..0]);
        let mut rest = text;
        while let [byte, after @ ..] = rest {
            rest = after;
            match byte {
                b'"' => {
                    let Some(length) = string_length(after) else {
                        let text = after;
                        return Some(Self { fields, text });
                    };
                    (string, rest) = (&after[..length], &after[length + 1..]);
                }
                // The string before a bracket names the field.
                b'{' | b'[' => fields.push(string),
                b'}' | b']' => drop(fields.pop()),
                _ => {}
            }
        }
        None
    }

    /// Returns true if the string is in an event with text by players: names and seeds.
    fn is_by_a_player(&self) -> bool {
        let events: [&[u8]; 2] = [b"started", b"seeded"];
        self.fields.iter().any(|field| events.contains(field))
    }
}

/// Length of a string up to its closing quotation mark, if it has one.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// Returns true if a text is UTF-8, except that its last character may be incomplete.
fn starts_utf8(text: &[u8]) -> bool {
    std::str::from_utf8(text).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Returns true if the name of a field or value, or a hash, can start with this text.
fn is_word(text: &[u8]) -> bool {
    let is_allowed = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    text.iter().all(is_allowed)
}

/// Returns true if a card can start with this text: a rank as a capital letter, and a suit.
fn is_card(text: &[u8]) -> bool {
    match text {
        [b'T' | b'J' | b'Q' | b'K' | b'A', suit @ ..] => suit.len() < 2 && is_word(suit),
        _ => false,
    }
}

/// Maximum number of zeros to skip in search of data after them.
const MAX_ZEROS: usize = 16 << 20;

/// Reader that leaves out the zeros at the end of a file.
///
/// After a power cut, some file systems leave a file with its new length but without the data.
/// Zeros before other data are kept.
pub(super) struct ZeroTail<'a> {
    input: Box<dyn Read + 'a>,
    /// Number of zeros read that are left out unless other data follows them.
    held: usize,
    /// Number of zeros that must still be returned: they were not at the end.
    owed: usize,
    /// Bytes read after these zeros.
    later: Cursor<Vec<u8>>,
}

impl<'a> ZeroTail<'a> {
    pub(super) const fn new(input: Box<dyn Read + 'a>) -> Self {
        Self {
            input,
            held: 0,
            owed: 0,
            later: Cursor::new(Vec::new()),
        }
    }

    /// Returns true if zeros were left out at the end of the file.
    pub(super) const fn has_skipped_zeros(&self) -> bool {
        self.held > 0
    }
}

impl Read for ZeroTail<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.owed > 0 {
                let count = self.owed.min(buffer.len());
                buffer[..count].fill(0);
                self.owed -= count;
                return Ok(count);
            }
            let read = match self.later.read(buffer)? {
                0 => self.input.read(buffer)?,
                read => return Ok(read),
            };
            let bytes = &buffer[..read];
            let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
            let others = &bytes[..read - zeros];
            if read == 0 || !others.is_empty() && self.held == 0 {
                self.held += zeros;
                return Ok(others.len());
            }
            if others.is_empty() {
                self.held += zeros;
                if self.held > MAX_ZEROS {
                    self.owed = mem::take(&mut self.held);
                }
            } else {
                self.owed = mem::replace(&mut self.held, zeros);
                self.later = Cursor::new(others.to_vec());
            }
        }
    }
}

/// Bytes of a file after a given position, from the first that is not white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrailingBytes {
    /// The place of the first byte.
    pub at: Position,
    /// The number of bytes.
    pub bytes: u64,
}

impl TrailingBytes {
    /// Reads a file to its end, and measures what follows this place.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the file can't be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::journal::{Position, TrailingBytes};
    ///
    /// let kept = Position { line: 1, column: 3 };
    /// let trailing = TrailingBytes::measure(kept, &b"[1\n, 2"[..]).unwrap();
    /// assert_eq!(trailing, TrailingBytes { at: Position { line: 2, column: 1 }, bytes: 3 });
    /// ```
    pub fn measure(kept: Position, mut file: impl Read) -> io::Result<Self> {
        let mut trailing = Self {
            at: Position::START,
            bytes: 0,
        };
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match file.read(&mut buffer) {
                Ok(0) => return Ok(trailing),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut bytes = &buffer[..read];
            while trailing.bytes == 0
                && let [byte, rest @ ..] = bytes
                && (trailing.at.is_before(kept) || byte.is_ascii_whitespace())
            {
                trailing.at = trailing.at.after(*byte);
                bytes = rest;
            }
            trailing.bytes += bytes.len() as u64;
        }
    }
}

impl Position {
    fn is_before(self, other: Self) -> bool {
        (self.line, self.column) < (other.line, other.column)
    }

    /// Position that follows this one after reading `byte`.
    const fn after(self, byte: u8) -> Self {
        match byte {
            b'\n' => Self {
                line: self.line + 1,
                column: 1,
            },
            _ => Self {
                line: self.line,
                column: self.column + 1,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ZeroTail, can_continue};
    use std::io::Read;

    #[test]
    fn names_hashes_and_cards_can_be_cut_off_anywhere() {
        for text in [
            &b""[..],
            b"{\"se",
            b"{\"seq\":1",
            b"{\"seq\":1,\"state\":\"0fa",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"T",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"Ts",
        ] {
            assert!(can_continue(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn an_open_string_with_anything_else_is_damage() {
        for text in [
            &b"{\"se q"[..],
            b"{\"state\":\"0FA",
            b"{\"state\":\"0f\\u0061",
            b"{\"hands\":[[\"Tss",
            b"{\"event\":{\"started\":{\"players\":[\"Ann\xff\xfe",
            // Text by a player earlier in the record makes no difference.
            b"{\"event\":{\"started\":{\"players\":[\"Ann\",\"Bob\"]}},\"state\":\"0F",
        ] {
            assert!(!can_continue(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_player_can_write_any_text() {
        for text in [
            &b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"A"[..],
            b"{\"event\":{\"seeded\":{\"player\":1,\"value\":\"Z\xc3",
            // An escaped quotation mark doesn't close the string, and brackets in the string don't
            // close the list.
            b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"]}} \\\" A",
        ] {
            assert!(can_continue(text), "{}", text.escape_ascii());
        }
    }

    /// Reads these pieces. The flag is true if zeros were left out at the end.
    fn read(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
        let input: Box<dyn Read> = pieces
            .iter()
            .fold(Box::new(std::io::empty()), |read, piece| {
                Box::new(read.chain(*piece))
            });
        let mut input = ZeroTail::new(input);
        let mut all = Vec::new();
        input.read_to_end(&mut all).expect("memory");
        (all, input.has_skipped_zeros())
    }

    #[test]
    fn zeros_at_the_end_of_a_file_are_left_out() {
        for (pieces, text) in [
            (&[&b"ab"[..]][..], &b"ab"[..]),
            (&[b"ab\0\0\0"], b"ab"),
            (&[b"ab", b"\0\0", b"\0"], b"ab"),
            (&[b"ab\0", b"\0"], b"ab"),
            (&[b"\0"], b""),
            (&[], b""),
        ] {
            let ends_in_zeros = pieces.concat().ends_with(b"\0");
            assert_eq!(read(pieces), (text.to_vec(), ends_in_zeros), "{pieces:?}");
        }
    }

    #[test]
    fn zeros_before_other_bytes_are_kept() {
        for pieces in [
            &[&b"ab\0\0\0c"[..]][..],
            &[b"ab\0", b"\0\0c\0\0"],
            &[b"ab", b"\0\0", b"\0c", b"\0"],
        ] {
            let ends_in_zeros = pieces.concat().ends_with(b"\0");
            assert_eq!(read(pieces), (b"ab\0\0\0c".to_vec(), ends_in_zeros));
        }
    }
}
