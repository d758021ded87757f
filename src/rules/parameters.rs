use super::collect::Collect;
use crate::cards::Chance;
use crate::engine::{Event, Place, Table};

/// What tells one kind of War from another.
///
/// # Examples
///
/// House rules are other parameters; what you do not name comes from rules that exist:
///
/// ```
/// use war::rules::{CLASSIC, Flow, OutOfCards, Parameters, Variant};
///
/// let house = Parameters {
///     face_down: 3,
///     out_of_cards: OutOfCards::LastCard,
///     ..CLASSIC.parameters
/// };
/// let flow = Flow::new(house);
/// // A journal names them by their parameters.
/// assert!(Variant::custom(house).is_custom());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// How many cards go face down before each face-up card of a war.
    pub face_down: u8,
    /// In which order the winner of a turn takes the cards.
    pub collect: Collect,
    /// Where they go.
    pub piles: Piles,
    /// What becomes of a player who cannot put the card that a war asks for.
    pub out_of_cards: OutOfCards,
    /// What becomes of a game whose hands come back.
    pub repetition: Repeated,
    /// Which card of their hand a player puts.
    pub draw: Draw,
    /// How many turns the game may last; `None` sets no limit.
    pub limit: Option<Limit>,
}

/// What becomes of a player who runs out of cards in a war.
///
/// # Examples
///
/// ```
/// use war::rules::OutOfCards;
///
/// assert_eq!(OutOfCards::named("eoc"), Some(OutOfCards::EndOfCards));
/// assert_eq!(OutOfCards::Shrink.name(), "shrink");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfCards {
    /// End of Cards: they are out and forfeit what they put; if nobody left can go on,
    /// the highest-numbered of them wins.
    EndOfCards,
    /// They lose the game, and the other one takes what lies on the table. If both run out
    /// at once the game is drawn.
    Loses,
    /// A player short of cards puts their last one face up. One with none at all loses the game;
    /// if both have none it is drawn.
    LastCard,
    /// The war shrinks to the cards that the poorest can put, one of them face up. A
    /// player with none left makes it a draw: both take what the other put, shuffled.
    Shrink,
}

impl OutOfCards {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::EndOfCards, Self::Loses, Self::LastCard, Self::Shrink];

    /// The name, as typed and as in a journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::EndOfCards => "eoc",
            Self::Loses => "loses",
            Self::LastCard => "last-card",
            Self::Shrink => "shrink",
        }
    }

    /// The one of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// What becomes of a game whose hands come back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// It ends as endless, at the first repetition since chance last had a say in a draw. Where the
    /// order of cards is left to chance in every turn, a repetition proves nothing; see
    /// [`Parameters::with_cycles_ended`].
    Ends,
    /// It goes on: chance or a limit will tell.
    GoesOn,
    /// All hands are shuffled, once before the turn, and it goes on.
    Reshuffled,
}

/// Which card of their hand a player puts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// The top card.
    Top,
    /// Any card, by chance.
    Random,
}

/// How many turns a game may last.
///
/// # Examples
///
/// ```
/// use war::rules::Limit;
///
/// assert_eq!(Limit::TurnsPerCard(10).turns(52), 520);
/// assert_eq!(Limit::Turns(1_000).turns(52), 1_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// This many for each card in the game.
    TurnsPerCard(u32),
    /// This many.
    Turns(u32),
}

impl Limit {
    /// The number of turns that a game with this many cards may last.
    #[must_use]
    pub fn turns(self, cards: usize) -> u64 {
        match self {
            Self::TurnsPerCard(turns) => u64::from(turns) * cards as u64,
            Self::Turns(turns) => turns.into(),
        }
    }
}

/// Where won cards go, and how they come into play.
///
/// # Examples
///
/// ```
/// use war::rules::Piles;
///
/// assert_eq!(Piles::named("two"), Some(Piles::Two));
/// assert!(Piles::Two.is_left_to_chance() && !Piles::TwoTurned.is_left_to_chance());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piles {
    /// Under the hand.
    One,
    /// On a second pile. It is shuffled, and becomes the hand, when a player without a hand has to
    /// put a card.
    Two,
    /// On a second pile, which is turned over: the card won last is the top of the next hand.
    TwoTurned,
}

impl Piles {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::TwoTurned];

    /// The name, as typed.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
            Self::TwoTurned => "two-turned",
        }
    }

    /// The name of two piles; nothing is said of one.
    #[must_use]
    pub fn name_of_two(self) -> Option<&'static str> {
        (self != Self::One).then(|| self.name())
    }

    /// The one of this name, if there is one.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether the order of a hand is left to chance, where not all cards are of one rank.
    #[must_use]
    pub const fn is_left_to_chance(self) -> bool {
        matches!(self, Self::Two)
    }

    /// What happens before these players put a card each: where one of them has won cards alone,
    /// all who have nothing else take them up.
    pub(super) fn taken_up<'a>(
        self,
        mut putting: impl Iterator<Item = &'a Place>,
        table: &Table,
        chance: &mut dyn Chance,
    ) -> Option<Event> {
        if self == Self::One || !putting.any(has_won_cards_alone) {
            return None;
        }
        let hand = |place: &Place| {
            let mut hand: Vec<_> = place.hand().iter().copied().collect();
            match self {
                _ if !has_won_cards_alone(place) => chance.leave(),
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

fn has_won_cards_alone(place: &Place) -> bool {
    place.won() > 0 && place.won() == place.hand().len()
}
