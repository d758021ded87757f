use super::collect::CollectOrder;
use crate::cards::Chance;
use crate::engine::{Event, Place, Table};

/// Parameters that distinguish the variants of War.
///
/// # Examples
///
/// House rules change some parameters and take the rest from existing rules:
///
/// ```
/// use war::rules::{CLASSIC, StandardRules, OutOfCards, Parameters, Variant};
///
/// let house = Parameters {
///     face_down: 3,
///     out_of_cards: OutOfCards::LastCard,
///     ..CLASSIC.parameters
/// };
/// let flow = StandardRules::new(house);
/// // A journal records them by their parameters.
/// assert!(Variant::custom(house).is_custom());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// Number of face-down cards before each face-up card of a war.
    pub face_down: u8,
    /// Order in which the winner of a turn takes the cards.
    pub collect: CollectOrder,
    /// Destination of won cards.
    pub piles: Piles,
    /// Rule for players who run out of cards in a war.
    pub out_of_cards: OutOfCards,
    /// Rule for repeated hands.
    pub repetition: RepetitionRule,
    /// Choice of the card that a player puts.
    pub card_choice: CardChoice,
    /// Turn limit of a game; `None` for no limit.
    pub limit: Option<TurnLimit>,
}

/// Rule for players who run out of cards in a war.
///
/// # Examples
///
/// ```
/// use war::rules::OutOfCards;
///
/// assert_eq!(OutOfCards::from_name("eoc"), Some(OutOfCards::EndOfCards));
/// assert_eq!(OutOfCards::Shrink.name(), "shrink");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfCards {
    /// End of Cards: players without cards are out and forfeit the cards they put; if nobody left
    /// can go on, the last of them, in the highest seat, wins the turn.
    EndOfCards,
    /// Loss of the game for a player without cards: the other player takes the cards on the table.
    /// If both run out at once, the game is drawn.
    Loses,
    /// Last card face up: a player short of cards puts their last card face up. A player without
    /// cards loses the game; if both have none, the game is drawn.
    LastCard,
    /// Smaller war: each player puts only as many cards as the player with the fewest cards has,
    /// the last one face up. If a player has none, the turn is drawn: each player takes the other's
    /// cards, shuffled.
    Shrink,
}

impl OutOfCards {
    /// All rules for players out of cards.
    pub const ALL: [Self; 4] = [Self::EndOfCards, Self::Loses, Self::LastCard, Self::Shrink];

    /// Name on the command line and in a journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EndOfCards => "eoc",
            Self::Loses => "loses",
            Self::LastCard => "last-card",
            Self::Shrink => "shrink",
        }
    }

    /// Rule with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// Rule for a turn that starts with the same hands as an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepetitionRule {
    /// End of the game as endless, at the first repetition since the cards of a drawn turn were
    /// last shuffled. If the order of cards depends on chance in every turn, a repetition proves
    /// nothing; see [`Parameters::with_cycles_ended`].
    Ends,
    /// No effect: the game goes on until chance or a limit ends it.
    GoesOn,
    /// Shuffle of all hands, once before the turn, after which the game goes on.
    Reshuffled,
}

/// Choice of the card that a player puts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardChoice {
    /// The top card.
    Top,
    /// A random card of the hand.
    Random,
}

/// Turn limit of a game.
///
/// # Examples
///
/// ```
/// use war::rules::TurnLimit;
///
/// assert_eq!(TurnLimit::TurnsPerCard(10).max_turns(52), 520);
/// assert_eq!(TurnLimit::Turns(1_000).max_turns(52), 1_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnLimit {
    /// A number of turns for each card in the game.
    TurnsPerCard(u32),
    /// A number of turns.
    Turns(u32),
}

impl TurnLimit {
    /// Maximum number of turns of a game with this many cards.
    #[must_use]
    pub fn max_turns(self, cards: usize) -> u64 {
        match self {
            Self::TurnsPerCard(turns) => u64::from(turns) * cards as u64,
            Self::Turns(turns) => turns.into(),
        }
    }
}

/// Destination of won cards, and the way they return to the hand.
///
/// # Examples
///
/// ```
/// use war::rules::Piles;
///
/// assert_eq!(Piles::from_name("two"), Some(Piles::Two));
/// assert!(Piles::Two.is_left_to_chance() && !Piles::TwoTurned.is_left_to_chance());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piles {
    /// The bottom of the hand.
    One,
    /// A second pile, which is shuffled and becomes the hand when a player without a hand has to
    /// put a card.
    Two,
    /// A second pile, which is turned over: the card won last is the top of the next hand.
    TwoTurned,
}

impl Piles {
    /// All arrangements of piles.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::TwoTurned];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
            Self::TwoTurned => "two-turned",
        }
    }

    /// Name, or `None` for the default of one pile.
    #[must_use]
    pub fn non_default_name(self) -> Option<&'static str> {
        (self != Self::One).then(|| self.name())
    }

    /// Piles with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns `true` if the order of a hand depends on chance, unless all cards have the same
    /// rank.
    #[must_use]
    pub const fn is_left_to_chance(self) -> bool {
        matches!(self, Self::Two)
    }

    /// Decides the event before these players put a card each: if one of them has only won cards,
    /// every such player picks these up as their hand.
    pub(super) fn decide_pick_up<'a>(
        self,
        mut putting: impl Iterator<Item = &'a Place>,
        table: &Table,
        chance: &mut dyn Chance,
    ) -> Option<Event> {
        if self == Self::One || !putting.any(has_only_won_cards) {
            return None;
        }
        let hand = |place: &Place| {
            let mut hand: Vec<_> = place.hand().iter().copied().collect();
            match self {
                _ if !has_only_won_cards(place) => chance.skip_order(),
                Self::One => {}
                Self::Two => chance.shuffle(&mut hand),
                Self::TwoTurned => hand.reverse(),
            }
            hand
        };
        let hands = table.places().iter().map(hand).collect();
        Some(Event::Reshuffled { hands })
    }
}

fn has_only_won_cards(place: &Place) -> bool {
    place.won_count() > 0 && place.won_count() == place.hand().len()
}
