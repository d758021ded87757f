use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::{display, on_one_line};
use crate::app::verdict::{Reading, conclude, open, to_the_end};
use crate::excerpt::excerpt;
use crate::i18n::{Count, Text, text};
use crate::journal::{Deal, Format, Header, RecordedRules};
use crate::replay::Replay;
use crate::result::Tally;
use std::path::Path;

/// Prints what a journal's header says and how its game went, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(conclude(path, &error.into(), &mut context.terminal)),
    };
    let header = header(path, replay.header());
    context.terminal.print_line(&header);
    for line in additions(&replay.header().format) {
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

fn header(path: &Path, header: &Header) -> Text {
    let deal = match &header.rules {
        RecordedRules::War { deal, .. } => dealt(deal),
        RecordedRules::Tokens(_) => text!(ShowCommitted),
    };
    text!(
        ShowHeader,
        file = display(path),
        engine = shown(&header.engine),
        rules = header.rules.id(),
        players = header.players.to_string(),
        deck = header.deck.name(),
        deal = deal,
        lang = header.lang.code()
    )
}

/// What version 2 adds to a header.
fn additions(format: &Format) -> Vec<Text> {
    let Format::V2 {
        compact,
        meta,
        upgraded_from,
    } = format
    else {
        return Vec::new();
    };
    let form = if *compact {
        text!(ShowCompact)
    } else {
        text!(ShowFull)
    };
    let digest = upgraded_from.map(|digest| text!(ShowUpgraded, digest = digest.to_string()));
    let note = |(key, value)| text!(ShowNote, key = shown(key), value = shown(value));
    let notes = meta.iter().map(note);
    [form].into_iter().chain(digest).chain(notes).collect()
}

fn dealt(deal: &Deal) -> Text {
    match deal {
        Deal::Shuffled { generator } => {
            text!(ShowSeed, seed = generator.seed())
        }
        Deal::Fixed {
            generator,
            seat,
            cards,
        } => text!(
            ShowFixed,
            seed = generator.seed(),
            player = seat.number().to_string(),
            cards = cards.len()
        ),
        Deal::Imported => text!(ShowImported),
        Deal::Scenario { name } => text!(ShowScenario, name = shown(name)),
    }
}

/// A text of the header: on one line, whatever it holds.
fn shown(text: &str) -> String {
    const LONGEST: usize = 400;
    on_one_line(&excerpt(text, LONGEST))
}
