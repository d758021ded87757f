//! What a journal's header says, in words.

use war::i18n::{Count, Text, text};
use war::journal::{Deal, Format, Header, RecordedRules};
use war::support::excerpt::excerpt;
use war::support::visible::on_one_line;

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
pub(crate) fn summary_text(
    rules: &RecordedRules,
    (events, turns, wars, bytes): (u64, u32, u32, u64),
) -> Text {
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
