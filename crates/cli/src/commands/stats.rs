//! `war stats`: prints the figures of a recorded game as tables. Also checks the names of SVG
//! files.

use super::game_figures::{FigureFormat, format_figures};
use crate::context::Context;
use crate::failure::{ExitStatus, Failure, check_not_overwritten};
use crate::machine::input::is_standard_stream;
use crate::machine::output_files::{OutputFiles, write_outputs};
use crate::machine::signals::Interruption;
use crate::verdict::{judge_unopened_journal, open_journal, report_verdict};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};
use war::i18n::{Catalogue, Count, Text, text};
use war::journal::{Judgement, RecordedRules, Verdict};
use war::projections::statistics::{
    Statistics, TokenPlayerStatistics, TokenStatistics, WarPlayerStatistics, WarStatistics,
};
use war::replay::Replay;
use war::support::sanitize::replace_unprintable;
use war_simulate::plot::{draw_card_counts, draw_text_chart};

pub(crate) const STATS_EXAMPLES: &str = "\
Examples:
  war stats game.json                  print its figures, and a chart of everyone's cards
  war stats game.json --plot game.svg  draw the chart, too
  war stats game.json --format csv -o game.csv
                                       write a row for each player
  cat game.json | war stats -          read standard input

The journal is verified first, as `war replay` does. Nothing is printed of one
that is DAMAGED or DIVERGED; of one that is INCOMPLETE, what is intact.";

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Journal of the game, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// File for the figures, or - for standard output; if its name ends in `.svg`, it gets the
    /// chart in their place
    #[arg(long, short, value_name = "FILE", default_value = "-", conflicts_with = "plot", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Draw the chart in this SVG file (- for standard output, in place of the figures)
    #[arg(long, alias = "svg", value_name = "FILE.svg")]
    pub(crate) plot: Option<PathBuf>,
    /// Print the figures for other programs, without the chart
    #[arg(
        long,
        value_name = "FORMAT",
        value_enum,
        ignore_case = true,
        conflicts_with = "plot"
    )]
    pub(crate) format: Option<FigureFormat>,
}

/// Files for a game's figures and its chart; `-` is standard output.
struct StatsOutputs<'a> {
    figures: Option<&'a Path>,
    chart: Option<&'a Path>,
}

impl StatsArgs {
    fn to_outputs(&self) -> StatsOutputs<'_> {
        let is_svg = |path: &Path| {
            path.extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("svg"))
        };
        let (output, plot) = (self.output.as_path(), self.plot.as_deref());
        let (figures, chart) = match plot {
            Some(plot) if is_standard_stream(plot) => (None, plot),
            Some(plot) => (Some(output), plot),
            None if is_svg(output) && self.format.is_none() => (None, output),
            None => {
                return StatsOutputs {
                    figures: Some(output),
                    chart: None,
                };
            }
        };
        StatsOutputs {
            figures,
            chart: Some(chart),
        }
    }
}

/// Checks that an SVG file is not named like another kind of picture.
///
/// # Errors
///
/// If the file has the extension of another format.
pub(crate) fn check_svg_name(file: Option<&Path>) -> Result<(), Text> {
    const OTHER_EXTENSIONS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];
    let Some(path) = file else {
        return Ok(());
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if OTHER_EXTENSIONS.contains(&extension.to_lowercase().as_str()) {
        let file = replace_unprintable(&path.display().to_string());
        return Err(text!(SimNoSvg, file = file));
    }
    Ok(())
}

/// Verifies a recorded game, prints the figures of its intact part, and draws the chart of
/// everyone's cards.
pub(crate) fn print_stats(
    options: &StatsArgs,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    let outputs = options.to_outputs();
    for file in [options.plot.as_deref(), Some(&options.output)] {
        check_svg_name(file).map_err(Failure::usage)?;
    }
    check_not_overwritten(&options.output, std::slice::from_ref(&options.file))
        .map_err(Failure::usage)?;
    let (path, terminal) = (&options.file, &mut context.terminal);
    Interruption::catch_for_reading(terminal.catalogue);
    let mut replay = match Replay::open(open_journal(path)?, None) {
        Ok(replay) => replay,
        Err(error) => {
            return Ok(report_verdict(
                path,
                &judge_unopened_journal(error),
                terminal,
            ));
        }
    };
    let rules = replay.header().rules.clone();
    if outputs.chart.is_some() && matches!(rules, RecordedRules::Tokens(_)) {
        return Err(Failure::usage(text!(StatsNoChart)));
    }
    let mut statistics = Statistics::default();
    let found = replay.read_to_end(&mut statistics);
    let reading = replay.judge(found);
    // The progress bar of the replay would overlap the figures.
    drop(replay);
    let verdict = reading.as_ref().ok().map(Judgement::verdict);
    if let Some(Verdict::Verified | Verdict::Incomplete) = verdict {
        let figures = || match options.format {
            Some(format) => format_figures(format, &rules, &statistics),
            None => statistics_text(&rules, &statistics, terminal.catalogue),
        };
        let [title, subtitle] = &drawing_titles(&rules, &statistics);
        let course = statistics.war.card_counts();
        let chart = || draw_card_counts(course, [title, subtitle], terminal.catalogue);
        let figure_file = outputs.figures.filter(|path| !is_standard_stream(path));
        if outputs.figures.is_some() && figure_file.is_none() {
            terminal.print(&figures());
        }
        let files = OutputFiles::default().open_all([figure_file, outputs.chart])?;
        write_outputs(files, [&figures, &chart])?;
    }
    Ok(report_verdict(path, &reading, terminal))
}

/// Placeholder for a figure that a player lacks.
const PLACEHOLDER: &str = "-";

/// Title and subtitle of a game's chart.
fn drawing_titles(rules: &RecordedRules, statistics: &Statistics) -> [Text; 2] {
    let war = &statistics.war;
    [
        text!(
            StatsPlotTitle,
            rules = rules.id(),
            players = war.players().len()
        ),
        text!(
            StatsPlotFigures,
            turns = Count(war.turns().into()),
            wars = Count(war.wars().into()),
            changes = Count(war.lead_changes().into())
        ),
    ]
}

/// Figures of a game and its players, with the chart of their cards in War.
fn statistics_text(
    rules: &RecordedRules,
    statistics: &Statistics,
    catalogue: &Catalogue,
) -> String {
    let (figures, players, chart) = match rules {
        RecordedRules::War { .. } => {
            let war = &statistics.war;
            let chart = draw_text_chart(war.card_counts());
            (
                war_text(rules.id(), war),
                war_player_table(war, catalogue),
                chart,
            )
        }
        RecordedRules::Tokens(_) => {
            let tokens = &statistics.tokens;
            let players = token_player_table(tokens, catalogue);
            (token_text(rules.id(), tokens), players, String::new())
        }
    };
    let mut all = catalogue.format_text(&figures);
    all.push_str("\n\n");
    all.push_str(&render_table(&players, catalogue));
    if !chart.is_empty() {
        let title = catalogue.format_text(&text!(StatsChart));
        all.extend(["\n", &title, "\n\n", &chart]);
    }
    all
}

fn war_text(rules: &str, war: &WarStatistics) -> Text {
    let longest = war.longest_war().map_or(text!(StatsNone), |longest| {
        let (cards, turn) = (Count(longest.cards.into()), Count(longest.turn.into()));
        text!(StatsLongest, cards = cards, turn = turn)
    });
    let largest = war.largest_pile().map_or(text!(StatsNone), |pile| {
        text!(
            StatsLargest,
            cards = Count(pile.cards as u64),
            player = pile.seat.to_string(),
            turn = Count(pile.turn.into())
        )
    });
    text!(
        StatsWar,
        rules = rules,
        turns = Count(war.turns().into()),
        wars = Count(war.wars().into()),
        longest = longest,
        largest = largest,
        changes = Count(war.lead_changes().into())
    )
}

fn token_text(rules: &str, tokens: &TokenStatistics) -> Text {
    text!(
        StatsTokens,
        rules = rules,
        deals = Count(tokens.deals().into()),
        ties = Count(tokens.ties().into())
    )
}

/// Table with a row for each player.
struct PlayerTable {
    headings: Vec<Text>,
    rows: Vec<Vec<String>>,
}

fn war_player_table(war: &WarStatistics, catalogue: &Catalogue) -> PlayerTable {
    let row = |player: &WarPlayerStatistics| {
        let cards = [player.dealt, player.max_cards].map(|cards| catalogue.format_count(&cards));
        let turns = [player.turns_won, player.wars_won].map(|turns| catalogue.format_count(&turns));
        let most_in = catalogue.format_count(&player.max_cards_turn);
        let held = catalogue.format_count(&player.cards);
        let out = player.out_turn.map(|turn| catalogue.format_count(&turn));
        let out = out.unwrap_or_else(|| PLACEHOLDER.to_owned());
        let row = cards.into_iter().chain([most_in, held]).chain(turns);
        row.chain([out]).collect()
    };
    PlayerTable {
        headings: vec![
            text!(StatsDealt),
            text!(StatsMost),
            text!(StatsMostIn),
            text!(StatsHeld),
            text!(StatsTurnsWon),
            text!(StatsWarsWon),
            text!(StatsOutIn),
        ],
        rows: war.players().iter().map(row).collect(),
    }
}

fn token_player_table(tokens: &TokenStatistics, catalogue: &Catalogue) -> PlayerTable {
    let row = |player: &TokenPlayerStatistics| {
        let hands = [player.played, player.folded, player.timed_out];
        let hands = hands
            .map(|hands| catalogue.format_count(&hands))
            .into_iter();
        let won = player.tokens.map(|tokens| format!("{tokens:+}"));
        let won = won.unwrap_or_else(|| PLACEHOLDER.to_owned());
        hands.chain([won]).collect()
    };
    PlayerTable {
        headings: vec![
            text!(StatsPlayed),
            text!(StatsFolded),
            text!(StatsTimedOut),
            text!(StatsWonTokens),
        ],
        rows: tokens.players().iter().map(row).collect(),
    }
}

/// Renders a table with numbered rows, each column as wide as its widest text.
fn render_table(players: &PlayerTable, catalogue: &Catalogue) -> String {
    let player = text!(StatsPlayer);
    let heads = [&player].into_iter().chain(&players.headings);
    let heads: Vec<_> = heads.map(|head| catalogue.format_text(head)).collect();
    let numbered = (1..).zip(&players.rows).map(|(number, row): (usize, _)| {
        let number = [number.to_string()].into_iter();
        number.chain(row.iter().cloned()).collect::<Vec<_>>()
    });
    let rows: Vec<_> = [heads].into_iter().chain(numbered).collect();
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.max().unwrap_or_default()
    };
    let widths: Vec<_> = (0..=players.headings.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        cells.join("  ") + "\n"
    };
    rows.iter().map(line).collect()
}
