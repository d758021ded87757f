//! Computation of a journal's chain, as specified in the book.

/// Recomputes the links of the records in a journal.
///
/// Lines without a link stay unchanged, and so does everything after an event without a link: the
/// links of a compact journal cover fields that it does not write.
pub fn relink(journal: &[u8]) -> Vec<u8> {
    let mut last = String::new();
    let mut is_compact = false;
    let mut out = Vec::with_capacity(journal.len());
    for line in journal.split_inclusive(|&byte| byte == b'\n') {
        match LinkedLine::of(line) {
            None => {
                is_compact |= line.starts_with(b"{\"event\":");
                out.extend_from_slice(line);
            }
            Some(_) if is_compact => out.extend_from_slice(line),
            Some(parts) => {
                let mut hasher = blake3::Hasher::new();
                hasher.update(last.as_bytes());
                hasher.update(parts.record).update(b"}");
                last.clear();
                last.push_str(&hasher.finalize().to_hex()[..DIGITS]);
                for part in [
                    parts.before,
                    parts.record,
                    LINK,
                    last.as_bytes(),
                    parts.after,
                ] {
                    out.extend_from_slice(part);
                }
            }
        }
    }
    out
}

/// Text before the digits of a link.
const LINK: &[u8] = b",\"chain\":\"";
/// Number of digits of a link.
const DIGITS: usize = 32;

/// Fields of a line with a link.
struct LinkedLine<'a> {
    before: &'a [u8],
    /// The record up to its link.
    record: &'a [u8],
    /// The text after the link's digits.
    after: &'a [u8],
}

impl<'a> LinkedLine<'a> {
    fn of(line: &'a [u8]) -> Option<Self> {
        let start = line.iter().position(|&byte| byte == b'{')?;
        let chain = line.windows(LINK.len()).rposition(|found| found == LINK)?;
        Some(Self {
            before: &line[..start],
            record: line.get(start..chain)?,
            after: line.get(chain + LINK.len() + DIGITS..)?,
        })
    }
}
