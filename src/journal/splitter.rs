use super::cut_off::ZeroTail;
use super::fault::{Fault, Position, ReadError};
use super::parse::{Brackets, is_json_prefix};
use super::problem::{FileError, RecordError};
use super::v1::{CanonicalRecord, Record, RecordedEvent, parse_canonical_record};
use serde::de::DeserializeOwned;
use std::io::Read;

/// Maximum length of a record, in bytes.
const MAX_RECORD: usize = 1 << 20;
/// Maximum length of the header, in bytes. A header can quote the typed number of players and deck:
/// command-line arguments of up to 128 KiB each on Linux, which escaping makes up to six times as
/// long.
const MAX_HEADER: usize = 1 << 21;
/// Maximum white space to keep between two values, in bytes. Files edited by hand have less, so the
/// places of faults in them stay exact.
const MAX_WHITESPACE: usize = 1 << 16;

/// Splits a stream of JSON into its values, one at a time and in constant memory.
///
/// Finds the start and the end of each value, and doesn't check anything between them.
pub(super) struct Splitter<'a> {
    input: ZeroTail<'a>,
    buffer: Box<[u8]>,
    /// Start and end of the bytes in the buffer that are not taken yet.
    from: usize,
    to: usize,
    at: Position,
    taken: Vec<u8>,
    taken_at: Position,
    max_length: usize,
    /// Bytes of white space kept since [`Splitter::begin_value`].
    whitespace: usize,
}

impl<'a> Splitter<'a> {
    pub(super) fn new(input: impl Read + 'a) -> Self {
        let at = Position::START;
        Self {
            input: ZeroTail::new(Box::new(input)),
            buffer: vec![0; 1 << 16].into_boxed_slice(),
            from: 0,
            to: 0,
            at,
            taken: Vec::new(),
            taken_at: at,
            max_length: MAX_HEADER,
            whitespace: 0,
        }
    }

    /// Ends the header: from here on, values may only be as long as a record.
    pub(super) fn end_header(&mut self) {
        self.max_length = MAX_RECORD;
        self.begin_value();
    }

    /// Maximum length of a value, in bytes.
    pub(super) const fn max_length(&self) -> usize {
        self.max_length
    }

    /// The place of the next byte.
    pub(super) const fn position(&self) -> Position {
        self.at
    }

    /// Returns true if the file ends in zeros, which are left out.
    pub(super) const fn ends_in_zeros(&self) -> bool {
        self.input.has_skipped_zeros()
    }

    /// Starts a new value: discards the bytes taken.
    pub(super) fn begin_value(&mut self) {
        self.taken.clear();
        self.whitespace = 0;
        self.taken_at = self.at;
    }

    /// The bytes taken since [`Splitter::begin_value`].
    pub(super) fn taken_bytes_mut(&mut self) -> &mut Vec<u8> {
        &mut self.taken
    }

    /// The place of the first byte taken.
    pub(super) const fn taken_start(&self) -> Position {
        self.taken_at
    }

    /// The next byte, or `None` at the end of the file.
    pub(super) fn peek(&mut self) -> Result<Option<u8>, ReadError> {
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
            self.fill_buffer(1)?;
        }
        Ok(self.buffered_bytes().first().copied())
    }

    /// Reads until the buffer holds this many bytes or the file ends. The buffer must have room.
    pub(super) fn fill_buffer(&mut self, count: usize) -> Result<(), ReadError> {
        while self.to - self.from < count {
            match self.input.read(&mut self.buffer[self.to..]) {
                Ok(0) => break,
                Ok(read) => self.to += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// The bytes read but not taken yet.
    pub(super) fn buffered_bytes(&self) -> &[u8] {
        &self.buffer[self.from..self.to]
    }

    /// Takes white space, and returns the byte after it, which is not taken.
    pub(super) fn peek_after_whitespace(&mut self) -> Result<Option<u8>, ReadError> {
        while let Some(byte) = self.peek()? {
            if !is_whitespace(byte) {
                return Ok(Some(byte));
            }
            let whitespace = self.buffered_bytes().iter();
            let count = whitespace.take_while(|&&byte| is_whitespace(byte)).count();
            let kept = count.min(MAX_WHITESPACE - self.whitespace);
            self.take_many(kept);
            self.skip(count - kept);
            self.whitespace += kept;
        }
        Ok(None)
    }

    /// Takes the byte last peeked at.
    pub(super) fn take_byte(&mut self) {
        self.take_many(1);
    }

    /// Takes this many bytes of the buffer.
    fn take_many(&mut self, count: usize) {
        let bytes = &self.buffer[self.from..][..count];
        self.taken.extend_from_slice(bytes);
        self.skip(count);
    }

    /// Skips this many bytes of the buffer.
    fn skip(&mut self, count: usize) {
        let bytes = &self.buffer[self.from..][..count];
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            None => self.at.column += count as u64,
            Some(last) => {
                self.at.line += bytes
                    .iter()
                    .map(|&byte| u64::from(byte == b'\n'))
                    .sum::<u64>();
                self.at.column = (count - last) as u64;
            }
        }
        self.from += count;
    }

    /// Takes a value if it is complete in the buffer and parses; otherwise takes nothing.
    ///
    /// The fast path for valid records. Everything else is left to [`Splitter::take_value`].
    pub(super) fn take_parsed_value<T: DeserializeOwned>(&mut self) -> Option<(T, Brackets)> {
        let bytes = &self.buffer[self.from..self.to];
        let mut values = serde_json::Deserializer::from_slice(bytes).into_iter();
        let value = values.next()?.ok()?;
        let length = values.byte_offset();
        let brackets = Brackets::count_in(&bytes[..length]);
        self.skip(length);
        Some((value, brackets))
    }

    /// Takes an event if it is in the buffer in its canonical form; otherwise takes nothing.
    ///
    /// The second value is the length of the event's record without link and last brace, in bytes.
    pub(super) fn take_canonical_event<E: RecordedEvent>(&mut self) -> Option<(Record<E>, usize)> {
        let CanonicalRecord {
            record,
            unlinked_length,
            length,
        } = parse_canonical_record(self.buffered_bytes())?;
        let bytes = &self.buffer[self.from..][..length];
        self.taken.extend_from_slice(bytes);
        // The canonical form contains no line feed.
        self.at.column += length as u64;
        self.from += length;
        Some((record, unlinked_length))
    }

    /// Takes a complete value; `None` if the file ends inside it.
    ///
    /// The value may be malformed; parsing it reveals that.
    pub(super) fn take_value(&mut self) -> Result<Option<()>, ReadError> {
        let start = self.at;
        let mut scan = ValueScanner::default();
        while self.peek()?.is_some() {
            let (used, is_whole) = scan.feed(&self.buffer[self.from..self.to]);
            self.take_many(used);
            self.check_length(start)?;
            if scan.depth > MAX_DEPTH {
                return Err(Fault::new(start, RecordError::TooDeep).into());
            }
            if is_whole {
                return Ok(Some(()));
            }
        }
        Ok(None)
    }

    fn check_length(&self, start: Position) -> Result<(), ReadError> {
        if self.taken.len().saturating_sub(self.whitespace) <= self.max_length {
            return Ok(());
        }
        if !is_json_prefix(&self.taken) {
            return Err(Fault::new(start, FileError::NotJson).into());
        }
        let problem = if self.max_length == MAX_HEADER {
            RecordError::HeaderTooLong
        } else {
            RecordError::TooLong
        };
        Err(Fault::new(start, problem).into())
    }
}

/// Returns true if a value is nested deeper than a record can be.
pub(super) fn is_too_deep(value: &[u8]) -> bool {
    let mut scan = ValueScanner::default();
    scan.feed(value);
    scan.depth > MAX_DEPTH
}

const fn is_whitespace(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Extent of a line that was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// The whole line, with its line feed.
    Whole,
    /// The start of a line that is longer than a record can be.
    TooLong,
    /// The start of a line; the file ends before its line feed.
    Torn,
}

/// Takes the rest of a line.
pub(super) fn take_line(splitter: &mut Splitter<'_>) -> Result<Line, ReadError> {
    let max_length = splitter.max_length();
    while splitter.peek()?.is_some() {
        let bytes = splitter.buffered_bytes();
        let feed = bytes.iter().position(|&byte| byte == b'\n');
        let count = feed.map_or(bytes.len(), |at| at + 1);
        // One byte more than the maximum holds the line feed, or shows that the line is too long.
        let room = (max_length + 1).saturating_sub(splitter.taken_bytes_mut().len());
        let kept = count.min(room);
        splitter.take_many(kept);
        splitter.skip(count - kept);
        if feed.is_some() {
            return Ok(match splitter.taken_bytes_mut().last() {
                Some(b'\n') => Line::Whole,
                _ => Line::TooLong,
            });
        }
    }
    Ok(Line::Torn)
}

/// Maximum nesting of a record.
const MAX_DEPTH: u32 = 64;

/// Search for the end of a value.
#[derive(Default)]
struct ValueScanner {
    depth: u32,
    in_string: bool,
    escaped: bool,
    /// True inside a number or a literal that is the whole value.
    in_word: bool,
}

impl ValueScanner {
    /// Scans more bytes. Returns the number of bytes that belong to the value, and true at its end.
    ///
    /// Stops early if the value is nested too deeply.
    fn feed(&mut self, bytes: &[u8]) -> (usize, bool) {
        for (index, &byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => {
                        self.in_string = false;
                        if self.depth == 0 {
                            return (index + 1, true);
                        }
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b':' | b'}' | b']' if self.in_word => {
                    return (index, true);
                }
                b'"' => self.in_string = true,
                b'{' | b'[' => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return (index + 1, false);
                    }
                }
                b'}' | b']' if self.depth > 0 => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return (index + 1, true);
                    }
                }
                _ => self.in_word = self.depth == 0,
            }
        }
        (bytes.len(), false)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Line, MAX_DEPTH, MAX_HEADER, MAX_RECORD, MAX_WHITESPACE, Splitter, ValueScanner, take_line,
    };
    use crate::journal::fault::{Position, ReadError};
    use crate::journal::problem::{Problem, RecordError};
    use std::collections::VecDeque;
    use std::io::{self, ErrorKind, Read};

    /// Reader of pieces and errors, one per call.
    struct Pieces(VecDeque<io::Result<Vec<u8>>>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let Some(piece) = self.0.pop_front() else {
                return Ok(0);
            };
            let piece = piece?;
            buffer[..piece.len()].copy_from_slice(&piece);
            Ok(piece.len())
        }
    }

    fn splitter(pieces: impl IntoIterator<Item = io::Result<Vec<u8>>>) -> Splitter<'static> {
        Splitter::new(Pieces(pieces.into_iter().collect()))
    }

    /// The problem with a value that was not taken.
    fn problem_of(taken: Result<Option<()>, ReadError>) -> Option<Problem> {
        match taken {
            Err(ReadError::Fault(fault)) => Some(fault.problem),
            _ => None,
        }
    }

    #[test]
    fn a_read_is_retried_only_after_an_interruption() {
        let after = |error: ErrorKind| splitter([Err(error.into()), Ok(b"x".to_vec())]).peek();
        assert_eq!(after(ErrorKind::Interrupted).ok(), Some(Some(b'x')));
        assert!(after(ErrorKind::Other).is_err());
    }

    #[test]
    fn lines_and_columns_are_counted_from_1() {
        let mut splitter = splitter([Ok(b"\n{}\n\n".to_vec()), Ok(b"  x".to_vec())]);
        for (line, column, byte) in [(2, 1, b'{'), (2, 2, b'}'), (4, 3, b'x')] {
            assert_eq!(splitter.peek_after_whitespace().ok(), Some(Some(byte)));
            assert_eq!(splitter.position(), Position { line, column });
            splitter.take_byte();
        }
    }

    #[test]
    fn white_space_is_kept_up_to_a_maximum() {
        let much = || Ok(vec![b' '; MAX_WHITESPACE / 2 + 1]);
        let mut splitter = splitter([much(), much(), much(), Ok(b"x".to_vec())]);
        assert_eq!(splitter.peek_after_whitespace().ok(), Some(Some(b'x')));
        assert_eq!(splitter.taken_bytes_mut().len(), 64 * 1024);
        assert_eq!(splitter.position().column, 3 * (32 * 1024 + 1) + 1);
    }

    #[test]
    fn a_value_is_taken_up_to_its_end() {
        for (text, value) in [
            (r#""a\"b\\" "c""#, r#""a\"b\\""#),
            ("12 ,", "12"),
            ("[1 , {} ] ]", "[1 , {} ]"),
        ] {
            for at in 0..text.len() {
                let (one, other) = text.as_bytes().split_at(at);
                let pieces = [one, other].map(<[u8]>::to_vec);
                let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
                let mut splitter = splitter(pieces.map(Ok));
                assert!(matches!(splitter.take_value(), Ok(Some(()))), "{text}");
                assert_eq!(
                    splitter.taken_bytes_mut(),
                    value.as_bytes(),
                    "{text} cut at {at}"
                );
            }
        }
    }

    #[test]
    fn lists_can_be_nested_64_times() {
        let nested = |depth: usize| {
            let mut splitter = splitter([Ok(vec![b'['; depth]), Ok(vec![b']'; depth])]);
            problem_of(splitter.take_value())
        };
        assert_eq!(nested(64), None);
        assert_eq!(nested(65), Some(RecordError::TooDeep.into()));
        let read = ValueScanner::default().feed(&[b'['; 100]);
        assert_eq!(
            read,
            (MAX_DEPTH as usize + 1, false),
            "nothing after that is read"
        );
    }

    #[test]
    fn a_header_can_have_two_megabytes_and_a_record_one() {
        let of_length = |length: usize, is_header: bool| {
            let text = [b"\"", &vec![b'a'; length - 2][..], b"\""].concat();
            let mut splitter = splitter(text.chunks(1000).map(|piece| Ok(piece.to_vec())));
            if !is_header {
                splitter.end_header();
            }
            problem_of(splitter.take_value())
        };
        let megabyte = 1024 * 1024;
        assert_eq!((MAX_RECORD, MAX_HEADER), (megabyte, 2 * megabyte));
        assert_eq!(of_length(megabyte, false), None);
        let problem = Some(RecordError::TooLong.into());
        assert_eq!(of_length(megabyte + 1, false), problem);
        assert_eq!(of_length(2 * megabyte, true), None);
        let problem = Some(RecordError::HeaderTooLong.into());
        assert_eq!(of_length(2 * megabyte + 1, true), problem);
    }

    fn take_line_of(length: usize, end: &[u8]) -> (Line, usize) {
        let text = [&vec![b' '; length][..], end].concat();
        let mut splitter = Splitter::new(&text[..]);
        splitter.end_header();
        let line = take_line(&mut splitter).expect("memory");
        (line, splitter.taken_bytes_mut().len())
    }

    #[test]
    fn a_line_can_have_a_megabyte() {
        let megabyte = 1024 * 1024;
        assert_eq!(take_line_of(megabyte, b"\n"), (Line::Whole, megabyte + 1));
        assert_eq!(take_line_of(megabyte + 1, b"\n").0, Line::TooLong);
        let (line, kept) = take_line_of(3 * megabyte, b"\n");
        assert_eq!((line, kept), (Line::TooLong, megabyte + 1));
        assert_eq!(take_line_of(3 * megabyte, b"").0, Line::Torn);
    }

    #[test]
    fn lines_are_taken_one_at_a_time() {
        let mut splitter = Splitter::new(&b"a\n\nb"[..]);
        for (line, text) in [
            (Line::Whole, &b"a\n"[..]),
            (Line::Whole, b"\n"),
            (Line::Torn, b"b"),
            (Line::Torn, b""),
        ] {
            splitter.begin_value();
            assert_eq!(take_line(&mut splitter).ok(), Some(line));
            assert_eq!(splitter.taken_bytes_mut(), text);
        }
    }
}
