use super::fault::ReadError;
use super::splitter::Splitter;
use std::io::Read;

/// What was taken of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// All of it, with its line feed.
    Whole,
    /// Its beginning, for it is longer than any record.
    TooLong,
    /// What there is of it: the file ends before its line feed.
    Torn,
}

/// Takes the rest of a line.
pub(super) fn take_line<R: Read>(splitter: &mut Splitter<R>) -> Result<Line, ReadError> {
    let longest = splitter.longest();
    while splitter.peek()?.is_some() {
        let bytes = splitter.buffered();
        let feed = bytes.iter().position(|&byte| byte == b'\n');
        let count = feed.map_or(bytes.len(), |at| at + 1);
        // One byte more than the longest line shows that it is longer, or that it ends.
        let room = (longest + 1).saturating_sub(splitter.taken().len());
        let kept = count.min(room);
        splitter.take_many(kept);
        splitter.pass(count - kept);
        if feed.is_some() {
            return Ok(match splitter.taken().last() {
                Some(b'\n') => Line::Whole,
                _ => Line::TooLong,
            });
        }
    }
    Ok(Line::Torn)
}

#[cfg(test)]
mod tests {
    use super::{Line, take_line};
    use crate::journal::splitter::Splitter;

    fn of_length(length: usize, end: &[u8]) -> (Line, usize) {
        let text = [&vec![b' '; length][..], end].concat();
        let mut splitter = Splitter::new(&text[..]);
        splitter.end_header();
        let line = take_line(&mut splitter).expect("memory");
        (line, splitter.taken().len())
    }

    #[test]
    fn a_line_may_have_a_megabyte() {
        let megabyte = 1024 * 1024;
        assert_eq!(of_length(megabyte, b"\n"), (Line::Whole, megabyte + 1));
        assert_eq!(of_length(megabyte + 1, b"\n").0, Line::TooLong);
        let (line, kept) = of_length(3 * megabyte, b"\n");
        assert_eq!((line, kept), (Line::TooLong, megabyte + 1));
        assert_eq!(of_length(3 * megabyte, b"").0, Line::Torn);
    }

    #[test]
    fn lines_are_taken_one_by_one() {
        let mut splitter = Splitter::new(&b"a\n\nb"[..]);
        for (line, text) in [
            (Line::Whole, &b"a\n"[..]),
            (Line::Whole, b"\n"),
            (Line::Torn, b"b"),
            (Line::Torn, b""),
        ] {
            splitter.begin();
            assert_eq!(take_line(&mut splitter).ok(), Some(line));
            assert_eq!(splitter.taken(), text);
        }
    }
}
