//! The chain of a journal made to fit, as the book says it is computed.

/// A journal whose lines are records with a link each, with the links that they should have.
///
/// What is not such a line stays as it is, and so does all that follows an event without a link: the
/// links of a compact journal cover what it does not write.
pub fn relinked(journal: &[u8]) -> Vec<u8> {
    let mut last = String::new();
    let mut is_compact = false;
    let mut out = Vec::with_capacity(journal.len());
    for line in journal.split_inclusive(|&byte| byte == b'\n') {
        match Parts::of(line) {
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

/// What stands before the digits of a link.
const LINK: &[u8] = b",\"chain\":\"";
/// The digits of a link.
const DIGITS: usize = 32;

/// The parts of a line.
struct Parts<'a> {
    /// What stands before the record.
    before: &'a [u8],
    /// The record up to its link.
    record: &'a [u8],
    /// What follows the link's digits.
    after: &'a [u8],
}

impl<'a> Parts<'a> {
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
