//! The players of War.

use super::cards::{Card, Size};
use super::look::Look;
use super::palette::Palette;
use super::seat::{Place, Seat};
use crate::watch::words::did;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use war::i18n::{Count, text};
use war::projections::frames::{Held, Turn};

/// The fewest rows of the chart.
const CHART: u16 = 6;

/// How many rows the players need, of so many that they share with the chart.
pub(super) fn height(players: usize, rows: u16) -> u16 {
    let players = u16::try_from(players).unwrap_or(u16::MAX);
    let most = rows - CHART;
    let tall = players.saturating_mul(Size::Tall.rows() + 1);
    let flat = players.saturating_mul(Size::Flat.rows() + 1);
    if tall <= most { tall } else { flat.min(most) }
}

pub(super) fn render(look: &Look<'_>, turn: &Turn, area: Rect, buffer: &mut Buffer) {
    let about = look.watching.film().about();
    let cards = |held: &Held| {
        let put = held.put.iter();
        put.map(|put| Card::of(*put, about.has_court)).collect()
    };
    let seats = turn.seats.iter().enumerate().map(|(seat, held)| Seat {
        name: about.player(seat),
        is_winner: turn.winner.is_some_and(|winner| winner.index() == seat),
        is_out: held.after == 0,
        bar: Some((held.after, about.cards)),
        count: look.catalogue.count(&held.after),
        change: change(held),
        did: did(turn, seat).map(|text| look.words(&text)),
        cards: cards(held),
    });
    let seats: Vec<_> = seats.collect();
    let place = Place::of(&seats, area);
    let shown = place.render(&seats, look.palette, buffer);
    if let Some(left @ 1..) = seats.len().checked_sub(shown) {
        let text = text!(WatchMorePlayers, players = Count(left as u64));
        let row = area.bottom() - 1;
        buffer.set_string(area.x + 2, row, look.words(&text), Palette::weak());
    }
}

/// By how much a hand changed; nothing where it did not.
fn change(held: &Held) -> String {
    match held.after.checked_sub(held.before) {
        Some(0) => String::new(),
        Some(more) => format!("+{more}"),
        None => format!("-{}", held.before - held.after),
    }
}
