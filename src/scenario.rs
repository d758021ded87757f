//! Scenario files: hands made by hand, read strictly.
//!
//! [`parse()`] reads the bytes of a file by the rules of an edition; what it finds wrong says where.

use crate::cards::{Deck, Rank};
use crate::rules::{Scenarios, Variant};
use crate::support::visible::excerpt;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// What the names of the classic edition's scenario files begin with.
pub const CLASSIC_PREFIX: &str = "ssc_";
/// What the names of the duels edition's scenario files begin with.
pub const DUELS_PREFIX: &str = "war_";
/// What the name of a scenario file ends with.
pub const SUFFIX: &str = ".json";
/// The largest scenario file that is read, in bytes.
pub const LARGEST: u64 = 1 << 24;

/// The name of a scenario, from its file's name: without prefix and suffix.
///
/// # Examples
///
/// ```
/// use war::scenario::{CLASSIC_PREFIX, name_of};
///
/// assert_eq!(name_of("ssc_all_in.json", CLASSIC_PREFIX), "all_in");
/// assert_eq!(name_of("mine.json", CLASSIC_PREFIX), "mine");
/// ```
#[must_use]
pub fn name_of<'a>(file_name: &'a str, prefix: &str) -> &'a str {
    let name = file_name.strip_suffix(SUFFIX).unwrap_or(file_name);
    name.strip_prefix(prefix).unwrap_or(name)
}

/// The hands of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hands {
    /// One hand a player, top card first; an empty one is a player without cards.
    pub hands: Vec<Vec<Rank>>,
    /// The deck that they count as.
    pub deck: Deck,
    /// What is odd about the cards but playable.
    pub oddities: Vec<String>,
}

const FOUR_OF_A_RANK: usize = 4;

/// Reads a scenario: a list of rows of whole numbers, the top card leftmost.
///
/// How many rows and cards there may be, and of which value, is for `rules` to say. Too
/// many cards of a rank, or cards that the deck does not have, are odd but playable.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::{CLASSIC, DUELS};
/// use war::scenario::parse;
///
/// let hands = parse(b"[[14, 2, 9], [13, 3, 10]]", &DUELS).unwrap();
/// assert_eq!(hands.hands[0][0].get(), 14);
/// // No deck of the classic edition has six cards.
/// assert!(parse(b"[[14, 2, 9], [13, 3, 10]]", &CLASSIC).is_err());
/// ```
///
/// # Errors
///
/// [`ScenarioError`], with what was found and how to fix it.
pub fn parse(bytes: &[u8], rules: &Variant) -> Result<Hands, ScenarioError> {
    let text = check_syntax(bytes)?;
    let rows = rows(text)?;
    let mut cells = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        cells.push(cells_of(index + 1, row.get())?);
    }
    let hands = match rules.scenarios {
        Scenarios::AnyRank => by_order(&cells)?,
        Scenarios::Decks | Scenarios::Any => {
            let rows = (1..).zip(&cells);
            let hands = rows.map(|(number, cells)| hand(number, cells, rules.scenarios));
            hands.collect::<Result<_, _>>()?
        }
    };
    check_players(hands.len(), rules)?;
    let Some(deck) = rules.scenarios.deck(&hands) else {
        return Err(no_deck(&hands, rules.scenarios).into());
    };
    let oddities = match rules.scenarios {
        Scenarios::Decks => oddities(&hands, deck),
        Scenarios::Any | Scenarios::AnyRank => Vec::new(),
    };
    Ok(Hands {
        hands,
        deck,
        oddities,
    })
}

fn no_deck(hands: &[Vec<Rank>], scenarios: Scenarios) -> ContentError {
    let found = hands.iter().map(Vec::len).sum();
    match scenarios {
        Scenarios::Any | Scenarios::AnyRank if found == 0 => ContentError::NoCard,
        Scenarios::AnyRank => ContentError::Cards { found },
        Scenarios::Any => ContentError::TooManyCards { found },
        Scenarios::Decks => ContentError::NoDeck { found },
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

/// Checks that the file is JSON, and nothing but JSON.
fn check_syntax(bytes: &[u8]) -> Result<&str, SyntaxError> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(SyntaxError::ByteOrderMark);
    }
    let syntax = |line: usize, column: usize, found: Found| SyntaxError::At {
        line,
        column,
        found,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines: Vec<_> = before.split(|&byte| byte == b'\n').collect();
        let column = lines.last().map_or(0, |line| line.len()) + 1;
        syntax(lines.len(), column, Found::NotUtf8)
    })?;
    if text.trim_ascii().is_empty() {
        return Err(SyntaxError::Empty);
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        // The library stops before a control character, and on the last one there is.
        let beyond = error.is_eof() || error.to_string().contains("control character");
        let (line, column) = (error.line(), error.column() + usize::from(beyond));
        let found = match found_at(text, line, column) {
            None => Found::End,
            Some(found) if found.is_control() => {
                Found::Character(found.escape_default().to_string())
            }
            Some(found) => Found::Character(found.to_string()),
        };
        syntax(line, column, found)
    })?;
    Ok(text)
}

/// The character at a line and a column that counts bytes, both from 1.
fn found_at(text: &str, line: usize, column: usize) -> Option<char> {
    let line = text.split_inclusive('\n').nth(line.checked_sub(1)?)?;
    let mut characters = line.char_indices();
    let found = characters.find(|(at, found)| at + found.len_utf8() >= column)?;
    Some(found.1)
}

fn rows(text: &str) -> Result<Vec<Box<RawValue>>, ContentError> {
    serde_json::from_str(text).map_err(|_| ContentError::NoRows {
        found: shortened(text.trim_ascii()),
    })
}

/// The whole numbers of a row; `number` counts the rows from 1.
fn cells_of(number: usize, row: &str) -> Result<Vec<&str>, ContentError> {
    let cells: Vec<&RawValue> = serde_json::from_str(row).map_err(|_| ContentError::NoRow {
        row: number,
        found: shortened(row),
    })?;
    match cells.iter().find(|cell| !is_whole(cell.get())) {
        Some(bad) => Err(ContentError::NoNumber {
            row: number,
            found: shortened(bad.get()),
        }),
        None => Ok(cells.into_iter().map(RawValue::get).collect()),
    }
}

/// The hand of a row; `number` counts the rows from 1.
fn hand(number: usize, cells: &[&str], scenarios: Scenarios) -> Result<Vec<Rank>, ContentError> {
    let lowest = match scenarios {
        Scenarios::Decks => Deck::Large.lowest(),
        Scenarios::Any | Scenarios::AnyRank => 1,
    };
    let card = |cell: &&str| {
        let card = cell.parse().ok().and_then(Rank::new);
        let card = card.filter(|card| card.get() >= lowest && *card <= Rank::ACE);
        card.ok_or_else(|| ContentError::Value {
            row: number,
            lowest,
            found: shortened(cell),
        })
    };
    cells.iter().map(card).collect()
}

/// The hands of cards of any value. Where one is not a rank, they get ranks in their order from 1
/// on: only the order of cards decides who wins.
fn by_order(rows: &[Vec<&str>]) -> Result<Vec<Vec<Rank>>, ContentError> {
    let rank = |cell: &&str| cell.parse().ok().and_then(Rank::new);
    let hand = |cells: &Vec<&str>| cells.iter().map(rank).collect::<Option<Vec<_>>>();
    if let Some(hands) = rows.iter().map(hand).collect() {
        return Ok(hands);
    }
    let mut values: Vec<_> = rows.iter().flatten().map(|cell| order(cell)).collect();
    values.sort_unstable();
    values.dedup();
    let rank = |cell: &&str| {
        let at = values.binary_search(&order(cell)).ok()?;
        Rank::new(u8::try_from(at + 1).ok()?)
    };
    let hand = |cells: &Vec<&str>| cells.iter().map(rank).collect::<Option<Vec<_>>>();
    let hands = rows.iter().map(hand).collect::<Option<_>>();
    hands.ok_or(ContentError::Values {
        found: values.len(),
    })
}

/// What sorts whole numbers of any length, written as JSON has them: the number of digits,
/// negative for a negative number, and the digits, turned round for one.
fn order(number: &str) -> (isize, Vec<u8>) {
    let length = |digits: &str| isize::try_from(digits.len()).expect("no text is that long");
    match number.strip_prefix('-') {
        None | Some("0") => {
            let digits = number.trim_start_matches('-');
            (length(digits), digits.as_bytes().to_vec())
        }
        Some(digits) => {
            let turned = digits.bytes().map(|digit| b'9' - digit);
            (-length(digits), turned.collect())
        }
    }
}

fn is_whole(number: &str) -> bool {
    let digits = number.strip_prefix('-').unwrap_or(number);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn oddities(hands: &[Vec<Rank>], deck: Deck) -> Vec<String> {
    let cards = || hands.iter().flatten();
    let mut oddities = Vec::new();
    for value in Deck::Large.lowest()..=Rank::ACE.get() {
        let count = cards().filter(|card| card.get() == value).count();
        if count > FOUR_OF_A_RANK {
            oddities.push(format!("{count} cards of value {value}"));
        }
        if count > 0 && value < deck.lowest() {
            oddities.push(format!("value {value} in a deck of {}", deck.size()));
        }
    }
    oddities
}

/// What was found, short enough for a message.
fn shortened(found: &str) -> String {
    const LONGEST: usize = 40;
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    excerpt(found, LONGEST).chars().map(visible).collect()
}

/// Why a scenario file can't be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// It is not JSON.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is JSON, but not the hands of a game: `SpecialCodeFileMangledException`.
    #[error(transparent)]
    Content(#[from] ContentError),
}

/// Why a scenario file is not JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// There is nothing in it.
    #[error("line 1, column 1: the file is empty")]
    Empty,
    /// It begins with a byte-order mark.
    #[error("line 1, column 1: the file starts with a byte-order mark")]
    ByteOrderMark,
    /// Something is where it can't be.
    #[error("line {line}, column {column}: {found}")]
    At {
        /// The line, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// What is there.
        found: Found,
    },
}

/// What is found where the syntax of JSON ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// Nothing: the file ends unexpectedly.
    #[error("unexpected end of file")]
    End,
    /// A character that can't be there; one that can't be seen is escaped.
    #[error("unexpected `{0}`")]
    Character(String),
    /// Bytes that are not text.
    #[error("invalid UTF-8")]
    NotUtf8,
}

/// Why JSON is not a scenario: what was expected, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// It is not a list of rows.
    #[error("expected a list of rows, found {found}")]
    NoRows {
        /// Its beginning.
        found: String,
    },
    /// A row is not a list.
    #[error("row {row}: expected a list of whole numbers, found {found}")]
    NoRow {
        /// The row, counted from 1.
        row: usize,
        /// Its beginning.
        found: String,
    },
    /// A card is not a whole number.
    #[error("row {row}: expected a whole number, found {found}")]
    NoNumber {
        /// The row, counted from 1.
        row: usize,
        /// The beginning of what stands for the card.
        found: String,
    },
    /// A card is none of the cards that there are.
    #[error("row {row}: expected a card from {lowest} to 14, found {found}")]
    Value {
        /// The row, counted from 1.
        row: usize,
        /// The lowest card that there is.
        lowest: u8,
        /// The number.
        found: String,
    },
    /// Too few or too many play.
    #[error("expected {fewest} to {most} players, found {found}")]
    Players {
        /// How many there are.
        found: usize,
        /// The fewest that can play.
        fewest: u8,
        /// The most that can play.
        most: u8,
    },
    /// Nobody holds a card.
    #[error("there are no cards")]
    NoCard,
    /// They are more or fewer than a deck of any ranks has.
    #[error("expected 2 to 255 cards, found {found}")]
    Cards {
        /// How many there are.
        found: usize,
    },
    /// They are more than any game is played with.
    #[error("expected at most 10,000 cards, found {found}")]
    TooManyCards {
        /// How many there are.
        found: usize,
    },
    /// They are not a deck: neither 24 nor 52.
    #[error("expected 24 or 52 cards, found {found}")]
    NoDeck {
        /// How many there are.
        found: usize,
    },
    /// There are more different values than there are ranks.
    #[error("expected at most 64 different values, found {found}")]
    Values {
        /// How many there are.
        found: usize,
    },
}
