//! The whole picture, with its title and overlays.

use super::chart::{self, LEAD_MARK, OUT_MARK, POSITION_MARK, WAR_MARK};
use super::seats;
use super::style::{DrawContext, Palette};
use crate::watch::descriptions::{headline_text, sentence_texts};
use crate::watch::playback::{Motion, Overlay, Playback};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};
use war::i18n::{Catalogue, Count, Text, text};
use war::projections::frames::{Frame, FrameContent};

/// Smallest terminal that fits the picture.
const MIN_SIZE: (u16, u16) = (80, 24);

/// Height of the text about a turn.
const EVENTS_HEIGHT: u16 = 3;

/// Widget that draws a playback.
///
/// # Examples
///
/// See [the module](crate::watch).
#[derive(Debug, Clone, Copy)]
pub struct PlaybackWidget<'a> {
    /// Playback to draw.
    pub playback: &'a Playback,
    /// Language of the texts.
    pub catalogue: &'static Catalogue,
    /// True to use colors. The picture is complete without them.
    pub colors: bool,
}

impl Widget for PlaybackWidget<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
            self.render_too_small(area, buffer);
            return;
        }
        let context = DrawContext {
            playback: self.playback,
            catalogue: self.catalogue,
            palette: Palette::new(self.colors),
        };
        let [top, told, seats, chart, line, bottom] = self.parts(area);
        render_title(&context, top, buffer);
        if let Some(frame) = self.playback.film().frame(self.playback.turn()) {
            render_events(&context, frame, told, buffer);
            match &frame.content {
                FrameContent::Turn(turn) => seats::render(&context, turn, seats, buffer),
                FrameContent::Deal(deal) => seats::render_deals(&context, deal, seats, buffer),
            }
        }
        chart::render(&context, chart, buffer);
        chart::render_timeline(&context, line, buffer);
        render_overlay(&context, (area, bottom), buffer);
    }
}

impl PlaybackWidget<'_> {
    /// Areas of the parts, from top to bottom.
    fn parts(&self, area: Rect) -> [Rect; 6] {
        let rest = area.height - 1 - EVENTS_HEIGHT - 2;
        let film = self.playback.film();
        let seats = seats::height(film.info().players.len(), rest);
        let mut from = area.y;
        [1, EVENTS_HEIGHT, seats, rest - seats, 1, 1].map(|height| {
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
            least = format!("{}x{}", MIN_SIZE.0, MIN_SIZE.1)
        );
        let text = Paragraph::new(self.catalogue.format_text(&text)).wrap(Wrap { trim: true });
        text.render(area, buffer);
    }
}

fn render_events(context: &DrawContext<'_>, frame: &Frame, area: Rect, buffer: &mut Buffer) {
    let (playback, film) = (context.playback, context.playback.film());
    let waits = playback.is_growing() && playback.turn() == film.last_turn();
    let style = context.palette.headline_style(film.is_war(playback.turn()));
    let mut spans = vec![Span::styled(
        context.format_text(&headline_text(frame)),
        style,
    )];
    for text in sentence_texts(frame, film.info(), waits) {
        spans.push(Span::raw(" "));
        spans.push(Span::raw(context.format_text(&text)));
    }
    let told = Paragraph::new(Line::from(spans)).wrap(Wrap { trim: true });
    // The first and the last column stay empty.
    let area = Rect {
        x: area.x + 1,
        width: area.width - 2,
        ..area
    };
    told.render(area, buffer);
}

fn render_title(context: &DrawContext<'_>, area: Rect, buffer: &mut Buffer) {
    buffer.set_style(area, Palette::title_style());
    let place = Span::raw(position_text(context));
    let width = u16::try_from(place.width()).unwrap_or(u16::MAX);
    let left = area.width.saturating_sub(width + 1);
    buffer.set_span(area.x + left, area.y, &place, width);
    let info = context.playback.film().info();
    let status = info.status.clone();
    let title = status.into_iter().chain([context.format_text(&info.title)]);
    let title = title.collect::<Vec<_>>().join(" · ");
    let room = left.saturating_sub(3);
    buffer.set_stringn(
        area.x + 1,
        area.y,
        title,
        room.into(),
        Palette::title_style(),
    );
}

/// Text with the current turn, the speed and the motion.
fn position_text(context: &DrawContext<'_>) -> String {
    let playback = context.playback;
    let (turn, last) = (playback.turn(), playback.film().last_turn());
    let [turn, last] = [turn, last].map(|turn| Count(turn as u64));
    let place = if playback.film().info().is_token_game {
        text!(WatchAtDeal, deal = turn, last = last)
    } else {
        text!(WatchAtTurn, turn = turn, last = last)
    };
    let speed = playback.pace().turns_per_second();
    let speed = context
        .catalogue
        .format_decimal(speed, usize::from(speed < 1.0));
    let motion = match playback.motion() {
        Motion::Paused => text!(WatchPaused, speed = speed),
        Motion::Playing(_) => text!(WatchPlaying, speed = speed),
        Motion::Live => text!(WatchLive),
    };
    format!(
        "{} · {}",
        context.format_text(&place),
        context.format_text(&motion)
    )
}

/// Width of the keys in the help.
const KEY_WIDTH: usize = 12;

/// Draws the help on the whole area, if it is open, and the keys or the turn prompt on the last
/// row.
fn render_overlay(context: &DrawContext<'_>, (all, last): (Rect, Rect), buffer: &mut Buffer) {
    let overlay = context.playback.overlay();
    let keys = match overlay {
        Overlay::TurnPrompt(typed) => text!(WatchQuestion, typed = format!("{typed}_")),
        Overlay::None | Overlay::Help if context.is_moving() => text!(WatchKeysPlaying),
        Overlay::None | Overlay::Help => text!(WatchKeys),
    };
    let style = match overlay {
        Overlay::TurnPrompt(_) => Palette::bold_style(),
        Overlay::None | Overlay::Help => Palette::dim_style(),
    };
    let room = usize::from(last.width - 1);
    buffer.set_stringn(last.x + 1, last.y, context.format_text(&keys), room, style);
    if *overlay == Overlay::Help {
        render_help(context, all, buffer);
    }
}

fn render_help(context: &DrawContext<'_>, all: Rect, buffer: &mut Buffer) {
    let palette = context.palette;
    let space = context.format_text(&text!(WatchKeySpace));
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
        (WAR_MARK, palette.war_style(), text!(WatchHelpWars)),
        (LEAD_MARK, palette.lead_style(), text!(WatchHelpLeads)),
        (OUT_MARK, palette.out_style(), text!(WatchHelpOuts)),
        (POSITION_MARK, Style::new(), text!(WatchHelpHere)),
    ];
    let line = |key: &str, style: Style, text: &Text| {
        let key = Span::styled(format!(" {key:<KEY_WIDTH$}"), style);
        Line::from(vec![key, Span::raw(context.format_text(text) + " ")])
    };
    let mut lines: Vec<_> = keys
        .iter()
        .map(|(key, text)| line(key, Palette::bold_style(), text))
        .collect();
    lines.push(Line::default());
    lines.extend(
        marks
            .iter()
            .map(|(mark, style, text)| line(mark, *style, text)),
    );
    let info = context.playback.film().info();
    let court = info.has_court && !info.is_token_game;
    lines.extend(court.then(Line::default));
    lines.extend(
        court.then(|| Line::from(format!(" {} ", context.format_text(&text!(WatchHelpCourt))))),
    );
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
    let block = Block::bordered().title(context.format_text(&text!(WatchHelp)));
    Clear.render(area, buffer);
    Paragraph::new(lines).block(block).render(area, buffer);
}
