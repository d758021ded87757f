use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::display;
use crate::app::verdict::{Reading, conclude, open, to_the_end};
use crate::i18n::{Count, text};
use crate::journal::RecordedRules;
use crate::replay::Replay;
use crate::result::Tally;
use crate::wording::{format_texts, header_text};
use std::path::Path;

/// Prints what a journal's header says and how its game went, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(conclude(path, &error.into(), &mut context.terminal)),
    };
    let header = header_text(&display(path), replay.header());
    context.terminal.print_line(&header);
    for line in format_texts(&replay.header().format) {
        context.terminal.print_line(&line);
    }
    let mut tally = Tally::default();
    let result = to_the_end(&mut replay, &mut tally);
    let events = Count(replay.events());
    let turns = Count(replay.turn().into());
    let bytes = Count(replay.printed().bytes);
    let summary = match &replay.header().rules {
        RecordedRules::War { .. } => text!(
            ShowSummary,
            events = events,
            turns = turns,
            wars = Count(tally.wars().unwrap_or_default().into()),
            bytes = bytes
        ),
        RecordedRules::Tokens(_) => {
            text!(
                ShowTokensSummary,
                events = events,
                turns = turns,
                bytes = bytes
            )
        }
    };
    let reading = Reading::of(&replay, result);
    // Its bar would stand where the summary does.
    drop(replay);
    context.terminal.print_line(&summary);
    Ok(conclude(path, &reading, &mut context.terminal))
}
