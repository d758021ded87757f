//! The results of a simulation, as a table for people.

use crate::app::terminal::Terminal;
use crate::i18n::text;
use crate::plot::{dealt, limit};
use crate::simulate::{Estimate, Extreme, Run, Turns, share};

/// A number with three digits, or a percentage with as many.
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

/// A share of the games in percent; one game says nothing about how others end.
fn percent(part: u64, games: u64) -> String {
    let Estimate { value, error } = share(part, games);
    let error = (games > 1).then_some(error * 100.0);
    with_error(value * 100.0, error)
}

/// Prints the table.
pub(crate) fn print(run: &Run, terminal: &mut Terminal) {
    let tally = &run.tally;
    let (rules, games) = (&run.rules, tally.games());
    let text = text!(
        SimRules,
        players = rules.players.to_string(),
        deal = dealt(rules),
        face_down = rules.parameters.face_down.to_string(),
        collect = rules.parameters.collect.name(),
        rule = rules.parameters.out_of_cards.name(),
        limit = limit(rules, terminal.catalogue)
    );
    terminal.print_line(&text);
    if games == 0 {
        let text = text!(SimNoGames, seed = run.seed.to_string());
        terminal.print_line(&text);
        return;
    }
    let text = text!(
        SimGames,
        games = games.to_string(),
        seed = run.seed.to_string(),
        from = run.part.start.to_string(),
        to = run.part.end.saturating_sub(1).to_string()
    );
    terminal.print_line(&text);
    for (index, won) in tally.won[..rules.players.into()].iter().enumerate() {
        let (player, share) = ((index + 1).to_string(), percent(*won, games));
        terminal.print_line(&text!(SimWon, player = player, share = share));
    }
    let share = |part| percent(part, games);
    for (text, part) in [
        (text!(SimDrawn, share = share(tally.drawn)), tally.drawn),
        (
            text!(SimEndless, share = share(tally.endless)),
            tally.endless,
        ),
        (
            text!(SimUndecided, share = share(tally.undecided)),
            tally.undecided,
        ),
    ] {
        if part > 0 {
            terminal.print_line(&text);
        }
    }
    if tally.endless > 0 {
        let text = text!(
            SimPeriods,
            mean = decimals(tally.mean_period()),
            min = tally.cycles.min.to_string(),
            max = tally.cycles.max.to_string()
        );
        terminal.print_line(&text);
    }
    match Turns::of(&tally.turns) {
        Some(turns) => print_turns(run, turns, terminal),
        None => terminal.print_line(&text!(SimNoneFinished)),
    }
}

fn print_turns(run: &Run, turns: Turns, terminal: &mut Terminal) {
    let tally = &run.tally;
    let text = text!(
        SimTurns,
        mean = with_error(turns.mean, turns.se),
        sd = turns.sd.map_or_else(|| "-".to_owned(), decimals)
    );
    terminal.print_line(&text);
    let text = text!(
        SimQuantiles,
        p5 = turns.p5.to_string(),
        median = turns.median.to_string(),
        p95 = turns.p95.to_string(),
        p99 = turns.p99.to_string()
    );
    terminal.print_line(&text);
    let depths = tally.depths.counts().iter().map(u64::to_string);
    let depths: Vec<_> = depths.collect();
    let text = if depths.is_empty() {
        text!(SimNoWars)
    } else {
        text!(
            SimWars,
            mean = decimals(tally.mean_wars()),
            depths = depths.join(" ")
        )
    };
    terminal.print_line(&text);
    let seed = run.seed.to_string();
    if let Some(Extreme { game, turns }) = tally.shortest {
        let game = game.to_string();
        let text = text!(
            SimShortest,
            turns = turns,
            seed = seed.as_str(),
            game = game
        );
        terminal.print_line(&text);
    }
    if let Some(Extreme { game, turns }) = tally.longest {
        let text = text!(
            SimLongest,
            turns = turns,
            seed = seed,
            game = game.to_string()
        );
        terminal.print_line(&text);
    }
}
