//! `war journal show`: summarizes a journal.

use crate::context::Context;
use crate::failure::{ExitStatus, Failure};
use crate::machine::signals::Interruption;
use crate::machine::text::path_text;
use crate::verdict::{judge_unopened_journal, open_journal, report_verdict};
use std::path::Path;
use war::i18n::{Count, Text, text};
use war::journal::{Deal, Header, JournalFormat, RecordedRules};
use war::replay::Replay;
use war::result::Tally;
use war::support::sanitize::replace_unprintable;
use war::support::sanitize::truncate_text;

/// Prints the header of a journal, a summary of its game, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<ExitStatus, Failure> {
    Interruption::catch_for_reading(context.terminal.catalogue);
    let mut replay = match Replay::open(open_journal(path)?, None) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_verdict(
                path,
                &judge_unopened_journal(error),
                &mut context.terminal,
            ));
        }
    };
    for text in header_texts(&path_text(path), replay.header()) {
        context.terminal.print_line(&text);
    }
    let mut tally = Tally::default();
    let result = replay.read_to_end(&mut tally);
    let summary = summary_text(
        &replay.header().rules,
        &SummaryFigures {
            events: replay.events(),
            turns: replay.turn(),
            wars: tally.wars().unwrap_or_default(),
            bytes: replay.console_digest().bytes,
        },
    );
    let reading = replay.judge(result);
    // The progress bar of the replay would overlap the summary.
    drop(replay);
    context.terminal.print_line(&summary);
    Ok(report_verdict(path, &reading, &mut context.terminal))
}

/// Describes the header of a journal.
pub(crate) fn header_texts(file: &str, header: &Header) -> Vec<Text> {
    let deal = match &header.rules {
        RecordedRules::War { deal, .. } => deal_text(deal),
        RecordedRules::Tokens(_) => text!(ShowCommitted),
    };
    let mut texts = vec![text!(
        ShowHeader,
        file = file,
        engine = one_line(&header.engine),
        rules = header.rules.id(),
        players = header.players.to_string(),
        deck = header.deck.name(),
        deal = deal,
        lang = header.lang.code()
    )];
    texts.extend(version_two_texts(&header.format));
    texts
}

/// Figures in the summary of a game; `bytes` is the size of the game's screens.
struct SummaryFigures {
    events: u64,
    turns: u32,
    wars: u32,
    bytes: u64,
}

/// Summary of a game.
fn summary_text(rules: &RecordedRules, figures: &SummaryFigures) -> Text {
    let (events, turns) = (Count(figures.events), Count(figures.turns.into()));
    let bytes = Count(figures.bytes);
    match rules {
        RecordedRules::War { .. } => text!(
            ShowSummary,
            events = events,
            turns = turns,
            wars = Count(figures.wars.into()),
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

/// Describes what version 2 adds to a header.
fn version_two_texts(format: &JournalFormat) -> Vec<Text> {
    let JournalFormat::V2 {
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
    let note = |(key, value)| text!(ShowNote, key = one_line(key), value = one_line(value));
    let notes = meta.iter().map(note);
    [form].into_iter().chain(digest).chain(notes).collect()
}

fn deal_text(deal: &Deal) -> Text {
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
        Deal::Scenario { name } => text!(ShowScenario, name = one_line(name)),
    }
}

/// Formats a text from the header on one line, shortened.
fn one_line(text: &str) -> String {
    const MAX_LENGTH: usize = 400;
    replace_unprintable(&truncate_text(text, MAX_LENGTH))
}
