use crate::cards::Suit;
use crate::support::hex::Hex;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// Row of a table: an event of a verified game, with its effects.
///
/// Fields that an event doesn't have are `None`. [`COLUMNS`] has the same fields in the same order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventRow {
    /// The name of the journal.
    pub journal: String,
    /// The name and version of the rules.
    pub rules: String,
    /// The seed of the cards; for a game of a run, the seed of the run.
    pub seed: Option<u64>,
    /// The number of the game in its run.
    pub game: Option<u64>,
    /// The seed of the cards in the X/Y edition, whose seeds can be negative.
    pub xy_seed: Option<i64>,
    /// The seed that the table of a token game revealed after the game.
    pub table_seed: Option<String>,
    /// The sequence number of the event, counted from 0.
    pub seq: u64,
    /// The turn of the event; 0 before the first. In a token game, the number of the deal.
    pub turn: u32,
    /// The kind of event, by its name in the journal.
    pub event: &'static str,
    /// The number of face-up cards in the longest row of a war.
    pub round: Option<u32>,
    /// The player, in an event of one player.
    pub player: Option<u8>,
    /// The step at which a player ran out of cards.
    pub step: Option<&'static str>,
    /// The winner, if the event ends the game with one.
    pub winner: Option<u8>,
    /// True if several cards of a clash share the highest rank.
    pub war: Option<bool>,
    /// The turn whose start repeats in an endless game.
    pub repeats_from: Option<u32>,
    /// For each of `cards`, the player who played it, got it or took it.
    pub players: Option<Vec<u8>>,
    /// The ranks of the cards that the event moves, in the order of the event.
    pub cards: Option<Vec<u8>>,
    /// For each of `cards`, its suit, if cards have suits.
    pub suits: Option<Vec<Suit>>,
    /// For each of `cards` played, its place in the hand, from the top.
    pub indexes: Option<Vec<u16>>,
    /// The number of cards in each hand after the event, player 1 first.
    pub hand_sizes: Vec<u32>,
    /// The number of cards on the table after the event; `None` in a token game.
    pub on_table: Option<u32>,
    /// The names of the players of a token game.
    pub names: Option<Vec<String>>,
    /// The public numbers of the players of a token game, from version 2 of its rules on.
    pub numbers: Option<Vec<u64>>,
    /// The hashes with which the players commit to their seeds.
    pub seed_hashes: Option<Vec<String>>,
    /// The seed that a player added or opened.
    pub client_seed: Option<String>,
    /// The decision of a player.
    pub decision: Option<&'static str>,
    /// True if the player's time ran out.
    pub timed_out: Option<bool>,
    /// The gain of each player, player 1 first; negative for a loss.
    pub deltas: Option<Vec<i64>>,
    /// The hash of the state after the event.
    pub state: Hex<8>,
}

/// A column of the table.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// The name of the column.
    pub name: &'static str,
    /// The type of its values.
    pub kind: ColumnType,
    value: for<'r> fn(&'r EventRow) -> CellValue<'r>,
}

/// Type of a column. Every value can be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// A text.
    Text,
    /// True or false.
    Bool,
    /// A whole number of 64 bits.
    Integer,
    /// A whole number of 64 bits that can't be negative.
    Unsigned,
    /// A list of whole numbers.
    Integers,
    /// A list of texts.
    Texts,
}

/// Value of a row in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellValue<'r> {
    /// Missing value.
    Null,
    /// A text.
    Text(Cow<'r, str>),
    /// True or false.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// A whole number that can't be negative.
    Unsigned(u64),
    /// A list of whole numbers.
    Integers(Vec<i64>),
    /// A list of texts.
    Texts(Vec<Cow<'r, str>>),
}

/// All columns, in their order.
///
/// # Examples
///
/// ```
/// use war::export::{COLUMNS, ColumnType};
///
/// let cards = COLUMNS.iter().find(|column| column.name == "cards").unwrap();
/// assert_eq!(cards.kind, ColumnType::Integers);
/// assert_eq!(cards.kind.name(), "list of integers");
/// ```
pub const COLUMNS: [Column; 29] = [
    Column::new("journal", ColumnType::Text, |row| text(Some(&row.journal))),
    Column::new("rules", ColumnType::Text, |row| text(Some(&row.rules))),
    Column::new("seed", ColumnType::Unsigned, |row| unsigned(row.seed)),
    Column::new("game", ColumnType::Unsigned, |row| unsigned(row.game)),
    Column::new("xy_seed", ColumnType::Integer, |row| integer(row.xy_seed)),
    Column::new("table_seed", ColumnType::Text, |row| {
        text(row.table_seed.as_deref())
    }),
    Column::new("seq", ColumnType::Integer, |row| {
        integer(i64::try_from(row.seq).ok())
    }),
    Column::new("turn", ColumnType::Integer, |row| integer(Some(row.turn))),
    Column::new("event", ColumnType::Text, |row| text(Some(row.event))),
    Column::new("round", ColumnType::Integer, |row| integer(row.round)),
    Column::new("player", ColumnType::Integer, |row| integer(row.player)),
    Column::new("step", ColumnType::Text, |row| text(row.step)),
    Column::new("winner", ColumnType::Integer, |row| integer(row.winner)),
    Column::new("war", ColumnType::Bool, |row| bool(row.war)),
    Column::new("repeats_from", ColumnType::Integer, |row| {
        integer(row.repeats_from)
    }),
    Column::new("players", ColumnType::Integers, |row| {
        integers(row.players.as_deref())
    }),
    Column::new("cards", ColumnType::Integers, |row| {
        integers(row.cards.as_deref())
    }),
    Column::new("suits", ColumnType::Texts, |row| {
        let suits = row.suits.iter().flatten();
        let letters = suits.map(|suit| suit.letter().to_string().into());
        row.suits
            .as_ref()
            .map_or(CellValue::Null, |_| CellValue::Texts(letters.collect()))
    }),
    Column::new("indexes", ColumnType::Integers, |row| {
        integers(row.indexes.as_deref())
    }),
    Column::new("hand_sizes", ColumnType::Integers, |row| {
        integers(Some(&row.hand_sizes))
    }),
    Column::new("on_table", ColumnType::Integer, |row| integer(row.on_table)),
    Column::new("names", ColumnType::Texts, |row| {
        texts(row.names.as_deref())
    }),
    Column::new("numbers", ColumnType::Integers, |row| {
        let numbers = row.numbers.iter().flatten();
        let numbers = numbers.map(|&number| i64::try_from(number).unwrap_or(i64::MAX));
        row.numbers
            .as_ref()
            .map_or(CellValue::Null, |_| CellValue::Integers(numbers.collect()))
    }),
    Column::new("seed_hashes", ColumnType::Texts, |row| {
        texts(row.seed_hashes.as_deref())
    }),
    Column::new("client_seed", ColumnType::Text, |row| {
        text(row.client_seed.as_deref())
    }),
    Column::new("decision", ColumnType::Text, |row| text(row.decision)),
    Column::new("timed_out", ColumnType::Bool, |row| bool(row.timed_out)),
    Column::new("deltas", ColumnType::Integers, |row| {
        integers(row.deltas.as_deref())
    }),
    Column::new("state", ColumnType::Text, |row| {
        CellValue::Text(row.state.to_string().into())
    }),
];

impl Column {
    const fn new(
        name: &'static str,
        kind: ColumnType,
        value: for<'r> fn(&'r EventRow) -> CellValue<'r>,
    ) -> Self {
        Self { name, kind, value }
    }

    /// The value of a row in this column.
    #[must_use]
    pub fn value<'r>(&self, row: &'r EventRow) -> CellValue<'r> {
        (self.value)(row)
    }
}

impl ColumnType {
    /// The name of the type in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Bool => "boolean",
            Self::Integer => "integer",
            Self::Unsigned => "unsigned integer",
            Self::Integers => "list of integers",
            Self::Texts => "list of texts",
        }
    }
}

impl Serialize for CellValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Integer(integer) => serializer.serialize_i64(*integer),
            Self::Unsigned(integer) => serializer.serialize_u64(*integer),
            Self::Integers(integers) => serializer.collect_seq(integers),
            Self::Texts(texts) => serializer.collect_seq(texts),
        }
    }
}

fn text(text: Option<&str>) -> CellValue<'_> {
    text.map_or(CellValue::Null, |text| CellValue::Text(text.into()))
}

fn bool(bool: Option<bool>) -> CellValue<'static> {
    bool.map_or(CellValue::Null, CellValue::Bool)
}

fn integer(integer: Option<impl Into<i64>>) -> CellValue<'static> {
    integer.map_or(CellValue::Null, |integer| {
        CellValue::Integer(integer.into())
    })
}

fn unsigned(integer: Option<u64>) -> CellValue<'static> {
    integer.map_or(CellValue::Null, CellValue::Unsigned)
}

fn integers<T: Copy + Into<i64>>(integers: Option<&[T]>) -> CellValue<'static> {
    integers.map_or(CellValue::Null, |integers| {
        CellValue::Integers(integers.iter().map(|&integer| integer.into()).collect())
    })
}

fn texts(texts: Option<&[String]>) -> CellValue<'_> {
    texts.map_or(CellValue::Null, |texts| {
        CellValue::Texts(texts.iter().map(Cow::from).collect())
    })
}
