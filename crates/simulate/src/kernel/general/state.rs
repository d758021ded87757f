//! State of a running game: hands as rings of cards, and the cards on the table.

use war::cards::Rank;
use war::engine::Seat;
use war::rules::{StoppedHand, winner_when_stopped};

/// Maximum number of players in a simulated game.
pub const MAX_PLAYERS: usize = 5;

/// State of a running game.
#[derive(Clone)]
pub(super) struct GameState {
    pub(super) hands: [Hand; MAX_PLAYERS],
    pub(super) players: usize,
    pub(super) turns: u64,
    pub(super) wars: u64,
    pub(super) rounds: u64,
    /// Number of ties for the highest card after which no further cards were compared.
    pub(super) last_ties: u64,
}

impl GameState {
    /// Returns the game with these hands, or `None` if there are fewer than two hands or more than
    /// [`MAX_PLAYERS`], no cards or more than [`MAX_CARDS`].
    pub(super) fn from_hands(hands: &[Vec<Rank>]) -> Option<Self> {
        let cards: usize = hands.iter().map(Vec::len).sum();
        if !(2..=MAX_PLAYERS).contains(&hands.len()) || !(1..=MAX_CARDS).contains(&cards) {
            return None;
        }
        let hand = |seat: usize| hands.get(seat).map_or(&[][..], Vec::as_slice);
        Some(Self {
            hands: std::array::from_fn(|seat| Hand::from_cards(hand(seat))),
            players: hands.len(),
            turns: 0,
            wars: 0,
            rounds: 0,
            last_ties: 0,
        })
    }

    /// Returns the number of cards in the hands.
    pub(super) fn card_count(&self) -> usize {
        self.hands.iter().map(|hand| hand.length).sum()
    }

    /// Returns true if all cards are the same, so that no shuffle leaves anything to chance.
    pub(super) fn is_of_one_rank(&self) -> bool {
        let mut cards = self.hands[..self.players]
            .iter()
            .flat_map(Hand::cards_in_order);
        let first = cards.next();
        cards.all(|card| Some(card) == first)
    }

    /// Returns the winner: the only player left in the game, if there is just one.
    #[inline]
    pub(super) fn winner(&self) -> Option<Seat> {
        let hands = Seat::all().zip(&self.hands[..self.players]);
        let mut in_game = hands.filter(|(_, hand)| hand.in_game);
        match (in_game.next(), in_game.next()) {
            (Some((seat, _)), None) => Some(seat),
            _ => None,
        }
    }

    /// Returns the winner if the game is stopped here.
    pub(super) fn winner_when_stopped(&self) -> Option<Seat> {
        let hands = Seat::all().zip(&self.hands[..self.players]);
        winner_when_stopped(hands.map(|(seat, hand)| StoppedHand {
            seat,
            highest: hand.highest_card(),
            cards: hand.length,
        }))
    }

    #[inline]
    pub(super) fn has_same_hands(&self, other: &Self) -> bool {
        let hands = self.hands.iter().zip(&other.hands).take(self.players);
        { hands }.all(|(hand, other)| hand.has_same_cards(other))
    }
}

/// Maximum number of cards in a game: the hand that wins holds them all.
pub(super) const MAX_CARDS: usize = 255;

/// Hand as a ring with as many places as a byte can number, so that an index never leaves the ring.
#[derive(Clone)]
pub(super) struct Hand {
    pub(super) cards: [Rank; 256],
    top: u8,
    pub(super) length: usize,
    /// Number of cards at the bottom that form the second pile; 0 with one pile.
    pub(super) second_pile: usize,
    pub(super) in_game: bool,
}

impl Hand {
    pub(super) fn from_cards(hand: &[Rank]) -> Self {
        let mut cards = [Rank::ACE; 256];
        cards[..hand.len()].copy_from_slice(hand);
        Self {
            cards,
            top: 0,
            length: hand.len(),
            second_pile: 0,
            in_game: !hand.is_empty(),
        }
    }

    #[inline]
    pub(super) fn take_top(&mut self) -> Rank {
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

    /// Returns the card at this index from the top.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "indices of a ring wrap")]
    fn card(&self, index: usize) -> Rank {
        self.cards[usize::from(self.top.wrapping_add(index as u8))]
    }

    #[inline]
    fn has_same_cards(&self, other: &Self) -> bool {
        self.length == other.length
            && self.second_pile == other.second_pile
            && (0..self.length).all(|index| self.card(index) == other.card(index))
    }

    /// Returns true if there are cards on the second pile only.
    #[inline]
    pub(super) const fn has_only_second_pile(&self) -> bool {
        self.second_pile > 0 && self.second_pile == self.length
    }

    /// Replaces the hand by the second pile, given in its new order, top card first.
    pub(super) fn take_up(&mut self, cards: &[Rank]) {
        self.cards[..cards.len()].copy_from_slice(cards);
        (self.top, self.second_pile) = (0, 0);
    }

    /// Iterates over the cards from the top.
    pub(super) fn cards_in_order(&self) -> impl Iterator<Item = Rank> {
        (0..self.length).map(|index| self.card(index))
    }

    pub(super) fn highest_card(&self) -> Option<Rank> {
        self.cards_in_order().max()
    }

    #[inline]
    pub(super) fn put_round_under(&mut self, round: &[TableCard], winner: usize) {
        for put in round.iter().filter(|put| usize::from(put.seat) == winner) {
            self.put_under(put.card);
        }
        for put in round.iter().filter(|put| usize::from(put.seat) != winner) {
            self.put_under(put.card);
        }
    }
}

/// Card on the table, with its player, its round, and its phase (see [`Pot`]).
#[derive(Debug, Clone, Copy)]
pub(super) struct TableCard {
    pub(super) round: u8,
    pub(super) phase: u8,
    pub(super) seat: u8,
    pub(super) card: Rank,
}

/// Cards on the table, in the order put, the lowest seat first in each round.
#[derive(Debug)]
pub(super) struct Pot {
    pub(super) cards: [TableCard; 256],
    pub(super) length: usize,
    pub(super) rounds: u8,
    /// Number of the current phase, a series of rounds put the same way up: even for face-down
    /// rounds, odd for a face-up round.
    phase: u8,
}

impl Pot {
    /// Returns an empty pot.
    pub(super) fn new() -> Self {
        let nothing = TableCard {
            round: 0,
            phase: 0,
            seat: 0,
            card: Rank::ACE,
        };
        Self {
            cards: [nothing; 256],
            length: 0,
            rounds: 0,
            phase: 0,
        }
    }

    /// Clears the table before a turn, whose first round is put face up.
    pub(super) const fn clear(&mut self) {
        (self.length, self.rounds, self.phase) = (0, 0, 1);
    }

    /// Marks the cards put from now on as face up.
    pub(super) const fn start_face_up(&mut self) {
        self.phase |= 1;
    }

    pub(super) fn put(&mut self, seat: usize, card: Rank) {
        self.cards[self.length] = TableCard {
            round: self.rounds,
            phase: self.phase,
            seat: u8::try_from(seat).expect("five players at most"),
            card,
        };
        self.length += 1;
    }

    /// Finds the players who share the highest card of the last round, the lowest seat first. The
    /// cards put from now on are face down.
    pub(super) fn start_war(&mut self, tied: &mut Vec<usize>) {
        let last = self.cards().iter().filter(|put| put.round == self.rounds);
        let highest = last.clone().map(|put| put.card).max();
        let highest = last.filter(|put| Some(put.card) == highest);
        tied.clear();
        tied.extend(highest.map(|put| usize::from(put.seat)));
        self.phase = self.phase.wrapping_add(1);
    }

    pub(super) fn cards(&self) -> &[TableCard] {
        &self.cards[..self.length]
    }
}
