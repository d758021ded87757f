//! The order in which the cards of a turn go under the winner's hand.

use crate::cards::{Chance, Rank};
use crate::engine::{Face, Place, Seat, Table};
use std::cmp::Reverse;
use std::fmt::{self, Display};

/// The order in which the cards of a turn go to the bottom of the winner's hand.
///
/// A round is what is put at the same time: one card of each player who puts one.
///
/// # Examples
///
/// ```
/// use war::rules::Collect;
///
/// assert_eq!(Collect::named("winner-first"), Some(Collect::WinnerFirst));
/// assert!(Collect::ALL.iter().all(|order| Collect::named(order.name()) == Some(*order)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Collect {
    /// Player by player from the lowest seat, each player's cards in the order played.
    Seat,
    /// Round by round in the order played, the lowest seat first in each.
    SeatInterleaved,
    /// Round by round in the order played, the winner's card first, the others by seat.
    WinnerFirst,
    /// All of the winner's cards in the order played, then the others' by seat.
    WinnerPile,
    /// As [`Collect::WinnerFirst`], with the round played last first.
    Bataille,
    /// The losers' cards are shuffled and put behind the winner's; then all of them are
    /// shuffled.
    Shuffled,
    /// The highest card first, no matter who put it.
    HighestFirst,
    /// The last card put first, as from one pile that is turned over. The face-up cards of a
    /// round were put by seat; so were the cards face down before them, each player's at once.
    ReversedPile,
    /// All of the winner's cards in the order played, and the others' by seat, the ones or the
    /// others first, by a coin.
    Random,
    /// Each winner in an order of their own.
    BySeat(Orders),
}

/// One order for each player, not all of them the same; [`Collect::by_seat`] makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// Their places among [`Collect::ALL`]; 0 where nobody sits.
    places: [u8; MOST_ORDERS],
    players: u8,
}

/// The most players who have an order of their own.
const MOST_ORDERS: usize = 5;

impl Orders {
    /// How many players they are for.
    #[must_use]
    pub const fn players(self) -> u8 {
        self.players
    }

    /// The order in which this player collects; those whom nobody asked have that of player 1.
    #[must_use]
    pub fn of(self, seat: Seat) -> Collect {
        let place = self.places.get(seat.index()).unwrap_or(&self.places[0]);
        Collect::ALL[usize::from(*place)]
    }

    fn iter(self) -> impl Iterator<Item = Collect> {
        let orders = self.places.into_iter().take(self.players.into());
        orders.map(|place| Collect::ALL[usize::from(place)])
    }
}

impl Collect {
    /// Every order that all players can share.
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

    /// The name, as typed and as in a journal; what is written for orders by seat has the name of
    /// each.
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

    /// The one of this name, if there is one: of several names with commas between, the order
    /// of each player.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::Collect;
    ///
    /// let mixed = Collect::named("seat,winner-first").unwrap();
    /// assert_eq!(mixed.to_string(), "seat,winner-first");
    /// assert_eq!(Collect::named("seat,"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let one = |name| Self::ALL.into_iter().find(|known| known.name() == name);
        let orders = name.split(',').map(one).collect::<Option<Vec<_>>>()?;
        Self::by_seat(&orders)
    }

    /// One order for each of up to five players, player 1 first; where all are the same, or
    /// there is only one, it is that order.
    ///
    /// The result is `None` for no order, for more than five, and for orders by seat among them.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::Collect;
    ///
    /// let same = Collect::by_seat(&[Collect::Bataille; 3]);
    /// assert_eq!(same, Some(Collect::Bataille));
    /// assert!(matches!(
    ///     Collect::by_seat(&[Collect::Seat, Collect::Bataille]),
    ///     Some(Collect::BySeat(orders)) if orders.players() == 2
    /// ));
    /// ```
    #[must_use]
    pub fn by_seat(orders: &[Self]) -> Option<Self> {
        let mut places = [0; MOST_ORDERS];
        if orders.len() > places.len() {
            return None;
        }
        for (place, order) in places.iter_mut().zip(orders) {
            let at = Self::ALL.iter().position(|known| known == order)?;
            *place = u8::try_from(at).ok()?;
        }
        let first = orders.first()?;
        if orders.iter().all(|order| order == first) {
            return Some(*first);
        }
        let players = u8::try_from(orders.len()).ok()?;
        Some(Self::BySeat(Orders { places, players }))
    }
}

impl Collect {
    /// Whether the order is left to chance, where not all cards are of one rank.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::Collect;
    ///
    /// assert!(Collect::Random.is_left_to_chance() && !Collect::Bataille.is_left_to_chance());
    /// ```
    #[must_use]
    pub const fn is_left_to_chance(self) -> bool {
        let Self::BySeat(orders) = self else {
            return matches!(self, Self::Shuffled | Self::Random);
        };
        // Constants are made of this, where iterators can't be used.
        let mut seat = 0;
        while seat < orders.players as usize {
            if Self::ALL[orders.places[seat] as usize].is_left_to_chance() {
                return true;
            }
            seat += 1;
        }
        false
    }

    /// Whether the cards go back in the same order when the players change their seats.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::rules::Collect;
    ///
    /// assert!(Collect::WinnerFirst.treats_seats_alike() && !Collect::Seat.treats_seats_alike());
    /// ```
    #[must_use]
    pub const fn treats_seats_alike(self) -> bool {
        !matches!(
            self,
            Self::Seat | Self::SeatInterleaved | Self::ReversedPile | Self::BySeat(_)
        )
    }

    /// The cards on the table in the order in which this winner takes them.
    pub(super) fn order(self, seat: Seat, table: &Table, chance: &mut dyn Chance) -> Vec<Rank> {
        let own = &table.places()[seat.index()];
        let others = table.seated().filter(|(other, _)| *other != seat);
        let lost = || others.flat_map(|(_, place)| put(place));
        match self {
            Self::Seat => table.pot().collect(),
            Self::SeatInterleaved => by_round(table, |_, round| round),
            Self::WinnerFirst => by_round(table, |other, round| (round, other != seat)),
            Self::Bataille => {
                let key = |other, round| (Reverse(round), other != seat);
                by_round(table, key)
            }
            Self::WinnerPile => put(own).into_iter().chain(lost()).collect(),
            Self::Shuffled => {
                let mut lost: Vec<_> = lost().collect();
                chance.shuffle(&mut lost);
                let mut cards = put(own);
                cards.append(&mut lost);
                chance.shuffle(&mut cards);
                cards
            }
            Self::HighestFirst => {
                let mut cards: Vec<_> = table.pot().collect();
                cards.sort_unstable_by_key(|card| Reverse(*card));
                cards
            }
            Self::BySeat(orders) => orders.of(seat).order(seat, table, chance),
            Self::Random => {
                let (own, lost) = (put(own), lost().collect::<Vec<_>>());
                chance.either([&own[..], &lost].concat(), [&lost[..], &own].concat())
            }
            Self::ReversedPile => by_round(table, |other, (shown, hidden)| {
                Reverse((shown, hidden == FACE_UP, other, hidden))
            }),
        }
    }
}

/// The name, or those of all players with commas between.
impl Display for Collect {
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

/// The cards that a player has put on the table, in the order put.
pub(super) fn put(place: &Place) -> Vec<Rank> {
    place.pile().iter().map(|put| put.card).collect()
}

/// A round of a turn: how many cards lay face up before it, and how many face down since
/// the last of them; the round that is put face up comes after all that are put face down.
type Round = (usize, usize);

/// What a round that is put face up has as its number of cards face down.
const FACE_UP: usize = usize::MAX;

/// The cards on the table, sorted by what the key makes of each card's seat and round;
/// where it makes no difference, lower seats and earlier cards go first.
fn by_round<K: Ord>(table: &Table, key: impl Fn(Seat, Round) -> K) -> Vec<Rank> {
    let mut cards = Vec::new();
    for (seat, place) in table.seated() {
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
