use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::{display, on_one_line};
use crate::app::verdict::{conclude, open, to_the_end};
use crate::engine::{Event, Projection, Table, tied};
use crate::excerpt::excerpt;
use crate::i18n::{Text, text};
use crate::journal::{Deal, Header, Rules};
use crate::replay::Replay;
use crate::tokens::{TokenEvent, TokenGame};
use std::path::Path;

/// Prints what a journal's header says and how its game went, and the verdict.
pub(crate) fn show(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let header = header(path, replay.header());
    context.terminal.print_line(&header);
    let mut wars = Wars(0);
    let result = to_the_end(&mut replay, &mut wars);
    let events = replay.events().to_string();
    let turns = replay.turn().to_string();
    let bytes = replay.printed().bytes.to_string();
    let summary = match &replay.header().rules {
        Rules::War { .. } => text!(
            ShowSummary,
            events = events,
            turns = turns,
            wars = wars.0.to_string(),
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
    let deal = match &header.rules {
        Rules::War { deal, .. } => dealt(deal),
        Rules::Tokens(_) => text!(ShowCommitted),
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

/// Counts the wars: the turns whose highest card is shared.
struct Wars(u32);

impl Projection<Table> for Wars {
    fn project(&mut self, event: &Event, _: &Table, _: &mut String) {
        if let Event::Clash { plays } = event {
            self.0 += u32::from(!tied(plays).is_empty());
        }
    }
}

/// Token games have no wars.
impl Projection<TokenGame> for Wars {
    fn project(&mut self, _: &TokenEvent, _: &TokenGame, _: &mut String) {}
}
