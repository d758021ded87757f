//! A game in the middle of play: hands as rings of cards, and the cards on the table.

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

/// The most cards of a game: the hand that wins holds them all.
pub(super) const MOST_CARDS: usize = 255;

/// A hand as a ring: as many places as a byte can number, so that an index never leaves it.
#[derive(Clone)]
pub(super) struct Hand {
    pub(super) cards: [Rank; 256],
    top: u8,
    pub(super) length: usize,
    /// How many cards at the bottom lie on a second pile; none where there is one pile.
    pub(super) won: usize,
    pub(super) in_game: bool,
}

impl Hand {
    pub(super) fn dealt(hand: &[Rank]) -> Self {
        let mut cards = [Rank::ACE; 256];
        cards[..hand.len()].copy_from_slice(hand);
        Self {
            cards,
            top: 0,
            length: hand.len(),
            won: 0,
            in_game: !hand.is_empty(),
        }
    }

    #[inline]
    pub(super) fn take(&mut self) -> Rank {
        let card = self.cards[usize::from(self.top)];
        self.top = self.top.wrapping_add(1);
        self.length -= 1;
        card
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "indices of a ring wrap")]
    pub(super) fn put_under(&mut self, card: Rank) {
        self.cards[usize::from(self.top.wrapping_add(self.length as u8))] = card;
        self.length += 1;
    }

    /// The card at this place from the top.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "indices of a ring wrap")]
    fn card(&self, index: usize) -> Rank {
        self.cards[usize::from(self.top.wrapping_add(index as u8))]
    }

    #[inline]
    fn holds_the_same(&self, other: &Self) -> bool {
        self.length == other.length
            && self.won == other.won
            && (0..self.length).all(|index| self.card(index) == other.card(index))
    }

    /// Whether there are cards on the second pile alone.
    #[inline]
    pub(super) const fn has_won_cards_alone(&self) -> bool {
        self.won > 0 && self.won == self.length
    }

    /// Makes a hand of these cards of the second pile, from the top.
    pub(super) fn take_up(&mut self, cards: &[Rank]) {
        self.cards[..cards.len()].copy_from_slice(cards);
        (self.top, self.won) = (0, 0);
    }

    /// The cards, from the top.
    pub(super) fn in_order(&self) -> impl Iterator<Item = Rank> {
        (0..self.length).map(|index| self.card(index))
    }

    pub(super) fn highest(&self) -> Option<Rank> {
        self.in_order().max()
    }

    #[inline]
    pub(super) fn put_round_under(&mut self, round: &[Put], winner: usize) {
        for put in round.iter().filter(|put| usize::from(put.seat) == winner) {
            self.put_under(put.card);
        }
        for put in round.iter().filter(|put| usize::from(put.seat) != winner) {
            self.put_under(put.card);
        }
    }
}

/// A card on the table: in which round and in which stretch it was put, and by whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Put {
    pub(super) round: u8,
    pub(super) stretch: u8,
    pub(super) seat: u8,
    pub(super) card: Rank,
}

/// The cards on the table, in the order put, the lowest seat first in each round.
#[derive(Debug)]
pub(super) struct Pot {
    pub(super) cards: [Put; 256],
    pub(super) length: usize,
    pub(super) rounds: u8,
    /// The rounds put face down and the one face up after them are two stretches: even and odd.
    stretch: u8,
}

impl Pot {
    /// Nothing on the table.
    pub(super) fn new() -> Self {
        let nothing = Put {
            round: 0,
            stretch: 0,
            seat: 0,
            card: Rank::ACE,
        };
        Self {
            cards: [nothing; 256],
            length: 0,
            rounds: 0,
            stretch: 0,
        }
    }

    /// Takes everything away before a turn, whose first round is put face up.
    pub(super) const fn clear(&mut self) {
        (self.length, self.rounds, self.stretch) = (0, 0, 1);
    }

    /// What is put from now on is put face up.
    pub(super) const fn turn_up(&mut self) {
        self.stretch |= 1;
    }

    pub(super) fn put(&mut self, seat: usize, card: Rank) {
        self.cards[self.length] = Put {
            round: self.rounds,
            stretch: self.stretch,
            seat: u8::try_from(seat).expect("five players at most"),
            card,
        };
        self.length += 1;
    }

    /// Finds who shares the highest card of the last round, the lowest seat first. What is put
    /// from now on is put face down.
    pub(super) fn share_highest(&mut self, sharing: &mut Vec<usize>) {
        let last = self.cards().iter().filter(|put| put.round == self.rounds);
        let highest = last.clone().map(|put| put.card).max();
        let highest = last.filter(|put| Some(put.card) == highest);
        sharing.clear();
        sharing.extend(highest.map(|put| usize::from(put.seat)));
        self.stretch = self.stretch.wrapping_add(1);
    }

    pub(super) fn cards(&self) -> &[Put] {
        &self.cards[..self.length]
    }
}
