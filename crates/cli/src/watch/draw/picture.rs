use super::look::Look;
use super::palette::Palette;
use super::{chart, deals, layers, line, seats, title};
use crate::watch::watching::Watching;
use crate::watch::words::{headline, sentences};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use war::i18n::{Catalogue, text};
use war::projections::frames::{Frame, Shown};

/// The smallest terminal on which all can be read.
const SMALLEST: (u16, u16) = (80, 24);

/// The rows for what happens in a turn.
const TOLD: u16 = 3;

/// What somebody sees of a game, to be drawn on a terminal.
///
/// # Examples
///
/// See [the module](crate::watch).
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a> {
    /// What is seen.
    pub watching: &'a Watching,
    /// The language of all words.
    pub catalogue: &'static Catalogue,
    /// Whether it has colors; without them it says the same.
    pub colors: bool,
}

impl Widget for Picture<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
            self.render_too_small(area, buffer);
            return;
        }
        let look = Look {
            watching: self.watching,
            catalogue: self.catalogue,
            palette: Palette::new(self.colors),
        };
        let [top, told, seats, chart, line, bottom] = self.parts(area);
        title::render(&look, top, buffer);
        if let Some(frame) = self.watching.film().frame(self.watching.turn()) {
            render_told(&look, frame, told, buffer);
            match &frame.shown {
                Shown::Turn(turn) => seats::render(&look, turn, seats, buffer),
                Shown::Deal(deal) => deals::render(&look, deal, seats, buffer),
            }
        }
        chart::render(&look, chart, buffer);
        line::render(&look, line, buffer);
        layers::render(&look, (area, bottom), buffer);
    }
}

impl Picture<'_> {
    /// The places of the parts, from top to bottom.
    fn parts(&self, area: Rect) -> [Rect; 6] {
        let rest = area.height - 1 - TOLD - 2;
        let film = self.watching.film();
        let seats = seats::height(film.about().players.len(), rest);
        let mut from = area.y;
        [1, TOLD, seats, rest - seats, 1, 1].map(|height| {
            let part = Rect {
                y: from,
                height,
                ..area
            };
            from += height;
            part
        })
    }

    fn render_too_small(&self, area: Rect, buffer: &mut Buffer) {
        let text = text!(
            WatchTooSmall,
            size = format!("{}x{}", area.width, area.height),
            least = format!("{}x{}", SMALLEST.0, SMALLEST.1)
        );
        let text = Paragraph::new(self.catalogue.text(&text)).wrap(Wrap { trim: true });
        text.render(area, buffer);
    }
}

/// Tells what happens in a turn.
fn render_told(look: &Look<'_>, frame: &Frame, area: Rect, buffer: &mut Buffer) {
    let (watching, film) = (look.watching, look.watching.film());
    let waits = watching.grows() && watching.turn() == film.last();
    let style = look.palette.headline(film.is_war(watching.turn()));
    let mut spans = vec![Span::styled(look.words(&headline(frame)), style)];
    for text in sentences(frame, film.about(), waits) {
        spans.push(Span::raw(" "));
        spans.push(Span::raw(look.words(&text)));
    }
    let told = Paragraph::new(Line::from(spans)).wrap(Wrap { trim: true });
    // Not in the first and in the last column.
    let area = Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    };
    told.render(area, buffer);
}
