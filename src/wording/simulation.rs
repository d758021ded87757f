//! The figures of a simulation, as a table for people.

use crate::i18n::{Catalogue, Count, Text, text};
use crate::plot::{dealt, limit};
use crate::simulate::{Estimate, Extreme, Run, Turns, share};

/// How many decimals a figure has.
const PLACES: usize = 3;

/// A value with its standard error, where one is known.
fn with_error(value: f64, error: Option<f64>, catalogue: &Catalogue) -> String {
    let value = catalogue.decimal(value, PLACES);
    match error {
        Some(error) => format!("{value} ± {}", catalogue.decimal(error, PLACES)),
        None => value,
    }
}

/// A share of the games in percent; one game says nothing about how others end.
fn percent(part: u64, games: u64, catalogue: &Catalogue) -> String {
    let Estimate { value, error } = share(part, games);
    let error = (games > 1).then_some(error * 100.0);
    with_error(value * 100.0, error, catalogue)
}

/// The lines of the table.
pub(crate) fn summary_lines(run: &Run, catalogue: &Catalogue) -> Vec<Text> {
    let tally = &run.tally;
    let (rules, games) = (&run.rules, tally.games());
    let parameters = &rules.parameters;
    let text = text!(
        SimRules,
        players = rules.players.to_string(),
        deal = dealt(rules),
        face_down = parameters.face_down.to_string(),
        collect = parameters.collect.name(),
        rule = parameters.out_of_cards.name(),
        limit = limit(rules, catalogue)
    );
    let mut lines = vec![text];
    if games == 0 {
        lines.push(text!(SimNoGames, seed = run.seed.to_string()));
        return lines;
    }
    let text = text!(
        SimGames,
        games = Count(games),
        seed = run.seed.to_string(),
        from = Count(run.part.start),
        to = Count(run.part.end.saturating_sub(1))
    );
    lines.push(text);
    for (index, won) in tally.won[..rules.players.into()].iter().enumerate() {
        let (player, share) = ((index + 1).to_string(), percent(*won, games, catalogue));
        lines.push(text!(SimWon, player = player, share = share));
    }
    let share = |part| percent(part, games, catalogue);
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
            lines.push(text);
        }
    }
    if tally.endless > 0 {
        let text = text!(
            SimPeriods,
            mean = catalogue.decimal(tally.mean_period(), PLACES),
            min = Count(tally.cycles.min.into()),
            max = Count(tally.cycles.max.into())
        );
        lines.push(text);
    }
    match Turns::of(&tally.turns) {
        Some(turns) => add_turns(run, turns, &mut lines, catalogue),
        None => lines.push(text!(SimNoneFinished)),
    }
    lines
}

fn add_turns(run: &Run, turns: Turns, lines: &mut Vec<Text>, catalogue: &Catalogue) {
    let tally = &run.tally;
    let sd = turns.sd.map(|sd| catalogue.decimal(sd, PLACES));
    let text = text!(
        SimTurns,
        mean = with_error(turns.mean, turns.se, catalogue),
        sd = sd.unwrap_or_else(|| "-".to_owned())
    );
    lines.push(text);
    let text = text!(
        SimQuantiles,
        p5 = Count(turns.p5.into()),
        median = Count(turns.median.into()),
        p95 = Count(turns.p95.into()),
        p99 = Count(turns.p99.into())
    );
    lines.push(text);
    let depths = tally.depths.counts().iter();
    let depths = depths.map(|games| catalogue.count(games));
    let depths: Vec<_> = depths.collect();
    let text = if depths.is_empty() {
        text!(SimNoWars)
    } else {
        text!(
            SimWars,
            mean = catalogue.decimal(tally.mean_wars(), PLACES),
            depths = depths.join(" ")
        )
    };
    lines.push(text);
    let seed = run.seed.to_string();
    if let Some(Extreme { game, turns }) = tally.shortest {
        let game = game.to_string();
        let text = text!(
            SimShortest,
            turns = Count(turns.into()),
            seed = seed.as_str(),
            game = game
        );
        lines.push(text);
    }
    if let Some(Extreme { game, turns }) = tally.longest {
        let text = text!(
            SimLongest,
            turns = Count(turns.into()),
            seed = seed,
            game = game.to_string()
        );
        lines.push(text);
    }
}
