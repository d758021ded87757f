use super::exit::{Exit, Failure};
use super::verdict::{Input, conclude, open};
use super::{Context, display};
use crate::engine::{self, Step};
use crate::i18n::{Message, Text};
use crate::journal::{Deal, End, Event, Header, ReadError};
use crate::replay::Replay;
use std::path::Path;

/// Prints what a journal's header says and how its game went, and tells the verdict.
pub(super) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let header = header(path, replay.header());
    context.terminal.print_line(&header);
    let mut wars = 0;
    let result = count(&mut replay, &mut wars);
    let summary = Text::new(Message::SHOW_SUMMARY)
        .with("events", replay.events().to_string())
        .with("turns", replay.turn().to_string())
        .with("wars", wars.to_string())
        .with("bytes", replay.printed().bytes.to_string());
    context.terminal.print_line(&summary);
    conclude(path, result, replay.events(), &mut context.terminal)
}

fn header(path: &Path, header: &Header) -> Text {
    let deal = match &header.deal {
        Deal::Shuffled { generator } => {
            Text::new(Message::SHOW_SEED).with("seed", generator.seed())
        }
        Deal::Imported => Text::new(Message::SHOW_IMPORTED),
        Deal::Committed => Text::new(Message::SHOW_COMMITTED),
        Deal::Scenario { name } => Text::new(Message::SHOW_SCENARIO).with("name", name.as_str()),
    };
    Text::new(Message::SHOW_HEADER)
        .with("file", display(path))
        .with("engine", header.engine.as_str())
        .with("rules", header.rules.id())
        .with("players", header.players.to_string())
        .with("deck", header.deck.name())
        .with("deal", deal)
        .with("lang", header.lang.code())
}

/// Verifies a journal to its end, and counts its wars.
fn count(replay: &mut Replay<Input>, wars: &mut u32) -> Result<End, ReadError> {
    let mut at_war = false;
    while let Some(event) = replay.event()? {
        let Event::War(event) = event else {
            continue;
        };
        let of_war = match event {
            engine::Event::FaceDown { .. } | engine::Event::WarRound { .. } => true,
            engine::Event::EndOfCards { step, .. } => step != Step::TurnEnd,
            _ => false,
        };
        at_war |= of_war;
        if matches!(event, engine::Event::Collected { .. }) && std::mem::take(&mut at_war) {
            *wars += 1;
        }
    }
    replay.end()
}
