//! Table of published figures: `literature.tsv`, one figure a line.
//!
//! Its columns, separated by tabs, are
//!
//! - the source;
//! - `published`, or `reference` for a figure of this project;
//! - the number of games that the source played, if known;
//! - the command that plays the same games, without `war`, the number of games and the seed;
//! - the figure;
//! - its value;
//! - the tolerance: the rounding error of the value, or its standard error;
//! - a note for readers of the table.
//!
//! Lines with the same source and command make a row if they follow each other.

use super::claim::{Claim, Figure, SourceGames, SourceRow};
use super::command::{CommandError, parse_command};
use std::str::FromStr;
use thiserror::Error;

const TABLE: &str = include_str!("literature.tsv");
const HEADING: &str = "source\tkind\tgames\tcommand\tfigure\tpublished\ttolerance\tnote";

/// Error in a line of a table of published figures.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Error in the line.
    pub problem: LineError,
}

/// Error in a figure's line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LineError {
    /// First line that isn't the heading.
    #[error("expected the heading `{}`", HEADING.replace('\t', "`, tab, `"))]
    Heading,
    /// Wrong number of columns.
    #[error("expected 8 columns with tabs between them, found {0}")]
    Columns(usize),
    /// Unknown kind of source.
    #[error("`{0}` is not a kind of source; write `published` or `reference`")]
    Kind(String),
    /// Number that can't be parsed.
    #[error("`{value}` is not a number in the column `{column}`")]
    Number {
        /// Name of the column.
        column: &'static str,
        /// Text in place of a number.
        value: String,
    },
    /// Unknown figure.
    #[error("`{0}` is not a figure; take the name of one from another line")]
    Figure(String),
    /// Command that can't be played.
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Returns all rows, in display order.
///
/// # Panics
///
/// Never: the tests parse the table, which is part of the program.
#[must_use]
pub fn source_rows() -> Vec<SourceRow> {
    parse_table(TABLE).expect("the tests parse this table")
}

/// Parses a table of published figures.
///
/// # Errors
///
/// [`TableError`] for the first invalid line.
pub fn parse_table(table: &str) -> Result<Vec<SourceRow>, TableError> {
    let mut rows: Vec<SourceRow> = Vec::new();
    for (line, text) in (1..).zip(table.lines()) {
        let in_line = |problem| TableError { line, problem };
        if line == 1 {
            if text != HEADING {
                return Err(in_line(LineError::Heading));
            }
            continue;
        }
        let row = parse_line(text).map_err(in_line)?;
        match rows.last_mut() {
            Some(last) if (&last.source, &last.command) == (&row.source, &row.command) => {
                last.claims.extend(row.claims);
            }
            _ => rows.push(row),
        }
    }
    Ok(rows)
}

/// Parses a line into a row with one figure.
fn parse_line(line: &str) -> Result<SourceRow, LineError> {
    let columns: Vec<_> = line.split('\t').collect();
    let [
        source,
        kind,
        games,
        command,
        figure,
        published,
        tolerance,
        _note,
    ] = columns[..]
    else {
        return Err(LineError::Columns(columns.len()));
    };
    let is_ours = match kind {
        "published" => false,
        "reference" => true,
        _ => return Err(LineError::Kind(kind.to_owned())),
    };
    let published_games = match games {
        "" => None,
        games => Some(number("games", games)?),
    };
    let claim = Claim {
        figure: Figure::from_name(figure).ok_or_else(|| LineError::Figure(figure.to_owned()))?,
        published: number("published", published)?,
        margin: number("tolerance", tolerance)?,
    };
    let games = match parse_command(command)? {
        SourceGames::Simulated(setup) if claim.figure.is_of_rounds() => SourceGames::Rounds(setup),
        games => games,
    };
    Ok(SourceRow {
        source: source.to_owned(),
        command: command.to_owned(),
        games,
        is_ours,
        published_games,
        claims: vec![claim],
    })
}

fn number<T: FromStr>(column: &'static str, value: &str) -> Result<T, LineError> {
    value.parse().map_err(|_| LineError::Number {
        column,
        value: value.to_owned(),
    })
}
