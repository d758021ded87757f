//! Scenario files: hands chosen by a person, parsed strictly.
//!
//! [`parse_scenario`] parses the bytes of a file for the rules of an edition. Its errors locate the
//! problem.

use crate::cards::{Deck, Rank};
use crate::rules::{ScenarioLimits, Variant};
use crate::support::encoding::{EncodingError, decode_utf8};
use crate::support::sanitize::truncate_text;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// Prefix of scenario files for the classic edition.
pub const CLASSIC_PREFIX: &str = "ssc_";
/// Prefix of scenario files for the duels edition.
pub const DUELS_PREFIX: &str = "war_";
/// Suffix of scenario files.
pub const SCENARIO_SUFFIX: &str = ".json";
/// Maximum size of a scenario file, in bytes.
pub const MAX_SCENARIO_BYTES: u64 = 1 << 24;

/// The name of a scenario: its file name without prefix and suffix.
///
/// # Examples
///
/// ```
/// use war::scenario::{CLASSIC_PREFIX, scenario_name};
///
/// assert_eq!(scenario_name("ssc_all_in.json", CLASSIC_PREFIX), "all_in");
/// assert_eq!(scenario_name("mine.json", CLASSIC_PREFIX), "mine");
/// ```
#[must_use]
pub fn scenario_name<'a>(file_name: &'a str, prefix: &str) -> &'a str {
    let name = file_name.strip_suffix(SCENARIO_SUFFIX).unwrap_or(file_name);
    name.strip_prefix(prefix).unwrap_or(name)
}

/// Hands of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// A hand for each player, top card first. A player can have no cards.
    pub hands: Vec<Vec<Rank>>,
    /// The deck that the cards count as.
    pub deck: Deck,
    /// Descriptions of odd cards, which can be played nevertheless.
    pub oddities: Vec<String>,
}

const FOUR_OF_A_RANK: usize = 4;

/// Parses a scenario: a list of rows of whole numbers, the top card leftmost.
///
/// The rules limit the number of rows and cards, and their values. Too many cards of a rank, or
/// cards that the deck doesn't have, are odd but playable.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::{CLASSIC, DUELS};
/// use war::scenario::parse_scenario;
///
/// let hands = parse_scenario(b"[[14, 2, 9], [13, 3, 10]]", &DUELS).unwrap();
/// assert_eq!(hands.hands[0][0].get(), 14);
/// // No deck of the classic edition has six cards.
/// assert!(parse_scenario(b"[[14, 2, 9], [13, 3, 10]]", &CLASSIC).is_err());
/// ```
///
/// # Errors
///
/// [`ScenarioError`] if the file is not JSON, or not a scenario for these rules.
pub fn parse_scenario(bytes: &[u8], rules: &Variant) -> Result<Scenario, ScenarioError> {
    let text = check_syntax(bytes)?;
    let rows = parse_rows(text)?;
    let mut cells = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        cells.push(parse_cells(index + 1, row.get())?);
    }
    let hands = match rules.scenario_limits {
        ScenarioLimits::AnyRank => assign_ranks(&cells)?,
        ScenarioLimits::Decks | ScenarioLimits::Any => {
            let rows = (1..).zip(&cells);
            let hands =
                rows.map(|(number, cells)| parse_hand(number, cells, rules.scenario_limits));
            hands.collect::<Result<_, _>>()?
        }
    };
    check_players(hands.len(), rules)?;
    let Some(deck) = rules.scenario_limits.find_deck(&hands) else {
        return Err(deck_error(&hands, rules.scenario_limits).into());
    };
    let oddities = match rules.scenario_limits {
        ScenarioLimits::Decks => find_oddities(&hands, deck),
        ScenarioLimits::Any | ScenarioLimits::AnyRank => Vec::new(),
    };
    Ok(Scenario {
        hands,
        deck,
        oddities,
    })
}

fn deck_error(hands: &[Vec<Rank>], scenarios: ScenarioLimits) -> ContentError {
    let found = hands.iter().map(Vec::len).sum();
    match scenarios {
        ScenarioLimits::Any | ScenarioLimits::AnyRank if found == 0 => ContentError::NoCard,
        ScenarioLimits::AnyRank => ContentError::Cards { found },
        ScenarioLimits::Any => ContentError::TooManyCards { found },
        ScenarioLimits::Decks => ContentError::NotDeck { found },
    }
}

fn check_players(found: usize, rules: &Variant) -> Result<(), ContentError> {
    let (fewest, most) = rules.players;
    if (usize::from(fewest)..=usize::from(most)).contains(&found) {
        return Ok(());
    }
    Err(ContentError::Players {
        found,
        fewest,
        most,
    })
}

/// Checks that the file is a single JSON value.
fn check_syntax(bytes: &[u8]) -> Result<&str, SyntaxError> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(SyntaxError::ByteOrderMark);
    }
    let syntax = |line: usize, column: usize, found: UnexpectedInput| SyntaxError::At {
        line,
        column,
        found,
    };
    let text = decode_utf8(bytes)?;
    if text.trim_ascii().is_empty() {
        return Err(SyntaxError::Empty);
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        // serde_json reports the column before a control character or the end of the file.
        let is_before = error.is_eof() || error.to_string().contains("control character");
        let (line, column) = (error.line(), error.column() + usize::from(is_before));
        let found = match char_at(text, line, column) {
            None => UnexpectedInput::End,
            Some(found) if found.is_control() => {
                UnexpectedInput::Character(found.escape_default().to_string())
            }
            Some(found) => UnexpectedInput::Character(found.to_string()),
        };
        syntax(line, column, found)
    })?;
    Ok(text)
}

/// The character at a line and a column, which counts bytes; both from 1.
fn char_at(text: &str, line: usize, column: usize) -> Option<char> {
    let line = text.split_inclusive('\n').nth(line.checked_sub(1)?)?;
    let mut characters = line.char_indices();
    let found = characters.find(|(at, found)| at + found.len_utf8() >= column)?;
    Some(found.1)
}

fn parse_rows(text: &str) -> Result<Vec<Box<RawValue>>, ContentError> {
    serde_json::from_str(text).map_err(|_| ContentError::NotRows {
        found: shorten(text.trim_ascii()),
    })
}

/// Splits a row into whole numbers; `number` counts the rows from 1.
fn parse_cells(number: usize, row: &str) -> Result<Vec<&str>, ContentError> {
    let cells: Vec<&RawValue> = serde_json::from_str(row).map_err(|_| ContentError::NotRow {
        row: number,
        found: shorten(row),
    })?;
    match cells.iter().find(|cell| !is_whole(cell.get())) {
        Some(bad) => Err(ContentError::NotNumber {
            row: number,
            found: shorten(bad.get()),
        }),
        None => Ok(cells.into_iter().map(RawValue::get).collect()),
    }
}

/// Parses the hand of a row; `number` counts the rows from 1.
fn parse_hand(
    number: usize,
    cells: &[&str],
    scenarios: ScenarioLimits,
) -> Result<Vec<Rank>, ContentError> {
    let lowest = match scenarios {
        ScenarioLimits::Decks => Deck::Large.lowest_rank(),
        ScenarioLimits::Any | ScenarioLimits::AnyRank => 1,
    };
    let card = |cell: &&str| {
        let card = cell.parse().ok().and_then(Rank::new);
        let card = card.filter(|card| card.get() >= lowest && *card <= Rank::ACE);
        card.ok_or_else(|| ContentError::Value {
            row: number,
            lowest,
            found: shorten(cell),
        })
    };
    cells.iter().map(card).collect()
}

/// Converts whole numbers of any size to ranks. If one of them is not a rank, all are numbered in
/// their order from 1, because only the order of cards decides the game.
fn assign_ranks(rows: &[Vec<&str>]) -> Result<Vec<Vec<Rank>>, ContentError> {
    let rank = |cell: &&str| cell.parse().ok().and_then(Rank::new);
    let hand = |cells: &Vec<&str>| cells.iter().map(rank).collect::<Option<Vec<_>>>();
    if let Some(hands) = rows.iter().map(hand).collect() {
        return Ok(hands);
    }
    let mut values: Vec<_> = rows.iter().flatten().map(|cell| sort_key(cell)).collect();
    values.sort_unstable();
    values.dedup();
    let rank = |cell: &&str| {
        let at = values.binary_search(&sort_key(cell)).ok()?;
        Rank::new(u8::try_from(at + 1).ok()?)
    };
    let hand = |cells: &Vec<&str>| cells.iter().map(rank).collect::<Option<Vec<_>>>();
    let hands = rows.iter().map(hand).collect::<Option<_>>();
    hands.ok_or(ContentError::Values {
        found: values.len(),
    })
}

/// Sort key of a whole number in JSON, of any length: the number of digits and the digits. For a
/// negative number, the length is negative and the digits are complemented.
fn sort_key(number: &str) -> (isize, Vec<u8>) {
    let length = |digits: &str| isize::try_from(digits.len()).expect("no text is that long");
    match number.strip_prefix('-') {
        None | Some("0") => {
            let digits = number.trim_start_matches('-');
            (length(digits), digits.as_bytes().to_vec())
        }
        Some(digits) => {
            let complement = digits.bytes().map(|digit| b'9' - digit);
            (-length(digits), complement.collect())
        }
    }
}

fn is_whole(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn find_oddities(hands: &[Vec<Rank>], deck: Deck) -> Vec<String> {
    let cards = || hands.iter().flatten();
    let mut oddities = Vec::new();
    for value in Deck::Large.lowest_rank()..=Rank::ACE.get() {
        let count = cards().filter(|card| card.get() == value).count();
        if count > FOUR_OF_A_RANK {
            oddities.push(format!("{count} cards of value {value}"));
        }
        if count > 0 && value < deck.lowest_rank() {
            oddities.push(format!("value {value} in a deck of {}", deck.size()));
        }
    }
    oddities
}

/// Shortens a text for a message.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    truncate_text(text, LONGEST).chars().map(visible).collect()
}

/// Error of a scenario file that can't be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// File that is not JSON.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// JSON other than the hands of a game, reported as `SpecialCodeFileMangledException`.
    #[error(transparent)]
    Content(#[from] ContentError),
}

/// Error of a scenario file that is not JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// Empty file.
    #[error("line 1, column 1: the file is empty")]
    Empty,
    /// Byte-order mark at the start of the file.
    #[error("line 1, column 1: the file starts with a byte-order mark")]
    ByteOrderMark,
    /// File that is not UTF-8.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// Wrong syntax at this place.
    #[error("line {line}, column {column}: {found}")]
    At {
        /// The line, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// The text at this place.
        found: UnexpectedInput,
    },
}

/// Text at the place of a syntax error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnexpectedInput {
    /// The end of the file.
    #[error("unexpected end of file")]
    End,
    /// An unexpected character; control characters are escaped.
    #[error("unexpected `{0}`")]
    Character(String),
}

/// Error of JSON that is not a scenario, with the expected and the found content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// JSON that is not a list of rows.
    #[error("expected a list of rows, found {found}")]
    NotRows {
        /// The start of the text found.
        found: String,
    },
    /// Row that is not a list.
    #[error("row {row}: expected a list of whole numbers, found {found}")]
    NotRow {
        /// The row, counted from 1.
        row: usize,
        /// The start of the text found.
        found: String,
    },
    /// Card that is not a whole number.
    #[error("row {row}: expected a whole number, found {found}")]
    NotNumber {
        /// The row, counted from 1.
        row: usize,
        /// The start of the text in place of a card.
        found: String,
    },
    /// Card that is out of range.
    #[error("row {row}: expected a card from {lowest} to 14, found {found}")]
    Value {
        /// The row, counted from 1.
        row: usize,
        /// The lowest card allowed.
        lowest: u8,
        /// The number found.
        found: String,
    },
    /// Too few or too many players.
    #[error("expected {fewest} to {most} players, found {found}")]
    Players {
        /// The number of players found.
        found: usize,
        /// The minimum number of players.
        fewest: u8,
        /// The maximum number of players.
        most: u8,
    },
    /// Hands without any card.
    #[error("there are no cards")]
    NoCard,
    /// Too few or too many cards for a deck of any ranks.
    #[error("expected 2 to 255 cards, found {found}")]
    Cards {
        /// The number of cards found.
        found: usize,
    },
    /// Too many cards for any game.
    #[error("expected at most 10,000 cards, found {found}")]
    TooManyCards {
        /// The number of cards found.
        found: usize,
    },
    /// Number of cards that is neither 24 nor 52.
    #[error("expected 24 or 52 cards, found {found}")]
    NotDeck {
        /// The number of cards found.
        found: usize,
    },
    /// More different values than ranks.
    #[error("expected at most 64 different values, found {found}")]
    Values {
        /// The number of different values found.
        found: usize,
    },
}
