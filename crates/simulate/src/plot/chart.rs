use std::fmt::Write;
use war::projections::statistics::Course;

/// The rows of the chart, and the most columns.
const ROWS: usize = 12;
const COLUMNS: usize = 60;
/// What stands for several players.
const SEVERAL: char = '*';

/// Draws the course of a game with letters, for a terminal: the number of each player (from 10 on
/// a letter) stands as high as they hold cards, and `*` stands for several players.
///
/// # Examples
///
/// ```
/// use war_simulate::plot::chart;
/// use war::projections::statistics::Course;
///
/// let mut course = Course::default();
/// for (turn, cards) in [[2, 2], [3, 1], [4, 0]].iter().enumerate() {
///     course.add(turn as u32, cards);
/// }
/// let chart = chart(&course);
/// assert!(chart.starts_with("4 |        1111"), "{chart}");
/// ```
#[must_use]
pub fn chart(course: &Course) -> String {
    let points: Vec<_> = course.points().collect();
    let highest = points.iter().flat_map(|(_, cards)| cards.iter()).max();
    let (Some(&highest @ 1..), Some((last, _))) = (highest, course.end()) else {
        return String::new();
    };
    let columns = columns(&points, last);
    let mut rows = vec![vec![' '; columns.len()]; ROWS];
    for (column, cards) in columns.iter().enumerate() {
        for (index, &cards) in cards.iter().enumerate() {
            // To the nearest row; the lowest is that of no cards.
            let row = (cards * (ROWS - 1) + highest / 2) / highest;
            let cell = &mut rows[ROWS - 1 - row.min(ROWS - 1)][column];
            *cell = if *cell == ' ' { mark(index) } else { SEVERAL };
        }
    }
    labelled(&rows, highest, last)
}

/// The number or letter of a player.
fn mark(index: usize) -> char {
    let number = u32::try_from(index + 1).ok();
    let digit = number.and_then(|number| char::from_digit(number, 36));
    digit.unwrap_or('?')
}

/// What everybody holds in each column: after the last turn that it stands for.
fn columns<'a>(points: &[(u32, &'a [usize])], last: u32) -> Vec<&'a [usize]> {
    let turns = usize::try_from(last)
        .unwrap_or(usize::MAX)
        .saturating_add(1);
    let wide = (COLUMNS / turns).clamp(1, 4);
    let count = turns.saturating_mul(wide).min(COLUMNS);
    let shown = |column: usize| {
        let until = ((column + 1) * turns).div_ceil(count.max(1));
        let after = points.partition_point(|(turn, _)| (*turn as usize) < until);
        points[after.saturating_sub(1)].1
    };
    (0..count).map(shown).collect()
}

/// The rows with what their heights mean, over the line of turns.
fn labelled(rows: &[Vec<char>], highest: usize, last: u32) -> String {
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
