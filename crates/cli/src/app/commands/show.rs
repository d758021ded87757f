use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, not_opened, open};
use crate::machine::signals::Interruption;
use crate::machine::text::display;
use crate::wording::{header_texts, summary_text};
use std::path::Path;
use war::replay::Replay;
use war::result::Tally;

/// Prints what a journal's header says and how its game went, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::of_readers(context.terminal.catalogue);
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(conclude(path, &not_opened(error), &mut context.terminal)),
    };
    for text in header_texts(&display(path), replay.header()) {
        context.terminal.print_line(&text);
    }
    let mut tally = Tally::default();
    let result = replay.read_to_end(&mut tally);
    let (events, turns) = (replay.events(), replay.turn());
    let (wars, bytes) = (tally.wars().unwrap_or_default(), replay.printed().bytes);
    let summary = summary_text(&replay.header().rules, (events, turns, wars, bytes));
    let reading = replay.judged(result);
    // Its bar would stand where the summary does.
    drop(replay);
    context.terminal.print_line(&summary);
    Ok(conclude(path, &reading, &mut context.terminal))
}
