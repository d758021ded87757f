use super::exit::{Exit, Failure};
use super::verdict::{Input, conclude, open};
use super::{Context, display};
use crate::i18n::{Message, Text};
use crate::journal::{Entry, ReadError, Reader, end_json, event_json, header_json};
use std::path::Path;

/// Where two journals part: what it is, and what each of them says.
type Difference = (Text, [String; 2]);

/// Which of two journals could not be read, and why.
type Unreadable = (usize, ReadError);

/// Prints the first difference of two journals: in the header, an event or the end.
///
/// The result is 0 where there is none, and 1 where there is one.
pub(super) fn diff(a: &Path, b: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let paths = [a, b];
    match compare([open(a, true)?, open(b, true)?]) {
        Ok(None) => {
            context.terminal.print_line(&Text::new(Message::DIFF_NONE));
            Ok(Exit::Success)
        }
        Ok(Some((text, sides))) => {
            context.terminal.print_line(&text);
            for (path, says) in paths.into_iter().zip(sides) {
                let side = Text::new(Message::DIFF_SIDE)
                    .with("file", display(path))
                    .with("says", says);
                context.terminal.print_line(&side);
            }
            Ok(Exit::Bad)
        }
        Err((side, error)) => conclude(paths[side], Err(error), 0, &mut context.terminal),
    }
}

fn compare([a, b]: [Input; 2]) -> Result<Option<Difference>, Unreadable> {
    let mut a = Reader::open(a).map_err(of_a)?;
    let mut b = Reader::open(b).map_err(of_b)?;
    if a.header() != b.header() {
        let sides = [header_json(a.header()), header_json(b.header())];
        return Ok(Some((Text::new(Message::DIFF_HEADER), sides)));
    }
    loop {
        let (left, right) = (a.entry().map_err(of_a)?, b.entry().map_err(of_b)?);
        let same = match (&left, &right) {
            (None, None) => break,
            (Some(left), Some(right)) => left.event == right.event,
            _ => false,
        };
        if !same {
            let (seq, turn) = left
                .as_ref()
                .or(right.as_ref())
                .map_or((0, 0), |entry| (entry.seq, entry.turn));
            let text = Text::new(Message::DIFF_EVENT).with("seq", seq.to_string());
            return Ok(Some((text.with("turn", turn), [event(left), event(right)])));
        }
    }
    let (left, right) = (a.end().map_err(of_a)?, b.end().map_err(of_b)?);
    let sides = [end_json(&left), end_json(&right)];
    Ok((left != right).then(|| (Text::new(Message::DIFF_END), sides)))
}

const fn of_a(error: ReadError) -> Unreadable {
    (0, error)
}

const fn of_b(error: ReadError) -> Unreadable {
    (1, error)
}

/// The event of an entry; nothing where the journal has ended.
fn event(entry: Option<Entry>) -> String {
    entry
        .map(|entry| event_json(&entry.event))
        .unwrap_or_default()
}
