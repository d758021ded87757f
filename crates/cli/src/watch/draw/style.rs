//! Context of a drawing, and its colors.

use crate::watch::playback::{Motion, Playback};
use ratatui::style::{Color, Modifier, Style};
use war::i18n::{Catalogue, Text};

/// Playback, language and colors of a drawing.
pub(super) struct DrawContext<'a> {
    pub(super) playback: &'a Playback,
    pub(super) catalogue: &'static Catalogue,
    pub(super) palette: Palette,
}

impl DrawContext<'_> {
    /// Formats a text in the language of the picture.
    pub(super) fn format_text(&self, text: &Text) -> String {
        self.catalogue.format_text(text)
    }

    /// Returns true if turns change without input.
    pub(super) const fn is_moving(&self) -> bool {
        !matches!(self.playback.motion(), Motion::Paused)
    }
}

/// Colors of the players, seat 1 first.
const SEAT_COLORS: [Color; 5] = [
    Color::Cyan,
    Color::Yellow,
    Color::Magenta,
    Color::Green,
    Color::Blue,
];

/// Styles, with or without colors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    colors: bool,
}

impl Palette {
    pub(super) const fn new(colors: bool) -> Self {
        Self { colors }
    }

    /// Returns this color if colors are used, else the terminal's default.
    fn color(self, color: Color) -> Color {
        if self.colors { color } else { Color::Reset }
    }

    pub(super) fn seat_color(self, seat: usize) -> Color {
        self.color(SEAT_COLORS[seat % SEAT_COLORS.len()])
    }

    pub(super) fn seat_style(self, seat: usize) -> Style {
        Style::new().fg(self.seat_color(seat))
    }

    pub(super) const fn title_style() -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    pub(super) fn headline_style(self, is_war: bool) -> Style {
        let style = Style::new().add_modifier(Modifier::BOLD);
        if is_war {
            style.fg(self.color(Color::Red))
        } else {
            style
        }
    }

    pub(super) const fn bold_style() -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) const fn dim_style() -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// Style of a face-up card, by the color of its suit.
    pub(super) fn card_style(self, red: bool) -> Style {
        if red {
            Self::bold_style().fg(self.color(Color::Red))
        } else {
            Self::bold_style()
        }
    }

    pub(super) fn war_style(self) -> Style {
        Style::new().fg(self.color(Color::Yellow))
    }

    pub(super) fn lead_style(self) -> Style {
        Style::new().fg(self.color(Color::Cyan))
    }

    pub(super) fn out_style(self) -> Style {
        Self::bold_style().fg(self.color(Color::Red))
    }
}
