use crate::cards::{Bulk, Chance, Deck, GameNumber, Rank, deal, deal_fixed, without};
use crate::engine::Seat;
use crate::rules::Parameters;

/// The rules of a simulation: who plays by which parameters, and how cards are dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The parameters of the flow.
    pub parameters: Parameters,
    /// The number of players, 2 to 5.
    pub players: u8,
    /// The deck; without a meaning where the hands are given.
    pub deck: Deck,
    /// How the cards are dealt.
    pub dealing: Dealing,
}

/// How the cards of simulated games are dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dealing {
    /// The deck is shuffled, and dealt one card at a time.
    Shuffled,
    /// One player holds exactly these cards of the deck, in any order.
    Fixed {
        /// The player.
        seat: Seat,
        /// His cards.
        cards: Vec<Rank>,
    },
    /// Every game begins with these hands, top card first.
    Given {
        /// The name of the scenario that they come from.
        name: String,
        /// One hand for each player.
        hands: Vec<Vec<Rank>>,
    },
}

impl Rules {
    /// The hands of a game, with its generator where the deal leaves it.
    ///
    /// # Panics
    ///
    /// If the deck lacks fixed cards, or there are no players for them.
    #[must_use]
    pub fn deal(&self, number: GameNumber) -> (Vec<Vec<Rank>>, Bulk) {
        let mut chance = Bulk::new(number);
        let players = usize::from(self.players);
        let hands = match &self.dealing {
            Dealing::Shuffled => {
                let mut cards = self.deck.cards();
                chance.shuffle(&mut cards);
                deal(&cards, players)
            }
            Dealing::Fixed { seat, cards } => {
                let rest = without(self.deck.cards(), cards).expect("cards of the deck");
                deal_fixed((seat.index(), cards.clone()), rest, players, &mut chance)
            }
            Dealing::Given { hands, .. } => hands.clone(),
        };
        (hands, chance)
    }
}
