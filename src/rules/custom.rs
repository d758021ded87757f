use super::collect::CollectOrder;
use super::parameters::{CardChoice, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit};
use super::variant::{ScenarioLimits, ScreenStyle, SetupArguments, Variant};
use crate::cards::Rank;

const CUSTOM: &str = "custom/1";
const TWO_PILES: &str = "two-piles/1";
const TWO_PILES_TURNED: &str = "two-piles-turned/1";

impl Piles {
    /// Id of custom rules with these piles.
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
    /// Custom rules with these parameters, for 2 to 5 players.
    ///
    /// Collecting orders by seat require as many players as there are orders. All rules for players
    /// out of cards except [`OutOfCards::EndOfCards`] require 2 players.
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
            CollectOrder::BySeat(orders) => (orders.players(), orders.players()),
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
            scenario_limits: ScenarioLimits::AnyRank,
            setup_arguments: SetupArguments::Nothing,
            screens: ScreenStyle::Turns,
            parameters,
        }
    }

    /// Returns `true` for custom rules, as opposed to the named variants.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        Piles::ALL.iter().any(|piles| piles.rules_id() == self.id)
    }
}

impl Parameters {
    /// Parameters of *bataille*, as played by Delahaye and Mathieu: no card face down, and the
    /// pairs of a war collected in reverse order.
    pub const BATAILLE: Self = Self {
        face_down: 0,
        collect: CollectOrder::Bataille,
        piles: Piles::One,
        out_of_cards: OutOfCards::Loses,
        repetition: RepetitionRule::Ends,
        card_choice: CardChoice::Top,
        limit: None,
    };

    /// Parameters of *household* rules, as people play with a deck at home: three cards face down,
    /// and won cards on a second pile, which is shuffled when it becomes the hand.
    pub const HOUSEHOLD: Self = Self {
        face_down: 3,
        collect: CollectOrder::WinnerFirst,
        piles: Piles::Two,
        out_of_cards: OutOfCards::Loses,
        repetition: RepetitionRule::GoesOn,
        card_choice: CardChoice::Top,
        limit: None,
    };

    /// Returns `true` if the order of won cards depends on chance, unless all cards have the same
    /// rank.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::{Parameters, Piles};
    ///
    /// let bataille = Parameters::BATAILLE;
    /// let with_two_piles = Parameters { piles: Piles::Two, ..bataille };
    /// assert!(with_two_piles.is_left_to_chance() && !bataille.is_left_to_chance());
    /// ```
    #[must_use]
    pub const fn is_left_to_chance(&self) -> bool {
        self.collect.is_left_to_chance() || self.piles.is_left_to_chance()
    }

    /// The same parameters, with repetition handled so that endless games end.
    ///
    /// Repeated hands prove a game endless, unless the order of cards depends on chance; then the
    /// game goes on.
    #[must_use]
    pub const fn with_cycles_ended(self) -> Self {
        let repetition = if self.is_left_to_chance() {
            RepetitionRule::GoesOn
        } else {
            RepetitionRule::Ends
        };
        Self { repetition, ..self }
    }

    /// The same parameters, adjusted to these cards.
    ///
    /// If all cards are equal, shuffles change nothing, and repeated hands do prove the game
    /// endless.
    #[must_use]
    pub fn adjust_to_cards(self, cards: &[Rank]) -> Self {
        let same = cards.windows(2).all(|pair| pair[0] == pair[1]);
        if same && self.is_left_to_chance() {
            let repetition = RepetitionRule::Ends;
            return Self { repetition, ..self };
        }
        self
    }

    /// The same parameters with a limit of this many turns.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Rank;
    /// use war::engine::{Game, Outcome};
    /// use war::rules::{StandardRules, Parameters};
    ///
    /// let short = Parameters::BATAILLE.with_turn_limit(1);
    /// let hands = vec![vec![Rank::ACE; 3], vec![Rank::new(9).unwrap(); 3]];
    /// let mut game = Game::new(Box::new(StandardRules::new(short)), hands).unwrap();
    /// game.by_ref().for_each(drop);
    /// assert_eq!(game.table().outcome(), Some(Outcome::Stopped(None)));
    /// ```
    #[must_use]
    pub const fn with_turn_limit(self, turns: u32) -> Self {
        let limit = Some(TurnLimit::Turns(turns));
        Self { limit, ..self }
    }
}
