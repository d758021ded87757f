//! Hands of several players, which move through buffers, and the turns played with them.

use crate::kernel::batch::{DeterministicRules, WarOrder};
use crate::kernel::state_log::{PackedHands, ReplayableHands};

/// Maximum number of players, and of cards in a game.
pub(super) const MAX_PLAYERS: usize = 5;
pub(super) const MAX_CARDS: usize = 64;

/// Size of the buffer for a hand. The hand moves through the buffer as cards leave at one end and
/// are added at the other.
pub(super) const HAND_BUFFER_SIZE: usize = 512;

/// Last position where a hand may end before a turn, so that all cards and a block fit after it.
const LAST_END: usize = HAND_BUFFER_SIZE - MAX_CARDS - 2 * BLOCK;

/// Number of cards that are hashed, taken from all hands.
pub(super) const HASHED_CARDS: usize = 24;

/// Number of cards copied at a time.
const BLOCK: usize = 16;

/// Total size of the buffers. The number of buffers is a power of two and exceeds the number of
/// players, so that a position can be masked.
const BUFFERS_SIZE: usize = 8 * HAND_BUFFER_SIZE;

/// Hands of several players, one buffer after the other.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) cards: [u8; BUFFERS_SIZE],
    /// Positions where the hands begin and end.
    tops: [usize; MAX_PLAYERS],
    ends: [usize; MAX_PLAYERS],
    /// Players who hold cards, in the order of seats.
    seats: [usize; MAX_PLAYERS],
    pub(super) playing: usize,
}

impl Table {
    /// Returns a table without cards.
    pub(super) const fn empty() -> Self {
        Self {
            cards: [0; BUFFERS_SIZE],
            tops: [0; MAX_PLAYERS],
            ends: [0; MAX_PLAYERS],
            seats: [0; MAX_PLAYERS],
            playing: 0,
        }
    }

    /// Removes all cards, and deals these to this many players, one at a time.
    pub(super) fn deal(&mut self, cards: &[u8], players: usize) {
        for seat in 0..MAX_PLAYERS {
            let from = seat * HAND_BUFFER_SIZE;
            let mut end = from;
            if seat < players {
                for &card in cards.iter().skip(seat).step_by(players) {
                    self.cards[end % BUFFERS_SIZE] = card;
                    end += 1;
                }
            }
            (self.tops[seat], self.ends[seat]) = (from, end);
        }
        self.update_seats();
    }

    /// Updates the list of players who hold cards.
    fn update_seats(&mut self) {
        self.playing = 0;
        for seat in 0..MAX_PLAYERS {
            self.seats[self.playing % MAX_PLAYERS] = seat;
            self.playing += usize::from(self.tops[seat] < self.ends[seat]);
        }
    }

    /// Moves all hands to the front of their buffers.
    #[cold]
    fn rewind(&mut self) {
        for seat in 0..MAX_PLAYERS {
            let (top, end) = (self.tops[seat], self.ends[seat]);
            self.cards.copy_within(top..end, seat * HAND_BUFFER_SIZE);
            self.tops[seat] = seat * HAND_BUFFER_SIZE;
            self.ends[seat] = seat * HAND_BUFFER_SIZE + end - top;
        }
    }

    /// Returns the cards of a player, top card first.
    pub(super) fn hand(&self, seat: usize) -> &[u8] {
        &self.cards[self.tops[seat]..self.ends[seat]]
    }

    /// Returns the number of cards that a player holds.
    const fn hand_length(&self, seat: usize) -> usize {
        self.ends[seat] - self.tops[seat]
    }

    /// Returns both players who are left, or the only one and another, in the order of seats.
    pub(super) const fn last_two(&self) -> [usize; 2] {
        match (self.playing, self.seats[0]) {
            (1, 0) => [0, 1],
            (1, seat) => [0, seat],
            (_, seat) => [seat, self.seats[1]],
        }
    }

    /// Returns the highest card of all.
    pub(super) fn highest_card(&self) -> u8 {
        let cards = (0..MAX_PLAYERS).flat_map(|seat| self.hand(seat));
        cards.fold(0, |highest, &card| highest.max(card))
    }

    /// Returns the number of cards of each player, in a byte each.
    pub(super) fn packed_lengths(&self) -> u64 {
        let seats = (0..MAX_PLAYERS).rev();
        seats.fold(0, |key, seat| key << 8 | self.hand_length(seat) as u64)
    }

    /// Writes the cards of all hands to a state, one hand after the other, followed by zeros.
    pub(super) fn write(&self, state: &mut PackedHands) {
        let mut to = 0;
        for seat in 0..MAX_PLAYERS {
            let held = self.hand_length(seat);
            for done in (0..held).step_by(BLOCK) {
                let block = self.block(self.tops[seat] + done);
                state[to + done..to + done + BLOCK].copy_from_slice(&block);
            }
            to += held;
        }
        state[to..to + HASHED_CARDS].fill(0);
    }

    /// Returns the block of cards that starts at this position, or zeros if no full block is left.
    #[inline]
    fn block(&self, from: usize) -> [u8; BLOCK] {
        let block = self.cards[from..].first_chunk();
        block.copied().unwrap_or_default()
    }

    /// Copies `count` cards, at least one, to the end of a hand. The bytes of the last block after
    /// these cards have no meaning.
    #[inline]
    fn copy(&mut self, from: usize, to: usize, count: usize) {
        let mut done = 0;
        loop {
            let block = self.block(from + done);
            self.cards[to + done..to + done + BLOCK].copy_from_slice(&block);
            done += BLOCK;
            if done >= count {
                break;
            }
        }
    }
}

/// Result of a war.
#[derive(Debug, Clone, Copy)]
pub(super) struct WarResult {
    /// Number of consecutive ties for the highest card.
    pub(super) depth: usize,
    /// True if at least two cards were compared after the last tie.
    pub(super) is_compared: bool,
}

/// Turns that were played; the last one may be a war.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnSequence {
    pub(super) turns: u32,
    pub(super) war: Option<WarResult>,
    /// True if the last turn was won by a card of at least the rank `high`.
    pub(super) is_high: bool,
}

/// Positions of the hands of the players left.
struct HandPositions<const PLAYING: usize> {
    tops: [usize; PLAYING],
    ends: [usize; PLAYING],
}

impl Table {
    /// Plays at least one turn, and at most this many. Stops after a war, after a turn that was won
    /// by a card as high as `high`, or when a player runs out of cards; at least three players must
    /// hold cards.
    #[inline]
    pub(super) fn play(&mut self, rules: &DeterministicRules, most: u32, high: u8) -> TurnSequence {
        if rules.order.winner_first {
            self.play_ordered::<true>(rules, most, high)
        } else {
            self.play_ordered::<false>(rules, most, high)
        }
    }

    #[inline]
    fn play_ordered<const WINNER_FIRST: bool>(
        &mut self,
        rules: &DeterministicRules,
        most: u32,
        high: u8,
    ) -> TurnSequence {
        match self.playing {
            3 => self.play_seated::<WINNER_FIRST, 3>(rules, most, high),
            4 => self.play_seated::<WINNER_FIRST, 4>(rules, most, high),
            _ => self.play_seated::<WINNER_FIRST, MAX_PLAYERS>(rules, most, high),
        }
    }

    fn play_seated<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        rules: &DeterministicRules,
        most: u32,
        high: u8,
    ) -> TurnSequence {
        let seats: [usize; PLAYING] = std::array::from_fn(|place| self.seats[place]);
        let mut hands = HandPositions {
            tops: seats.map(|seat| self.tops[seat]),
            ends: seats.map(|seat| self.ends[seat]),
        };
        let (mut turns, mut stops, mut is_high) = (0, false, false);
        let mut war = None;
        while turns < most && !stops {
            turns += 1;
            let put = hands.tops.map(|top| self.cards[top % BUFFERS_SIZE]);
            let best = put.into_iter().fold(0, u8::max);
            let wins = put.map(|card| usize::from(card == best));
            if wins.iter().sum::<usize>() > 1 {
                war = Some(self.play_war::<WINNER_FIRST, PLAYING>(rules, &mut hands, wins));
                break;
            }
            let mut end = 0;
            for (&wins, &own) in wins.iter().zip(&hands.ends) {
                end = if wins == 1 { own } else { end };
            }
            let cards = if WINNER_FIRST {
                pack_winner_first(put, wins)
            } else {
                put.into_iter()
                    .rev()
                    .fold(0, |cards, card| cards << 8 | u64::from(card))
            };
            let place = &mut self.cards[end % BUFFERS_SIZE..];
            if let Some(place) = place.first_chunk_mut() {
                *place = cards.to_le_bytes();
            }
            let mut is_out = false;
            for (place, wins) in wins.into_iter().enumerate() {
                hands.tops[place] += 1;
                hands.ends[place] += PLAYING * wins;
                is_out |= hands.tops[place] == hands.ends[place];
            }
            is_high = best >= high;
            stops = is_out || is_high || end % HAND_BUFFER_SIZE > LAST_END - PLAYING;
        }
        let (mut is_out, mut is_far) = (false, false);
        for (place, seat) in seats.into_iter().enumerate() {
            let (top, end) = (hands.tops[place], hands.ends[place]);
            (self.tops[seat], self.ends[seat]) = (top, end);
            is_out |= top == end;
            is_far |= end % HAND_BUFFER_SIZE > LAST_END;
        }
        if is_far {
            self.rewind();
        }
        if is_out {
            self.update_seats();
        }
        TurnSequence {
            turns,
            war,
            is_high,
        }
    }

    /// Plays a turn that is a war between the players in `left`.
    #[inline]
    fn play_war<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        rules: &DeterministicRules,
        hands: &mut HandPositions<PLAYING>,
        mut left: [usize; PLAYING],
    ) -> WarResult {
        let mut counts = [1; PLAYING];
        let (mut at, mut depth) = (0, 1);
        let (winner, is_compared) = loop {
            at += rules.step;
            let (mut put, mut best, mut compared) = ([0; PLAYING], 0, 0);
            for place in 0..PLAYING {
                let (top, end) = (hands.tops[place], hands.ends[place]);
                let goes_on = left[place] == 1 && end - top > at;
                if left[place] == 1 {
                    counts[place] = (end - top).min(at + 1);
                }
                let card = self.cards[(top + at) % BUFFERS_SIZE];
                put[place] = if goes_on { card } else { 0 };
                best = best.max(put[place]);
                compared += usize::from(goes_on);
            }
            if compared == 0 {
                break (last_with_most_cards(counts, left), false);
            }
            left = put.map(|card| usize::from(card == best));
            if left.iter().sum::<usize>() == 1 {
                let winner = (0..PLAYING).fold(0, |winner, place| winner + place * left[place]);
                break (winner, compared > 1);
            }
            depth += 1;
        };
        self.collect::<WINNER_FIRST, PLAYING>(rules.order.war, hands, counts, winner);
        WarResult { depth, is_compared }
    }

    /// Puts this many cards of each hand under the winner's hand.
    #[inline]
    fn collect<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        order: WarOrder,
        hands: &mut HandPositions<PLAYING>,
        counts: [usize; PLAYING],
        winner: usize,
    ) {
        let mut places: [usize; PLAYING] = std::array::from_fn(|place| place);
        if WINNER_FIRST {
            places[..=winner].rotate_right(1);
        }
        let mut end = hands.ends[winner];
        if order == WarOrder::HandByHand {
            for place in places {
                self.copy(hands.tops[place], end, counts[place]);
                end += counts[place];
            }
        } else {
            let rounds = counts.into_iter().fold(0, usize::max);
            for round in 0..rounds {
                let round = if order == WarOrder::Backwards {
                    rounds - 1 - round
                } else {
                    round
                };
                for place in places {
                    self.cards[end % BUFFERS_SIZE] =
                        self.cards[(hands.tops[place] + round) % BUFFERS_SIZE];
                    end += usize::from(counts[place] > round);
                }
            }
        }
        hands.ends[winner] = end;
        for (top, count) in hands.tops.iter_mut().zip(counts) {
            *top += count;
        }
    }
}

/// Returns the cards of a turn in a word, the winner's card before the others.
#[inline]
fn pack_winner_first<const PLAYING: usize>(put: [u8; PLAYING], wins: [usize; PLAYING]) -> u64 {
    let (mut cards, mut front, mut shift) = (0, 0, 8);
    for (card, wins) in put.into_iter().zip(wins) {
        let card = u64::from(card);
        if wins == 1 {
            front = card;
        } else {
            cards |= card << shift;
            shift += 8;
        }
    }
    cards | front
}

/// Returns the player who put the most cards of those in `left`; of several, the last one.
fn last_with_most_cards<const PLAYING: usize>(
    counts: [usize; PLAYING],
    left: [usize; PLAYING],
) -> usize {
    let places = (0..PLAYING).filter(|&place| left[place] == 1);
    places.max_by_key(|&place| counts[place]).unwrap_or(0)
}

impl ReplayableHands for Table {
    fn from_state(state: &[u8], key: u64) -> Self {
        let mut table = Self::empty();
        let (mut rest, lengths) = (state, key.to_le_bytes());
        for (seat, &length) in lengths[..MAX_PLAYERS].iter().enumerate() {
            let (hand, others) = rest.split_at(rest.len().min(length.into()));
            let from = seat * HAND_BUFFER_SIZE;
            table.cards[from..from + hand.len()].copy_from_slice(hand);
            (table.tops[seat], table.ends[seat]) = (from, from + hand.len());
            rest = others;
        }
        table.update_seats();
        table
    }

    fn replay(&mut self, rules: &DeterministicRules, turns: u64) -> u64 {
        let (mut left, mut wars) = (u32::try_from(turns).unwrap_or(u32::MAX), 0);
        while left > 0 && self.playing > 2 {
            let TurnSequence { turns, war, .. } = self.play(rules, left, u8::MAX);
            left -= turns;
            wars += u64::from(war.is_some());
        }
        wars
    }

    fn has_same_hands(&self, other: &Self) -> bool {
        self.packed_lengths() == other.packed_lengths()
            && (0..MAX_PLAYERS).all(|seat| self.hand(seat) == other.hand(seat))
    }
}
