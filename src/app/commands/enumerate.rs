//! `war enumerate`: all deals of a small deck.

use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::cli::Enumerate;
use crate::host::progress::Games;
use crate::host::signals::Interruption;
use crate::i18n::{Count, Text, text};
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
            NotEnumerable::TooMany(deals) => {
                text!(
                    EnumTooMany,
                    deals = context.terminal.catalogue.count(&deals),
                    most = Count(MOST_DEALS)
                )
            }
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
        deals = Count(enumeration.deals())
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
        let text = text!(EnumPlayed, deals = Count(exact.deals));
        context.terminal.print_line(&text);
    }
    print(&exact, enumeration.swaps(), context);
    if !whole {
        let text = text!(
            EnumPartial,
            deals = Count(exact.deals),
            all = Count(enumeration.deals())
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
    let catalogue = terminal.catalogue;
    let finished = exact.finished_games();
    terminal.print_line(&outcomes(exact, swaps));
    if exact.endless > 0 {
        let text = text!(
            EnumPeriods,
            min = Count(exact.periods.0.into()),
            max = Count(exact.periods.1.into())
        );
        terminal.print_line(&text);
    }
    if finished > 0 {
        let mean = |sum: u64| catalogue.decimal(sum as f64 / finished as f64, 6);
        let text = text!(
            EnumTurns,
            sum = Count(exact.turns),
            games = Count(finished),
            mean = mean(exact.turns),
            most = Count(exact.most_turns.into())
        );
        terminal.print_line(&text);
        let text = text!(
            EnumPairs,
            sum = Count(exact.pairs),
            games = Count(finished),
            mean = mean(exact.pairs),
            most = Count(exact.most_pairs)
        );
        terminal.print_line(&text);
    }
}

/// How the games ended: won by either player where only one of two swapped deals is played.
fn outcomes(exact: &Exact, swaps: bool) -> Text {
    let [first, second] = exact.won;
    let drawn = Count(exact.drawn);
    let endless = Count(exact.endless);
    let undecided = Count(exact.undecided);
    if swaps {
        let won = Count(first + second);
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
            first = Count(first),
            second = Count(second),
            drawn = drawn,
            endless = endless,
            undecided = undecided
        )
    }
}
