use super::error::{ImportError, LineError};
use crate::cards::{Deck, Rank};
use crate::i18n::{Catalogue, Lang, text};
use crate::support::excerpt::excerpt;

/// A form that tables of the X/Y edition are printed in.
#[derive(Clone)]
pub(super) struct Form {
    /// The language of the words.
    pub(super) lang: Lang,
    header: String,
    rule: String,
    /// How wide the first column is.
    width: usize,
    /// What the last row begins with, where it is not the word for the winner.
    last: Option<&'static str>,
}

impl Form {
    /// The forms that there are, by their headers: those of this program, those of the original
    /// program, and those of its newer version. How wide the first column is and what the last
    /// row begins with follows from the rows.
    ///
    /// # Panics
    ///
    /// If a catalogue built into the program is broken.
    fn all() -> Vec<Self> {
        let mut forms = Vec::from(Lang::ALL.map(|lang| {
            let catalogue = Catalogue::of(lang).expect("the built-in catalogues are tested");
            Self {
                lang,
                header: catalogue.text(&text!(XyHeader)),
                rule: catalogue.text(&text!(XyRule)),
                width: 6,
                last: None,
            }
        }));
        let (ours, theirs) = (
            "winner, or War[size]  cards...",
            "winner,  or  War[size] cards...",
        );
        for (from, to) in [(ours, theirs), ("#", "")] {
            let other = |form: &Self| Self {
                header: form.header.replacen(from, to, 1),
                ..form.clone()
            };
            let others: Vec<_> = forms.iter().map(other).collect();
            forms.extend(others);
        }
        forms
    }

    /// The form with what its rows say of it.
    fn with_rows(self, rows: &[(usize, String)]) -> Self {
        let narrow = rows.first().and_then(|(_, row)| row.find(" : ")) == Some(5);
        let is_final = rows
            .last()
            .is_some_and(|(_, row)| row.trim_start().starts_with(FINAL));
        Self {
            width: if narrow { 5 } else { self.width },
            last: is_final.then_some(FINAL),
            ..self
        }
    }

    /// A row as this program prints it, in this form.
    pub(super) fn of(&self, row: &str) -> String {
        let cut = row.trim_end().split_once(" : ");
        let (label, rest) = cut.expect("a row begins with its round");
        let label = label.trim_start();
        let is_round = label.bytes().all(|byte| byte.is_ascii_digit());
        let label = match self.last {
            Some(last) if !is_round => last,
            _ => label,
        };
        format!("{label:>width$} : {rest}", width = self.width)
    }
}

/// A table's text, without colours, indent, header and empty lines.
pub(super) struct Lines {
    pub(super) form: Form,
    /// The rows, each with its line, counted from 1.
    pub(super) rows: Vec<(usize, String)>,
    /// The number of lines of the text, at least 1.
    pub(super) count: usize,
}

/// A row of a printed table.
pub(super) struct Row<'a> {
    /// The line it is on, counted from 1.
    pub(super) line: usize,
    /// The row as it was printed.
    pub(super) text: &'a str,
    /// The pairs played, in order.
    pub(super) pairs: Vec<(Rank, Rank)>,
}

/// What the last row begins with in newer tables of the original program.
const FINAL: &str = "FINAL";

/// What the lines above the header begin with that tell where the cards came from.
const PREAMBLE: [&str; 3] = ["seed:", "deck:", "random seed:"];

/// Finds the header of a text, and the rows that follow it.
pub(super) fn lines(text: &str) -> Result<Lines, ImportError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<_> = text.lines().map(plain).collect();
    let count = lines.len().max(1);
    let mut lines = (1..)
        .zip(&lines)
        .filter(|(_, line)| !line.trim().is_empty());
    let is_preamble = |line: &str| PREAMBLE.iter().any(|start| line.starts_with(start));
    let header = lines.find(|(_, line)| !is_preamble(line.trim_start()));
    let Some((at, header)) = header else {
        return Err(LineError::NoTable.on(1));
    };
    // A table may be copied from where all of it was indented.
    let (indent, header) = header.split_at(header.len() - header.trim_start().len());
    let form = Form::all()
        .into_iter()
        .find(|form| form.header == header.trim_end());
    let Some(form) = form else {
        let found = found(header);
        return Err(LineError::NoHeader { found }.on(at));
    };
    let mut lines = lines.map(|(line, text)| (line, text.strip_prefix(indent).unwrap_or(text)));
    match lines.next() {
        Some((_, rule)) if [&form.rule, &form.rule[1..]].contains(&rule.trim_end()) => {}
        Some((line, rule)) => return Err(other_row(line, &form.rule, rule)),
        None => return Err(LineError::NoEnd.on(count)),
    }
    let rows: Vec<_> = lines.map(|(line, text)| (line, text.to_owned())).collect();
    let form = form.with_rows(&rows);
    Ok(Lines { form, rows, count })
}

/// A line without the colours that the program may have printed it in.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().expect("a split has a part").to_owned();
    let after = |part: &str| {
        part.split_once('m')
            .map_or(String::new(), |(_, rest)| rest.to_owned())
    };
    first + &parts.map(after).collect::<String>()
}

/// The row on this line.
pub(super) fn row(line: usize, text: &str) -> Result<Row<'_>, ImportError> {
    let no_row = || LineError::NoRow { found: found(text) }.on(line);
    let no_pair = || LineError::NoPair { found: found(text) }.on(line);
    let (_, rest) = text.split_once(" : ").ok_or_else(no_row)?;
    let mut pairs = Vec::new();
    for pair in rest.split("X>").skip(1) {
        let pair = pair.split_once("<Y").map_or(pair, |(pair, _)| pair);
        let (x, y) = pair.split_once(['|', '-']).ok_or_else(no_pair)?;
        let rank = |typed: &str| {
            let rank = typed.parse().ok().and_then(Rank::new);
            let rank = rank.filter(|rank| rank.get() <= Deck::Thirteen.highest());
            let found = || found(typed);
            rank.ok_or_else(|| LineError::NoRank { found: found() }.on(line))
        };
        pairs.push((rank(x)?, rank(y)?));
    }
    Ok(Row { line, text, pairs })
}

/// A line where another one should be.
pub(super) fn other_row(line: usize, expected: &str, text: &str) -> ImportError {
    let expected = expected.trim().to_owned();
    let found = found(text.trim());
    LineError::OtherRow { expected, found }.on(line)
}

/// What was found, short enough for a message: rows of most wars are shorter.
pub(super) fn found(text: &str) -> String {
    const LONGEST: usize = 400;
    excerpt(text, LONGEST)
}
