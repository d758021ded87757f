//! The line of turns below the chart: where you are, and the turns to look at.

use super::look::Look;
use super::palette::Palette;
use super::turns::{column_of, plot};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use war::projections::frames::Marks;

/// The marks of wars, changes of the lead, players who run out of cards, and of where you are.
pub(super) const WAR: &str = "+";
pub(super) const LEAD: &str = "^";
pub(super) const OUT: &str = "x";
pub(super) const HERE: &str = "█";

pub(super) fn render(look: &Look<'_>, area: Rect, buffer: &mut Buffer) {
    let (plot, row) = (plot(area), area.y);
    let (film, palette) = (look.watching.film(), look.palette);
    let blank = "─".repeat(plot.width.into());
    buffer.set_string(plot.x, row, blank, Palette::weak());
    let column = |turn: usize| plot.x + column_of(turn, film.last(), plot.width);
    let Marks { wars, leads, outs } = film.overview().marks();
    for (turns, mark, style) in [
        (wars, WAR, palette.war()),
        (leads, LEAD, palette.lead()),
        (outs, OUT, palette.out()),
    ] {
        for turn in turns {
            let column = column(*turn as usize);
            buffer.set_string(column, row, mark, Style::reset().patch(style));
        }
    }
    let column = column(look.watching.turn());
    buffer.set_string(column, row, HERE, Style::reset());
}
