use super::fault::Position;
use std::io::{self, Read};

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
