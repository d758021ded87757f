use crate::kernel::log::State;

/// The most players, and the most cards of a game.
pub(super) const MOST_PLAYERS: usize = 5;
pub(super) const MOST_CARDS: usize = 64;

/// Room for a hand, which moves through it as its cards leave at one end and come back at the
/// other.
pub(super) const ROOM: usize = 512;

/// Where a hand has to end before a turn, so that all cards and a block fit behind it.
pub(super) const LAST_END: usize = ROOM - MOST_CARDS - 2 * BLOCK;

/// How many cards of all hands a hash is made of.
pub(super) const HASHED: usize = 24;

/// How many cards are copied at a time.
pub(super) const BLOCK: usize = 16;

/// All rooms; with more of them than players, each place is a few bits.
pub(super) const PLACES: usize = 8 * ROOM;

/// The hands of several players, one room behind the other.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) cards: [u8; PLACES],
    /// Where the hands begin and end.
    pub(super) tops: [usize; MOST_PLAYERS],
    pub(super) ends: [usize; MOST_PLAYERS],
    /// Who holds cards, in the order of seats.
    pub(super) seats: [usize; MOST_PLAYERS],
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
    pub(super) fn sit(&mut self) {
        self.playing = 0;
        for seat in 0..MOST_PLAYERS {
            self.seats[self.playing % MOST_PLAYERS] = seat;
            self.playing += usize::from(self.tops[seat] < self.ends[seat]);
        }
    }

    /// Moves hands to the front of their rooms.
    #[cold]
    pub(super) fn rewind(&mut self) {
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
    pub(super) const fn held(&self, seat: usize) -> usize {
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
    pub(super) fn copy(&mut self, from: usize, to: usize, count: usize) {
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
