//! The hands of several players, in rooms through which they move, and the turns that they play.

use crate::kernel::batch::{Certain, WarOrder};
use crate::kernel::log::{Replay, State};

/// The most players, and the most cards of a game.
pub(super) const MOST_PLAYERS: usize = 5;
pub(super) const MOST_CARDS: usize = 64;

/// Room for a hand, which moves through it as its cards leave at one end and come back at the
/// other.
pub(super) const ROOM: usize = 512;

/// Where a hand has to end before a turn, so that all cards and a block fit behind it.
const LAST_END: usize = ROOM - MOST_CARDS - 2 * BLOCK;

/// How many cards of all hands a hash is made of.
pub(super) const HASHED: usize = 24;

/// How many cards are copied at a time.
const BLOCK: usize = 16;

/// All rooms; with more of them than players, each place is a few bits.
const PLACES: usize = 8 * ROOM;

/// The hands of several players, one room behind the other.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) cards: [u8; PLACES],
    /// Where the hands begin and end.
    tops: [usize; MOST_PLAYERS],
    ends: [usize; MOST_PLAYERS],
    /// Who holds cards, in the order of seats.
    seats: [usize; MOST_PLAYERS],
    pub(super) playing: usize,
}

impl Table {
    /// A table without cards.
    pub(super) const fn empty() -> Self {
        Self {
            cards: [0; PLACES],
            tops: [0; MOST_PLAYERS],
            ends: [0; MOST_PLAYERS],
            seats: [0; MOST_PLAYERS],
            playing: 0,
        }
    }

    /// Takes all cards away, and deals these to so many players, one at a time.
    pub(super) fn deal(&mut self, cards: &[u8], players: usize) {
        for seat in 0..MOST_PLAYERS {
            let from = seat * ROOM;
            let mut end = from;
            if seat < players {
                for &card in cards.iter().skip(seat).step_by(players) {
                    self.cards[end % PLACES] = card;
                    end += 1;
                }
            }
            (self.tops[seat], self.ends[seat]) = (from, end);
        }
        self.sit();
    }

    /// Sees who holds cards.
    fn sit(&mut self) {
        self.playing = 0;
        for seat in 0..MOST_PLAYERS {
            self.seats[self.playing % MOST_PLAYERS] = seat;
            self.playing += usize::from(self.tops[seat] < self.ends[seat]);
        }
    }

    /// Moves hands to the front of their rooms.
    #[cold]
    fn rewind(&mut self) {
        for seat in 0..MOST_PLAYERS {
            let (top, end) = (self.tops[seat], self.ends[seat]);
            self.cards.copy_within(top..end, seat * ROOM);
            self.tops[seat] = seat * ROOM;
            self.ends[seat] = seat * ROOM + end - top;
        }
    }

    /// The cards of a player, top card first.
    pub(super) fn hand(&self, seat: usize) -> &[u8] {
        &self.cards[self.tops[seat]..self.ends[seat]]
    }

    /// How many cards a player holds.
    const fn held(&self, seat: usize) -> usize {
        self.ends[seat] - self.tops[seat]
    }

    /// Both players who are left, or the only one and somebody else, in the order of seats.
    pub(super) const fn two(&self) -> [usize; 2] {
        match (self.playing, self.seats[0]) {
            (1, 0) => [0, 1],
            (1, seat) => [0, seat],
            (_, seat) => [seat, self.seats[1]],
        }
    }

    /// The highest card of all.
    pub(super) fn highest(&self) -> u8 {
        let cards = (0..MOST_PLAYERS).flat_map(|seat| self.hand(seat));
        cards.fold(0, |highest, &card| highest.max(card))
    }

    /// How many cards each player holds, in a byte each.
    pub(super) fn key(&self) -> u64 {
        let seats = (0..MOST_PLAYERS).rev();
        seats.fold(0, |key, seat| key << 8 | self.held(seat) as u64)
    }

    /// Writes the cards of all hands down, one hand behind the other, and zeros behind them.
    pub(super) fn write(&self, state: &mut State) {
        let mut to = 0;
        for seat in 0..MOST_PLAYERS {
            let held = self.held(seat);
            for done in (0..held).step_by(BLOCK) {
                let block = self.block(self.tops[seat] + done);
                state[to + done..to + done + BLOCK].copy_from_slice(&block);
            }
            to += held;
        }
        state[to..to + HASHED].fill(0);
    }

    /// The cards at this place and behind it.
    #[inline]
    fn block(&self, from: usize) -> [u8; BLOCK] {
        let block = self.cards[from..].first_chunk();
        block.copied().unwrap_or_default()
    }

    /// Copies so many cards, one at least, to where a hand ends. What they leave of the last
    /// block has no meaning.
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

/// A war that was played.
#[derive(Debug, Clone, Copy)]
pub(super) struct War {
    /// How often in a row the highest card was shared.
    pub(super) depth: usize,
    /// Whether two cards or more were compared after the last time.
    pub(super) is_compared: bool,
}

/// Turns that were played: the last one may be a war.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) turns: u32,
    pub(super) war: Option<War>,
    /// Whether the last turn was won by a card as high as asked for.
    pub(super) is_high: bool,
}

/// The hands of those who play.
struct Hands<const PLAYING: usize> {
    tops: [usize; PLAYING],
    ends: [usize; PLAYING],
}

impl Table {
    /// Plays so many turns at most, one at least. It stops behind a war, behind a turn that was
    /// won by a card as high as this, and where a player runs out of cards; three or more
    /// must hold some.
    #[inline]
    pub(super) fn play(&mut self, rules: &Certain, most: u32, high: u8) -> Stretch {
        if rules.order.winner_first {
            self.play_ordered::<true>(rules, most, high)
        } else {
            self.play_ordered::<false>(rules, most, high)
        }
    }

    #[inline]
    fn play_ordered<const WINNER_FIRST: bool>(
        &mut self,
        rules: &Certain,
        most: u32,
        high: u8,
    ) -> Stretch {
        match self.playing {
            3 => self.play_seated::<WINNER_FIRST, 3>(rules, most, high),
            4 => self.play_seated::<WINNER_FIRST, 4>(rules, most, high),
            _ => self.play_seated::<WINNER_FIRST, MOST_PLAYERS>(rules, most, high),
        }
    }

    fn play_seated<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        rules: &Certain,
        most: u32,
        high: u8,
    ) -> Stretch {
        let seats: [usize; PLAYING] = std::array::from_fn(|place| self.seats[place]);
        let mut hands = Hands {
            tops: seats.map(|seat| self.tops[seat]),
            ends: seats.map(|seat| self.ends[seat]),
        };
        let (mut turns, mut stops, mut is_high) = (0, false, false);
        let mut war = None;
        while turns < most && !stops {
            turns += 1;
            let put = hands.tops.map(|top| self.cards[top % PLACES]);
            let best = put.into_iter().fold(0, u8::max);
            let wins = put.map(|card| usize::from(card == best));
            if wins.iter().sum::<usize>() > 1 {
                war = Some(self.war::<WINNER_FIRST, PLAYING>(rules, &mut hands, wins));
                break;
            }
            let mut end = 0;
            for (&wins, &own) in wins.iter().zip(&hands.ends) {
                end = if wins == 1 { own } else { end };
            }
            let cards = if WINNER_FIRST {
                winner_first(put, wins)
            } else {
                put.into_iter()
                    .rev()
                    .fold(0, |cards, card| cards << 8 | u64::from(card))
            };
            let place = &mut self.cards[end % PLACES..];
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
            stops = is_out || is_high || end % ROOM > LAST_END - PLAYING;
        }
        let (mut is_out, mut is_far) = (false, false);
        for (place, seat) in seats.into_iter().enumerate() {
            let (top, end) = (hands.tops[place], hands.ends[place]);
            (self.tops[seat], self.ends[seat]) = (top, end);
            is_out |= top == end;
            is_far |= end % ROOM > LAST_END;
        }
        if is_far {
            self.rewind();
        }
        if is_out {
            self.sit();
        }
        Stretch {
            turns,
            war,
            is_high,
        }
    }

    /// Plays a turn that is a war between those who win so far.
    #[inline]
    fn war<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        rules: &Certain,
        hands: &mut Hands<PLAYING>,
        mut left: [usize; PLAYING],
    ) -> War {
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
                let card = self.cards[(top + at) % PLACES];
                put[place] = if goes_on { card } else { 0 };
                best = best.max(put[place]);
                compared += usize::from(goes_on);
            }
            if compared == 0 {
                break (last_with_most(counts, left), false);
            }
            left = put.map(|card| usize::from(card == best));
            if left.iter().sum::<usize>() == 1 {
                let winner = (0..PLAYING).fold(0, |winner, place| winner + place * left[place]);
                break (winner, compared > 1);
            }
            depth += 1;
        };
        self.collect::<WINNER_FIRST, PLAYING>(rules.order.war, hands, counts, winner);
        War { depth, is_compared }
    }

    /// So many cards of each hand go under one of them.
    #[inline]
    fn collect<const WINNER_FIRST: bool, const PLAYING: usize>(
        &mut self,
        order: WarOrder,
        hands: &mut Hands<PLAYING>,
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
                    self.cards[end % PLACES] = self.cards[(hands.tops[place] + round) % PLACES];
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

/// The cards of a turn in a word: that of the winner before the others.
#[inline]
fn winner_first<const PLAYING: usize>(put: [u8; PLAYING], wins: [usize; PLAYING]) -> u64 {
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

/// Who put the most cards of those who are left, the last one of several.
fn last_with_most<const PLAYING: usize>(counts: [usize; PLAYING], left: [usize; PLAYING]) -> usize {
    let places = (0..PLAYING).filter(|&place| left[place] == 1);
    places.max_by_key(|&place| counts[place]).unwrap_or(0)
}

impl Replay for Table {
    fn of(state: &[u8], key: u64) -> Self {
        let mut table = Self::empty();
        let (mut rest, lengths) = (state, key.to_le_bytes());
        for (seat, &length) in lengths[..MOST_PLAYERS].iter().enumerate() {
            let (hand, others) = rest.split_at(rest.len().min(length.into()));
            let from = seat * ROOM;
            table.cards[from..from + hand.len()].copy_from_slice(hand);
            (table.tops[seat], table.ends[seat]) = (from, from + hand.len());
            rest = others;
        }
        table.sit();
        table
    }

    fn replay(&mut self, rules: &Certain, turns: u64) -> u64 {
        let (mut left, mut wars) = (u32::try_from(turns).unwrap_or(u32::MAX), 0);
        while left > 0 && self.playing > 2 {
            let Stretch { turns, war, .. } = self.play(rules, left, u8::MAX);
            left -= turns;
            wars += u64::from(war.is_some());
        }
        wars
    }

    fn is_like(&self, other: &Self) -> bool {
        self.key() == other.key()
            && (0..MOST_PLAYERS).all(|seat| self.hand(seat) == other.hand(seat))
    }
}
