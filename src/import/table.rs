use super::Refused;
use crate::cards::{Deck, Rank};
use crate::i18n::{Message, Text};

/// A row of a printed table of the X/Y edition.
pub(super) struct Row<'a> {
    /// The line it stands on, counted from 1.
    pub(super) line: usize,
    /// What stands before the first colon: a round, or the word for the winner.
    pub(super) label: &'a str,
    /// All that follows the label.
    pub(super) rest: String,
    /// The pairs played, in order.
    pub(super) pairs: Vec<(Rank, Rank)>,
}

/// What the lines begin with that tell where the cards came from, and the header's rule.
const PREAMBLE: [&str; 4] = ["---", "seed:", "deck:", "random seed:"];

/// The rows of a text, without its preamble.
///
/// `header` is what the header begins with.
pub(super) fn rows<'a>(lines: &'a [String], header: &str) -> Result<Vec<Row<'a>>, Refused> {
    let is_preamble = |line: &str| {
        let mut starts = PREAMBLE.into_iter().chain([header]);
        line.trim().is_empty() || starts.any(|start| line.starts_with(start))
    };
    let lines = lines.iter().enumerate();
    let lines = lines.filter(|(_, line)| !is_preamble(line));
    lines.map(|(index, line)| row(index + 1, line)).collect()
}

/// The text line by line, without the colours that the program may have printed it in.
pub(super) fn plain(text: &str) -> Vec<String> {
    let plain = |line: &str| {
        let mut parts = line.split('\u{1b}');
        let first = parts.next().unwrap_or_default().to_owned();
        let after = |part: &str| {
            part.split_once('m')
                .map_or(String::new(), |(_, rest)| rest.to_owned())
        };
        first + &parts.map(after).collect::<String>()
    };
    text.lines().map(plain).collect()
}

fn row(line: usize, text: &str) -> Result<Row<'_>, Refused> {
    let refused = |message: Message| Refused {
        line,
        reason: Text::new(message).with("found", text),
    };
    let (label, rest) = text
        .split_once(" : ")
        .ok_or_else(|| refused(Message::IMPORT_NO_ROW))?;
    let mut pairs = Vec::new();
    for pair in rest.split("X>").skip(1) {
        let pair = pair.split("<Y").next().unwrap_or_default();
        let (x, y) = pair
            .split_once(['|', '-'])
            .ok_or_else(|| refused(Message::IMPORT_NO_PAIR))?;
        let rank = |typed: &str| {
            let rank = typed.parse().ok().and_then(Rank::new);
            let rank = rank.filter(|rank| rank.get() <= Deck::Thirteen.highest());
            rank.ok_or_else(|| Refused {
                line,
                reason: Text::new(Message::IMPORT_NO_RANK).with("found", typed),
            })
        };
        pairs.push((rank(x)?, rank(y)?));
    }
    Ok(Row {
        line,
        label: label.trim(),
        rest: rest.to_owned(),
        pairs,
    })
}
