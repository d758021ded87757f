use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::{display, on_one_line};
use crate::app::verdict::{Input, conclude, open};
use crate::engine;
use crate::excerpt::excerpt;
use crate::i18n::{Text, text};
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
    let events = replay.events().to_string();
    let turns = replay.turn().to_string();
    let bytes = replay.printed().bytes.to_string();
    let summary = match &replay.header().rules {
        Rules::War(_) => text!(
            ShowSummary,
            events = events,
            turns = turns,
            wars = wars.to_string(),
            bytes = bytes
        ),
        Rules::Tokens(_) => {
            text!(
                ShowTokensSummary,
                events = events,
                turns = turns,
                bytes = bytes
            )
        }
    };
    context.terminal.print_line(&summary);
    conclude(path, result, replay.events(), &mut context.terminal)
}

fn header(path: &Path, header: &Header) -> Text {
    let deal = match &header.deal {
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
        Deal::Committed => text!(ShowCommitted),
        Deal::Scenario { name } => text!(ShowScenario, name = shown(name)),
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
