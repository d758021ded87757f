use serde::{Deserialize, Serialize};

/// Where a check of the store goes on: it is done in parts, so that the table need not stand
/// still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Place {
    /// With the events behind these, and what the ledger has for them.
    Ledger(LedgerPlace),
    /// With all balances.
    Balances,
    /// With the messages to the players behind this one.
    Messages {
        /// The number of the player.
        player: u64,
    },
    /// With the journals of the games behind this one.
    Journals {
        /// The number of the game.
        game: u64,
    },
    /// With what is kept of the games behind this one for their players.
    Games {
        /// The number of the game.
        game: u64,
    },
    /// With the figures and balances of the games of the players behind this one.
    Records {
        /// The number of the player.
        player: u64,
    },
    /// With the ladder.
    Ladder,
    /// With this leaf of the log.
    Log {
        /// The number of the leaf.
        leaf: u64,
    },
}

impl Place {
    /// Where a check begins.
    pub const FIRST: Self = Self::Ledger(LedgerPlace {
        room: 0,
        event: 0,
        entry: 0,
    });
}

/// The last event that was checked; only the store knows more of these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerPlace {
    /// The number of the room that it is of.
    pub room: u16,
    /// The number of the event, or of its batch in the room.
    pub event: u64,
    /// The number of the last entry of the ledger, where entries have one.
    pub entry: u64,
}

/// What came of a part of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// How many events, players, games or leaves were checked.
    pub count: u64,
    /// What is wrong.
    pub faults: Vec<StoreFault>,
    /// Where the check goes on, unless this was the end.
    pub next: Option<Place>,
}

/// What is wrong with a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreFault {
    /// This event can't be read. It is named as its store names it.
    Event(String),
    /// The ledger does not have the entries that this event makes, or has others.
    Ledger(String),
    /// The balance of this player is not what the ledger makes it.
    Balance(u64),
    /// Messages to this player are missing, or numbered wrong.
    Messages(u64),
    /// The journal of this game does not verify, or is another one than it was.
    Journal(u64),
    /// What is kept of this game for its players is not what its events say, or is missing.
    Game(u64),
    /// The figures of this player's games, or what they had after one of them, do not add up.
    Record(u64),
    /// The standing of this player in the ladder does not follow from the games; 0 is the house.
    Rating(u64),
    /// This leaf of the log is missing, or not what it was.
    Leaf(u64),
}
