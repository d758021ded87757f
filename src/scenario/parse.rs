use crate::cards::{Deck, Rank};
use crate::i18n::{Message, Text, excerpt};
use crate::rules::{Scenarios, Variant};
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

/// Why a scenario file can't be played.
#[derive(Debug, Clone, PartialEq)]
pub enum Mangled {
    /// It is not JSON: where, and what was found.
    Syntax(Text),
    /// It is JSON, but not the hands of a game: `SpecialCodeFileMangledException`.
    Content(Text),
}

const FOUR_OF_A_RANK: usize = 4;

/// Reads a scenario: a list of rows of whole numbers, the top card leftmost.
///
/// How many rows and cards there may be, and of which value, is for `rules` to say. Too
/// many cards of a rank, or cards that the deck does not have, are odd but playable.
///
/// # Errors
///
/// [`Mangled`], with what was found and how to mend it.
pub fn parse(bytes: &[u8], rules: &Variant) -> Result<Hands, Mangled> {
    let text = check_syntax(bytes)?;
    let rows = rows(text)?;
    let mut hands = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        hands.push(hand(index + 1, row.get(), rules.scenarios)?);
    }
    check_players(hands.len(), rules)?;
    let Some(deck) = rules.scenarios.deck(&hands) else {
        let total = hands.iter().map(Vec::len).sum::<usize>();
        let message = match (rules.scenarios, total) {
            (Scenarios::Any | Scenarios::AnyRank, 0) => Message::SCENARIO_NO_CARD,
            (Scenarios::AnyRank, _) => Message::SCENARIO_CARDS_ANY_RANK,
            (Scenarios::Any, _) => Message::SCENARIO_TOO_MANY_ANY,
            (Scenarios::Decks, ..=23) => Message::SCENARIO_TOO_FEW,
            (Scenarios::Decks, 25..=51) => Message::SCENARIO_BETWEEN,
            (Scenarios::Decks, _) => Message::SCENARIO_TOO_MANY,
        };
        return Err(content(Text::new(message).with("found", total)));
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

fn check_players(players: usize, rules: &Variant) -> Result<(), Mangled> {
    let (fewest, most) = rules.players;
    if (usize::from(fewest)..=usize::from(most)).contains(&players) {
        return Ok(());
    }
    let message = match (rules.scenarios, players) {
        (Scenarios::AnyRank, _) if most == 2 => Message::SCENARIO_PLAYERS_TWO,
        (Scenarios::Any | Scenarios::AnyRank, ..2) => Message::SCENARIO_PLAYERS_FEW,
        (Scenarios::Any | Scenarios::AnyRank, _) => Message::SCENARIO_PLAYERS_MANY,
        (Scenarios::Decks, 0) => Message::SCENARIO_NO_PLAYER,
        (Scenarios::Decks, _) => Message::SCENARIO_PLAYERS,
    };
    Err(content(Text::new(message).with("found", players)))
}

/// Sees that the file is JSON, and nothing but JSON.
fn check_syntax(bytes: &[u8]) -> Result<&str, Mangled> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        return Err(Mangled::Syntax(Text::new(Message::SCENARIO_BOM)));
    }
    let syntax = |line: usize, column: usize, reason: Text| {
        let text = Text::new(Message::SCENARIO_SYNTAX)
            .with("line", line)
            .with("column", column)
            .with("reason", reason);
        Mangled::Syntax(text)
    };
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let lines: Vec<_> = before.split(|&byte| byte == b'\n').collect();
        let column = lines.last().map_or(0, |line| line.len()) + 1;
        syntax(lines.len(), column, Text::new(Message::SYNTAX_UTF8))
    })?;
    if text.trim_ascii().is_empty() {
        return Err(Mangled::Syntax(Text::new(Message::SCENARIO_EMPTY)));
    }
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| {
        // The library stops before a control character, and on the last one there is.
        let beyond = error.is_eof() || error.to_string().contains("control character");
        let (line, column) = (error.line(), error.column() + usize::from(beyond));
        let reason = match found_at(text, line, column) {
            Some(found) => {
                let found = if found.is_control() {
                    found.escape_default().to_string()
                } else {
                    found.to_string()
                };
                Text::new(Message::SYNTAX_UNEXPECTED).with("found", found)
            }
            None => Text::new(Message::SYNTAX_ENDS),
        };
        syntax(line, column, reason)
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

fn rows(text: &str) -> Result<Vec<Box<RawValue>>, Mangled> {
    serde_json::from_str(text).map_err(|_| {
        let found = shortened(text.trim_ascii());
        content(Text::new(Message::SCENARIO_NO_ROWS).with("found", found))
    })
}

/// The hand of a row; `number` counts the rows from 1.
fn hand(number: usize, row: &str, scenarios: Scenarios) -> Result<Vec<Rank>, Mangled> {
    let (lowest, bad_value) = match scenarios {
        Scenarios::Decks => (Deck::Large.lowest(), Message::SCENARIO_VALUE),
        Scenarios::Any => (1, Message::SCENARIO_VALUE_ANY),
        Scenarios::AnyRank => (1, Message::SCENARIO_VALUE_ANY_RANK),
    };
    let highest = match scenarios {
        Scenarios::Decks | Scenarios::Any => Rank::ACE,
        Scenarios::AnyRank => Rank::HIGHEST,
    };
    let cells: Vec<&RawValue> = serde_json::from_str(row).map_err(|_| {
        let text = Text::new(Message::SCENARIO_NO_ROW)
            .with("row", number)
            .with("found", shortened(row));
        content(text)
    })?;
    let cell = |cell: &&RawValue| {
        let value = |message: Message| {
            let text = Text::new(message).with("row", number);
            content(text.with("found", shortened(cell.get())))
        };
        if !is_whole(cell.get()) {
            return Err(value(Message::SCENARIO_NO_NUMBER));
        }
        let card = cell.get().parse().ok().and_then(Rank::new);
        let card = card.filter(|card| card.get() >= lowest && *card <= highest);
        card.ok_or_else(|| value(bad_value))
    };
    cells.iter().map(cell).collect()
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

const fn content(text: Text) -> Mangled {
    Mangled::Content(text)
}
