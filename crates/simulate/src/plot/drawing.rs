use super::svg::{
    DRAWING_WIDTH, LEFT_PLOT, PLOT_BOTTOM, PLOT_TOP, RIGHT_PLOT, Svg, round_up_to_tick, to_f64,
};
use crate::figures::{TurnStatistics, share};
use crate::run::Run;
use crate::setup::{Dealing, GameSetup};
use war::i18n::{Catalogue, Text, text};

/// Maximum number of bars in the distribution.
const MAX_BARS: u64 = 60;

/// Draws charts of the results of a run as SVG, with the texts of this catalogue. The same run
/// gives the same bytes.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::i18n::{Catalogue, Lang};
/// use war_simulate::plot::draw_run;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, RunPlan};
///
/// let plan = RunPlan {
///     setup: GameSetup {
///         parameters: Parameters::BATAILLE,
///         players: 2,
///         deck: Deck::Small,
///         dealing: Dealing::Shuffled,
///     },
///     seed: 1,
///     games: 100,
///     part: 0..100,
///     kernel: Kernel::Fastest,
/// };
/// let run = plan.play(NonZero::<usize>::MIN, &());
/// let svg = draw_run(&run, Catalogue::built_in(Lang::En));
/// assert!(svg.starts_with("<svg"));
/// ```
#[must_use]
pub fn draw_run(run: &Run, catalogue: &Catalogue) -> String {
    let mut svg = Svg::new();
    svg.add_title(&catalogue.format_text(&title(&run.setup, catalogue)));
    let (games, seed) = (run.tally.games(), run.seed.to_string());
    let games = if run.partial {
        text!(PlotPartial, games = games, all = run.games, seed = seed)
    } else {
        text!(PlotGames, games = games, seed = seed)
    };
    svg.add_text(
        (DRAWING_WIDTH / 2.0, 50.0),
        "middle",
        12,
        &catalogue.format_text(&games),
    );
    if let Some(turns) = TurnStatistics::from_histogram(&run.tally.turns) {
        draw_distribution(&mut svg, run, turns, catalogue);
    } else {
        let none = catalogue.format_text(&text!(PlotNoneFinished));
        svg.add_text(
            (f64::midpoint(LEFT_PLOT.0, LEFT_PLOT.1), 240.0),
            "middle",
            13,
            &none,
        );
    }
    draw_outcomes(&mut svg, run, catalogue);
    svg.finish()
}

/// Returns the title, with the rules.
fn title(rules: &GameSetup, catalogue: &Catalogue) -> Text {
    text!(
        PlotTitle,
        players = rules.players.to_string(),
        deal = deal_text(rules),
        face_down = rules.parameters.face_down.to_string(),
        collect = rules.parameters.collect.to_string(),
        rule = rules.parameters.out_of_cards.name(),
        rest = format_extra_rules(rules, catalogue)
    )
}

/// Draws the distribution of turns, with mean and quantiles. Games in the longest 1 % are left out
/// if they are beyond the last bar.
fn draw_distribution(svg: &mut Svg, run: &Run, turns: TurnStatistics, catalogue: &Catalogue) {
    let (min, p99) = (u64::from(turns.min), u64::from(turns.p99));
    let width = round_up_to_tick((p99 + 1 - min).div_ceil(MAX_BARS));
    let first = min / width * width;
    let bar = |turns: u64| usize::try_from((turns - first) / width).unwrap_or(usize::MAX);
    let mut heights = vec![0_u64; bar(p99) + 1];
    for (turns, games) in run.tally.turns.iter() {
        if let Some(height) = heights.get_mut(bar(turns.into())) {
            *height += games;
        }
    }
    let finished = run.tally.finished_games();
    let shares: Vec<_> = heights
        .iter()
        .map(|&games| share(games, finished).value * 100.0)
        .collect();
    let highest = shares.iter().copied().fold(0.0, f64::max);
    let (last, step) = ((p99 / width + 1) * width, nice_step(highest));
    let top = top_mark(highest, step);
    // A bar is centred on its turns, so a bar that is one turn wide is centred above the mark of
    // that turn.
    let x = |turns: f64| {
        let along = (turns - to_f64(first) + 0.5) / to_f64(last - first);
        LEFT_PLOT.0 + along * (LEFT_PLOT.1 - LEFT_PLOT.0)
    };
    let y = |percent: f64| PLOT_BOTTOM - percent / top * (PLOT_BOTTOM - PLOT_TOP);
    for (start, height) in (0..).map(|bar| first + bar * width).zip(&shares) {
        let (from, to) = (x(to_f64(start) - 0.5), x(to_f64(start + width) - 0.5));
        svg.add_bar(
            (from, y(*height)),
            (to - from, PLOT_BOTTOM - y(*height)),
            "#4477aa",
        );
    }
    svg.add_axes(LEFT_PLOT);
    draw_percent_axis(svg, LEFT_PLOT.0, (top, step), &y, catalogue);
    let apart = round_up_to_tick((last - first).div_ceil(6));
    let mut tick = first.div_ceil(apart) * apart;
    while tick < last {
        let at = x(to_f64(tick));
        svg.add_line((at, PLOT_BOTTOM), (at, PLOT_BOTTOM + 5.0), "#333");
        svg.add_text((at, PLOT_BOTTOM + 20.0), "middle", 12, &tick.to_string());
        tick += apart;
    }
    let middle = f64::midpoint(LEFT_PLOT.0, LEFT_PLOT.1);
    let label = if u64::from(turns.max) < last {
        text!(PlotTurns, width = width)
    } else {
        text!(PlotTurnsButLongest, width = width)
    };
    svg.add_text(
        (middle, PLOT_BOTTOM + 52.0),
        "middle",
        13,
        &catalogue.format_text(&label),
    );
    let label = catalogue.format_text(&text!(PlotShareOfGames));
    svg.add_vertical_text(
        (LEFT_PLOT.0 - 55.0, f64::midpoint(PLOT_TOP, PLOT_BOTTOM)),
        &label,
    );
    draw_marks(svg, turns, &x, catalogue);
}

/// Draws the mean and the quantiles, each as a line with an entry in the legend.
fn draw_marks(
    svg: &mut Svg,
    turns: TurnStatistics,
    x: &impl Fn(f64) -> f64,
    catalogue: &Catalogue,
) {
    let mean = match turns.mean_error {
        Some(error) => format!(
            "{} ± {}",
            catalogue.format_decimal(turns.mean, 1),
            catalogue.format_decimal(error, 1)
        ),
        None => catalogue.format_decimal(turns.mean, 1),
    };
    let marks = [
        (turns.mean, text!(PlotMean, value = mean), "#cc3311"),
        (
            turns.median.into(),
            text!(PlotMedian, value = turns.median.to_string()),
            "#ee7733",
        ),
        (
            turns.p5.into(),
            text!(PlotP5, value = turns.p5.to_string()),
            "#009988",
        ),
        (
            turns.p95.into(),
            text!(PlotP95, value = turns.p95.to_string()),
            "#aa3377",
        ),
    ];
    for (row, (at, text, colour)) in (0_u8..).zip(marks) {
        svg.add_line((x(at), PLOT_TOP), (x(at), PLOT_BOTTOM), colour);
        let left = LEFT_PLOT.0 + 200.0 * f64::from(row);
        svg.add_line((left, 78.0), (left + 25.0, 78.0), colour);
        svg.add_text(
            (left + 31.0, 82.0),
            "start",
            12,
            &catalogue.format_text(&text),
        );
    }
}

/// Draws the shares of games won by each player, drawn, endless and undecided.
fn draw_outcomes(svg: &mut Svg, run: &Run, catalogue: &Catalogue) {
    let tally = &run.tally;
    let mut bars = Vec::new();
    for (index, &won) in tally.won[..run.setup.players.into()].iter().enumerate() {
        bars.push(((index + 1).to_string(), won, "#4477aa"));
    }
    for (text, games, colour) in [
        (text!(PlotDrawn), tally.drawn, "#ccbb44"),
        (text!(PlotEndless), tally.endless, "#ee6677"),
        (text!(PlotUndecided), tally.undecided, "#bbbbbb"),
    ] {
        if games > 0 {
            bars.push((catalogue.format_text(&text), games, colour));
        }
    }
    // Standard errors can't be estimated from a single game.
    let errors_are_known = tally.games() > 1;
    let bounds = |games: u64| {
        let share = share(games, tally.games());
        let error = if errors_are_known { share.error } else { 0.0 };
        let bound = |value: f64| (value * 100.0).clamp(0.0, 100.0);
        (
            bound(share.value),
            bound(share.value - error),
            bound(share.value + error),
        )
    };
    let shares: Vec<_> = bars.iter().map(|(_, games, _)| bounds(*games)).collect();
    let highest = shares.iter().map(|share| share.2).fold(0.0, f64::max);
    let step = nice_step(highest);
    let top = top_mark(highest, step);
    let y = |percent: f64| PLOT_BOTTOM - percent / top * (PLOT_BOTTOM - PLOT_TOP);
    let each =
        (RIGHT_PLOT.1 - RIGHT_PLOT.0) / f64::from(u8::try_from(bars.len()).unwrap_or(u8::MAX));
    let mut left = RIGHT_PLOT.0;
    for (index, ((label, _, colour), share)) in bars.iter().zip(shares).enumerate() {
        let (percent, lowest, highest) = share;
        let middle = left + each / 2.0;
        svg.add_bar(
            (left + each * 0.15, y(percent)),
            (each * 0.7, PLOT_BOTTOM - y(percent)),
            colour,
        );
        if errors_are_known {
            svg.add_line((middle, y(highest)), (middle, y(lowest)), "#000");
        }
        svg.add_text(
            (middle, y(highest) - 5.0),
            "middle",
            11,
            &catalogue.format_decimal(percent, 1),
        );
        // Words are wider than the players' numbers, so every other word is drawn lower.
        let is_word = index >= usize::from(run.setup.players);
        let lower = is_word && (index - usize::from(run.setup.players)) % 2 == 0;
        let below = if lower { 34.0 } else { 20.0 };
        svg.add_text((middle, PLOT_BOTTOM + below), "middle", 11, label);
        left += each;
    }
    svg.add_axes(RIGHT_PLOT);
    draw_percent_axis(svg, RIGHT_PLOT.0, (top, step), &y, catalogue);
    let label = catalogue.format_text(&text!(PlotWinner));
    let middle = f64::midpoint(RIGHT_PLOT.0, RIGHT_PLOT.1);
    svg.add_text((middle, PLOT_BOTTOM + 52.0), "middle", 13, &label);
    let label = catalogue.format_text(&text!(PlotOutcomes));
    svg.add_vertical_text(
        (RIGHT_PLOT.0 - 55.0, f64::midpoint(PLOT_TOP, PLOT_BOTTOM)),
        &label,
    );
}

fn draw_percent_axis(
    svg: &mut Svg,
    left: f64,
    (top, step): (f64, f64),
    y: &impl Fn(f64) -> f64,
    catalogue: &Catalogue,
) {
    let digits = usize::from(step < 1.0) + usize::from(step < 0.1);
    let mut percent = 0.0;
    while percent <= top + step / 2.0 {
        svg.add_line((left - 5.0, y(percent)), (left, y(percent)), "#333");
        svg.add_text(
            (left - 9.0, y(percent) + 4.0),
            "end",
            12,
            &format!("{}%", catalogue.format_decimal(percent, digits)),
        );
        percent += step;
    }
}

/// Returns the distance between the marks of an axis up to `highest`, for about five marks.
fn nice_step(highest: f64) -> f64 {
    let steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0];
    let fits = steps.into_iter().find(|step| highest / step <= 6.0);
    fits.unwrap_or(20.0)
}

/// Returns the top mark of an axis that shows values up to `highest`: at least one step.
fn top_mark(highest: f64, step: f64) -> f64 {
    (highest / step).ceil().max(1.0) * step
}

/// Returns a text that describes how the cards are dealt.
#[must_use]
pub fn deal_text(rules: &GameSetup) -> Text {
    match &rules.dealing {
        Dealing::Shuffled => text!(SimDealShuffled, deck = rules.deck.name()),
        Dealing::Fixed { seat, cards } => {
            let cards: Vec<_> = cards.iter().map(ToString::to_string).collect();
            text!(
                SimDealFixed,
                deck = rules.deck.name(),
                player = seat.number().to_string(),
                hand = cards.join(" ")
            )
        }
        Dealing::Given { name, .. } => {
            text!(SimDealGiven, name = name.as_str())
        }
    }
}

/// Formats two piles and a turn limit, to append to the other rules; empty if the setup has
/// neither.
#[must_use]
pub fn format_extra_rules(rules: &GameSetup, catalogue: &Catalogue) -> String {
    extra_rules_text(
        rules.parameters.piles.non_default_name(),
        rules.max_turns(),
        catalogue,
    )
}

/// Returns the description of two piles and a limit of turns, to append to other rules; empty if
/// there are none.
#[must_use]
pub fn extra_rules_text(piles: Option<&str>, turns: Option<u32>, catalogue: &Catalogue) -> String {
    let piles = piles.map(|piles| text!(SimPiles, piles = piles));
    let limit = turns.map(|turns| text!(SimLimit, turns = turns));
    let texts = piles.into_iter().chain(limit);
    texts.map(|text| catalogue.format_text(&text)).collect()
}
