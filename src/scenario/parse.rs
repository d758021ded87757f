use super::error::{ContentError, Found, ScenarioError, SyntaxError};
use crate::cards::{Deck, Rank};
use crate::rules::{Scenarios, Variant};
use crate::support::excerpt::excerpt;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

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
