use super::code::Code;
use crate::hex::Hex;

/// Where a game is not the one that the rules make of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// An event is not the one that the rules decide.
    #[error("event {seq} in turn {turn} doesn't follow the rules")]
    Event {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
    },
    /// An event was recorded in another turn than it happened in.
    #[error("event {seq} has turn {found}, but the events give {expected}")]
    Turn {
        /// The number of the event.
        seq: u64,
        /// The turn recorded.
        found: u32,
        /// The turn of the game.
        expected: u32,
    },
    /// The state after an event is another one.
    #[error(
        "the state after event {seq} in turn {turn} is {found}, but the events give {expected}"
    )]
    State {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
        /// The state recorded.
        found: Hex<8>,
        /// The state of the game.
        expected: Hex<8>,
    },
    /// The end record says something about the game that is not true.
    #[error("the end record has `{field}` {found}, but the events give {expected}")]
    End {
        /// The field.
        field: &'static str,
        /// What it says.
        found: String,
        /// What is true.
        expected: String,
    },
    /// The events print something else.
    #[error(
        "the console digest is {found} ({found_bytes} bytes), but the events print {expected} ({expected_bytes} bytes)"
    )]
    Console {
        /// The digest recorded.
        found: Hex<32>,
        /// The length recorded.
        found_bytes: u64,
        /// The digest of what the events print.
        expected: Hex<32>,
        /// Its length.
        expected_bytes: u64,
    },
    /// The first event deals no cards.
    #[error("the first event doesn't deal cards")]
    NotDealt,
    /// The first event starts no token game.
    #[error("the first event doesn't start a game")]
    NotStarted,
    /// Cards are dealt to more or fewer players than the header has.
    #[error("cards are dealt to {found} players, but the header has {expected}")]
    Players {
        /// How many are dealt cards.
        found: usize,
        /// How many the header has.
        expected: u8,
    },
    /// Cards are dealt to more or fewer players than the rules are for.
    #[error("cards are dealt to {found} players, but these rules are for {fewest} to {most}")]
    PlayersOfRules {
        /// How many are dealt cards.
        found: usize,
        /// The fewest who can play.
        fewest: u8,
        /// The most who can play.
        most: u8,
    },
    /// The cards are not a deck for this game.
    #[error("the cards dealt are not a deck for this game")]
    NoDeck,
    /// The generator deals other cards.
    #[error("the generator doesn't deal these cards from this seed")]
    Generator,
    /// The generator gives another order of cards.
    #[error("the generator doesn't produce this order of cards")]
    Chance,
    /// Without a generator, chance is as recorded; but this can't have come of it.
    #[error("event {seq} in turn {turn} records a draw that can't happen")]
    Impossible {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
    },
    /// The revealed seed is not the one that was committed to.
    #[error("the revealed seed doesn't match the commitment")]
    Commitment,
}

impl GameError {
    pub(super) const fn code(&self) -> Code {
        match self {
            Self::Event { .. } | Self::Turn { .. } => Code::Event,
            Self::State { .. } => Code::State,
            Self::End { .. } => Code::End,
            Self::Console { .. } => Code::Console,
            Self::NotDealt
            | Self::NotStarted
            | Self::Players { .. }
            | Self::PlayersOfRules { .. }
            | Self::NoDeck
            | Self::Generator
            | Self::Chance
            | Self::Impossible { .. }
            | Self::Commitment => Code::Deal,
        }
    }
}
