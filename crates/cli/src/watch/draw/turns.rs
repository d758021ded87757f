//! Where the turns lie from left to right, in the chart and in the line below it.

use ratatui::layout::Rect;

/// The columns for the numbers at the left.
const LEFT: u16 = 5;

/// The columns for the players at the right.
const RIGHT: u16 = 3;

/// The part of this area in which the turns lie.
pub(super) const fn plot(area: Rect) -> Rect {
    Rect {
        x: area.x + LEFT,
        width: area.width - LEFT - RIGHT,
        ..area
    }
}

/// The column of a turn in a plot of so many, which goes from the deal to the last turn.
pub(super) fn column_of(turn: usize, last: usize, columns: u16) -> u16 {
    let column = (turn * usize::from(columns - 1)).checked_div(last);
    u16::try_from(column.unwrap_or_default()).unwrap_or(columns - 1)
}
