//! What a simulation comes to, as a table for people.

use crate::app::terminal::Terminal;
use crate::i18n::{Message, Text};
use crate::plot::{dealt, limit};
use crate::simulate::{Estimate, Extreme, Run, Turns, share};

/// A number with three digits, or a share of a hundred with as many.
fn decimals(value: f64) -> String {
    format!("{value:.3}")
}

/// A value with its standard error, where one is known.
fn with_error(value: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{} ± {}", decimals(value), decimals(error)),
        None => decimals(value),
    }
}

/// A share of the games in hundredths; one game says nothing of how others end.
fn percent(part: u64, games: u64) -> String {
    let Estimate { value, error } = share(part, games);
    let error = (games > 1).then_some(error * 100.0);
    with_error(value * 100.0, error)
}

/// Prints the table.
pub(crate) fn print(run: &Run, terminal: &mut Terminal) {
    let tally = &run.tally;
    let (rules, games) = (&run.rules, tally.games());
    let text = Text::new(Message::SIM_RULES)
        .with("players", rules.players.to_string())
        .with("deal", dealt(rules))
        .with("face_down", rules.parameters.face_down.to_string())
        .with("collect", rules.parameters.collect.name())
        .with("rule", rules.parameters.out_of_cards.name())
        .with("limit", limit(rules, terminal.catalogue));
    terminal.print_line(&text);
    if games == 0 {
        let text = Text::new(Message::SIM_NO_GAMES).with("seed", run.seed.to_string());
        terminal.print_line(&text);
        return;
    }
    let text = Text::new(Message::SIM_GAMES)
        .with("games", games.to_string())
        .with("seed", run.seed.to_string())
        .with("from", run.part.start.to_string())
        .with("to", run.part.end.saturating_sub(1).to_string());
    terminal.print_line(&text);
    for (index, won) in tally.won[..rules.players.into()].iter().enumerate() {
        let text = Text::new(Message::SIM_WON).with("player", (index + 1).to_string());
        terminal.print_line(&text.with("share", percent(*won, games)));
    }
    for (message, part) in [
        (Message::SIM_DRAWN, tally.drawn),
        (Message::SIM_ENDLESS, tally.endless),
        (Message::SIM_UNDECIDED, tally.undecided),
    ] {
        if part > 0 {
            let text = Text::new(message).with("share", percent(part, games));
            terminal.print_line(&text);
        }
    }
    if tally.endless > 0 {
        let text = Text::new(Message::SIM_PERIODS)
            .with("mean", decimals(tally.mean_period()))
            .with("min", tally.cycles.min.to_string())
            .with("max", tally.cycles.max.to_string());
        terminal.print_line(&text);
    }
    match Turns::of(&tally.turns) {
        Some(turns) => print_turns(run, turns, terminal),
        None => terminal.print_line(&Text::new(Message::SIM_NONE_FINISHED)),
    }
}

fn print_turns(run: &Run, turns: Turns, terminal: &mut Terminal) {
    let tally = &run.tally;
    let text = Text::new(Message::SIM_TURNS)
        .with("mean", with_error(turns.mean, turns.se))
        .with("sd", turns.sd.map_or_else(|| "-".to_owned(), decimals));
    terminal.print_line(&text);
    let text = Text::new(Message::SIM_QUANTILES)
        .with("p5", turns.p5.to_string())
        .with("median", turns.median.to_string())
        .with("p95", turns.p95.to_string())
        .with("p99", turns.p99.to_string());
    terminal.print_line(&text);
    let depths = tally.depths.counts().iter().map(u64::to_string);
    let depths: Vec<_> = depths.collect();
    let text = if depths.is_empty() {
        Text::new(Message::SIM_NO_WARS)
    } else {
        Text::new(Message::SIM_WARS)
            .with("mean", decimals(tally.mean_wars()))
            .with("depths", depths.join(" "))
    };
    terminal.print_line(&text);
    let extremes = [
        (Message::SIM_SHORTEST, tally.shortest),
        (Message::SIM_LONGEST, tally.longest),
    ];
    for (message, extreme) in extremes {
        if let Some(Extreme { game, turns }) = extreme {
            let text = Text::new(message)
                .with("turns", turns)
                .with("seed", run.seed.to_string())
                .with("game", game.to_string());
            terminal.print_line(&text);
        }
    }
}
