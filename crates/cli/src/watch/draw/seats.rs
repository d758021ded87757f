//! The players: of War and of a game of tokens.

use super::cards::{CardSize, DrawnCard, render_cards};
use super::style::{DrawContext, Palette};
use crate::watch::words::{hand_action_text, turn_action_text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use war::i18n::{Count, text};
use war::projections::frames::{Deal, Held, Turn};

/// The fewest rows of the chart.
const MIN_CHART_HEIGHT: u16 = 6;

/// How many rows the players need, of so many that they share with the chart.
pub(super) fn height(players: usize, rows: u16) -> u16 {
    let players = u16::try_from(players).unwrap_or(u16::MAX);
    let most = rows - MIN_CHART_HEIGHT;
    let tall = players.saturating_mul(CardSize::Tall.rows() + 1);
    let flat = players.saturating_mul(CardSize::Flat.rows() + 1);
    if tall <= most { tall } else { flat.min(most) }
}

pub(super) fn render(context: &DrawContext<'_>, turn: &Turn, area: Rect, buffer: &mut Buffer) {
    let info = context.playback.film().info();
    let cards = |held: &Held| {
        let put = held.put.iter();
        put.map(|put| DrawnCard::new(*put, info.has_court))
            .collect()
    };
    let seats = turn.seats.iter().enumerate().map(|(seat, held)| SeatRow {
        name: info.player(seat),
        is_winner: turn.winner.is_some_and(|winner| winner.index() == seat),
        is_out: held.after == 0,
        bar: Some((held.after, info.cards)),
        count: context.catalogue.count(&held.after),
        change: change(held),
        action: turn_action_text(turn, seat).map(|text| context.words(&text)),
        cards: cards(held),
    });
    let seats: Vec<_> = seats.collect();
    let place = SeatLayout::new(&seats, area);
    let shown = place.render(&seats, context.palette, buffer);
    if let Some(left @ 1..) = seats.len().checked_sub(shown) {
        let text = text!(WatchMorePlayers, players = Count(left as u64));
        let row = area.bottom() - 1;
        buffer.set_string(area.x + 2, row, context.words(&text), Palette::weak());
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

pub(super) fn render_deals(
    context: &DrawContext<'_>,
    deal: &Deal,
    area: Rect,
    buffer: &mut Buffer,
) {
    let info = context.playback.film().info();
    let seats = deal.seats.iter().enumerate().map(|(seat, dealt)| SeatRow {
        name: info.player(seat),
        is_winner: dealt.won.is_some_and(|won| won > 0),
        is_out: false,
        bar: None,
        count: String::new(),
        change: dealt.won.map_or_else(String::new, |won| format!("{won:+}")),
        action: hand_action_text(dealt).map(|text| context.words(&text)),
        cards: dealt
            .hand
            .iter()
            .map(|card| DrawnCard::dealt(*card))
            .collect(),
    });
    let seats: Vec<_> = seats.collect();
    SeatLayout::new(&seats, area).render(&seats, context.palette, buffer);
}

/// The most columns of a name.
const MAX_NAME_WIDTH: usize = 20;

/// The columns of what a player did.
const ACTION_WIDTH: u16 = 26;

/// The columns before names and cards.
const INDENT: u16 = 2;

/// Eighths of a cell of a bar, from none to all but one.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// What there is to draw of a player.
pub(super) struct SeatRow {
    pub(super) name: String,
    pub(super) is_winner: bool,
    /// Whether they hold no card.
    pub(super) is_out: bool,
    /// How many cards they hold, of how many, where that is shown as a bar.
    pub(super) bar: Option<(usize, usize)>,
    pub(super) count: String,
    pub(super) change: String,
    pub(super) action: Option<String>,
    pub(super) cards: Vec<DrawnCard>,
}

/// Where players are drawn, and in which columns.
pub(super) struct SeatLayout {
    area: Rect,
    size: CardSize,
    name: u16,
    count: u16,
    change: u16,
}

impl SeatLayout {
    /// The place of these players in this area.
    pub(super) fn new(seats: &[SeatRow], area: Rect) -> Self {
        let widest = |text: fn(&SeatRow) -> &str| {
            let widths = seats.iter().map(|seat| Span::raw(text(seat)).width());
            let widest = widths.max().unwrap_or_default().min(MAX_NAME_WIDTH);
            u16::try_from(widest).unwrap_or_default()
        };
        let tall = seats.len() * usize::from(CardSize::Tall.rows() + 1);
        let size = if tall <= area.height.into() {
            CardSize::Tall
        } else {
            CardSize::Flat
        };
        Self {
            area,
            size,
            name: widest(|seat| &seat.name),
            count: widest(|seat| &seat.count).max(3),
            change: widest(|seat| &seat.change).max(3),
        }
    }

    /// Draws as many of the players as there is room for; the result is how many those are.
    pub(super) fn render(&self, seats: &[SeatRow], palette: Palette, buffer: &mut Buffer) -> usize {
        let height = self.size.rows() + 1;
        let room = usize::from(self.area.height / height);
        let shown = if room < seats.len() {
            // Below them it is said that there are more.
            usize::from(self.area.height.saturating_sub(1) / height)
        } else {
            seats.len()
        };
        let mut row = self.area.y;
        for (index, seat) in seats.iter().take(shown).enumerate() {
            self.render_one(seat, (index, palette), row, buffer);
            row += height;
        }
        shown
    }

    fn render_one(&self, seat: &SeatRow, look: (usize, Palette), row: u16, buffer: &mut Buffer) {
        let (index, palette) = look;
        let color = palette.seat_style(index);
        let style = match (seat.is_winner, seat.is_out) {
            (true, _) => color.patch(Palette::strong()),
            (false, true) => Palette::weak(),
            (false, false) => color,
        };
        let (left, right) = (self.area.x, self.area.right());
        if seat.is_winner {
            buffer.set_string(left, row, "►", style);
        }
        let mut column = left + INDENT;
        buffer.set_stringn(column, row, &seat.name, self.name.into(), style);
        column += self.name + 1;
        let columns = [self.count, self.change, ACTION_WIDTH];
        let taken = columns.iter().map(|width| width + 1).sum::<u16>();
        if let Some(bar) = seat.bar {
            let width = right.saturating_sub(taken + 1).saturating_sub(column);
            render_bar(bar, (column, row, width), color, buffer);
            column += width + 1;
        }
        render_right(&seat.count, (column, row, self.count), style, buffer);
        column += self.count + 1;
        let weak = Style::new();
        render_right(&seat.change, (column, row, self.change), weak, buffer);
        column += self.change + 2;
        if let Some(action) = &seat.action {
            let room = right.saturating_sub(column);
            buffer.set_stringn(column, row, action, room.into(), style);
        }
        let cards = Rect {
            x: left + INDENT,
            y: row + 1,
            width: self.area.width.saturating_sub(2 * INDENT),
            height: self.size.rows(),
        };
        render_cards(&seat.cards, self.size, palette, cards, buffer);
    }
}

/// Draws a text at the right of these columns.
fn render_right(text: &str, place: (u16, u16, u16), style: Style, buffer: &mut Buffer) {
    let (column, row, width) = place;
    let own = u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX);
    let column = column + width.saturating_sub(own);
    buffer.set_stringn(column, row, text, width.into(), style);
}

/// Draws a bar as long as this part of the whole.
fn render_bar(
    (part, whole): (usize, usize),
    (column, row, width): (u16, u16, u16),
    style: Style,
    buffer: &mut Buffer,
) {
    let eighths = usize::from(width) * EIGHTHS.len();
    // One card can be seen, too.
    let least = usize::from(part > 0);
    let long = (part * eighths).checked_div(whole).unwrap_or_default();
    let long = long.clamp(least, eighths);
    let mut bar = "█".repeat(long / EIGHTHS.len());
    bar.push_str(EIGHTHS[long % EIGHTHS.len()]);
    let width = usize::from(width);
    buffer.set_stringn(column, row, "·".repeat(width), width, Palette::weak());
    buffer.set_stringn(column, row, bar, width, Style::reset().patch(style));
}

#[cfg(test)]
mod tests {
    use super::{SeatLayout, SeatRow, render_bar};
    use crate::watch::draw::style::Palette;
    use ratatui::buffer::{Buffer, Cell};
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    fn named(name: &str) -> SeatRow {
        SeatRow {
            name: name.to_owned(),
            is_winner: false,
            is_out: false,
            bar: Some((12, 24)),
            count: "12".to_owned(),
            change: "-1".to_owned(),
            action: Some("takes 1 card".to_owned()),
            cards: Vec::new(),
        }
    }

    #[test]
    fn names_of_every_width_stand_in_columns_of_the_same_width() {
        let names = [
            "Ann",
            "日本語のとても長いプレーヤー名",
            "e\u{301}te\u{301}",
            "a name that is much too long",
        ];
        let seats = names.map(named);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 8));
        let shown =
            SeatLayout::new(&seats, buffer.area).render(&seats, Palette::new(false), &mut buffer);
        assert_eq!(shown, 4);
        let columns = |row: u16| {
            let cells = (0..80).filter(|column| buffer[(*column, row)].symbol() == "█");
            let digits = (0..80).filter(|column| buffer[(*column, row)].symbol() == "k");
            (cells.collect::<Vec<_>>(), digits.max())
        };
        // Two columns, the name, a blank, and the bar.
        assert_eq!(columns(0).0.first(), Some(&23));
        for row in [2, 4, 6] {
            assert_eq!(columns(row), columns(0), "{}", names[usize::from(row) / 2]);
        }
        let name = |row: u16| {
            (2..22)
                .map(|column| buffer[(column, row)].symbol())
                .collect::<String>()
        };
        assert!(name(2).starts_with("日 本 語"), "{}", name(2));
        assert_eq!(name(6), "a name that is much ");
    }

    #[test]
    fn one_card_of_many_can_be_seen() {
        let bars = [0, 1, 255].map(|cards| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
            render_bar((cards, 255), (0, 0, 6), Style::new(), &mut buffer);
            let symbols = buffer.content().iter().map(Cell::symbol);
            symbols.collect::<String>()
        });
        assert_eq!(bars, ["······", "▏·····", "██████"]);
    }

    #[test]
    fn where_not_all_players_fit_a_row_is_left_to_say_so() {
        let seats = ["Ann", "Bob", "Cid", "Dan"].map(named);
        let shown = |height| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 80, height));
            let place = SeatLayout::new(&seats, buffer.area);
            let shown = place.render(&seats, Palette::new(false), &mut buffer);
            let last = (0..80).map(|column| buffer[(column, height - 1)].symbol());
            (shown, last.collect::<String>().trim().is_empty())
        };
        // A player needs two rows, and the second one is for cards.
        assert_eq!(
            [8, 7, 6, 5].map(shown),
            [(4, true), (3, true), (2, true), (2, true)]
        );
    }
}
