use crate::cards::{Chance, Rank};
use crate::engine::{Face, Place, Seat, Table};
use std::cmp::Reverse;
use std::fmt::{self, Display};

/// Order in which the cards of a turn go to the bottom of the winner's hand.
///
/// A round consists of the cards put at the same time, at most one per player.
///
/// # Examples
///
/// ```
/// use war::rules::CollectOrder;
///
/// assert_eq!(CollectOrder::from_name("winner-first"), Some(CollectOrder::WinnerFirst));
/// assert!(CollectOrder::ALL.iter().all(|order| CollectOrder::from_name(order.name()) == Some(*order)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CollectOrder {
    /// Player by player from the lowest seat, each player's cards in the order played.
    Seat,
    /// Round by round in the order played, the lowest seat first in each.
    SeatInterleaved,
    /// Round by round in the order played, the winner's card first, then the others by seat.
    WinnerFirst,
    /// All of the winner's cards in the order played, then the others' by seat.
    WinnerPile,
    /// Like [`CollectOrder::WinnerFirst`], but the last round first.
    Bataille,
    /// Random order by two shuffles: first of the losers' cards, which then follow the winner's,
    /// and then of all cards.
    Shuffled,
    /// The highest card first, regardless of the player.
    HighestFirst,
    /// The last card first, as if one pile were turned over. That pile gets the face-down cards
    /// before a face-up round player by player, and then the face-up cards, both by seat.
    ReversedPile,
    /// All of the winner's cards in the order played, and the others' by seat; a coin decides
    /// which go first.
    Random,
    /// A separate order for each winner.
    BySeat(CollectOrders),
}

/// One order for each player, not all of them equal; made by [`CollectOrder::from_seat_orders`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CollectOrders {
    /// Indices into [`CollectOrder::ALL`]; 0 beyond the last player.
    indices: [u8; MAX_ORDERS],
    players: u8,
}

/// Maximum number of players with separate orders.
const MAX_ORDERS: usize = 5;

impl CollectOrders {
    /// Number of players with an order.
    #[must_use]
    pub const fn players(self) -> u8 {
        self.players
    }

    /// Order of this player; for players after the fifth, the order of player 1.
    #[must_use]
    pub fn order_for_seat(self, seat: Seat) -> CollectOrder {
        let index = self.indices.get(seat.index()).unwrap_or(&self.indices[0]);
        CollectOrder::ALL[usize::from(*index)]
    }

    fn iter(self) -> impl Iterator<Item = CollectOrder> {
        let indices = self.indices.into_iter().take(self.players.into());
        indices.map(|index| CollectOrder::ALL[usize::from(index)])
    }
}

impl CollectOrder {
    /// All orders that players can share.
    pub const ALL: [Self; 9] = [
        Self::Seat,
        Self::SeatInterleaved,
        Self::WinnerFirst,
        Self::WinnerPile,
        Self::Bataille,
        Self::Shuffled,
        Self::HighestFirst,
        Self::ReversedPile,
        Self::Random,
    ];

    /// Name on the command line and in a journal. For orders by seat, the `Display` form is used
    /// instead, which names the order of each player.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seat => "seat",
            Self::SeatInterleaved => "seat-interleaved",
            Self::WinnerFirst => "winner-first",
            Self::WinnerPile => "winner-pile",
            Self::Bataille => "bataille",
            Self::Shuffled => "shuffled",
            Self::HighestFirst => "highest-first",
            Self::ReversedPile => "reversed-pile",
            Self::Random => "random",
            Self::BySeat(_) => "by-seat",
        }
    }

    /// Parses the name of an order, or the comma-separated names of orders by seat.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::CollectOrder;
    ///
    /// let mixed = CollectOrder::from_name("seat,winner-first").unwrap();
    /// assert_eq!(mixed.to_string(), "seat,winner-first");
    /// assert_eq!(CollectOrder::from_name("seat,"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let one = |name| Self::ALL.into_iter().find(|known| known.name() == name);
        let orders = name.split(',').map(one).collect::<Option<Vec<_>>>()?;
        Self::from_seat_orders(&orders)
    }

    /// One order for each of up to five players, player 1 first; a single order if all are equal.
    ///
    /// Returns `None` for no orders, for more than five, and if orders by seat are among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::CollectOrder;
    ///
    /// let same = CollectOrder::from_seat_orders(&[CollectOrder::Bataille; 3]);
    /// assert_eq!(same, Some(CollectOrder::Bataille));
    /// assert!(matches!(
    ///     CollectOrder::from_seat_orders(&[CollectOrder::Seat, CollectOrder::Bataille]),
    ///     Some(CollectOrder::BySeat(orders)) if orders.players() == 2
    /// ));
    /// ```
    #[must_use]
    pub fn from_seat_orders(orders: &[Self]) -> Option<Self> {
        let mut indices = [0; MAX_ORDERS];
        if orders.len() > indices.len() {
            return None;
        }
        for (index, order) in indices.iter_mut().zip(orders) {
            let at = Self::ALL.iter().position(|known| known == order)?;
            *index = u8::try_from(at).ok()?;
        }
        let first = orders.first()?;
        if orders.iter().all(|order| order == first) {
            return Some(*first);
        }
        let players = u8::try_from(orders.len()).ok()?;
        Some(Self::BySeat(CollectOrders { indices, players }))
    }
}

impl CollectOrder {
    /// Returns `true` if the order depends on chance, unless all cards have the same rank.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::CollectOrder;
    ///
    /// assert!(CollectOrder::Random.is_left_to_chance() && !CollectOrder::Bataille.is_left_to_chance());
    /// ```
    #[must_use]
    pub const fn is_left_to_chance(self) -> bool {
        let Self::BySeat(orders) = self else {
            return matches!(self, Self::Shuffled | Self::Random);
        };
        // Constants use this function, which rules out iterators.
        let mut seat = 0;
        while seat < orders.players as usize {
            if Self::ALL[orders.indices[seat] as usize].is_left_to_chance() {
                return true;
            }
            seat += 1;
        }
        false
    }

    /// Returns `true` if the order stays the same when the players swap seats.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::CollectOrder;
    ///
    /// assert!(CollectOrder::WinnerFirst.treats_seats_alike() && !CollectOrder::Seat.treats_seats_alike());
    /// ```
    #[must_use]
    pub const fn treats_seats_alike(self) -> bool {
        !matches!(
            self,
            Self::Seat | Self::SeatInterleaved | Self::ReversedPile | Self::BySeat(_)
        )
    }

    /// Returns the cards on the table in the order in which this winner takes them.
    pub(super) fn order_cards(
        self,
        seat: Seat,
        table: &Table,
        chance: &mut dyn Chance,
    ) -> Vec<Rank> {
        let own = &table.places()[seat.index()];
        let others = table.places_by_seat().filter(|(other, _)| *other != seat);
        let lost = || others.flat_map(|(_, place)| pile_cards(place));
        match self {
            Self::Seat => table.pot().collect(),
            Self::SeatInterleaved => by_round(table, |_, round| round),
            Self::WinnerFirst => by_round(table, |other, round| (round, other != seat)),
            Self::Bataille => {
                let key = |other, round| (Reverse(round), other != seat);
                by_round(table, key)
            }
            Self::WinnerPile => pile_cards(own).into_iter().chain(lost()).collect(),
            Self::Shuffled => {
                let mut lost: Vec<_> = lost().collect();
                chance.shuffle(&mut lost);
                let mut cards = pile_cards(own);
                cards.append(&mut lost);
                chance.shuffle(&mut cards);
                cards
            }
            Self::HighestFirst => {
                let mut cards: Vec<_> = table.pot().collect();
                cards.sort_unstable_by_key(|card| Reverse(*card));
                cards
            }
            Self::BySeat(orders) => orders.order_for_seat(seat).order_cards(seat, table, chance),
            Self::Random => {
                let (own, lost) = (pile_cards(own), lost().collect::<Vec<_>>());
                chance.choose([&own[..], &lost].concat(), [&lost[..], &own].concat())
            }
            Self::ReversedPile => by_round(table, |other, (shown, hidden)| {
                Reverse((shown, hidden == FACE_UP, other, hidden))
            }),
        }
    }
}

/// Writes the name, or the comma-separated names of all players' orders.
impl Display for CollectOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BySeat(orders) => {
                let names: Vec<_> = orders.iter().map(Self::name).collect();
                f.write_str(&names.join(","))
            }
            order => f.write_str(order.name()),
        }
    }
}

/// Cards that a player has put on the table, in order.
pub(super) fn pile_cards(place: &Place) -> Vec<Rank> {
    place.pile().iter().map(|put| put.card).collect()
}

/// Position of a round in its turn: the number of face-up cards before it, and the number of
/// face-down cards since the last of them. In a face-up round the second number is [`FACE_UP`],
/// which sorts after the face-down rounds.
type Round = (usize, usize);

const FACE_UP: usize = usize::MAX;

/// Cards on the table, sorted by a key of each card's seat and round; among equal keys, lower
/// seats and earlier cards go first.
fn by_round<K: Ord>(table: &Table, key: impl Fn(Seat, Round) -> K) -> Vec<Rank> {
    let mut cards = Vec::new();
    for (seat, place) in table.places_by_seat() {
        let (mut face_up, mut face_down) = (0, 0);
        for put in place.pile() {
            let round = match put.face {
                Face::Down => (face_up, face_down),
                Face::Up => (face_up, FACE_UP),
            };
            (face_up, face_down) = match put.face {
                Face::Down => (face_up, face_down + 1),
                Face::Up => (face_up + 1, 0),
            };
            cards.push((key(seat, round), put.card));
        }
    }
    cards.sort_by(|(a, _), (b, _)| a.cmp(b));
    cards.into_iter().map(|(_, card)| card).collect()
}
