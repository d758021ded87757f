//! Log of the hands of a game, in which repeated hands prove that the game is endless.

use super::batch::DeterministicRules;
use crate::game::{Conclusion, GameResult, Ties};

/// Cards of player 1, top card first, followed by those of player 2; the bytes after them have no
/// meaning.
pub(super) type PackedHands = [u8; 2 * MAX_CARDS];

/// Maximum number of cards in a game.
pub(super) const MAX_CARDS: usize = 64;

/// Hands from which a log can replay a game.
pub(super) trait ReplayableHands {
    /// Returns the hands of a state; `key` gives the number of cards of each player.
    fn from_state(state: &[u8], key: u64) -> Self;

    /// Plays this many turns of a game that lasts even longer, and returns the number of wars in
    /// them.
    fn replay(&mut self, rules: &DeterministicRules, turns: u64) -> u64;

    /// Returns true if every player holds the same cards in `self` and `other`.
    fn has_same_hands(&self, other: &Self) -> bool;
}

/// Maximum number of states in a log; a game that needs more is left to the general kernel, which
/// keeps no log.
const MAX_STATES: usize = 1 << 16;

/// Initial sizes of the hash table, for games with many cards and for those with few, which are
/// short.
const MANY_CARDS_PLACES: usize = 1 << 11;
const FEW_CARDS_PLACES: usize = 1 << 8;
const FEW_CARDS: usize = 32;

/// States of a game between its passes, each found by its hash.
///
/// The result of a pass depends on the state alone. So if a state is repeated, the game is endless.
#[derive(Debug, Default)]
pub(super) struct StateLog {
    is_on: bool,
    /// True if no state before the first recorded one can be repeated.
    covers_start: bool,
    cards: usize,
    states: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries, from 1, at the places given by their hashes; the number of places is a
    /// power of two.
    table: Vec<u32>,
    repeated: Option<RepeatedState>,
}

/// Recorded state, except for its cards.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    hash: u32,
    turns: u32,
    wars: u32,
}

/// Numbers of two equal states.
#[derive(Debug, Clone, Copy)]
struct RepeatedState {
    from: usize,
    to: usize,
}

/// Result of a repeated state in a log: the game is endless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndlessProof {
    /// Turns and wars up to the first repetition, and the period.
    Endless { turns: u64, wars: u64, period: u64 },
    /// Endless game whose first repetition may have come before the log began.
    StartUnknown,
}

impl EndlessProof {
    /// Returns the result of the game up to its first repetition, if that repetition is known.
    pub(super) fn to_result(self) -> Option<GameResult> {
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        match self {
            Self::Endless {
                turns,
                wars,
                period,
            } => Some(GameResult {
                conclusion: Conclusion::Endless {
                    period: counted(period),
                },
                turns: counted(turns),
                wars: counted(wars),
                ties: Ties::default(),
            }),
            Self::StartUnknown => None,
        }
    }
}

impl StateLog {
    /// Ends the log, and prepares it for another game with this many cards.
    pub(super) fn reset(&mut self, cards: usize) {
        self.cards = cards;
        self.repeated = None;
        if self.is_on {
            self.is_on = false;
            self.entries.clear();
            self.table.clear();
            self.table.shrink_to(16 * MANY_CARDS_PLACES);
        }
    }

    /// Begins the log. `is_whole` is true if no state before the first recorded one can be
    /// repeated.
    pub(super) fn begin(&mut self, is_whole: bool) {
        self.is_on = true;
        self.covers_start = is_whole;
        let few = if self.cards <= FEW_CARDS {
            FEW_CARDS_PLACES
        } else {
            MANY_CARDS_PLACES
        };
        self.table.resize(few, 0);
    }

    #[inline]
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Returns the buffer for the next state, which must be filled before the state is recorded.
    #[inline]
    pub(super) fn next_state_mut(&mut self) -> &mut PackedHands {
        let from = self.entries.len() * MAX_CARDS;
        if self.states.len() < from + 2 * MAX_CARDS {
            self.grow();
        }
        let room = self.states[from..].first_chunk_mut();
        room.expect("the log has grown")
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.states.len()).max(256 * MAX_CARDS);
        self.states.resize(length, 0);
    }

    /// Records the state in the buffer. Returns true if the game stops, because the state was
    /// repeated or the log is full.
    ///
    /// `words` contain some of the cards, and the key gives the division of the cards among the
    /// players.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are 65,536 states, of a million turns and 64 cards at most"
    )]
    pub(super) fn record(&mut self, words: [u64; 2], key: u64, turns: u64, wars: u64) -> bool {
        let number = self.entries.len();
        let hash = hash(words, key);
        self.entries.push(Entry {
            key,
            hash,
            turns: turns as u32,
            wars: wars as u32,
        });
        let places = self.table.len() - 1;
        let mut place = hash as usize & places;
        while let Some(other) = (self.table[place] as usize).checked_sub(1) {
            if self.entries[other].hash == hash && self.are_equal(other, number) {
                self.repeated = Some(RepeatedState {
                    from: other,
                    to: number,
                });
                return true;
            }
            place = (place + 1) & places;
        }
        self.table[place] = (number + 1) as u32;
        if 2 * number > places {
            self.grow_table();
        }
        self.is_full()
    }

    /// Returns true if there is no room for more states.
    pub(super) const fn is_full(&self) -> bool {
        self.entries.len() >= MAX_STATES
    }

    fn are_equal(&self, one: usize, other: usize) -> bool {
        self.entries[one].key == self.entries[other].key && self.state(one) == self.state(other)
    }

    fn state(&self, number: usize) -> &[u8] {
        &self.states[number * MAX_CARDS..][..self.cards]
    }

    /// Doubles the size of the hash table.
    #[cold]
    fn grow_table(&mut self) {
        let places = 2 * self.table.len();
        self.table.clear();
        self.table.resize(places, 0);
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut place = entry.hash as usize & (places - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = number;
        }
    }

    /// Returns the proof that the game is endless, if a state was repeated.
    pub(super) fn find_proof<R: ReplayableHands>(
        &self,
        rules: &DeterministicRules,
    ) -> Option<EndlessProof> {
        let RepeatedState { from, to } = self.repeated?;
        let period = self.period::<R>(from, to, rules);
        let is_back = |number: usize| {
            let (later, _) = self.replay_to::<R>(self.turns(number) + period, rules);
            later.has_same_hands(&self.hands(number))
        };
        // The cycle begins at most a few passes before the state that was found.
        let (mut before, mut back, mut passes) = (0, from, 1);
        while back > 0 {
            before = back.saturating_sub(passes);
            if !is_back(before) {
                break;
            }
            (back, passes) = (before, 2 * passes);
        }
        while back > before + 1 {
            let middle = before.midpoint(back);
            if is_back(middle) {
                back = middle;
            } else {
                before = middle;
            }
        }
        if back == 0 && !self.covers_start {
            return Some(EndlessProof::StartUnknown);
        }
        let start = if back == 0 { 0 } else { before };
        Some(self.first_repetition::<R>(start, period, rules))
    }

    /// Returns the proof that the game is endless, if a state was repeated, the log covers the
    /// start of the game, and the state after every turn of a certain kind was recorded.
    ///
    /// A cycle repeats these turns. So the repeated state was found after one period, and the state
    /// recorded before its first occurrence comes before the cycle or begins it.
    pub(super) fn find_proof_from_every_turn<R: ReplayableHands>(
        &self,
        rules: &DeterministicRules,
    ) -> Option<EndlessProof> {
        let RepeatedState { from, to } = self.repeated?;
        let period = self.turns(to) - self.turns(from);
        Some(self.first_repetition::<R>(from.saturating_sub(1), period, rules))
    }

    /// Returns the proof with this period. No state before `start` may be part of the cycle.
    fn first_repetition<R: ReplayableHands>(
        &self,
        start: usize,
        period: u64,
        rules: &DeterministicRules,
    ) -> EndlessProof {
        let mut turns = self.turns(start);
        let mut behind: R = self.hands(start);
        let (mut ahead, mut wars) = self.replay_to::<R>(turns + period, rules);
        while !ahead.has_same_hands(&behind) {
            behind.replay(rules, 1);
            wars += ahead.replay(rules, 1);
            turns += 1;
        }
        EndlessProof::Endless {
            turns: turns + period,
            wars,
            period,
        }
    }

    /// Returns the period: the number of turns from the state with number `from` to its first
    /// repetition, a divisor of the distance to the repetition in the log.
    fn period<R: ReplayableHands>(
        &self,
        from: usize,
        to: usize,
        rules: &DeterministicRules,
    ) -> u64 {
        let start = self.turns(from);
        let state: R = self.hands(from);
        let mut period = self.turns(to) - start;
        let (mut rest, mut prime) = (period, 2);
        while rest > 1 {
            if prime * prime > rest {
                prime = rest;
            }
            if rest.is_multiple_of(prime) {
                rest /= prime;
                let part = period / prime;
                if self
                    .replay_to::<R>(start + part, rules)
                    .0
                    .has_same_hands(&state)
                {
                    period = part;
                }
            } else {
                prime += 1;
            }
        }
        period
    }

    /// Returns the hands after this many turns, which the log must cover, and the number of wars up
    /// to then.
    fn replay_to<R: ReplayableHands>(&self, turns: u64, rules: &DeterministicRules) -> (R, u64) {
        let later = self
            .entries
            .partition_point(|entry| u64::from(entry.turns) <= turns);
        let number = later.saturating_sub(1);
        let mut hands: R = self.hands(number);
        let entry = self.entries[number];
        let wars = hands.replay(rules, turns.saturating_sub(entry.turns.into()));
        (hands, u64::from(entry.wars) + wars)
    }

    fn turns(&self, number: usize) -> u64 {
        self.entries[number].turns.into()
    }

    fn hands<R: ReplayableHands>(&self, number: usize) -> R {
        R::from_state(self.state(number), self.entries[number].key)
    }
}

/// Returns a hash that distinguishes nearly all states.
#[inline]
const fn hash(words: [u64; 2], key: u64) -> u32 {
    let a = (words[0] ^ key << 58 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let b = words[1].wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = a ^ b.rotate_left(32);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
}

/// Returns the top eight cards of two hands of these lengths, as words.
#[inline]
pub(super) fn top_words(tops: [&[u8]; 2], lengths: [usize; 2]) -> [u64; 2] {
    [0, 1].map(|player| {
        let cards = tops[player].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(cards) & top_cards_mask(lengths[player])
    })
}

/// Returns the mask of the cards of a hand in the word of its top eight.
const fn top_cards_mask(cards: usize) -> u64 {
    if cards < 8 {
        (1 << (8 * cards)) - 1
    } else {
        u64::MAX
    }
}

#[cfg(test)]
mod tests {
    //! Logs of artificial games whose states are numbers. After a lead-in they repeat a cycle, so
    //! the expected proofs can be computed.

    use super::{EndlessProof, MAX_STATES, ReplayableHands, StateLog};
    use crate::kernel::batch::{DeterministicRules, KernelCollectOrder, WarOrder};
    use war::rules::OutOfCards;

    const RULES: DeterministicRules = DeterministicRules {
        step: 1,
        order: KernelCollectOrder {
            winner_first: false,
            war: WarOrder::PairByPair,
        },
        out_of_cards: OutOfCards::EndOfCards,
        limit: None,
        names_winner: false,
        ends_when_repeated: true,
    };

    /// Artificial game, with the number of turns before its cycle and in it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Game {
        lead_in: u16,
        cycle: u16,
    }

    impl Game {
        /// Returns the number of the state that the game is in after this many turns.
        fn after(self, turns: u64) -> u16 {
            let around = turns.saturating_sub(self.lead_in.into()) % u64::from(self.cycle);
            let state = turns.min(self.lead_in.into()) + around;
            u16::try_from(state).expect("a state of the game")
        }

        /// Returns the number of wars in the first turns.
        fn wars(self, turns: u64) -> u64 {
            let is_war = |turn: &u64| self.after(*turn) % 3 == 1;
            (0..turns).filter(is_war).count() as u64
        }

        /// Records states from this turn on until the log stops. `next` returns the number of turns
        /// until the next state is recorded; the number depends on the current state alone.
        fn record(self, log: &mut StateLog, mut turns: u64, next: impl Fn(u16) -> u64) {
            log.reset(6);
            log.begin(turns == 0);
            loop {
                let state = self.after(turns);
                // Eight states share each hash: two of them differ in their keys alone, the others
                // in cards that aren't hashed.
                let key = u64::from(state % 2);
                let words = [u64::from(state / 8) ^ key << 58 ^ key, 0];
                let [low, high] = (state / 2).to_le_bytes();
                let [lead_in, more] = self.lead_in.to_le_bytes();
                let [cycle, most] = self.cycle.to_le_bytes();
                log.next_state_mut()[..6].copy_from_slice(&[low, high, lead_in, more, cycle, most]);
                if log.record(words, key, turns, self.wars(turns)) {
                    return;
                }
                turns += next(state);
            }
        }

        /// Returns the proof of the first repetition.
        fn endless(self) -> EndlessProof {
            let turns = u64::from(self.lead_in) + u64::from(self.cycle);
            EndlessProof::Endless {
                turns,
                wars: self.wars(turns),
                period: self.cycle.into(),
            }
        }
    }

    impl ReplayableHands for (Game, u64) {
        fn from_state(state: &[u8], key: u64) -> Self {
            let number = |at: usize| u16::from_le_bytes([state[at], state[at + 1]]);
            let game = Game {
                lead_in: number(2),
                cycle: number(4),
            };
            (game, 2 * u64::from(number(0)) + key)
        }

        fn replay(&mut self, _: &DeterministicRules, turns: u64) -> u64 {
            let (game, before) = *self;
            self.1 += turns;
            game.wars(self.1) - game.wars(before)
        }

        fn has_same_hands(&self, other: &Self) -> bool {
            self.0.after(self.1) == other.0.after(other.1)
        }
    }

    fn games() -> impl Iterator<Item = Game> {
        let ways = (0..24).chain([63, 64, 65, 200, 331]);
        ways.flat_map(|lead_in| {
            let cycles = (1..24).chain([36, 60, 97, 128, 210]);
            cycles.map(move |cycle| Game { lead_in, cycle })
        })
    }

    /// Pass lengths, as functions of the state that they begin in.
    const PASSES: [fn(u16) -> u64; 4] = [
        |_| 1,
        |_| 4,
        |state| 1 + u64::from(state % 5),
        |state| 7 + u64::from(state) * 13 % 29,
    ];

    #[test]
    fn a_log_of_passes_proves_the_first_repetition() {
        let mut log = StateLog::default();
        for game in games() {
            for (number, pass) in PASSES.into_iter().enumerate() {
                game.record(&mut log, 0, pass);
                let found = log.find_proof::<(Game, u64)>(&RULES);
                assert_eq!(found, Some(game.endless()), "{game:?}, passes {number}");
            }
        }
    }

    #[test]
    fn a_late_log_proves_the_repetition_unless_it_begins_in_the_cycle() {
        let mut log = StateLog::default();
        for game in games() {
            for (number, pass) in PASSES.into_iter().enumerate() {
                for begin in [1, 5, 60] {
                    game.record(&mut log, begin, pass);
                    let found = log.find_proof::<(Game, u64)>(&RULES);
                    let is_before = begin < u64::from(game.lead_in);
                    let expected =
                        [EndlessProof::StartUnknown, game.endless()][usize::from(is_before)];
                    assert_eq!(
                        found,
                        Some(expected),
                        "{game:?} from {begin}, passes {number}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_log_of_every_turn_of_a_kind_proves_the_first_repetition() {
        let mut log = StateLog::default();
        for game in games() {
            for apart in [1, 2, 3, 7] {
                // States whose numbers are multiples of `apart` are recorded, from the beginning.
                let states = game.lead_in + game.cycle;
                let is_recorded = |state: u16| state.is_multiple_of(apart);
                if !(game.lead_in..states).any(is_recorded) {
                    continue;
                }
                let next = |state: u16| {
                    let mut turns = (1..).map(|turn| (turn, game.after(u64::from(state) + turn)));
                    let found = turns.find(|(_, state)| is_recorded(*state));
                    found.expect("one of the cycle").0
                };
                game.record(&mut log, 0, next);
                let found = log.find_proof_from_every_turn::<(Game, u64)>(&RULES);
                assert_eq!(found, Some(game.endless()), "{game:?}, {apart} apart");
            }
        }
    }

    #[test]
    fn a_full_log_stops_and_proves_nothing() {
        let mut log = StateLog::default();
        let game = Game {
            lead_in: u16::MAX,
            cycle: 1,
        };
        log.reset(6);
        log.begin(true);
        for state in 0..MAX_STATES as u64 {
            assert!(!log.is_full(), "{state}");
            let [low, high, ..] = (state / 2).to_le_bytes();
            let [lead_in, more] = game.lead_in.to_le_bytes();
            log.next_state_mut()[..6].copy_from_slice(&[low, high, lead_in, more, 1, 0]);
            let stops = log.record([state / 8, 0], state % 2, state, 0);
            assert_eq!(stops, state + 1 == MAX_STATES as u64, "{state}");
        }
        assert_eq!(log.find_proof::<(Game, u64)>(&RULES), None);
    }
}
