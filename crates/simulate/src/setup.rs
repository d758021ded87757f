//! Setup of simulated games (rules and cards), and the settings that it is built from.

use std::fmt;
use thiserror::Error;
use war::cards::{
    Chance, Deck, GameNumber, Rank, Xoshiro256PlusPlus, deal, deal_with_fixed_hand, remove_cards,
};
use war::engine::Seat;
use war::rules::{
    CLASSIC, CollectOrder, CollectOrders, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
    VARIANTS, Variant,
};
use war::scenario::Scenario;
use war::support::digits;

/// Setup of simulated games: rules, players, deck and dealing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameSetup {
    /// Parameters of the rules.
    pub parameters: Parameters,
    /// Number of players, 2 to 5.
    pub players: u8,
    /// Deck; ignored if the hands are given.
    pub deck: Deck,
    /// Source of the hands.
    pub dealing: Dealing,
}

/// Source of the hands in simulated games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dealing {
    /// Shuffled deck, dealt one card at a time.
    Shuffled,
    /// Fixed cards of the deck for one player, in random order; the others get the rest.
    Fixed {
        /// Seat of the player.
        seat: Seat,
        /// Cards of the player.
        cards: Vec<Rank>,
    },
    /// Given hands, the same for every game, top card first.
    Given {
        /// Name of the scenario that the hands come from.
        name: String,
        /// One hand for each player.
        hands: Vec<Vec<Rank>>,
    },
}

impl GameSetup {
    /// Returns true if repeated hands prove that a game is endless.
    #[must_use]
    pub fn proves_endless(&self) -> bool {
        self.parameters.repetition == RepetitionRule::Ends
    }

    /// Returns the number of cards in a game.
    #[must_use]
    pub fn card_count(&self) -> usize {
        match &self.dealing {
            Dealing::Shuffled | Dealing::Fixed { .. } => self.deck.size(),
            Dealing::Given { hands, .. } => hands.iter().map(Vec::len).sum(),
        }
    }

    /// Returns the maximum number of turns of a game, if there is a limit.
    #[must_use]
    pub fn max_turns(&self) -> Option<u32> {
        max_turns(&self.parameters, self.card_count())
    }

    /// Returns the variant that a journal names: a named one if the rules match it, or else a
    /// custom one.
    #[must_use]
    pub fn variant(&self) -> Variant {
        let given = matches!(self.dealing, Dealing::Given { .. });
        let named = VARIANTS.iter().find(|variant| {
            let (fewest, most) = variant.players;
            variant.parameters == self.parameters
                && (fewest..=most).contains(&self.players)
                && variant.allows_deck(self.deck)
        });
        let limit = self.max_turns().map(TurnLimit::Turns);
        let parameters = Parameters {
            limit,
            ..self.parameters
        };
        let custom = || Variant::custom(parameters);
        named.filter(|_| !given).copied().unwrap_or_else(custom)
    }

    /// Deals the hands of a game and returns them with the generator in its state after the deal.
    ///
    /// Returns `None` if the deck lacks the fixed cards, or if the game has no such seat or no
    /// other player.
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
                let rest = remove_cards(self.deck.cards(), cards)?;
                deal_with_fixed_hand((seat.index(), cards.clone()), rest, players, &mut chance)?
            }
            Dealing::Given { hands, .. } => hands.clone(),
        };
        Some((hands, chance))
    }
}

/// Returns the maximum number of turns of a game with `cards` cards, if the rules set a limit; at
/// most 2³² - 1, since no game lasts longer.
pub(super) fn max_turns(parameters: &Parameters, cards: usize) -> Option<u32> {
    let turns = parameters.limit?.max_turns(cards);
    Some(u32::try_from(turns).unwrap_or(u32::MAX))
}

/// Settings that override the parameters of named rules.
#[derive(Debug, Clone, Copy, Default)]
pub struct RuleSettings {
    /// Rules to start from; the classic edition by default.
    pub base: Option<NamedRules>,
    /// Number of face-down cards before each face-up card of a war.
    pub face_down: Option<u8>,
    /// Order in which the winner of a turn takes the cards.
    pub collect: Option<CollectOrder>,
    /// Piles that won cards go to.
    pub piles: Option<Piles>,
    /// Rule for a player who runs out of cards in a war.
    pub out_of_cards: Option<OutOfCards>,
    /// Maximum number of turns of a game.
    pub max_turns: Option<u32>,
}

/// Fixed hand of a player.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war_simulate::FixedHand;
///
/// let hand = FixedHand::parse("1:14,14").unwrap();
/// assert_eq!((hand.player, &hand.cards[..]), (1, &[Rank::ACE; 2][..]));
/// assert_eq!(hand.to_string(), "1:14,14");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedHand {
    /// Number of the player; the game may have fewer players.
    pub player: u8,
    /// Cards of the hand.
    pub cards: Vec<Rank>,
}

/// Settings of games dealt from a deck.
///
/// # Examples
///
/// ```
/// use war_simulate::{GameSettings, NamedRules, RuleSettings, SetupError};
///
/// let mut chosen = GameSettings {
///     rules: RuleSettings {
///         base: NamedRules::from_name("bataille"),
///         ..RuleSettings::default()
///     },
///     ..GameSettings::default()
/// };
/// assert_eq!(chosen.to_setup().unwrap().players, 2);
/// chosen.players = Some(3);
/// let error = chosen.to_setup().unwrap_err();
/// assert_eq!(error, SetupError::RulesForTwo { rules: "bataille", rule: "loses", players: 3 });
/// ```
#[derive(Debug, Clone, Default)]
pub struct GameSettings {
    /// Settings of the parameters.
    pub rules: RuleSettings,
    /// Number of players, 2 to 5; 2 by default.
    pub players: Option<u8>,
    /// Deck; that of the named rules by default.
    pub deck: Option<Deck>,
    /// Fixed hand of one player, if any.
    pub fixed_hand: Option<FixedHand>,
}

/// Reason why a game with these settings can't be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// Rule about running out of cards that works for two players only.
    #[error("`--out-of-cards {rule}` doesn't work with {players} players")]
    OutOfCardsForTwo {
        /// Name of the rule.
        rule: &'static str,
        /// Number of players.
        players: u8,
    },
    /// Named rules that contain a rule for two players only.
    #[error(
        "the rules `{rules}` don't work with {players} players: `--out-of-cards {rule}` is for two"
    )]
    RulesForTwo {
        /// Name of the rules.
        rules: &'static str,
        /// Name of the rule for two players.
        rule: &'static str,
        /// Number of players.
        players: u8,
    },
    /// Collecting orders for a different number of players.
    #[error("`--collect {}` is for {} players, not for {players}", CollectOrder::BySeat(*collect), collect.players())]
    Orders {
        /// Collecting orders in the settings.
        collect: CollectOrders,
        /// Number of players.
        players: u8,
    },
    /// Fewer cards than players.
    #[error(
        "{cards} {} can't be dealt to {players} {}",
        if *cards == 1 { "card" } else { "cards" },
        if *players == 1 { "player" } else { "players" }
    )]
    TooFewCards {
        /// Number of cards to deal.
        cards: usize,
        /// Number of players to deal them to.
        players: u8,
    },
    /// Fixed hand of a player that the game doesn't have.
    #[error("`--fix` names player {player}, but there are only {players} players")]
    FixedPlayer {
        /// Number of the player.
        player: u8,
        /// Number of players.
        players: u8,
    },
    /// Fixed hand with cards that the deck doesn't have.
    #[error("the {deck} deck doesn't have these cards: `{hand}`")]
    FixedCards {
        /// Hand, such as `1:14,14`.
        hand: String,
        /// Deck that lacks the cards.
        deck: Deck,
    },
}

impl RuleSettings {
    /// Returns the parameters, and the deck of the named rules.
    #[must_use]
    pub fn parameters_and_deck(&self) -> (Parameters, Deck) {
        let NamedRules {
            mut parameters,
            deck,
            ..
        } = self.base.unwrap_or_default();
        parameters.face_down = self.face_down.unwrap_or(parameters.face_down);
        parameters.collect = self.collect.unwrap_or(parameters.collect);
        parameters.piles = self.piles.unwrap_or(parameters.piles);
        parameters.out_of_cards = self.out_of_cards.unwrap_or(parameters.out_of_cards);
        // Games by rules with their own limit go on until the limit is reached.
        if parameters.limit.is_none() {
            parameters = parameters.with_cycles_ended();
        }
        if let Some(turns) = self.max_turns {
            parameters = parameters.with_turn_limit(turns);
        }
        (parameters, deck)
    }

    /// Returns the setup of games that start with the hands of the scenario `name`.
    ///
    /// # Errors
    ///
    /// [`SetupError::Orders`] if the collecting orders are for a different number of players.
    ///
    /// # Panics
    ///
    /// If there are 256 hands or more; a scenario has 5 at most.
    pub fn to_scenario_setup(
        &self,
        name: String,
        Scenario { deck, hands, .. }: Scenario,
    ) -> Result<GameSetup, SetupError> {
        let (parameters, _) = self.parameters_and_deck();
        let players = u8::try_from(hands.len()).expect("a scenario has 5 hands at most");
        check_orders(&parameters, players)?;
        Ok(GameSetup {
            parameters: with_limit_if_endless(parameters, &hands.concat()),
            players,
            deck,
            dealing: Dealing::Given { name, hands },
        })
    }
}

impl GameSettings {
    /// Returns the setup of the games.
    ///
    /// # Errors
    ///
    /// [`SetupError`] if the settings don't fit together.
    pub fn to_setup(&self) -> Result<GameSetup, SetupError> {
        let (mut parameters, default_deck) = self.rules.parameters_and_deck();
        let players = self.players.unwrap_or(2);
        self.rules.check_players(players, &parameters)?;
        check_orders(&parameters, players)?;
        let deck = self.deck.unwrap_or(default_deck);
        if !matches!(deck, Deck::Small | Deck::Large | Deck::Thirteen) {
            parameters = with_limit_if_endless(parameters, &deck.cards());
        }
        check_cards(deck.size(), players)?;
        let dealing = match &self.fixed_hand {
            Some(hand) => hand.dealing(players, deck)?,
            None => Dealing::Shuffled,
        };
        Ok(GameSetup {
            parameters,
            players,
            deck,
            dealing,
        })
    }
}

impl RuleSettings {
    fn check_players(&self, players: u8, parameters: &Parameters) -> Result<(), SetupError> {
        if players == 2 || parameters.out_of_cards == OutOfCards::EndOfCards {
            return Ok(());
        }
        // The error names the option that was set: the rule itself, or the rules that contain it.
        let rule = parameters.out_of_cards.name();
        Err(match (self.out_of_cards, self.base) {
            (None, Some(rules)) => SetupError::RulesForTwo {
                rules: rules.name,
                rule,
                players,
            },
            _ => SetupError::OutOfCardsForTwo { rule, players },
        })
    }
}

/// Checks that there is one collecting order for all players, or one for each player.
fn check_orders(parameters: &Parameters, players: u8) -> Result<(), SetupError> {
    match parameters.collect {
        CollectOrder::BySeat(collect) if collect.players() != players => {
            Err(SetupError::Orders { collect, players })
        }
        _ => Ok(()),
    }
}

/// Checks that each player gets a card.
fn check_cards(cards: usize, players: u8) -> Result<(), SetupError> {
    if cards < usize::from(players) {
        return Err(SetupError::TooFewCards { cards, players });
    }
    Ok(())
}

/// Default turn limit if wars shrink: with few cards, players can swap the same cards for ever.
const MAX_SHRINKING_TURNS: u32 = 1_000_000;

/// Returns the parameters for a game with these cards, with a limit if the game may be endless
/// without a repetition that proves it.
fn with_limit_if_endless(mut parameters: Parameters, cards: &[Rank]) -> Parameters {
    if !matches!(parameters.limit, Some(TurnLimit::TurnsPerCard(_))) {
        parameters = parameters.adjust_to_cards(cards);
    }
    if parameters.out_of_cards == OutOfCards::Shrink && parameters.limit.is_none() {
        return parameters.with_turn_limit(MAX_SHRINKING_TURNS);
    }
    parameters
}

impl FixedHand {
    /// Parses a hand such as `1:14,14`; returns `None` if the text isn't a hand.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (player, cards) = text.split_once(':')?;
        let cards = cards
            .split(',')
            .map(|card| Rank::new(digits::parse_whole_number(card)?));
        Some(Self {
            player: digits::parse_whole_number(player)?,
            cards: cards.collect::<Option<_>>()?,
        })
    }

    /// Returns the dealing in which the player holds these cards.
    fn dealing(&self, players: u8, deck: Deck) -> Result<Dealing, SetupError> {
        let player = self.player;
        let seat = Seat::from_number(player).filter(|_| player <= players);
        let seat = seat.ok_or(SetupError::FixedPlayer { player, players })?;
        let rest =
            remove_cards(deck.cards(), &self.cards).ok_or_else(|| SetupError::FixedCards {
                hand: self.to_string(),
                deck,
            })?;
        check_cards(rest.len(), players - 1)?;
        Ok(Dealing::Fixed {
            seat,
            cards: self.cards.clone(),
        })
    }
}

impl fmt::Display for FixedHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cards = self.cards.iter().map(|card| card.get().to_string());
        write!(f, "{}:{}", self.player, cards.collect::<Vec<_>>().join(","))
    }
}

/// Named rules of a simulation, with their deck.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::NamedRules;
///
/// let rules = NamedRules::from_name("bataille").unwrap();
/// assert_eq!((rules.parameters, rules.deck), (Parameters::BATAILLE, Deck::Large));
/// assert_eq!(NamedRules::default().name, "classic");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NamedRules {
    /// Name of the rules.
    pub name: &'static str,
    /// Parameters of the rules.
    pub parameters: Parameters,
    /// Default deck.
    pub deck: Deck,
}

impl NamedRules {
    /// Returns all named rules: the editions, then the rules that aren't editions.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let editions = VARIANTS.iter().filter(|variant| variant.is_edition());
        let others = [
            ("bataille", Parameters::BATAILLE),
            ("household", Parameters::HOUSEHOLD),
        ];
        let others = others.map(|(name, parameters)| Self {
            name,
            parameters,
            deck: Deck::Large,
        });
        editions.map(Self::from_edition).chain(others).collect()
    }

    /// Returns the rules with this name, in any letter case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_named = |rules: &Self| rules.name.eq_ignore_ascii_case(name);
        Self::all().into_iter().find(is_named)
    }

    /// Returns the rules of an edition, with its largest deck.
    fn from_edition(variant: &Variant) -> Self {
        let decks = variant.decks.iter().copied();
        Self {
            name: variant.name(),
            parameters: variant.parameters,
            deck: decks.max_by_key(|deck| deck.size()).unwrap_or(Deck::Large),
        }
    }
}

/// The classic edition.
impl Default for NamedRules {
    fn default() -> Self {
        Self::from_edition(&CLASSIC)
    }
}
