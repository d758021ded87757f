//! `war enumerate`: all deals of a small deck.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::Enumerate;
use crate::host::progress::Games;
use crate::host::signals::Interruption;
use crate::i18n::{Text, text};
use crate::plot::limit_text;
use crate::simulate::{Enumeration, Exact, MOST_DEALS, NotEnumerable};

/// Plays all deals of a deck in two equal hands.
pub(crate) fn enumerate(options: &Enumerate, context: &mut Context) -> Result<Exit, Failure> {
    let (parameters, _) = options.rules.parameters();
    let deck = options.deck;
    let enumeration = Enumeration::new(parameters, deck).map_err(|error| {
        let text = match error {
            NotEnumerable::Odd => text!(EnumOdd, deck = deck.name(), cards = deck.size()),
            NotEnumerable::Chance => text!(
                EnumChance,
                collect = parameters.collect.name(),
                rule = parameters.out_of_cards.name()
            ),
            NotEnumerable::TooMany(deals) => text!(
                EnumTooMany,
                deals = deals.to_string(),
                most = MOST_DEALS.to_string()
            ),
        };
        Failure::usage(text)
    })?;
    let interruption = Interruption::catch(|| ());
    let text = text!(
        EnumRules,
        deck = deck.name(),
        face_down = parameters.face_down.to_string(),
        collect = parameters.collect.name(),
        rule = parameters.out_of_cards.name(),
        limit = limit_text(enumeration.most_turns(), context.terminal.catalogue),
        deals = enumeration.deals().to_string()
    );
    context.terminal.print_line(&text);
    let text = if enumeration.swaps() {
        text!(EnumOneOfTwo)
    } else {
        text!(EnumSeats)
    };
    context.terminal.print_line(&text);
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
        let text = text!(EnumPlayed, deals = exact.deals.to_string());
        context.terminal.print_line(&text);
    }
    print(&exact, enumeration.swaps(), context);
    if !whole {
        let text = text!(
            EnumPartial,
            deals = exact.deals.to_string(),
            all = enumeration.deals().to_string()
        );
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
    terminal.print_line(&outcomes(exact, swaps));
    if exact.endless > 0 {
        let text = text!(
            EnumPeriods,
            min = exact.periods.0.to_string(),
            max = exact.periods.1.to_string()
        );
        terminal.print_line(&text);
    }
    if finished > 0 {
        let mean = |sum: u64| format!("{:.6}", sum as f64 / finished as f64);
        let text = text!(
            EnumTurns,
            sum = exact.turns.to_string(),
            games = finished,
            mean = mean(exact.turns),
            most = exact.most_turns.to_string()
        );
        terminal.print_line(&text);
        let text = text!(
            EnumPairs,
            sum = exact.pairs.to_string(),
            games = finished,
            mean = mean(exact.pairs),
            most = exact.most_pairs.to_string()
        );
        terminal.print_line(&text);
    }
}

/// How the games ended: won by either player where only one of two swapped deals is played.
fn outcomes(exact: &Exact, swaps: bool) -> Text {
    let [first, second] = exact.won;
    let drawn = exact.drawn.to_string();
    let endless = exact.endless.to_string();
    let undecided = exact.undecided.to_string();
    if swaps {
        let won = (first + second).to_string();
        text!(
            EnumOutcomesOfEither,
            won = won,
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    } else {
        text!(
            EnumOutcomes,
            first = first.to_string(),
            second = second.to_string(),
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    }
}
