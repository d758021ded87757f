//! The rules and cards of a simulation as they are chosen: what is left out comes from rules that
//! have a name.

use super::named::NamedRules;
use super::setup::{Dealing, GameSetup};
use std::fmt;
use thiserror::Error;
use war::cards::{Deck, Rank, without};
use war::engine::Seat;
use war::rules::{Collect, Limit, Orders, OutOfCards, Parameters, Piles};
use war::scenario::Hands;
use war::support::digits;

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
