//! Hands that a game has had, to prove that it is endless.

use super::batch::Certain;
use crate::game::{Conclusion, Played, Ties};

/// The cards of player 1, top card first, and behind them those of player 2; what follows has
/// no meaning.
pub(super) type State = [u8; 2 * MOST_CARDS];

/// The most cards of a game.
pub(super) const MOST_CARDS: usize = 64;

/// Hands that a log can play again.
pub(super) trait Replay {
    /// The hands of a state with this key.
    fn of(state: &[u8], key: u64) -> Self;

    /// Plays this many turns of a game that lasts longer: how many of them were wars.
    fn replay(&mut self, rules: &Certain, turns: u64) -> u64;

    /// Whether all players hold the same cards as there.
    fn is_like(&self, other: &Self) -> bool;
}

/// The most states that are kept: a game that needs more is left to the kernel that needs no
/// memory.
const MOST_STATES: usize = 1 << 16;

/// The places of the table of hashes while there are few states, in games of many cards and of
/// few, which are short.
const FEW: usize = 1 << 11;
const VERY_FEW: usize = 1 << 8;
const FEW_CARDS: usize = 32;

/// The states between the passes of a game, each found by its hash.
///
/// What a pass makes of a state depends on the state alone. So where one comes back, the game
/// is endless.
#[derive(Debug, Default)]
pub(super) struct Log {
    is_on: bool,
    /// Whether the first state is one that no earlier one comes back to.
    is_whole: bool,
    cards: usize,
    states: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries, from 1, where their hashes say; a power of two of places.
    table: Vec<u32>,
    repeated: Option<Repeated>,
}

/// What belongs to a state.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    hash: u32,
    turns: u32,
    wars: u32,
}

/// The numbers of two states that are the same.
#[derive(Debug, Clone, Copy)]
struct Repeated {
    from: usize,
    to: usize,
}

/// What a log proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The game is endless: its turns and wars up to the first repetition, and the period.
    Endless { turns: u64, wars: u64, period: u64 },
    /// It is, but states may have come back before the log began.
    Earlier,
}

impl Proof {
    /// The game up to its first repetition, if it is known.
    pub(super) fn game(self) -> Option<Played> {
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        match self {
            Self::Endless {
                turns,
                wars,
                period,
            } => Some(Played {
                verdict: Conclusion::Endless {
                    period: counted(period),
                },
                turns: counted(turns),
                wars: counted(wars),
                ties: Ties::default(),
            }),
            Self::Earlier => None,
        }
    }
}

impl Log {
    /// Ends the log of a game of this many cards, to begin another.
    pub(super) fn reset(&mut self, cards: usize) {
        self.cards = cards;
        self.repeated = None;
        if self.is_on {
            self.is_on = false;
            self.entries.clear();
            self.table.clear();
            self.table.shrink_to(16 * FEW);
        }
    }

    /// Begins the log; it is whole if no state before the first one can come back.
    pub(super) fn begin(&mut self, is_whole: bool) {
        self.is_on = true;
        self.is_whole = is_whole;
        let few = if self.cards <= FEW_CARDS {
            VERY_FEW
        } else {
            FEW
        };
        self.table.resize(few, 0);
    }

    #[inline]
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Room for the next state, to be filled before it is noted.
    #[inline]
    pub(super) fn room(&mut self) -> &mut State {
        let from = self.entries.len() * MOST_CARDS;
        if self.states.len() < from + 2 * MOST_CARDS {
            self.grow();
        }
        let room = self.states[from..].first_chunk_mut();
        room.expect("the log has grown")
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.states.len()).max(256 * MOST_CARDS);
        self.states.resize(length, 0);
    }

    /// Notes the state that the room holds: whether the game stops, for it came back, or the
    /// log is full.
    ///
    /// `words` are made of some of the cards, and the key says whose the cards are.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are 65,536 states, of a million turns and 64 cards at most"
    )]
    pub(super) fn note(&mut self, words: [u64; 2], key: u64, turns: u64, wars: u64) -> bool {
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
            if self.entries[other].hash == hash && self.is_like(other, number) {
                self.repeated = Some(Repeated {
                    from: other,
                    to: number,
                });
                return true;
            }
            place = (place + 1) & places;
        }
        self.table[place] = (number + 1) as u32;
        if 2 * number > places {
            self.spread();
        }
        self.is_full()
    }

    /// Whether there is no room for more states.
    pub(super) const fn is_full(&self) -> bool {
        self.entries.len() >= MOST_STATES
    }

    fn is_like(&self, one: usize, other: usize) -> bool {
        self.entries[one].key == self.entries[other].key && self.state(one) == self.state(other)
    }

    fn state(&self, number: usize) -> &[u8] {
        &self.states[number * MOST_CARDS..][..self.cards]
    }

    /// Doubles the table.
    #[cold]
    fn spread(&mut self) {
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

    /// What the log proves, if a state came back.
    pub(super) fn proof<R: Replay>(&self, rules: &Certain) -> Option<Proof> {
        let Repeated { from, to } = self.repeated?;
        let period = self.period::<R>(from, to, rules);
        let is_back = |number: usize| {
            let (later, _) = self.at::<R>(self.turns(number) + period, rules);
            later.is_like(&self.hands(number))
        };
        // The cycle begins a few passes before the state that was found, if at all.
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
        if back == 0 && !self.is_whole {
            return Some(Proof::Earlier);
        }
        let start = if back == 0 { 0 } else { before };
        Some(self.first_repetition::<R>(start, period, rules))
    }

    /// What the log proves, if a state came back, it is whole, and each state behind a certain
    /// kind of turns was noted.
    ///
    /// In a cycle, these turns come back with it. So the state that was found first came back
    /// after one period, and the state that was noted before it lies before the cycle or is its
    /// first.
    pub(super) fn proof_of_every<R: Replay>(&self, rules: &Certain) -> Option<Proof> {
        let Repeated { from, to } = self.repeated?;
        let period = self.turns(to) - self.turns(from);
        Some(self.first_repetition::<R>(from.saturating_sub(1), period, rules))
    }

    /// The proof with this period, where no state before this one comes back.
    fn first_repetition<R: Replay>(&self, start: usize, period: u64, rules: &Certain) -> Proof {
        let mut turns = self.turns(start);
        let mut behind: R = self.hands(start);
        let (mut ahead, mut wars) = self.at::<R>(turns + period, rules);
        while !ahead.is_like(&behind) {
            behind.replay(rules, 1);
            wars += ahead.replay(rules, 1);
            turns += 1;
        }
        Proof::Endless {
            turns: turns + period,
            wars,
            period,
        }
    }

    /// After how many turns the state with this number comes back for the first time: the turns
    /// up to where it was found again are a multiple of it.
    fn period<R: Replay>(&self, from: usize, to: usize, rules: &Certain) -> u64 {
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
                if self.at::<R>(start + part, rules).0.is_like(&state) {
                    period = part;
                }
            } else {
                prime += 1;
            }
        }
        period
    }

    /// The game after so many turns, no more than the log has, with its wars up to there.
    fn at<R: Replay>(&self, turns: u64, rules: &Certain) -> (R, u64) {
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

    fn hands<R: Replay>(&self, number: usize) -> R {
        R::of(self.state(number), self.entries[number].key)
    }
}

/// A number that tells nearly all states apart.
#[inline]
const fn hash(words: [u64; 2], key: u64) -> u32 {
    let a = (words[0] ^ key << 58 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let b = words[1].wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = a ^ b.rotate_left(32);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
}

/// The top eight cards of two players of whom each holds so many, as words.
#[inline]
pub(super) fn words(tops: [&[u8]; 2], lengths: [usize; 2]) -> [u64; 2] {
    [0, 1].map(|player| {
        let cards = tops[player].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(cards) & seen(lengths[player])
    })
}

/// The bytes of a word with the top cards of a hand that holds so many.
const fn seen(cards: usize) -> u64 {
    if cards < 8 {
        (1 << (8 * cards)) - 1
    } else {
        u64::MAX
    }
}

#[cfg(test)]
mod tests {
    //! Logs of games that are numbers: after a way of some turns they go around in a cycle, and all
    //! that a log proves of them can be counted.

    use super::{Log, MOST_STATES, Proof, Replay};
    use crate::kernel::batch::{Certain, Order, WarOrder};
    use war::rules::OutOfCards;

    const RULES: Certain = Certain {
        step: 1,
        order: Order {
            winner_first: false,
            war: WarOrder::PairByPair,
        },
        out_of_cards: OutOfCards::EndOfCards,
        limit: None,
        names_winner: false,
        ends_when_repeated: true,
    };

    /// A game: so many turns before its cycle, and so many in it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Game {
        way: u16,
        cycle: u16,
    }

    impl Game {
        /// Which of its states the game is in after so many turns.
        fn after(self, turns: u64) -> u16 {
            let around = turns.saturating_sub(self.way.into()) % u64::from(self.cycle);
            let state = turns.min(self.way.into()) + around;
            u16::try_from(state).expect("a state of the game")
        }

        /// The wars of so many turns from the beginning.
        fn wars(self, turns: u64) -> u64 {
            let is_war = |turn: &u64| self.after(*turn) % 3 == 1;
            (0..turns).filter(is_war).count() as u64
        }

        /// Notes states from this turn on until the log stops: `next` says after how many turns the
        /// next one is noted, which depends on the state alone.
        fn note(self, log: &mut Log, mut turns: u64, next: impl Fn(u16) -> u64) {
            log.reset(6);
            log.begin(turns == 0);
            loop {
                let state = self.after(turns);
                // Eight states have one hash each: two of them differ in their keys alone, and
                // others in what their hashes are not made of.
                let key = u64::from(state % 2);
                let words = [u64::from(state / 8) ^ key << 58 ^ key, 0];
                let [low, high] = (state / 2).to_le_bytes();
                let [way, more] = self.way.to_le_bytes();
                let [cycle, most] = self.cycle.to_le_bytes();
                log.room()[..6].copy_from_slice(&[low, high, way, more, cycle, most]);
                if log.note(words, key, turns, self.wars(turns)) {
                    return;
                }
                turns += next(state);
            }
        }

        /// Where the game repeats itself first.
        fn endless(self) -> Proof {
            let turns = u64::from(self.way) + u64::from(self.cycle);
            Proof::Endless {
                turns,
                wars: self.wars(turns),
                period: self.cycle.into(),
            }
        }
    }

    impl Replay for (Game, u64) {
        fn of(state: &[u8], key: u64) -> Self {
            let number = |at: usize| u16::from_le_bytes([state[at], state[at + 1]]);
            let game = Game {
                way: number(2),
                cycle: number(4),
            };
            (game, 2 * u64::from(number(0)) + key)
        }

        fn replay(&mut self, _: &Certain, turns: u64) -> u64 {
            let (game, before) = *self;
            self.1 += turns;
            game.wars(self.1) - game.wars(before)
        }

        fn is_like(&self, other: &Self) -> bool {
            self.0.after(self.1) == other.0.after(other.1)
        }
    }

    fn games() -> impl Iterator<Item = Game> {
        let ways = (0..24).chain([63, 64, 65, 200, 331]);
        ways.flat_map(|way| {
            let cycles = (1..24).chain([36, 60, 97, 128, 210]);
            cycles.map(move |cycle| Game { way, cycle })
        })
    }

    /// Passes of other lengths, by the state that they begin in.
    const PASSES: [fn(u16) -> u64; 4] = [
        |_| 1,
        |_| 4,
        |state| 1 + u64::from(state % 5),
        |state| 7 + u64::from(state) * 13 % 29,
    ];

    #[test]
    fn a_log_of_passes_proves_the_first_repetition() {
        let mut log = Log::default();
        for game in games() {
            for (number, pass) in PASSES.into_iter().enumerate() {
                game.note(&mut log, 0, pass);
                let found = log.proof::<(Game, u64)>(&RULES);
                assert_eq!(found, Some(game.endless()), "{game:?}, passes {number}");
            }
        }
    }

    #[test]
    fn a_log_that_begins_later_proves_it_unless_it_begins_in_the_cycle() {
        let mut log = Log::default();
        for game in games() {
            for (number, pass) in PASSES.into_iter().enumerate() {
                for begin in [1, 5, 60] {
                    game.note(&mut log, begin, pass);
                    let found = log.proof::<(Game, u64)>(&RULES);
                    let is_before = begin < u64::from(game.way);
                    let expected = [Proof::Earlier, game.endless()][usize::from(is_before)];
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
    fn a_log_of_every_turn_of_a_kind_proves_it() {
        let mut log = Log::default();
        for game in games() {
            for apart in [1, 2, 3, 7] {
                // The states whose numbers are multiples, from the beginning.
                let states = game.way + game.cycle;
                let is_noted = |state: u16| state.is_multiple_of(apart);
                if !(game.way..states).any(is_noted) {
                    continue;
                }
                let next = |state: u16| {
                    let mut turns = (1..).map(|turn| (turn, game.after(u64::from(state) + turn)));
                    let found = turns.find(|(_, state)| is_noted(*state));
                    found.expect("one of the cycle").0
                };
                game.note(&mut log, 0, next);
                let found = log.proof_of_every::<(Game, u64)>(&RULES);
                assert_eq!(found, Some(game.endless()), "{game:?}, {apart} apart");
            }
        }
    }

    #[test]
    fn a_log_that_is_full_stops_and_proves_nothing() {
        let mut log = Log::default();
        let game = Game {
            way: u16::MAX,
            cycle: 1,
        };
        log.reset(6);
        log.begin(true);
        for state in 0..MOST_STATES as u64 {
            assert!(!log.is_full(), "{state}");
            let [low, high, ..] = (state / 2).to_le_bytes();
            let [way, more] = game.way.to_le_bytes();
            log.room()[..6].copy_from_slice(&[low, high, way, more, 1, 0]);
            let stops = log.note([state / 8, 0], state % 2, state, 0);
            assert_eq!(stops, state + 1 == MOST_STATES as u64, "{state}");
        }
        assert_eq!(log.proof::<(Game, u64)>(&RULES), None);
    }
}
