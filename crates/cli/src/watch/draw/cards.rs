//! Rows of cards.

use super::style::Palette;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;
use war::cards::{Card, Suit};
use war::engine::{Face, TableCard};

/// Size in which cards are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CardSize {
    /// One line: `[K]`.
    Flat,
    /// Box of three lines.
    Tall,
}

impl CardSize {
    /// Height of a card.
    pub(super) const fn height(self) -> u16 {
        match self {
            Self::Flat => 1,
            Self::Tall => 3,
        }
    }
}

/// Card to be drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DrawnCard {
    /// Rank and suit; `None` for a face-down card.
    label: Option<String>,
    is_red: bool,
}

impl DrawnCard {
    /// Card of War; `has_court` is true if ranks 11 to 14 are jack, queen, king and ace.
    pub(super) fn new(put: TableCard, has_court: bool) -> Self {
        let label = match (put.face, put.card.get()) {
            (Face::Down, _) => None,
            (Face::Up, 11) if has_court => Some("J".to_owned()),
            (Face::Up, 12) if has_court => Some("Q".to_owned()),
            (Face::Up, 13) if has_court => Some("K".to_owned()),
            (Face::Up, 14) if has_court => Some("A".to_owned()),
            (Face::Up, rank) => Some(rank.to_string()),
        };
        Self {
            label,
            is_red: false,
        }
    }

    /// Card of a token game, which has a suit.
    pub(super) fn with_suit(card: Card) -> Self {
        let suit = match card.suit() {
            Suit::Clubs => '♣',
            Suit::Diamonds => '♦',
            Suit::Hearts => '♥',
            Suit::Spades => '♠',
        };
        let name = card.to_string();
        let rank = match &name[..1] {
            "T" => "10",
            rank => rank,
        };
        Self {
            label: Some(format!("{rank}{suit}")),
            is_red: matches!(card.suit(), Suit::Diamonds | Suit::Hearts),
        }
    }

    /// Lines from top to bottom.
    fn rows(&self, size: CardSize) -> Vec<String> {
        match (size, &self.label) {
            (CardSize::Flat, Some(label)) => vec![format!("[{label}]")],
            (CardSize::Flat, None) => vec!["[▒]".to_owned()],
            (CardSize::Tall, Some(label)) => {
                vec!["╭───╮".into(), format!("│{label:^3}│"), "╰───╯".into()]
            }
            (CardSize::Tall, None) => vec!["╭───╮".into(), "│▒▒▒│".into(), "╰───╯".into()],
        }
    }
}

/// Mark in place of the first cards if not all fit.
const ELLIPSIS: &str = "… ";

/// Draws cards from left to right. If not all fit, an ellipsis replaces the first ones.
pub(super) fn render_cards(
    cards: &[DrawnCard],
    size: CardSize,
    palette: Palette,
    area: Rect,
    buffer: &mut Buffer,
) {
    let rows: Vec<_> = cards.iter().map(|card| card.rows(size)).collect();
    let width = |rows: &Vec<String>| {
        let widest = rows.iter().map(|row| Span::raw(row).width()).max();
        u16::try_from(widest.unwrap_or_default() + 1).unwrap_or(u16::MAX)
    };
    let widths: Vec<_> = rows.iter().map(width).collect();
    let fit = |room: u16| {
        let mut left = room;
        let last = widths.iter().rev().take_while(|width| {
            let fits = **width <= left + 1;
            left = left.saturating_sub(**width);
            fits
        });
        last.count()
    };
    let mut column = area.x;
    let mut shown = fit(area.width);
    if shown < cards.len() {
        shown = fit(area.width.saturating_sub(2));
        let middle = area.y + size.height() / 2;
        (column, _) = buffer.set_stringn(column, middle, ELLIPSIS, 2, Palette::dim_style());
    }
    let first = cards.len() - shown;
    for (index, card) in cards.iter().enumerate().skip(first) {
        let style = if card.label.is_some() {
            palette.card_style(card.is_red)
        } else {
            Palette::dim_style()
        };
        for (row, text) in (area.y..).zip(&rows[index]) {
            buffer.set_string(column, row, text, style);
        }
        column += widths[index];
    }
}
