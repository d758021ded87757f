//! Chart of the number of cards that each player holds after each turn, as SVG and as text.

use super::svg::{
    DRAWING_WIDTH, LEFT_PLOT, PLOT_BOTTOM, PLOT_TOP, RIGHT_PLOT, Svg, round_up_to_tick, to_f64,
};
use std::fmt::Write;
use war::i18n::{Catalogue, Text, text};
use war::projections::statistics::CardCountHistory;

/// Titles above a drawing: the main one, and a line below it.
type Titles<'a> = [&'a Text; 2];

/// Colors of the players, which color-blind readers can distinguish too.
const COLORS: [&str; 7] = [
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777",
];

/// Draws the number of cards that each player holds after each turn as SVG, with these titles. The
/// same game gives the same bytes.
///
/// # Examples
///
/// ```
/// use war::i18n::{Catalogue, Lang, text};
/// use war_simulate::plot::draw_card_counts;
/// use war::projections::statistics::CardCountHistory;
///
/// let mut course = CardCountHistory::default();
/// course.add(0, &[26, 26]);
/// course.add(1, &[27, 25]);
/// let title = text!(StatsPlotTitle, rules = "classic/1", players = 2_u64);
/// let english = Catalogue::built_in(Lang::En);
/// let svg = draw_card_counts(&course, [&title, &title], english);
/// assert!(svg.starts_with("<svg"));
/// ```
#[must_use]
pub fn draw_card_counts(
    course: &CardCountHistory,
    titles: Titles<'_>,
    catalogue: &Catalogue,
) -> String {
    let mut svg = Svg::new();
    let [title, below] = titles.map(|text| catalogue.format_text(text));
    svg.add_title(&title);
    svg.add_text((DRAWING_WIDTH / 2.0, 50.0), "middle", 12, &below);
    let points: Vec<_> = course.points().collect();
    let (last, held) = course.last_point().unwrap_or_default();
    let most = points.iter().flat_map(|(_, cards)| cards.iter()).max();
    let most = most.map_or(0, |&most| most as u64);
    let (left, right) = (LEFT_PLOT.0, RIGHT_PLOT.1);
    let across = round_up_to_tick((most / 5).max(1));
    let top = to_f64(most.div_ceil(across).max(1) * across);
    let along = to_f64(u64::from(last).max(1));
    let x = |turn: u32| left + f64::from(turn) / along * (right - left);
    let y = |cards: u64| PLOT_BOTTOM - to_f64(cards) / top * (PLOT_BOTTOM - PLOT_TOP);
    for index in 0..held.len() {
        let places = points.iter().filter_map(|(turn, cards)| {
            let cards = *cards.get(index)?;
            Some((x(*turn), y(cards as u64)))
        });
        svg.add_polyline(places, COLORS[index % COLORS.len()]);
    }
    svg.add_axes((left, right));
    let mut cards = 0;
    while cards <= most {
        svg.add_line((left - 5.0, y(cards)), (left, y(cards)), "#333");
        svg.add_text((left - 9.0, y(cards) + 4.0), "end", 12, &cards.to_string());
        cards += across;
    }
    let apart = round_up_to_tick(u64::from(last).div_ceil(8).max(1));
    let apart = u32::try_from(apart).unwrap_or(u32::MAX);
    let mut turn = 0_u32;
    while turn <= last {
        svg.add_line((x(turn), PLOT_BOTTOM), (x(turn), PLOT_BOTTOM + 5.0), "#333");
        let label = catalogue.format_count(&turn);
        svg.add_text((x(turn), PLOT_BOTTOM + 20.0), "middle", 12, &label);
        let Some(next) = turn.checked_add(apart) else {
            break;
        };
        turn = next;
    }
    draw_legend(&mut svg, held.len(), catalogue);
    let label = catalogue.format_text(&text!(StatsPlotTurns));
    let middle = f64::midpoint(left, right);
    svg.add_text((middle, PLOT_BOTTOM + 52.0), "middle", 13, &label);
    let label = catalogue.format_text(&text!(StatsPlotCards));
    svg.add_vertical_text((left - 55.0, f64::midpoint(PLOT_TOP, PLOT_BOTTOM)), &label);
    svg.finish()
}

/// Draws the legend of colors, for as many players as there is room for.
fn draw_legend(svg: &mut Svg, players: usize, catalogue: &Catalogue) {
    for (index, color) in (0_u8..8).zip(COLORS.into_iter().cycle()) {
        if usize::from(index) >= players {
            break;
        }
        let left = LEFT_PLOT.0 + 98.0 * f64::from(index);
        svg.add_line((left, 78.0), (left + 25.0, 78.0), color);
        let number = usize::from(index) + 1;
        let player = catalogue.format_text(&text!(StatsPlotPlayer, player = number.to_string()));
        svg.add_text((left + 31.0, 82.0), "start", 12, &player);
    }
}

/// Number of rows of the chart, and maximum number of columns.
const ROWS: usize = 12;
const MAX_COLUMNS: usize = 60;
/// Mark of a place that several players share.
const SHARED_MARK: char = '*';

/// Draws the course of a game as text, for a terminal. Each player's number (a letter from 10 on)
/// is drawn at the height of the player's number of cards, and `*` marks several players at the
/// same place.
///
/// # Examples
///
/// ```
/// use war_simulate::plot::draw_text_chart;
/// use war::projections::statistics::CardCountHistory;
///
/// let mut course = CardCountHistory::default();
/// for (turn, cards) in [[2, 2], [3, 1], [4, 0]].iter().enumerate() {
///     course.add(turn as u32, cards);
/// }
/// let chart = draw_text_chart(&course);
/// assert!(chart.starts_with("4 |        1111"), "{chart}");
/// ```
#[must_use]
pub fn draw_text_chart(course: &CardCountHistory) -> String {
    let points: Vec<_> = course.points().collect();
    let highest = points.iter().flat_map(|(_, cards)| cards.iter()).max();
    let (Some(&highest @ 1..), Some((last, _))) = (highest, course.last_point()) else {
        return String::new();
    };
    let columns = chart_columns(&points, last);
    let mut rows = vec![vec![' '; columns.len()]; ROWS];
    for (column, cards) in columns.iter().enumerate() {
        for (index, &cards) in cards.iter().enumerate() {
            // Rounded to the nearest row; the lowest row means no cards.
            let row = (cards * (ROWS - 1) + highest / 2) / highest;
            let cell = &mut rows[ROWS - 1 - row.min(ROWS - 1)][column];
            *cell = if *cell == ' ' {
                player_mark(index)
            } else {
                SHARED_MARK
            };
        }
    }
    add_labels(&rows, highest, last)
}

/// Returns the number or letter of a player.
fn player_mark(index: usize) -> char {
    let number = u32::try_from(index + 1).ok();
    let digit = number.and_then(|number| char::from_digit(number, 36));
    digit.unwrap_or('?')
}

/// Returns each player's number of cards for every column, after the last turn of the column.
fn chart_columns<'a>(points: &[(u32, &'a [usize])], last: u32) -> Vec<&'a [usize]> {
    let turns = usize::try_from(last)
        .unwrap_or(usize::MAX)
        .saturating_add(1);
    let wide = (MAX_COLUMNS / turns).clamp(1, 4);
    let count = turns.saturating_mul(wide).min(MAX_COLUMNS);
    let shown = |column: usize| {
        let until = ((column + 1) * turns).div_ceil(count.max(1));
        let after = points.partition_point(|(turn, _)| (*turn as usize) < until);
        points[after.saturating_sub(1)].1
    };
    (0..count).map(shown).collect()
}

/// Adds labels of the heights to the rows, and the axis of turns below them.
fn add_labels(rows: &[Vec<char>], highest: usize, last: u32) -> String {
    let width = highest.to_string().len();
    let mut chart = String::new();
    for (index, row) in rows.iter().enumerate() {
        let label = match index {
            0 => highest.to_string(),
            _ if index == ROWS - 1 => "0".to_owned(),
            _ => String::new(),
        };
        let row: String = row.iter().collect();
        let line = format!("{label:>width$} |{row}");
        // Writing to a string never fails.
        let _ = writeln!(chart, "{}", line.trim_end());
    }
    let columns = rows.first().map_or(0, Vec::len);
    let _ = writeln!(chart, "{:>width$} +{}", "", "-".repeat(columns));
    let last = last.to_string();
    let between = columns.saturating_sub(last.len() + 1);
    let _ = writeln!(chart, "{:>width$}  0{:>between$}{last}", "", "");
    chart
}
