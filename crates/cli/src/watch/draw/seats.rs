//! Rows of the players, in War and in token games.

use super::cards::{CardSize, DrawnCard, render_cards};
use super::style::{DrawContext, Palette};
use crate::watch::descriptions::{hand_action_text, turn_action_text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;
use war::i18n::{Count, text};
use war::projections::frames::{PlayerTurn, TokenDeal, Turn};

/// Minimum height of the chart.
const MIN_CHART_HEIGHT: u16 = 6;

/// Height of the players' rows, out of `rows` shared with the chart.
pub(super) fn height(players: usize, rows: u16) -> u16 {
    let players = u16::try_from(players).unwrap_or(u16::MAX);
    let most = rows - MIN_CHART_HEIGHT;
    let tall = players.saturating_mul(CardSize::Tall.height() + 1);
    let flat = players.saturating_mul(CardSize::Flat.height() + 1);
    if tall <= most { tall } else { flat.min(most) }
}

pub(super) fn render(context: &DrawContext<'_>, turn: &Turn, area: Rect, buffer: &mut Buffer) {
    let info = context.playback.film().info();
    let cards = |held: &PlayerTurn| {
        let put = held.put.iter();
        put.map(|put| DrawnCard::new(*put, info.has_court))
            .collect()
    };
    let seats = turn.seats.iter().enumerate().map(|(seat, held)| SeatRow {
        name: info.player_name(seat),
        is_winner: turn.winner.is_some_and(|winner| winner.index() == seat),
        is_out: held.after == 0,
        bar: Some((held.after, info.cards)),
        count: context.catalogue.format_count(&held.after),
        change: change_text(held),
        action: turn_action_text(turn, seat).map(|text| context.format_text(&text)),
        cards: cards(held),
    });
    let seats: Vec<_> = seats.collect();
    let place = SeatLayout::new(&seats, area);
    let shown = place.render(&seats, context.palette, buffer);
    if let Some(left @ 1..) = seats.len().checked_sub(shown) {
        let text = text!(WatchMorePlayers, players = Count(left as u64));
        let row = area.bottom() - 1;
        buffer.set_string(
            area.x + 2,
            row,
            context.format_text(&text),
            Palette::dim_style(),
        );
    }
}

/// Signed change of a hand's size; empty if it stayed the same.
fn change_text(held: &PlayerTurn) -> String {
    match held.after.checked_sub(held.before) {
        Some(0) => String::new(),
        Some(more) => format!("+{more}"),
        None => format!("-{}", held.before - held.after),
    }
}

pub(super) fn render_deals(
    context: &DrawContext<'_>,
    deal: &TokenDeal,
    area: Rect,
    buffer: &mut Buffer,
) {
    let info = context.playback.film().info();
    let seats = deal.seats.iter().enumerate().map(|(seat, dealt)| SeatRow {
        name: info.player_name(seat),
        is_winner: dealt.tokens.is_some_and(|won| won > 0),
        is_out: false,
        bar: None,
        count: String::new(),
        change: dealt
            .tokens
            .map_or_else(String::new, |won| format!("{won:+}")),
        action: hand_action_text(dealt).map(|text| context.format_text(&text)),
        cards: dealt
            .hand
            .iter()
            .map(|card| DrawnCard::with_suit(*card))
            .collect(),
    });
    let seats: Vec<_> = seats.collect();
    SeatLayout::new(&seats, area).render(&seats, context.palette, buffer);
}

/// Maximum width of a name.
const MAX_NAME_WIDTH: usize = 20;

/// Width of a player's result or action.
const ACTION_WIDTH: u16 = 26;

/// Width of the empty space before names and cards.
const INDENT: u16 = 2;

/// Partial cells of a bar, from zero to seven eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Data of a player's row.
pub(super) struct SeatRow {
    pub(super) name: String,
    pub(super) is_winner: bool,
    /// True if the player has no cards.
    pub(super) is_out: bool,
    /// Cards held and cards in the deck, if a bar is drawn.
    pub(super) bar: Option<(usize, usize)>,
    pub(super) count: String,
    pub(super) change: String,
    pub(super) action: Option<String>,
    pub(super) cards: Vec<DrawnCard>,
}

/// Area and columns of the players' rows.
pub(super) struct SeatLayout {
    area: Rect,
    size: CardSize,
    name_width: u16,
    count_width: u16,
    change_width: u16,
}

impl SeatLayout {
    /// Computes the layout for these players.
    pub(super) fn new(seats: &[SeatRow], area: Rect) -> Self {
        let widest = |text: fn(&SeatRow) -> &str| {
            let widths = seats.iter().map(|seat| Span::raw(text(seat)).width());
            let widest = widths.max().unwrap_or_default().min(MAX_NAME_WIDTH);
            u16::try_from(widest).unwrap_or_default()
        };
        let tall = seats.len() * usize::from(CardSize::Tall.height() + 1);
        let size = if tall <= area.height.into() {
            CardSize::Tall
        } else {
            CardSize::Flat
        };
        Self {
            area,
            size,
            name_width: widest(|seat| &seat.name),
            count_width: widest(|seat| &seat.count).max(3),
            change_width: widest(|seat| &seat.change).max(3),
        }
    }

    /// Draws as many players as fit; returns their number.
    pub(super) fn render(&self, seats: &[SeatRow], palette: Palette, buffer: &mut Buffer) -> usize {
        let height = self.size.height() + 1;
        let room = usize::from(self.area.height / height);
        let shown = if room < seats.len() {
            // The last line says how many players are not shown.
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
            (true, _) => color.patch(Palette::bold_style()),
            (false, true) => Palette::dim_style(),
            (false, false) => color,
        };
        let (left, right) = (self.area.x, self.area.right());
        if seat.is_winner {
            buffer.set_string(left, row, "►", style);
        }
        let mut column = left + INDENT;
        buffer.set_stringn(column, row, &seat.name, self.name_width.into(), style);
        column += self.name_width + 1;
        let columns = [self.count_width, self.change_width, ACTION_WIDTH];
        let taken = columns.iter().map(|width| width + 1).sum::<u16>();
        if let Some(bar) = seat.bar {
            let width = right.saturating_sub(taken + 1).saturating_sub(column);
            let cells = Cells { column, row, width };
            render_bar(bar, cells, color, buffer);
            column += width + 1;
        }
        let cells = |column, width| Cells { column, row, width };
        render_right(&seat.count, cells(column, self.count_width), style, buffer);
        column += self.count_width + 1;
        let weak = Style::new();
        render_right(&seat.change, cells(column, self.change_width), weak, buffer);
        column += self.change_width + 2;
        if let Some(action) = &seat.action {
            let room = right.saturating_sub(column);
            buffer.set_stringn(column, row, action, room.into(), style);
        }
        let cards = Rect {
            x: left + INDENT,
            y: row + 1,
            width: self.area.width.saturating_sub(2 * INDENT),
            height: self.size.height(),
        };
        render_cards(&seat.cards, self.size, palette, cards, buffer);
    }
}

/// Cells of a row, from this column.
#[derive(Debug, Clone, Copy)]
struct Cells {
    column: u16,
    row: u16,
    width: u16,
}

/// Draws a text right-aligned within these cells.
fn render_right(text: &str, cells: Cells, style: Style, buffer: &mut Buffer) {
    let Cells { column, row, width } = cells;
    let own = u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX);
    let column = column + width.saturating_sub(own);
    buffer.set_stringn(column, row, text, width.into(), style);
}

/// Draws a bar that shows `part` of `whole`.
fn render_bar(
    (part, whole): (usize, usize),
    Cells { column, row, width }: Cells,
    style: Style,
    buffer: &mut Buffer,
) {
    let eighths = usize::from(width) * EIGHTHS.len();
    // Even a single card fills at least one eighth of a cell.
    let least = usize::from(part > 0);
    let long = (part * eighths).checked_div(whole).unwrap_or_default();
    let long = long.clamp(least, eighths);
    let mut bar = "█".repeat(long / EIGHTHS.len());
    bar.push_str(EIGHTHS[long % EIGHTHS.len()]);
    let width = usize::from(width);
    buffer.set_stringn(column, row, "·".repeat(width), width, Palette::dim_style());
    buffer.set_stringn(column, row, bar, width, Style::reset().patch(style));
}

#[cfg(test)]
mod tests {
    use super::{Cells, SeatLayout, SeatRow, render_bar};
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
    fn names_of_any_width_leave_the_columns_aligned() {
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
        // The bar begins after the indent, the name and a space.
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
    fn a_single_card_is_visible_in_the_bar() {
        let bars = [0, 1, 255].map(|cards| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
            let cells = Cells {
                column: 0,
                row: 0,
                width: 6,
            };
            render_bar((cards, 255), cells, Style::new(), &mut buffer);
            let symbols = buffer.content().iter().map(Cell::symbol);
            symbols.collect::<String>()
        });
        assert_eq!(bars, ["······", "▏·····", "██████"]);
    }

    #[test]
    fn a_line_is_left_free_if_not_all_players_fit() {
        let seats = ["Ann", "Bob", "Cid", "Dan"].map(named);
        let shown = |height| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 80, height));
            let place = SeatLayout::new(&seats, buffer.area);
            let shown = place.render(&seats, Palette::new(false), &mut buffer);
            let last = (0..80).map(|column| buffer[(column, height - 1)].symbol());
            (shown, last.collect::<String>().trim().is_empty())
        };
        // A player needs two lines; the second one holds the cards.
        assert_eq!(
            [8, 7, 6, 5].map(shown),
            [(4, true), (3, true), (2, true), (2, true)]
        );
    }
}
