//! The title: which game it is, and where in it you are.

use super::look::Look;
use super::palette::Palette;
use crate::watch::watching::Motion;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use war::i18n::{Count, text};

pub(super) fn render(look: &Look<'_>, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(area, Palette::title());
    let place = Span::raw(place(look));
    let width = u16::try_from(place.width()).unwrap_or(u16::MAX);
    let left = area.width.saturating_sub(width + 1);
    buffer.set_span(area.x + left, area.y, &place, width);
    let about = look.watching.film().about();
    let standing = about.standing.clone();
    let title = standing.into_iter().chain([look.words(&about.title)]);
    let title = title.collect::<Vec<_>>().join(" · ");
    let room = left.saturating_sub(3);
    buffer.set_stringn(area.x + 1, area.y, title, room.into(), Palette::title());
}

/// Where you are, and how it goes on.
fn place(look: &Look<'_>) -> String {
    let watching = look.watching;
    let (turn, last) = (watching.turn(), watching.film().last());
    let [turn, last] = [turn, last].map(|turn| Count(turn as u64));
    let place = if watching.film().about().is_of_tokens {
        text!(WatchAtDeal, deal = turn, last = last)
    } else {
        text!(WatchAtTurn, turn = turn, last = last)
    };
    let speed = watching.pace().per_second();
    let speed = look.catalogue.decimal(speed, usize::from(speed < 1.0));
    let motion = match watching.motion() {
        Motion::Paused => text!(WatchPaused, speed = speed),
        Motion::Playing(_) => text!(WatchPlaying, speed = speed),
        Motion::Live => text!(WatchLive),
    };
    format!("{} · {}", look.words(&place), look.words(&motion))
}
