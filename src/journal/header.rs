use crate::cards::{Deck, Generator, Rank};
use crate::engine::Seat;
use crate::i18n::Lang;
use crate::rules::{Variant, setup::Correction};

/// What a journal says of its game before the first event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The program that recorded the game, with its version.
    pub engine: String,
    /// The rules of the game.
    pub rules: Variant,
    /// The number of players dealt in.
    pub players: u8,
    /// The deck.
    pub deck: Deck,
    /// Where the cards come from.
    pub deal: Deal,
    /// The version of the screens that printed the game.
    pub renderer: u32,
    /// The language it was printed in.
    pub lang: Lang,
    /// The corrections that were printed before the game.
    pub corrections: Vec<Correction>,
}

/// Where the cards of a game come from.
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
