use super::format::Format;
use super::proof::Proof;
use crate::cards::{Deck, Generator, Rank};
use crate::engine::Seat;
use crate::lang::Lang;
use crate::rules::Ruleset;
use crate::setup::Correction;
use crate::support::hex::Hex;
use crate::tokens::{Secret, TokenRules};

/// What a journal says of its game before the first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The rules of the game, and where its cards come from.
    pub rules: RecordedRules,
    /// The number of players dealt in.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// The version of the screens that printed the game.
    pub renderer: u32,
    /// The language it was printed in.
    pub lang: Lang,
    /// The corrections that were printed before the game.
    pub corrections: Vec<Correction>,
    /// How the journal is written.
    pub format: Format,
}

impl Header {
    /// What the journal proves of its cards where it verifies.
    #[must_use]
    pub const fn proof(&self) -> Proof {
        match &self.rules {
            RecordedRules::Tokens(_) => Proof::Commitment,
            RecordedRules::War { deal, .. } => match deal {
                Deal::Shuffled { generator } | Deal::Fixed { generator, .. } => {
                    Proof::Seed(*generator)
                }
                Deal::Imported | Deal::Scenario { .. } => Proof::Journal,
            },
        }
    }
}

/// The rules of a recorded game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordedRules {
    /// Rules of War.
    War {
        /// The rules.
        rules: Ruleset,
        /// Where the cards come from.
        deal: Deal,
    },
    /// A token game of the card table.
    Tokens(Committed),
}

impl RecordedRules {
    /// The name and version of the rules.
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::War { rules, .. } => rules.id(),
            Self::Tokens(committed) => committed.rules.id(),
        }
    }

    /// Whether games by these rules print anything.
    #[must_use]
    pub const fn prints(&self) -> bool {
        match self {
            Self::War {
                rules: Ruleset::Own(rules),
                ..
            } => rules.screens.is_some(),
            Self::War { .. } | Self::Tokens(_) => true,
        }
    }

    /// The fewest and the most who can play.
    #[must_use]
    pub const fn players(&self) -> (u8, u8) {
        match self {
            Self::War { rules, .. } => rules.players(),
            Self::Tokens(_) => (2, 2),
        }
    }
}

/// A token game, with what was announced before it and after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Committed {
    /// Its rules.
    pub rules: TokenRules,
    /// Its number at the table.
    pub game: u64,
    /// What the players learned before the deal.
    pub commitment: Hex<32>,
    /// What was revealed after the game.
    pub secret: Secret,
}

/// Where the cards of a game of War come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deal {
    /// From the deck, shuffled by this generator; what the rules leave to chance follows
    /// from the same stream.
    Shuffled {
        /// The generator, with its seed.
        generator: Generator,
    },
    /// From the deck, where one player's hand is fixed but for its order; see
    /// [`deal_fixed`](crate::cards::deal_fixed).
    Fixed {
        /// The generator, with its seed.
        generator: Generator,
        /// Whose hand it is.
        seat: Seat,
        /// The cards of the hand.
        cards: Vec<Rank>,
    },
    /// From a game printed elsewhere.
    Imported,
    /// From a scenario of this name.
    Scenario {
        /// The name as in the file's name.
        name: String,
    },
}
