use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::{display, on_one_line};
use crate::app::verdict::{Input, conclude, open};
use crate::engine;
use crate::i18n::{Message, Text, excerpt};
use crate::journal::{Deal, End, Event, Header, ReadError, Rules};
use crate::replay::Replay;
use std::path::Path;

/// Prints what a journal's header says and how its game went, and tells the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let header = header(path, replay.header());
    context.terminal.print_line(&header);
    let mut wars = 0;
    let result = count(&mut replay, &mut wars);
    let summary = match &replay.header().rules {
        Rules::War(_) => Text::new(Message::SHOW_SUMMARY).with("wars", wars.to_string()),
        Rules::Tokens(_) => Text::new(Message::SHOW_TOKENS_SUMMARY),
    };
    let summary = summary
        .with("events", replay.events().to_string())
        .with("turns", replay.turn().to_string())
        .with("bytes", replay.printed().bytes.to_string());
    context.terminal.print_line(&summary);
    conclude(path, result, replay.events(), &mut context.terminal)
}

fn header(path: &Path, header: &Header) -> Text {
    let deal = match &header.deal {
        Deal::Shuffled { generator } => {
            Text::new(Message::SHOW_SEED).with("seed", generator.seed())
        }
        Deal::Fixed {
            generator,
            seat,
            cards,
        } => Text::new(Message::SHOW_FIXED)
            .with("seed", generator.seed())
            .with("player", seat.number().to_string())
            .with("cards", cards.len()),
        Deal::Imported => Text::new(Message::SHOW_IMPORTED),
        Deal::Committed => Text::new(Message::SHOW_COMMITTED),
        Deal::Scenario { name } => Text::new(Message::SHOW_SCENARIO).with("name", shown(name)),
    };
    Text::new(Message::SHOW_HEADER)
        .with("file", display(path))
        .with("engine", shown(&header.engine))
        .with("rules", header.rules.id())
        .with("players", header.players.to_string())
        .with("deck", header.deck.name())
        .with("deal", deal)
        .with("lang", header.lang.code())
}

/// A text of the header: on one line, whatever it holds.
fn shown(text: &str) -> String {
    const LONGEST: usize = 400;
    on_one_line(&excerpt(text, LONGEST))
}

/// Verifies a journal to its end, and counts its wars: the turns whose highest card is
/// shared.
fn count(replay: &mut Replay<Input>, wars: &mut u32) -> Result<End, ReadError> {
    while let Some(event) = replay.event()? {
        if let Event::War(engine::Event::Clash { plays }) = &event {
            *wars += u32::from(!engine::tied(plays).is_empty());
        }
    }
    replay.end()
}
