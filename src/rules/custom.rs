use super::parameters::{Collect, Draw, Limit, OutOfCards, Parameters, Repeated};
use super::scenarios::Scenarios;
use super::variant::{ScreenStyle, Typed, Variant};
use crate::cards::Rank;

/// The id of rules put together from parameters, for which the id says nothing.
pub const CUSTOM: &str = "custom/1";

impl Variant {
    /// Rules put together from parameters, for 2 to 5 players, or 2 only where a player out
    /// of cards is not simply out.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::{CLASSIC, Parameters, Variant};
    ///
    /// assert_eq!(Variant::custom(CLASSIC.parameters).players, (2, 5));
    /// assert_eq!(Variant::custom(Parameters::BATAILLE).players, (2, 2));
    /// ```
    #[must_use]
    pub const fn custom(parameters: Parameters) -> Self {
        let most = match parameters.out_of_cards {
            OutOfCards::EndOfCards => 5,
            OutOfCards::Loses | OutOfCards::LastCard | OutOfCards::Shrink => 2,
        };
        Self {
            id: CUSTOM,
            players: (2, most),
            decks: &[],
            scenarios: Scenarios::AnyRank,
            typed: Typed::Nothing,
            screens: ScreenStyle::Turns,
            parameters,
        }
    }

    /// Whether the rules are put together from parameters.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        self.id == CUSTOM
    }
}

impl Parameters {
    /// The parameters of *bataille*, as Delahaye and Mathieu play it: no card face down, and
    /// the pairs of a war taken in reverse order.
    pub const BATAILLE: Self = Self {
        face_down: 0,
        collect: Collect::Bataille,
        out_of_cards: OutOfCards::Loses,
        repetition: Repeated::Ends,
        draw: Draw::Top,
        limit: None,
    };

    /// The same with a repetition that means something: where cards are collected in an
    /// order left to chance, hands that come back prove nothing, and the game goes on;
    /// elsewhere it is endless.
    #[must_use]
    pub const fn with_cycles_ended(self) -> Self {
        let repetition = match self.collect {
            Collect::Shuffled => Repeated::GoesOn,
            _ => Repeated::Ends,
        };
        Self { repetition, ..self }
    }

    /// The same for a game with these cards: where all of them are the same, no shuffle leaves
    /// anything to chance, and hands that come back prove that the game is endless.
    #[must_use]
    pub fn for_cards(self, cards: &[Rank]) -> Self {
        let same = cards.windows(2).all(|pair| pair[0] == pair[1]);
        if same && self.collect == Collect::Shuffled {
            let repetition = Repeated::Ends;
            return Self { repetition, ..self };
        }
        self
    }

    /// The same with a limit of this many turns.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Rank;
    /// use war::engine::{Game, Outcome};
    /// use war::rules::{Flow, Parameters};
    ///
    /// let short = Parameters::BATAILLE.with_limit(1);
    /// let hands = vec![vec![Rank::ACE; 3], vec![Rank::new(9).unwrap(); 3]];
    /// let mut game = Game::new(Box::new(Flow::new(short)), hands).unwrap();
    /// game.by_ref().for_each(drop);
    /// assert_eq!(game.table().outcome(), Some(Outcome::Stopped(None)));
    /// ```
    #[must_use]
    pub const fn with_limit(self, turns: u32) -> Self {
        let limit = Some(Limit::Turns(turns));
        Self { limit, ..self }
    }
}
