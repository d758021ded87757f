//! The players of a token game.

use super::cards::Card;
use super::look::Look;
use super::seat::{Place, Seat};
use crate::watch::words::did_in_deal;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use war::projections::frames::Deal;

pub(super) fn render(look: &Look<'_>, deal: &Deal, area: Rect, buffer: &mut Buffer) {
    let about = look.watching.film().about();
    let seats = deal.seats.iter().enumerate().map(|(seat, dealt)| Seat {
        name: about.player(seat),
        is_winner: dealt.won.is_some_and(|won| won > 0),
        is_out: false,
        bar: None,
        count: String::new(),
        change: dealt.won.map_or_else(String::new, |won| format!("{won:+}")),
        did: did_in_deal(dealt).map(|text| look.words(&text)),
        cards: dealt.hand.iter().map(|card| Card::dealt(*card)).collect(),
    });
    let seats: Vec<_> = seats.collect();
    Place::of(&seats, area).render(&seats, look.palette, buffer);
}
