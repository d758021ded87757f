use super::hand::{Hand, MOST_CARDS};
use war::cards::Rank;
use war::engine::Seat;
use war::rules::{Holding, winner_when_stopped};

/// The most players of a simulated game.
pub const MOST_PLAYERS: usize = 5;

/// A game in the middle of play.
#[derive(Clone)]
pub(super) struct State {
    pub(super) hands: [Hand; MOST_PLAYERS],
    pub(super) players: usize,
    pub(super) turns: u64,
    pub(super) wars: u64,
    pub(super) rounds: u64,
    /// How often the highest card was shared, and then no further cards were compared.
    pub(super) last_ties: u64,
}

impl State {
    /// The game with these hands, unless they are fewer than two or more than
    /// [`MOST_PLAYERS`], or hold no card or more than a ring has places.
    pub(super) fn dealt(hands: &[Vec<Rank>]) -> Option<Self> {
        let cards: usize = hands.iter().map(Vec::len).sum();
        if !(2..=MOST_PLAYERS).contains(&hands.len()) || !(1..=MOST_CARDS).contains(&cards) {
            return None;
        }
        let hand = |seat: usize| hands.get(seat).map_or(&[][..], Vec::as_slice);
        Some(Self {
            hands: std::array::from_fn(|seat| Hand::dealt(hand(seat))),
            players: hands.len(),
            turns: 0,
            wars: 0,
            rounds: 0,
            last_ties: 0,
        })
    }

    /// The number of cards in the hands.
    pub(super) fn cards(&self) -> usize {
        self.hands.iter().map(|hand| hand.length).sum()
    }

    /// Whether all cards are the same, so that no shuffle leaves anything to chance.
    pub(super) fn is_of_one_rank(&self) -> bool {
        let mut cards = self.hands[..self.players].iter().flat_map(Hand::in_order);
        let first = cards.next();
        cards.all(|card| Some(card) == first)
    }

    /// The only player left in the game.
    #[inline]
    pub(super) fn winner(&self) -> Option<Seat> {
        let hands = Seat::all().zip(&self.hands[..self.players]);
        let mut in_game = hands.filter(|(_, hand)| hand.in_game);
        match (in_game.next(), in_game.next()) {
            (Some((seat, _)), None) => Some(seat),
            _ => None,
        }
    }

    /// The winner of the game if it is stopped here.
    pub(super) fn winner_when_stopped(&self) -> Option<Seat> {
        let hands = Seat::all().zip(&self.hands[..self.players]);
        winner_when_stopped(hands.map(|(seat, hand)| Holding {
            seat,
            highest: hand.highest(),
            cards: hand.length,
        }))
    }

    #[inline]
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let hands = self.hands.iter().zip(&other.hands).take(self.players);
        { hands }.all(|(hand, other)| hand.holds_the_same(other))
    }
}
