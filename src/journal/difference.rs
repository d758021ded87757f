use super::fault::ReadError;
use super::reader::{JsonEntry, Reader};
use super::versions::{end_to_json, header_to_json};

/// A difference between two journals, with both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalDifference {
    /// The part of the journals that differs.
    pub part: JournalPart,
    /// The text of that part in each journal; empty if the journal has ended.
    pub sides: [String; 2],
}

/// Part of two journals that differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalPart {
    /// The headers.
    Header,
    /// The first event at which the games differ.
    Event {
        /// The sequence number of the event, counted from 0.
        seq: u64,
        /// The turn of the event.
        turn: u32,
    },
    /// The end records.
    End,
}

/// Compares two journals, and returns the difference of their headers and the first difference
/// after the headers.
///
/// # Examples
///
/// ```
/// use war::journal::{JournalDifference, JournalPart, Reader, find_differences};
///
/// let open = |name| {
///     let journal = std::fs::read(format!("journals/{name}.json")).unwrap();
///     Reader::open(std::io::Cursor::new(journal)).unwrap()
/// };
/// let found = find_differences(&mut [open("classic_dealt_won"), open("classic_cut_off")]).unwrap();
/// // The same game, but one recording was cut off.
/// assert_eq!(found[0].part, JournalPart::Event { seq: 15, turn: 5 });
///
/// let found = find_differences(&mut [open("classic_dealt_won"), open("classic_dealt_won")]).unwrap();
/// assert_eq!(found, []);
/// ```
///
/// # Errors
///
/// The error of a journal that can't be read, with its index in `readers`.
pub fn find_differences(
    readers: &mut [Reader<'_>; 2],
) -> Result<Vec<JournalDifference>, (usize, ReadError)> {
    let headers = [0, 1].map(|side: usize| header_to_json(readers[side].header()));
    let headers = compare_sides(JournalPart::Header, headers);
    let records = find_record_difference(readers)?;
    Ok(headers.into_iter().chain(records).collect())
}

/// Finds the first difference between the events or between the end records.
fn find_record_difference(
    readers: &mut [Reader<'_>; 2],
) -> Result<Option<JournalDifference>, (usize, ReadError)> {
    loop {
        let left = readers[0].next_entry().map_err(|error| (0, error))?;
        let right = readers[1].next_entry().map_err(|error| (1, error))?;
        let Some(first) = left.as_ref().or(right.as_ref()) else {
            break;
        };
        if left != right {
            let (seq, turn) = (first.seq, first.turn);
            let part = JournalPart::Event { seq, turn };
            let sides =
                [&left, &right].map(|entry| entry.as_ref().map(entry_text).unwrap_or_default());
            return Ok(Some(JournalDifference { part, sides }));
        }
    }
    let left = readers[0].read_end().map_err(|error| (0, error))?;
    let right = readers[1].read_end().map_err(|error| (1, error))?;
    let ends = [end_to_json(&left), end_to_json(&right)];
    Ok(compare_sides(JournalPart::End, ends))
}

fn compare_sides(part: JournalPart, sides: [String; 2]) -> Option<JournalDifference> {
    (sides[0] != sides[1]).then_some(JournalDifference { part, sides })
}

fn entry_text(entry: &JsonEntry) -> String {
    let JsonEntry {
        event, turn, state, ..
    } = entry;
    format!("{event} turn {turn} state {state}")
}
