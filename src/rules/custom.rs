use super::collect::Collect;
use super::parameters::{Draw, Limit, OutOfCards, Parameters, Piles, Repeated};
use super::variant::{Scenarios, ScreenStyle, Typed, Variant};
use crate::cards::Rank;

/// The ids of rules put together from parameters, of which the id says how many piles there are.
const CUSTOM: &str = "custom/1";
const TWO_PILES: &str = "two-piles/1";
const TWO_PILES_TURNED: &str = "two-piles-turned/1";

impl Piles {
    /// The id of rules put together from parameters, with these piles.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::Piles;
    ///
    /// let ids = Piles::ALL.map(Piles::rules_id);
    /// assert_eq!(ids, ["custom/1", "two-piles/1", "two-piles-turned/1"]);
    /// ```
    #[must_use]
    pub const fn rules_id(self) -> &'static str {
        match self {
            Self::One => CUSTOM,
            Self::Two => TWO_PILES,
            Self::TwoTurned => TWO_PILES_TURNED,
        }
    }
}

impl Variant {
    /// Rules put together from parameters, for 2 to 5 players, or 2 only where a player out
    /// of cards is not simply out. Where each has an order of their own, it is for so many.
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
        let (fewest, most) = match parameters.collect {
            Collect::BySeat(orders) => (orders.players(), orders.players()),
            _ => (2, 5),
        };
        let most = match parameters.out_of_cards {
            OutOfCards::EndOfCards => most,
            OutOfCards::Loses | OutOfCards::LastCard | OutOfCards::Shrink => 2,
        };
        Self {
            id: parameters.piles.rules_id(),
            players: (fewest, most),
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
        Piles::ALL.iter().any(|piles| piles.rules_id() == self.id)
    }
}

impl Parameters {
    /// The parameters of *bataille*, as Delahaye and Mathieu play it: no card face down, and
    /// the pairs of a war taken in reverse order.
    pub const BATAILLE: Self = Self {
        face_down: 0,
        collect: Collect::Bataille,
        piles: Piles::One,
        out_of_cards: OutOfCards::Loses,
        repetition: Repeated::Ends,
        draw: Draw::Top,
        limit: None,
    };

    /// Whether cards go back, or come up again, in an order left to chance, where not all of them
    /// are of one rank.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::{Parameters, Piles};
    ///
    /// let bataille = Parameters::BATAILLE;
    /// let with_two_piles = Parameters { piles: Piles::Two, ..bataille };
    /// assert!(with_two_piles.shuffles() && !bataille.shuffles());
    /// ```
    #[must_use]
    pub const fn shuffles(&self) -> bool {
        self.collect.is_left_to_chance() || self.piles.is_left_to_chance()
    }

    /// The same with a repetition that means something: where the order of cards is left to
    /// chance, hands that come back prove nothing, and the game goes on; elsewhere it is endless.
    #[must_use]
    pub const fn with_cycles_ended(self) -> Self {
        let repetition = if self.shuffles() {
            Repeated::GoesOn
        } else {
            Repeated::Ends
        };
        Self { repetition, ..self }
    }

    /// The same for a game with these cards: where all of them are the same, no shuffle leaves
    /// anything to chance, and hands that come back prove that the game is endless.
    #[must_use]
    pub fn for_cards(self, cards: &[Rank]) -> Self {
        let same = cards.windows(2).all(|pair| pair[0] == pair[1]);
        if same && self.shuffles() {
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
