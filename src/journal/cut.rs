//! What a file that was cut off ends with.

use super::fault::Position;
use std::io::{self, Cursor, Read};
use std::mem;

/// Whether a text that ends inside a record can go on as one.
///
/// It is the beginning of JSON, for the parser has read it so far. Only into a string that is
/// not closed the parser does not look: what stands there must be the beginning of a name, a
/// hash or a card, unless a player wrote it.
pub(super) fn can_go_on(text: &[u8]) -> bool {
    OpenString::at_the_end_of(text).is_none_or(|open| {
        let is_written = open.is_of_a_player() && begins_text(open.text);
        is_written || is_word(open.text) || is_card(open.text)
    })
}

/// A string whose end is missing.
struct OpenString<'a> {
    /// The names of the fields that it is in, the outermost first.
    fields: Vec<&'a [u8]>,
    /// What there is of it.
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
                    let Some(length) = length_of_string(after) else {
                        let text = after;
                        return Some(Self { fields, text });
                    };
                    (string, rest) = (&after[..length], &after[length + 1..]);
                }
                // The string before a bracket is the name of the field.
                b'{' | b'[' => fields.push(string),
                b'}' | b']' => drop(fields.pop()),
                _ => {}
            }
        }
        None
    }

    /// Whether it is where a token game holds what its players wrote: names and seeds.
    fn is_of_a_player(&self) -> bool {
        let events: [&[u8]; 2] = [b"started", b"seeded"];
        self.fields.iter().any(|field| events.contains(field))
    }
}

/// How long the string is that begins here, up to its closing mark.
fn length_of_string(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    text.iter().position(|&byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

/// Whether this is UTF-8, of whose last character the end may be missing.
fn begins_text(text: &[u8]) -> bool {
    std::str::from_utf8(text).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// Whether names of fields and values, and hashes can begin with this.
fn is_word(text: &[u8]) -> bool {
    let of_words = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    text.iter().all(of_words)
}

/// Whether a card can begin with this: a rank in a capital letter, and a suit.
fn is_card(text: &[u8]) -> bool {
    match text {
        [b'T' | b'J' | b'Q' | b'K' | b'A', suit @ ..] => suit.len() < 2 && is_word(suit),
        _ => false,
    }
}

/// The most zeros at the end of a file that are read to see whether anything follows them.
const MOST: usize = 16 << 20;

/// A file that ends where nothing but zeros follows.
///
/// Some file systems leave such an end after a power cut: the file has its new length, and what
/// was written there is lost. Zeros with anything behind them are what they are.
pub(super) struct UntilZeros<'a> {
    input: Box<dyn Read + 'a>,
    /// How many zeros were read that may be the end.
    held: usize,
    /// How many zeros are to be given out: they were not the end.
    owed: usize,
    /// What was read behind these.
    behind: Cursor<Vec<u8>>,
}

impl<'a> UntilZeros<'a> {
    pub(super) const fn new(input: Box<dyn Read + 'a>) -> Self {
        Self {
            input,
            held: 0,
            owed: 0,
            behind: Cursor::new(Vec::new()),
        }
    }

    /// Whether zeros were left out where the file ended.
    pub(super) const fn left_out(&self) -> bool {
        self.held > 0
    }
}

impl Read for UntilZeros<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.owed > 0 {
                let count = self.owed.min(buffer.len());
                buffer[..count].fill(0);
                self.owed -= count;
                return Ok(count);
            }
            let read = match self.behind.read(buffer)? {
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
                if self.held > MOST {
                    self.owed = mem::take(&mut self.held);
                }
            } else {
                self.owed = mem::replace(&mut self.held, zeros);
                self.behind = Cursor::new(others.to_vec());
            }
        }
    }
}

/// What a file holds behind a place, from the first byte that is not white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dropped {
    /// Where it begins.
    pub at: Position,
    /// How many bytes it is long.
    pub bytes: u64,
}

impl Dropped {
    /// What this file holds from this place on.
    ///
    /// # Errors
    ///
    /// [`io::Error`] where the file can't be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::journal::{Dropped, Position};
    ///
    /// let kept = Position { line: 1, column: 3 };
    /// let dropped = Dropped::behind(kept, &b"[1\n, 2"[..]).unwrap();
    /// assert_eq!(dropped, Dropped { at: Position { line: 2, column: 1 }, bytes: 3 });
    /// ```
    pub fn behind(kept: Position, mut file: impl Read) -> io::Result<Self> {
        let mut dropped = Self {
            at: Position::START,
            bytes: 0,
        };
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = match file.read(&mut buffer) {
                Ok(0) => return Ok(dropped),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let mut bytes = &buffer[..read];
            while dropped.bytes == 0
                && let [byte, rest @ ..] = bytes
                && (dropped.at.is_before(kept) || byte.is_ascii_whitespace())
            {
                dropped.at = dropped.at.behind(*byte);
                bytes = rest;
            }
            dropped.bytes += bytes.len() as u64;
        }
    }
}

impl Position {
    fn is_before(self, other: Self) -> bool {
        (self.line, self.column) < (other.line, other.column)
    }

    /// The place behind a byte that is here.
    const fn behind(self, byte: u8) -> Self {
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
    use super::{UntilZeros, can_go_on};
    use std::io::Read;

    #[test]
    fn names_hashes_and_cards_may_be_cut_anywhere() {
        for text in [
            &b""[..],
            b"{\"se",
            b"{\"seq\":1",
            b"{\"seq\":1,\"state\":\"0fa",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"T",
            b"{\"event\":{\"dealt\":{\"hands\":[[\"9h\",\"Ts",
        ] {
            assert!(can_go_on(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn nothing_else_stands_in_an_open_string() {
        for text in [
            &b"{\"se q"[..],
            b"{\"state\":\"0FA",
            b"{\"state\":\"0f\\u0061",
            b"{\"hands\":[[\"Tss",
            b"{\"event\":{\"started\":{\"players\":[\"Ann\xff\xfe",
            // What a player wrote before it does not count.
            b"{\"event\":{\"started\":{\"players\":[\"Ann\",\"Bob\"]}},\"state\":\"0F",
        ] {
            assert!(!can_go_on(text), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn players_write_what_they_like() {
        for text in [
            &b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"A"[..],
            b"{\"event\":{\"seeded\":{\"player\":1,\"value\":\"Z\xc3",
            // An escaped mark does not close the string, nor its brackets the list.
            b"{\"event\":{\"started\":{\"players\":[\"Ann \\\"]}} \\\" A",
        ] {
            assert!(can_go_on(text), "{}", text.escape_ascii());
        }
    }

    /// What is read of these pieces, and whether zeros were left out at the end.
    fn read(pieces: &[&[u8]]) -> (Vec<u8>, bool) {
        let input: Box<dyn Read> = pieces
            .iter()
            .fold(Box::new(std::io::empty()), |read, piece| {
                Box::new(read.chain(*piece))
            });
        let mut input = UntilZeros::new(input);
        let mut all = Vec::new();
        input.read_to_end(&mut all).expect("memory");
        (all, input.left_out())
    }

    #[test]
    fn zeros_are_left_out_where_they_end_the_file() {
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
    fn zeros_before_anything_else_are_all_given_out() {
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
