//! The chart of everyone's cards over the turns.

use super::look::Look;
use super::palette::Palette;
use super::turns::{column_of, plot};
use crate::watch::film::Film;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

/// How many points a column of dots has side by side.
const POINTS: usize = 2;

/// What stands for several players.
const SEVERAL: &str = "*";

pub(super) fn render(look: &Look<'_>, area: Rect, buffer: &mut Buffer) {
    let (film, palette) = (look.watching.film(), look.palette);
    if film.overview().seats() == 0 || area.height < 3 {
        return;
    }
    let plot = plot(area);
    let most = film.about().cards;
    render_courses(film, palette, plot, buffer);
    for (row, cards) in [(plot.y, most), (plot.bottom() - 1, 0)] {
        buffer.set_string(area.x, row, format!("{cards:>4}"), Palette::weak());
    }
    render_players(film, palette, plot, buffer);
    let shown = column_of(look.watching.turn(), film.last(), plot.width);
    let column = Rect {
        x: plot.x + shown,
        width: 1,
        ..plot
    };
    buffer.set_style(column, Modifier::REVERSED);
}

/// Draws what everybody held from the deal to the last turn.
fn render_courses(film: &Film, palette: Palette, plot: Rect, buffer: &mut Buffer) {
    let (overview, points) = (film.overview(), usize::from(plot.width) * POINTS);
    let held = |seat: usize, point: usize| {
        let turn = (point * film.last()).checked_div(points - 1);
        let cards = overview.cards(turn.unwrap_or_default());
        cards.get(seat).copied().map_or(0.0, f64::from)
    };
    let at = |point: usize| u32::try_from(point).map_or(0.0, f64::from);
    let most = u32::try_from(film.about().cards).map_or(1.0, f64::from);
    let canvas = Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, at(points - 1)])
        .y_bounds([0.0, most])
        .paint(|context| {
            for seat in 0..overview.seats() {
                for point in 1..points {
                    context.draw(&Line {
                        x1: at(point - 1),
                        y1: held(seat, point - 1),
                        x2: at(point),
                        y2: held(seat, point),
                        color: palette.seat(seat),
                    });
                }
            }
        });
    canvas.render(plot, buffer);
}

/// Writes at the right whose line ends there.
fn render_players(film: &Film, palette: Palette, plot: Rect, buffer: &mut Buffer) {
    let cards = film.overview().cards(film.last());
    let most = film.about().cards.max(1);
    let below = |cards: u16| {
        let high = usize::from(cards) * usize::from(plot.height - 1);
        // To the nearest row; the lowest is that of no cards.
        let high = (high + most / 2) / most;
        u16::try_from(high).map_or(0, |high| (plot.height - 1).saturating_sub(high))
    };
    let rows: Vec<_> = cards.iter().map(|cards| plot.y + below(*cards)).collect();
    for (seat, row) in rows.iter().enumerate() {
        let alone = rows.iter().filter(|other| *other == row).count() == 1;
        let number = (seat + 1).to_string();
        let (label, style) = if alone {
            (&*number, palette.of_seat(seat))
        } else {
            (SEVERAL, Palette::weak())
        };
        buffer.set_stringn(plot.right() + 1, *row, label, 2, style);
    }
}
