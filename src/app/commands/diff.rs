use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::text::display;
use crate::app::verdict::{Reading, conclude};
use crate::host::progress::Together;
use crate::host::signals::{Interruption, is_interrupted};
use crate::host::standard;
use crate::i18n::{Text, text};
use crate::journal::{EntryForm, Judgement, ReadError, Reader, end_json, header_json};
use std::io::Read;
use std::path::Path;

/// Where two journals part: what it is, and what each of them says.
type Difference = (Text, [String; 2]);

/// Prints the first difference of two journals in their events or ends, after one in
/// their headers.
///
/// The result is 0 where there is none, and 1 where there is one.
pub(crate) fn diff(a: &Path, b: &Path, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_readers(context.terminal.catalogue);
    let paths = [a, b];
    let differences = match compare(paths) {
        Ok(differences) => differences,
        Err((side, Err(unread))) if is_interrupted() => {
            return Err(unreadable(paths[side], &unread.error));
        }
        Err((side, reading)) => {
            return Ok(conclude(paths[side], &reading, &mut context.terminal));
        }
    };
    if differences.is_empty() {
        context.terminal.print_line(&text!(DiffNone));
        return Ok(Exit::Success);
    }
    for (text, sides) in differences {
        context.terminal.print_line(&text);
        for (path, says) in paths.into_iter().zip(sides) {
            let side = text!(DiffSide, file = display(path), says = says);
            context.terminal.print_line(&side);
        }
    }
    Ok(Exit::Bad)
}

/// All there is to say of these journals; the error says which of them can't be compared.
fn compare(paths: [&Path; 2]) -> Result<Vec<Difference>, (usize, Reading)> {
    let refused = |error, events| Judgement::of(Err(error), None, events);
    let bar = Together::new(standard::bytes_of(&paths.map(Path::to_owned)));
    let mut readers = Vec::new();
    for (side, path) in paths.into_iter().enumerate() {
        let input = standard::open_measured(path).map_err(ReadError::from);
        let reader = input.and_then(|(input, _)| Reader::open(bar.reader(input)));
        readers.push(reader.map_err(|error| (side, refused(error, 0)))?);
    }
    let difference = records(&mut readers);
    let difference =
        difference.map_err(|(side, error)| (side, refused(error, readers[side].events())))?;
    Ok(headers(&readers).into_iter().chain(difference).collect())
}

fn headers<R: Read>(readers: &[Reader<R>]) -> Option<Difference> {
    let sides = [0, 1].map(|side: usize| header_json(readers[side].header()));
    (sides[0] != sides[1]).then(|| (text!(DiffHeader), sides))
}

/// Compares event by event, then the ends; the error says whose it is.
fn records<R: Read>(readers: &mut [Reader<R>]) -> Result<Option<Difference>, (usize, ReadError)> {
    loop {
        let left = readers[0].entry_form().map_err(|error| (0, error))?;
        let right = readers[1].entry_form().map_err(|error| (1, error))?;
        let Some(first) = left.as_ref().or(right.as_ref()) else {
            break;
        };
        if left != right {
            let text = text!(DiffEvent, seq = first.seq.to_string(), turn = first.turn);
            let sides = [&left, &right].map(|form| form.as_ref().map(told).unwrap_or_default());
            return Ok(Some((text, sides)));
        }
    }
    let left = readers[0].end().map_err(|error| (0, error))?;
    let right = readers[1].end().map_err(|error| (1, error))?;
    let sides = [end_json(&left), end_json(&right)];
    Ok((sides[0] != sides[1]).then(|| (text!(DiffEnd), sides)))
}

/// What an entry says: the event, the turn and the state after it.
fn told(form: &EntryForm) -> String {
    let EntryForm {
        event, turn, state, ..
    } = form;
    format!("{event} turn {turn} state {state}")
}
