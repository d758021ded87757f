use super::fault::ReadError;
use super::reader::{EntryForm, Reader};
use super::versions::{end_json, header_json};

/// Where two journals part, and what each of them says there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What it is that differs.
    pub place: DifferencePlace,
    /// What the journals say; nothing where one has ended.
    pub sides: [String; 2],
}

/// What it is that differs in two journals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferencePlace {
    /// Their headers.
    Header,
    /// An event: there the games part.
    Event {
        /// Its place in the sequence, counted from 0.
        seq: u64,
        /// The turn it belongs to.
        turn: u32,
    },
    /// Their end records.
    End,
}

/// The differences of two journals: that of their headers, and the first one after it.
///
/// # Examples
///
/// ```
/// use war::journal::{Difference, DifferencePlace, Reader, differences};
///
/// let open = |name| {
///     let journal = std::fs::read(format!("journals/{name}.json")).unwrap();
///     Reader::open(std::io::Cursor::new(journal)).unwrap()
/// };
/// let found = differences(&mut [open("classic_dealt_won"), open("classic_cut_off")]).unwrap();
/// // The same game, and then its recording was cut off.
/// assert_eq!(found[0].place, DifferencePlace::Event { seq: 15, turn: 5 });
///
/// let found = differences(&mut [open("classic_dealt_won"), open("classic_dealt_won")]).unwrap();
/// assert_eq!(found, []);
/// ```
///
/// # Errors
///
/// What is wrong with one of them, by the index in `readers`.
pub fn differences(readers: &mut [Reader<'_>; 2]) -> Result<Vec<Difference>, (usize, ReadError)> {
    let headers = [0, 1].map(|side: usize| header_json(readers[side].header()));
    let headers = difference(DifferencePlace::Header, headers);
    let behind = records(readers)?;
    Ok(headers.into_iter().chain(behind).collect())
}

/// Compares event by event, then the ends.
fn records(readers: &mut [Reader<'_>; 2]) -> Result<Option<Difference>, (usize, ReadError)> {
    loop {
        let left = readers[0].entry_form().map_err(|error| (0, error))?;
        let right = readers[1].entry_form().map_err(|error| (1, error))?;
        let Some(first) = left.as_ref().or(right.as_ref()) else {
            break;
        };
        if left != right {
            let (seq, turn) = (first.seq, first.turn);
            let place = DifferencePlace::Event { seq, turn };
            let sides = [&left, &right].map(|form| form.as_ref().map(told).unwrap_or_default());
            return Ok(Some(Difference { place, sides }));
        }
    }
    let left = readers[0].end().map_err(|error| (0, error))?;
    let right = readers[1].end().map_err(|error| (1, error))?;
    let ends = [end_json(&left), end_json(&right)];
    Ok(difference(DifferencePlace::End, ends))
}

fn difference(place: DifferencePlace, sides: [String; 2]) -> Option<Difference> {
    (sides[0] != sides[1]).then_some(Difference { place, sides })
}

/// What an entry says: the event, the turn and the state after it.
fn told(form: &EntryForm) -> String {
    let EntryForm {
        event, turn, state, ..
    } = form;
    format!("{event} turn {turn} state {state}")
}
