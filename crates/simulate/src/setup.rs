//! The rules and cards of a simulation, and how they are chosen: what is left out comes from rules
//! that have a name.

use std::fmt;
use thiserror::Error;
use war::cards::{Chance, Deck, GameNumber, Rank, Xoshiro256PlusPlus, deal, deal_fixed, without};
use war::engine::Seat;
use war::rules::{
    CLASSIC, Collect, Limit, Orders, OutOfCards, Parameters, Piles, Repeated, VARIANTS, Variant,
};
use war::scenario::Hands;
use war::support::digits;

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

/// The parameters of a simulation, as they are chosen.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChosenRules {
    /// The rules to start from: the classic edition, where none are named.
    pub rules: Option<NamedRules>,
    /// How many cards go face down before each face-up card of a war.
    pub face_down: Option<u8>,
    /// In which order the winner of a turn takes the cards.
    pub collect: Option<Collect>,
    /// Where won cards go.
    pub piles: Option<Piles>,
    /// What becomes of a player who runs out of cards in a war.
    pub out_of_cards: Option<OutOfCards>,
    /// How many turns a game may last.
    pub max_turns: Option<u32>,
}

/// A player's fixed hand.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
/// use war_simulate::FixedHand;
///
/// let hand = FixedHand::written("1:14,14").unwrap();
/// assert_eq!((hand.player, &hand.cards[..]), (1, &[Rank::ACE; 2][..]));
/// assert_eq!(hand.to_string(), "1:14,14");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedHand {
    /// The player's number, which the game may not have.
    pub player: u8,
    /// The cards.
    pub cards: Vec<Rank>,
}

/// A game with the cards of a deck, as it is chosen.
///
/// # Examples
///
/// ```
/// use war_simulate::{ChosenGame, ChosenRules, NamedRules, NotPlayable};
///
/// let mut chosen = ChosenGame {
///     rules: ChosenRules {
///         rules: NamedRules::named("bataille"),
///         ..ChosenRules::default()
///     },
///     ..ChosenGame::default()
/// };
/// assert_eq!(chosen.setup().unwrap().players, 2);
/// chosen.players = Some(3);
/// let error = chosen.setup().unwrap_err();
/// assert_eq!(error, NotPlayable::RulesForTwo { rules: "bataille", rule: "loses", players: 3 });
/// ```
#[derive(Debug, Clone, Default)]
pub struct ChosenGame {
    /// The parameters.
    pub rules: ChosenRules,
    /// The number of players, 2 to 5: 2, where it is left out.
    pub players: Option<u8>,
    /// The deck: that of the named rules, where it is left out.
    pub deck: Option<Deck>,
    /// The hand of a player that is not dealt.
    pub fix: Option<FixedHand>,
}

/// Why a game that was chosen can't be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotPlayable {
    /// What becomes of a player out of cards is settled for two players only.
    #[error("`--out-of-cards {rule}` doesn't work with {players} players")]
    Combination {
        /// The rule.
        rule: &'static str,
        /// How many players were chosen.
        players: u8,
    },
    /// Named rules have a rule for two players.
    #[error(
        "the rules `{rules}` don't work with {players} players: `--out-of-cards {rule}` is for two"
    )]
    RulesForTwo {
        /// The named rules.
        rules: &'static str,
        /// Their rule for two players.
        rule: &'static str,
        /// How many players were chosen.
        players: u8,
    },
    /// The rules have an order of collecting for each of another number of players.
    #[error("`--collect {}` is for {} players, not for {players}", Collect::BySeat(*collect), collect.players())]
    Orders {
        /// The orders.
        collect: Orders,
        /// How many players were chosen.
        players: u8,
    },
    /// There are fewer cards than players.
    #[error(
        "{cards} {} can't be dealt to {players} {}",
        if *cards == 1 { "card" } else { "cards" },
        if *players == 1 { "player" } else { "players" }
    )]
    TooFewCards {
        /// How many cards there are to deal.
        cards: usize,
        /// To how many players.
        players: u8,
    },
    /// The fixed hand is that of a player whom the game doesn't have.
    #[error("`--fix` names player {player}, but there are only {players} players")]
    FixedPlayer {
        /// The player.
        player: u8,
        /// How many there are.
        players: u8,
    },
    /// The deck doesn't have the cards of the fixed hand.
    #[error("the {deck} deck doesn't have these cards: `{hand}`")]
    FixedCards {
        /// The hand, as it is written.
        hand: String,
        /// The deck.
        deck: Deck,
    },
}

impl ChosenRules {
    /// The parameters, and the deck of the named rules.
    #[must_use]
    pub fn parameters(&self) -> (Parameters, Deck) {
        let NamedRules {
            mut parameters,
            deck,
            ..
        } = self.rules.unwrap_or_default();
        parameters.face_down = self.face_down.unwrap_or(parameters.face_down);
        parameters.collect = self.collect.unwrap_or(parameters.collect);
        parameters.piles = self.piles.unwrap_or(parameters.piles);
        parameters.out_of_cards = self.out_of_cards.unwrap_or(parameters.out_of_cards);
        // Rules with a limit of their own go on until then.
        if parameters.limit.is_none() {
            parameters = parameters.with_cycles_ended();
        }
        if let Some(turns) = self.max_turns {
            parameters = parameters.with_limit(turns);
        }
        (parameters, deck)
    }

    /// The game in which these hands are given: they are those of the scenario of this name.
    ///
    /// # Errors
    ///
    /// [`NotPlayable::Orders`], if the rules have orders for another number of players.
    ///
    /// # Panics
    ///
    /// If there are 256 hands or more; a scenario has 5 at most.
    pub fn given(
        &self,
        name: String,
        Hands { deck, hands, .. }: Hands,
    ) -> Result<GameSetup, NotPlayable> {
        let (parameters, _) = self.parameters();
        let players = u8::try_from(hands.len()).expect("a scenario has 5 hands at most");
        check_orders(&parameters, players)?;
        Ok(GameSetup {
            parameters: with_an_end(parameters, &hands.concat()),
            players,
            deck,
            dealing: Dealing::Given { name, hands },
        })
    }
}

impl ChosenGame {
    /// The game.
    ///
    /// # Errors
    ///
    /// [`NotPlayable`] says what doesn't go together.
    pub fn setup(&self) -> Result<GameSetup, NotPlayable> {
        let (mut parameters, default_deck) = self.rules.parameters();
        let players = self.players.unwrap_or(2);
        self.rules.check_players(players, &parameters)?;
        check_orders(&parameters, players)?;
        let deck = self.deck.unwrap_or(default_deck);
        if !matches!(deck, Deck::Small | Deck::Large | Deck::Thirteen) {
            parameters = with_an_end(parameters, &deck.cards());
        }
        check_cards(deck.size(), players)?;
        let dealing = match &self.fix {
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

impl ChosenRules {
    fn check_players(&self, players: u8, parameters: &Parameters) -> Result<(), NotPlayable> {
        if players == 2 || parameters.out_of_cards == OutOfCards::EndOfCards {
            return Ok(());
        }
        // What was chosen is named: the rule itself, or the rules that it is part of.
        let rule = parameters.out_of_cards.name();
        Err(match (self.out_of_cards, self.rules) {
            (None, Some(rules)) => NotPlayable::RulesForTwo {
                rules: rules.name,
                rule,
                players,
            },
            _ => NotPlayable::Combination { rule, players },
        })
    }
}

/// Whether there is one order of collecting, or one for each player.
fn check_orders(parameters: &Parameters, players: u8) -> Result<(), NotPlayable> {
    match parameters.collect {
        Collect::BySeat(collect) if collect.players() != players => {
            Err(NotPlayable::Orders { collect, players })
        }
        _ => Ok(()),
    }
}

/// Whether each player gets a card.
fn check_cards(cards: usize, players: u8) -> Result<(), NotPlayable> {
    if cards < usize::from(players) {
        return Err(NotPlayable::TooFewCards { cards, players });
    }
    Ok(())
}

/// How many turns a game may last where wars shrink, unless a number was chosen: with few cards
/// everybody can take what the other put for ever.
const MOST_SHRINKING_TURNS: u32 = 1_000_000;

/// The parameters for a game with these cards, with a limit where it may never end and no
/// repetition proves it.
fn with_an_end(mut parameters: Parameters, cards: &[Rank]) -> Parameters {
    if !matches!(parameters.limit, Some(Limit::TurnsPerCard(_))) {
        parameters = parameters.for_cards(cards);
    }
    if parameters.out_of_cards == OutOfCards::Shrink && parameters.limit.is_none() {
        return parameters.with_limit(MOST_SHRINKING_TURNS);
    }
    parameters
}

impl FixedHand {
    /// The hand that is written like `1:14,14`, or `None` where the text isn't one.
    #[must_use]
    pub fn written(text: &str) -> Option<Self> {
        let (player, cards) = text.split_once(':')?;
        let cards = cards.split(',').map(|card| Rank::new(digits::whole(card)?));
        Some(Self {
            player: digits::whole(player)?,
            cards: cards.collect::<Option<_>>()?,
        })
    }

    /// The deal in which the player holds these cards.
    fn dealing(&self, players: u8, deck: Deck) -> Result<Dealing, NotPlayable> {
        let player = self.player;
        let seat = Seat::from_number(player).filter(|_| player <= players);
        let seat = seat.ok_or(NotPlayable::FixedPlayer { player, players })?;
        let rest = without(deck.cards(), &self.cards).ok_or_else(|| NotPlayable::FixedCards {
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

/// Rules of a simulation that have a name, with their deck.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::NamedRules;
///
/// let rules = NamedRules::named("bataille").unwrap();
/// assert_eq!((rules.parameters, rules.deck), (Parameters::BATAILLE, Deck::Large));
/// assert_eq!(NamedRules::default().name, "classic");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct NamedRules {
    /// The name.
    pub name: &'static str,
    /// The parameters.
    pub parameters: Parameters,
    /// The deck, where no other one is chosen.
    pub deck: Deck,
}

impl NamedRules {
    /// All of them: the editions, then rules that are nothing else.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let editions = VARIANTS.iter().filter(|variant| variant.is_an_edition());
        let bataille = Self {
            name: "bataille",
            parameters: Parameters::BATAILLE,
            deck: Deck::Large,
        };
        editions.map(Self::of).chain([bataille]).collect()
    }

    /// The rules of this name, in any letter case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |rules: &Self| rules.name.eq_ignore_ascii_case(name);
        Self::all().into_iter().find(is_named)
    }

    /// The rules of an edition, with its largest deck.
    fn of(variant: &Variant) -> Self {
        let decks = variant.decks.iter().copied();
        Self {
            name: variant.name(),
            parameters: variant.parameters,
            deck: decks.max_by_key(|deck| deck.size()).unwrap_or(Deck::Large),
        }
    }
}

/// The classic edition, which is played where no rules are named.
impl Default for NamedRules {
    fn default() -> Self {
        Self::of(&CLASSIC)
    }
}
