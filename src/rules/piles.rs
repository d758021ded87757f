use crate::cards::Chance;
use crate::engine::{Event, Place, Table};

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
