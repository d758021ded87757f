//! Chart of everyone's cards, and the timeline below it.

use super::style::{DrawContext, Palette};
use crate::watch::film::Film;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};
use war::projections::frames::NotableTurns;

/// Number of Braille dots side by side in a column.
const POINTS_PER_COLUMN: usize = 2;

/// Label of several players on the same row.
const SHARED_LABEL: &str = "*";

pub(super) fn render(context: &DrawContext<'_>, area: Rect, buffer: &mut Buffer) {
    let (film, palette) = (context.playback.film(), context.palette);
    if film.overview().seats() == 0 || area.height < 3 {
        return;
    }
    let plot = plot(area);
    let most = film.info().cards;
    render_hand_sizes(film, palette, plot, buffer);
    for (row, cards) in [(plot.y, most), (plot.bottom() - 1, 0)] {
        buffer.set_string(area.x, row, format!("{cards:>4}"), Palette::dim_style());
    }
    render_player_labels(film, palette, plot, buffer);
    let shown = column_of(context.playback.turn(), film.last_turn(), plot.width);
    let column = Rect {
        x: plot.x + shown,
        width: 1,
        ..plot
    };
    buffer.set_style(column, Modifier::REVERSED);
}

/// Draws the number of cards of every player from the deal to the last turn.
fn render_hand_sizes(film: &Film, palette: Palette, plot: Rect, buffer: &mut Buffer) {
    let (overview, points) = (film.overview(), usize::from(plot.width) * POINTS_PER_COLUMN);
    let held = |seat: usize, point: usize| {
        let turn = (point * film.last_turn()).checked_div(points - 1);
        let cards = overview.card_counts(turn.unwrap_or_default());
        cards.get(seat).copied().map_or(0.0, f64::from)
    };
    let at = |point: usize| u32::try_from(point).map_or(0.0, f64::from);
    let most = u32::try_from(film.info().cards).map_or(1.0, f64::from);
    let canvas = Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, at(points - 1)])
        .y_bounds([0.0, most])
        .paint(|canvas| {
            for seat in 0..overview.seats() {
                for point in 1..points {
                    canvas.draw(&Line {
                        x1: at(point - 1),
                        y1: held(seat, point - 1),
                        x2: at(point),
                        y2: held(seat, point),
                        color: palette.seat_color(seat),
                    });
                }
            }
        });
    canvas.render(plot, buffer);
}

/// Labels the end of each player's line.
fn render_player_labels(film: &Film, palette: Palette, plot: Rect, buffer: &mut Buffer) {
    let cards = film.overview().card_counts(film.last_turn());
    let most = film.info().cards.max(1);
    let below = |cards: u16| {
        let high = usize::from(cards) * usize::from(plot.height - 1);
        // Rounded to the nearest row; the lowest row means no cards.
        let high = (high + most / 2) / most;
        u16::try_from(high).map_or(0, |high| (plot.height - 1).saturating_sub(high))
    };
    let rows: Vec<_> = cards.iter().map(|cards| plot.y + below(*cards)).collect();
    for (seat, row) in rows.iter().enumerate() {
        let alone = rows.iter().filter(|other| *other == row).count() == 1;
        let number = (seat + 1).to_string();
        let (label, style) = if alone {
            (&*number, palette.seat_style(seat))
        } else {
            (SHARED_LABEL, Palette::dim_style())
        };
        buffer.set_stringn(plot.right() + 1, *row, label, 2, style);
    }
}

/// Mark of a war on the timeline, followed by the marks of a lead change, of a player who runs out
/// of cards, and of the current turn.
pub(super) const WAR_MARK: &str = "+";

pub(super) const LEAD_MARK: &str = "^";

pub(super) const OUT_MARK: &str = "x";

pub(super) const POSITION_MARK: &str = "█";

pub(super) fn render_timeline(context: &DrawContext<'_>, area: Rect, buffer: &mut Buffer) {
    let (plot, row) = (plot(area), area.y);
    let (film, palette) = (context.playback.film(), context.palette);
    let blank = "─".repeat(plot.width.into());
    buffer.set_string(plot.x, row, blank, Palette::dim_style());
    let column = |turn: usize| plot.x + column_of(turn, film.last_turn(), plot.width);
    let NotableTurns {
        wars,
        lead_changes,
        eliminations,
    } = film.overview().notable_turns();
    for (turns, mark, style) in [
        (wars, WAR_MARK, palette.war_style()),
        (lead_changes, LEAD_MARK, palette.lead_style()),
        (eliminations, OUT_MARK, palette.out_style()),
    ] {
        for turn in turns {
            let column = column(*turn as usize);
            buffer.set_string(column, row, mark, Style::reset().patch(style));
        }
    }
    let column = column(context.playback.turn());
    buffer.set_string(column, row, POSITION_MARK, Style::reset());
}

/// Width of the numbers on the left.
const LEFT_MARGIN: u16 = 5;

/// Width of the player labels on the right.
const RIGHT_MARGIN: u16 = 3;

/// Part of the area that holds the plot.
const fn plot(area: Rect) -> Rect {
    Rect {
        x: area.x + LEFT_MARGIN,
        width: area.width - LEFT_MARGIN - RIGHT_MARGIN,
        ..area
    }
}

/// Column of a turn in a plot of this width, which spans the deal to the last turn.
fn column_of(turn: usize, last: usize, columns: u16) -> u16 {
    let column = (turn * usize::from(columns - 1)).checked_div(last);
    u16::try_from(column.unwrap_or_default()).unwrap_or(columns - 1)
}
