use crate::excerpt::excerpt;
use crate::i18n::{Text, text};
use crate::journal::{Deal, Format, Header, RecordedRules};
use crate::visible::on_one_line;

/// What the header of the journal in this file says of the game.
pub(crate) fn header_text(file: &str, header: &Header) -> Text {
    let deal = match &header.rules {
        RecordedRules::War { deal, .. } => dealt(deal),
        RecordedRules::Tokens(_) => text!(ShowCommitted),
    };
    text!(
        ShowHeader,
        file = file,
        engine = shown(&header.engine),
        rules = header.rules.id(),
        players = header.players.to_string(),
        deck = header.deck.name(),
        deal = deal,
        lang = header.lang.code()
    )
}

/// What version 2 adds to a header.
pub(crate) fn format_texts(format: &Format) -> Vec<Text> {
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
