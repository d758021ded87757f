//! The whole picture, its title, and what lies over it.

use super::chart::{self, HERE, LEAD, OUT, WAR};
use super::look::{Look, Palette};
use super::seats;
use crate::watch::watching::{Layer, Motion, Watching};
use crate::watch::words::{headline, sentences};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};
use war::i18n::{Catalogue, Count, Text, text};
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
        render_title(&look, top, buffer);
        if let Some(frame) = self.watching.film().frame(self.watching.turn()) {
            render_told(&look, frame, told, buffer);
            match &frame.shown {
                Shown::Turn(turn) => seats::render(&look, turn, seats, buffer),
                Shown::Deal(deal) => seats::render_deals(&look, deal, seats, buffer),
            }
        }
        chart::render(&look, chart, buffer);
        chart::render_line(&look, line, buffer);
        render_layer(&look, (area, bottom), buffer);
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

fn render_title(look: &Look<'_>, area: Rect, buffer: &mut Buffer) {
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

/// The columns of keys in the help.
const KEYS: usize = 12;

/// Draws them on the whole of the picture and on its last row.
fn render_layer(look: &Look<'_>, (all, last): (Rect, Rect), buffer: &mut Buffer) {
    let layer = look.watching.layer();
    let keys = match layer {
        Layer::Question(typed) => text!(WatchQuestion, typed = format!("{typed}_")),
        Layer::None | Layer::Help if look.moves() => text!(WatchKeysPlaying),
        Layer::None | Layer::Help => text!(WatchKeys),
    };
    let style = match layer {
        Layer::Question(_) => Palette::strong(),
        Layer::None | Layer::Help => Palette::weak(),
    };
    let room = usize::from(last.width - 1);
    buffer.set_stringn(last.x + 1, last.y, look.words(&keys), room, style);
    if *layer == Layer::Help {
        render_help(look, all, buffer);
    }
}

fn render_help(look: &Look<'_>, all: Rect, buffer: &mut Buffer) {
    let palette = look.palette;
    let space = look.words(&text!(WatchKeySpace));
    let keys: [(&str, Text); 9] = [
        (&space, text!(WatchHelpPlay)),
        ("← →", text!(WatchHelpStep)),
        ("PgUp PgDn", text!(WatchHelpPage)),
        ("Home End", text!(WatchHelpEnds)),
        ("n", text!(WatchHelpWar)),
        ("+ -", text!(WatchHelpSpeed)),
        ("/", text!(WatchHelpTurn)),
        ("?", text!(WatchHelpHelp)),
        ("q", text!(WatchHelpQuit)),
    ];
    let marks = [
        (WAR, palette.war(), text!(WatchHelpWars)),
        (LEAD, palette.lead(), text!(WatchHelpLeads)),
        (OUT, palette.out(), text!(WatchHelpOuts)),
        (HERE, Style::new(), text!(WatchHelpHere)),
    ];
    let line = |key: &str, style: Style, text: &Text| {
        let key = Span::styled(format!(" {key:<KEYS$}"), style);
        Line::from(vec![key, Span::raw(look.words(text) + " ")])
    };
    let mut lines: Vec<_> = keys
        .iter()
        .map(|(key, text)| line(key, Palette::strong(), text))
        .collect();
    lines.push(Line::default());
    lines.extend(
        marks
            .iter()
            .map(|(mark, style, text)| line(mark, *style, text)),
    );
    let about = look.watching.film().about();
    let court = about.has_court && !about.is_of_tokens;
    lines.extend(court.then(Line::default));
    lines.extend(court.then(|| Line::from(format!(" {} ", look.words(&text!(WatchHelpCourt))))));
    let width = lines.iter().map(Line::width).max().unwrap_or_default() + 2;
    let size = (width, lines.len() + 2);
    let size = (u16::try_from(size.0), u16::try_from(size.1));
    let (Ok(width), Ok(height)) = size else {
        return;
    };
    let area = Rect {
        x: all.x + all.width.saturating_sub(width) / 2,
        y: all.y + all.height.saturating_sub(height) / 2,
        width,
        height,
    };
    let area = area.intersection(all);
    let block = Block::bordered().title(look.words(&text!(WatchHelp)));
    Clear.render(area, buffer);
    Paragraph::new(lines).block(block).render(area, buffer);
}
