//! What the first bytes of a file say that it is.

use super::{v1, v2};
use crate::support::fields::Tree;
use serde::de::DeserializeOwned;

/// What every journal begins with.
const BEGINNING: [&str; 4] = ["{", "\"format\"", ":", "\"war-journal\""];

/// Whether a text begins as every journal does, with its format, or ends before it can show.
pub(super) fn begins_journal(text: &[u8]) -> bool {
    behind(text, &BEGINNING).map_or_else(|ends| ends, |_| true)
}

/// Whether a text begins as a journal of version 2 does.
pub(super) fn begins_lines(text: &[u8]) -> bool {
    let rest = behind(text, &BEGINNING);
    let rest = rest.and_then(|rest| behind(rest, &[",", "\"version\"", ":", "2", ","]));
    rest.is_ok()
}

/// What follows these parts of a text, or whether it ends inside them.
fn behind<'a>(mut text: &'a [u8], parts: &[&str]) -> Result<&'a [u8], bool> {
    for part in parts.iter().map(|part| part.as_bytes()) {
        text = text.trim_ascii_start();
        text = text
            .strip_prefix(part)
            .ok_or_else(|| part.starts_with(text))?;
    }
    Ok(text)
}

/// Whether these are the fields before the events of a journal with sorted names, where the
/// format and others stand behind the events.
pub(super) fn is_sorted(text: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["chain", "console", "deal", "deck", "end", "engine"];
    let tree = serde_json::from_slice::<Tree>(text);
    tree.is_ok_and(|tree| tree.fields().iter().map(|(name, _)| name).eq(NAMES.iter()))
}

/// Whether this is one of the objects behind the header of a journal, of any version.
pub(super) fn is_record(text: &[u8]) -> bool {
    fn is<T: DeserializeOwned>(text: &[u8]) -> bool {
        serde_json::from_slice::<T>(text).is_ok()
    }
    is::<v1::Record<Tree>>(text) || is::<v2::CompactRecord<Tree>>(text) || is::<v2::EndRecord>(text)
}

/// What a line of version 1 begins with behind the first event, and the last one.
const MIDDLES: [&[u8]; 2] = [b",{\"seq\":", b"],\"end\":{"];

/// How much of a text shows whether it is the middle of a document: the longest of them.
pub(super) const MIDDLE: usize = MIDDLES[1].len();

/// Whether a text begins in the middle of a journal of version 1, with a line of it.
pub(super) fn begins_in_the_middle(text: &[u8]) -> bool {
    MIDDLES.iter().any(|middle| text.starts_with(middle))
}

#[cfg(test)]
mod tests {
    use super::begins_journal;

    #[test]
    fn a_journal_may_be_cut_anywhere_in_its_format() {
        let text = b"{ \"format\" :\n\"war-journal\" , \"version\"";
        for length in 1..=text.len() {
            assert!(begins_journal(&text[..length]), "{length} bytes");
        }
    }

    #[test]
    fn another_format_is_no_journal_however_it_is_cut() {
        for text in [
            &b"{\"version"[..],
            b"{\"format\",",
            b"{\"for mat\":\"war-journal\"",
            b"{\"format\":\"war- journal\"",
            b"{\"format\":\"war-journalist",
        ] {
            assert!(!begins_journal(text), "{}", text.escape_ascii());
        }
    }
}
