//! `war enumerate`: all deals of a small deck.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::Enumerate;
use crate::host::progress::Games;
use crate::host::signals::Interruption;
use crate::i18n::{Message, Text};
use crate::plot::limit_text;
use crate::simulate::{Enumeration, Exact, MOST_DEALS, NotEnumerable};

/// Plays all deals of a deck in two equal hands.
pub(crate) fn enumerate(options: &Enumerate, context: &mut Context) -> Result<Exit, Failure> {
    let (parameters, _) = options.rules.parameters();
    let deck = options.deck;
    let enumeration = Enumeration::new(parameters, deck).map_err(|error| {
        let text = match error {
            NotEnumerable::Odd => Text::new(Message::ENUM_ODD)
                .with("deck", deck.name())
                .with("cards", deck.size()),
            NotEnumerable::Chance => Text::new(Message::ENUM_CHANCE)
                .with("collect", parameters.collect.name())
                .with("rule", parameters.out_of_cards.name()),
            NotEnumerable::TooMany(deals) => Text::new(Message::ENUM_TOO_MANY)
                .with("deals", deals.to_string())
                .with("most", MOST_DEALS.to_string()),
        };
        Failure::usage(text)
    })?;
    let interruption = Interruption::catch(|| ());
    let text = Text::new(Message::ENUM_RULES)
        .with("deck", deck.name())
        .with("face_down", parameters.face_down.to_string())
        .with("collect", parameters.collect.name())
        .with("rule", parameters.out_of_cards.name())
        .with(
            "limit",
            limit_text(enumeration.most_turns(), context.terminal.catalogue),
        )
        .with("deals", enumeration.deals().to_string());
    context.terminal.print_line(&text);
    let message = if enumeration.swaps() {
        Message::ENUM_ONE_OF_TWO
    } else {
        Message::ENUM_SEATS
    };
    context.terminal.print_line(&Text::new(message));
    context.terminal.flush();
    let watch = Games::new(
        enumeration.deals(),
        &interruption,
        context.terminal.catalogue,
    );
    let exact = enumeration.play_all(options.jobs.number(), &watch);
    drop(watch);
    let whole = exact.deals == enumeration.deals();
    if !whole {
        let text = Text::new(Message::ENUM_PLAYED).with("deals", exact.deals.to_string());
        context.terminal.print_line(&text);
    }
    print(&exact, enumeration.swaps(), context);
    if !whole {
        let text = Text::new(Message::ENUM_PARTIAL)
            .with("deals", exact.deals.to_string())
            .with("all", enumeration.deals().to_string());
        context.terminal.warning(&text);
        return Ok(Exit::Incomplete);
    }
    Ok(Exit::Success)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
fn print(exact: &Exact, swaps: bool, context: &mut Context) {
    let terminal = &mut context.terminal;
    let finished = exact.finished_games();
    let message = if swaps {
        Message::ENUM_OUTCOMES_OF_EITHER
    } else {
        Message::ENUM_OUTCOMES
    };
    let text = Text::new(message)
        .with("won", (exact.won[0] + exact.won[1]).to_string())
        .with("first", exact.won[0].to_string())
        .with("second", exact.won[1].to_string())
        .with("drawn", exact.drawn.to_string())
        .with("endless", exact.endless.to_string())
        .with("undecided", exact.undecided.to_string());
    terminal.print_line(&text);
    if exact.endless > 0 {
        let text = Text::new(Message::ENUM_PERIODS)
            .with("min", exact.periods.0.to_string())
            .with("max", exact.periods.1.to_string());
        terminal.print_line(&text);
    }
    if finished > 0 {
        for (message, sum, most) in [
            (
                Message::ENUM_TURNS,
                exact.turns,
                u64::from(exact.most_turns),
            ),
            (Message::ENUM_PAIRS, exact.pairs, exact.most_pairs),
        ] {
            let text = Text::new(message)
                .with("sum", sum.to_string())
                .with("games", finished)
                .with("mean", format!("{:.6}", sum as f64 / finished as f64))
                .with("most", most.to_string());
            terminal.print_line(&text);
        }
    }
}
