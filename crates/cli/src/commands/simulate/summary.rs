//! Figures of a simulation, as a table.

use war::i18n::{Catalogue, Count, Text, text};
use war_simulate::plot::{deal_text, format_extra_rules};
use war_simulate::{
    ExtremeGame, Kernel, Mean, Moments, Run, TurnStatistics, has_quantile_error, share,
    share_bounds,
};

/// Decimals of a figure.
const DECIMALS: usize = 3;

/// Maximum number of decimals of a bound.
const MAX_DECIMALS: usize = 12;

/// Formats a value with its standard error, if known.
fn format_with_error(value: f64, error: Option<f64>, catalogue: &Catalogue) -> String {
    let value = catalogue.format_decimal(value, DECIMALS);
    match error {
        Some(error) => format!("{value} ± {}", catalogue.format_decimal(error, DECIMALS)),
        None => value,
    }
}

/// Formats the share of `part` in all games, in percent, with its standard error. For a share of 0%
/// or 100%, a bound replaces the error.
fn format_percent(part: u64, games: u64, catalogue: &Catalogue) -> String {
    let known = share(part, games);
    let bounds = share_bounds(part, games);
    let error = bounds.is_none().then_some(known.error * 100.0);
    // For three games or fewer, the bounds are 0% and 100%, and say nothing.
    let bounds = bounds.filter(|&(low, high)| low > 0.0 || high < 1.0);
    let value = format_with_error(known.value * 100.0, error, catalogue);
    let bound = |bound: f64| {
        // Enough decimals to show the first nonzero digit of the distance from 0 or 100.
        let (mut distance, mut places) = (bound.min(100.0 - bound) * 1_000.0, DECIMALS);
        while distance < 1.0 && places < MAX_DECIMALS {
            distance *= 10.0;
            places += 1;
        }
        catalogue.format_decimal(bound, places)
    };
    match bounds {
        Some((_, high)) if part == 0 => format!("{value} (< {})", bound(high * 100.0)),
        Some((low, _)) => format!("{value} (> {})", bound(low * 100.0)),
        None => value,
    }
}

/// Formats a mean with its standard error, if known.
fn format_mean(mean: Option<Mean>, catalogue: &Catalogue) -> String {
    let mean = mean.map(|mean| format_with_error(mean.value, mean.error, catalogue));
    mean.unwrap_or_else(|| "-".to_owned())
}

/// Lines of the summary; `kernel` is the engine that played, with the number of games left to the
/// general engine, or `None` if parts were joined.
pub(crate) fn summary_lines(
    run: &Run,
    kernel: Option<(Kernel, u64)>,
    catalogue: &Catalogue,
) -> Vec<Text> {
    let tally = &run.tally;
    let (rules, games) = (&run.setup, tally.games());
    let parameters = &rules.parameters;
    let text = text!(
        SimRules,
        players = rules.players.to_string(),
        deal = deal_text(rules),
        face_down = parameters.face_down.to_string(),
        collect = parameters.collect.to_string(),
        rule = parameters.out_of_cards.name(),
        rest = format_extra_rules(rules, catalogue)
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
    lines.extend(kernel.map(|(kernel, left)| match left {
        0 => text!(SimKernel, kernel = kernel.name()),
        _ => text!(
            SimKernelAndGeneral,
            kernel = kernel.name(),
            games = Count(left)
        ),
    }));
    for (index, won) in tally.won[..rules.players.into()].iter().enumerate() {
        let (player, share) = (
            (index + 1).to_string(),
            format_percent(*won, games, catalogue),
        );
        lines.push(text!(SimWon, player = player, share = share));
    }
    let share = |part| format_percent(part, games, catalogue);
    let endless = if rules.proves_endless() || tally.endless > 0 {
        text!(SimEndless, share = share(tally.endless))
    } else {
        text!(SimEndlessUnproven)
    };
    let endings = [
        (text!(SimDrawn, share = share(tally.drawn)), tally.drawn > 0),
        // Of more than one game, none that is endless is a result worth printing.
        (
            endless,
            tally.endless > 0 || games > 1 || !rules.proves_endless(),
        ),
        (
            text!(SimUndecided, share = share(tally.undecided)),
            tally.undecided > 0,
        ),
    ];
    let shown = endings.into_iter().filter(|(_, is_shown)| *is_shown);
    lines.extend(shown.map(|(text, _)| text));
    if tally.endless > 0 {
        let text = text!(
            SimPeriods,
            mean = format_mean(tally.periods.moments.mean(tally.endless), catalogue),
            min = Count(tally.periods.min.into()),
            max = Count(tally.periods.max.into())
        );
        lines.push(text);
    }
    match TurnStatistics::from_histogram(&tally.turns) {
        Some(turns) => add_turns(run, turns, &mut lines, catalogue),
        None => lines.push(text!(SimNoneFinished)),
    }
    if tally.endless > games / MANY_ENDLESS {
        lines.push(text!(
            SimManyEndless,
            collect = parameters.collect.to_string()
        ));
    }
    lines
}

/// Number of games among which more than one endless game is a reason to say why they are endless.
const MANY_ENDLESS: u64 = 10;

fn add_turns(run: &Run, turns: TurnStatistics, lines: &mut Vec<Text>, catalogue: &Catalogue) {
    let tally = &run.tally;
    let finished = tally.finished_games();
    // If the lengths differ but the standard error is zero, there are too few games to estimate it.
    let is_known = |sd: f64| turns.sd_error.filter(|&error| error > 0.0 || sd <= 0.0);
    let sd = turns
        .sd
        .map(|sd| format_with_error(sd, is_known(sd), catalogue));
    let mean = format_with_error(turns.mean, turns.mean_error, catalogue);
    let sd = sd.unwrap_or_else(|| "-".to_owned());
    lines.push(if finished < tally.games() {
        let games = Count(finished);
        text!(SimTurnsOfFinished, mean = mean, sd = sd, games = games)
    } else {
        text!(SimTurns, mean = mean, sd = sd)
    });
    let quantile = |index: usize, percent: u32, turns_of: u32| {
        let value = catalogue.format_count(&turns_of);
        let errors = turns.quantile_errors;
        match errors.filter(|_| has_quantile_error(finished, percent)) {
            Some(errors) => format!("{value} ± {}", catalogue.format_decimal(errors[index], 1)),
            None => value,
        }
    };
    let text = text!(
        SimQuantiles,
        p5 = quantile(0, 5, turns.p5),
        median = quantile(1, 50, turns.median),
        p95 = quantile(2, 95, turns.p95),
        p99 = quantile(3, 99, turns.p99)
    );
    lines.push(text);
    let of = |counted: Moments| format_mean(counted.mean(finished), catalogue);
    let depths = tally.depths.counts().iter();
    let depths = depths.map(|games| catalogue.format_count(games));
    let depths: Vec<_> = depths.collect();
    let text = if depths.is_empty() {
        text!(SimNoWars)
    } else {
        text!(SimWars, mean = of(tally.wars), depths = depths.join(" "))
    };
    lines.push(text);
    if tally.ties.sum > 0 {
        let (all, played_on) = (of(tally.ties), of(tally.played_on));
        lines.push(text!(SimTies, all = all, played_on = played_on));
    }
    lines.push(text!(SimPairs, mean = of(tally.comparisons)));
    let seed = run.seed.to_string();
    if let Some(ExtremeGame { game, turns }) = tally.shortest {
        let game = game.to_string();
        let text = text!(
            SimShortest,
            turns = Count(turns.into()),
            seed = seed.as_str(),
            game = game
        );
        lines.push(text);
    }
    if let Some(ExtremeGame { game, turns }) = tally.longest {
        let text = text!(
            SimLongest,
            turns = Count(turns.into()),
            seed = seed,
            game = game.to_string()
        );
        lines.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::summary_lines;
    use war::cards::Deck;
    use war::engine::Seat;
    use war::i18n::{Catalogue, Lang};
    use war::rules::Parameters;
    use war_simulate::{Conclusion, Dealing, GameResult, GameSetup, Run, Tally, Ties};

    #[test]
    fn the_largest_figures_are_printed() {
        let mut tally = Tally::default();
        for (game, turns) in [(0, u32::MAX), (1, u32::MAX - 105), (2, 1 << 31)] {
            let played = GameResult {
                conclusion: Conclusion::Won(Seat::FIRST),
                turns,
                wars: 0,
                ties: Ties::default(),
            };
            tally.count(game, &played);
        }
        let run = Run {
            setup: GameSetup {
                parameters: Parameters::BATAILLE,
                players: 2,
                deck: Deck::Large,
                dealing: Dealing::Shuffled,
            },
            seed: 1,
            games: 3,
            part: 0..3,
            partial: false,
            tally,
        };
        for (lang, most) in [
            (Lang::En, "4,294,967,295"),
            (Lang::Pl, "4\u{a0}294\u{a0}967\u{a0}295"),
        ] {
            let catalogue = Catalogue::built_in(lang);
            let lines = summary_lines(&run, None, catalogue);
            let lines: Vec<_> = lines
                .iter()
                .map(|line| catalogue.format_text(line))
                .collect();
            assert!(lines.iter().any(|line| line.contains(most)), "{lines:#?}");
        }
    }
}
