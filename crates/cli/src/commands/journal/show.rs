//! `war journal show`: what a journal's header says, and how its game went.

use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::machine::signals::Interruption;
use crate::machine::text::display;
use crate::verdict::{judge_unopened, open, report_verdict};
use std::path::Path;
use war::i18n::{Count, Text, text};
use war::journal::{Deal, Format, Header, RecordedRules};
use war::replay::Replay;
use war::result::Tally;
use war::support::visible::excerpt;
use war::support::visible::on_one_line;

/// Prints what a journal's header says and how its game went, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    Interruption::catch_for_reading(context.terminal.catalogue);
    let mut replay = match Replay::open(open(path)?, None) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_verdict(
                path,
                &judge_unopened(error),
                &mut context.terminal,
            ));
        }
    };
    for text in header_texts(&display(path), replay.header()) {
        context.terminal.print_line(&text);
    }
    let mut tally = Tally::default();
    let result = replay.read_to_end(&mut tally);
    let (events, turns) = (replay.events(), replay.turn());
    let (wars, bytes) = (tally.wars().unwrap_or_default(), replay.printed().bytes);
    let summary = summary_text(&replay.header().rules, (events, turns, wars, bytes));
    let reading = replay.judge(result);
    // Its bar would stand where the summary does.
    drop(replay);
    context.terminal.print_line(&summary);
    Ok(report_verdict(path, &reading, &mut context.terminal))
}

/// What the header of the journal in this file says.
pub(crate) fn header_texts(file: &str, header: &Header) -> Vec<Text> {
    let deal = match &header.rules {
        RecordedRules::War { deal, .. } => dealt(deal),
        RecordedRules::Tokens(_) => text!(ShowCommitted),
    };
    let mut texts = vec![text!(
        ShowHeader,
        file = file,
        engine = shown(&header.engine),
        rules = header.rules.id(),
        players = header.players.to_string(),
        deck = header.deck.name(),
        deal = deal,
        lang = header.lang.code()
    )];
    texts.extend(additions(&header.format));
    texts
}

/// How a game of these rules went: so many events, turns, wars, and bytes printed.
fn summary_text(rules: &RecordedRules, (events, turns, wars, bytes): (u64, u32, u32, u64)) -> Text {
    let (events, turns, bytes) = (Count(events), Count(turns.into()), Count(bytes));
    match rules {
        RecordedRules::War { .. } => text!(
            ShowSummary,
            events = events,
            turns = turns,
            wars = Count(wars.into()),
            bytes = bytes
        ),
        RecordedRules::Tokens(_) => text!(
            ShowTokensSummary,
            events = events,
            turns = turns,
            bytes = bytes
        ),
    }
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
