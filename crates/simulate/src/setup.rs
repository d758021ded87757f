use war::cards::{Chance, Deck, GameNumber, Rank, Xoshiro256PlusPlus, deal, deal_fixed, without};
use war::engine::Seat;
use war::rules::{Limit, Parameters, Repeated, VARIANTS, Variant};

/// The rules of a simulation: who plays by which parameters, and how cards are dealt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSetup {
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
        /// Their cards.
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

impl GameSetup {
    /// Whether hands that come back prove that a game is endless.
    #[must_use]
    pub fn proves_endless(&self) -> bool {
        self.parameters.repetition == Repeated::Ends
    }

    /// The number of cards in a game.
    #[must_use]
    pub fn cards(&self) -> usize {
        match &self.dealing {
            Dealing::Shuffled | Dealing::Fixed { .. } => self.deck.size(),
            Dealing::Given { hands, .. } => hands.iter().map(Vec::len).sum(),
        }
    }

    /// How many turns a game may last.
    #[must_use]
    pub fn most_turns(&self) -> Option<u32> {
        most_turns(&self.parameters, self.cards())
    }

    /// The rules as a journal names them: by a name of their own, or by their parameters.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let given = matches!(self.dealing, Dealing::Given { .. });
        let named = VARIANTS.iter().find(|variant| {
            let (fewest, most) = variant.players;
            variant.parameters == self.parameters
                && (fewest..=most).contains(&self.players)
                && variant.is_played_with(self.deck)
        });
        let limit = self.most_turns().map(Limit::Turns);
        let parameters = Parameters {
            limit,
            ..self.parameters
        };
        let custom = || Variant::custom(parameters);
        named.filter(|_| !given).copied().unwrap_or_else(custom)
    }

    /// The hands of a game, with its generator where the deal leaves it; `None` where the deck
    /// lacks the fixed cards, or there is no seat or no other player for them.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::{Deck, GameNumber, Rank};
    /// use war::engine::Seat;
    /// use war::rules::Parameters;
    /// use war_simulate::{Dealing, GameSetup};
    ///
    /// let setup = GameSetup {
    ///     parameters: Parameters::BATAILLE,
    ///     players: 2,
    ///     deck: Deck::Large,
    ///     dealing: Dealing::Fixed { seat: Seat::FIRST, cards: vec![Rank::ACE; 4] },
    /// };
    /// let (hands, _) = setup.deal(GameNumber { seed: 1, game: 0 }).unwrap();
    /// assert_eq!(hands[0], [Rank::ACE; 4]);
    /// assert_eq!(hands[1].len(), 48);
    /// ```
    #[must_use]
    pub fn deal(&self, number: GameNumber) -> Option<(Vec<Vec<Rank>>, Xoshiro256PlusPlus)> {
        let mut chance = Xoshiro256PlusPlus::new(number);
        let players = usize::from(self.players);
        let hands = match &self.dealing {
            Dealing::Shuffled => {
                let mut cards = self.deck.cards();
                chance.shuffle(&mut cards);
                deal(&cards, players)
            }
            Dealing::Fixed { seat, cards } => {
                let rest = without(self.deck.cards(), cards)?;
                deal_fixed((seat.index(), cards.clone()), rest, players, &mut chance)?
            }
            Dealing::Given { hands, .. } => hands.clone(),
        };
        Some((hands, chance))
    }
}

/// How many turns a game with this many cards may last, where the rules set a limit: 2³² - 1 at
/// most, for no game lasts longer.
pub(super) fn most_turns(parameters: &Parameters, cards: usize) -> Option<u32> {
    let turns = parameters.limit?.turns(cards);
    Some(u32::try_from(turns).unwrap_or(u32::MAX))
}
