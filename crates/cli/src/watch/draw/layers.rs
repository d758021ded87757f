//! The keys in the last row, and what lies over the game.

use super::line::{HERE, LEAD, OUT, WAR};
use super::look::Look;
use super::palette::Palette;
use crate::watch::layer::Layer;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget};
use war::i18n::{Text, text};

/// The columns of keys in the help.
const KEYS: usize = 12;

/// Draws them on the whole of the picture and on its last row.
pub(super) fn render(look: &Look<'_>, (all, last): (Rect, Rect), buffer: &mut Buffer) {
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
