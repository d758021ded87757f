//! Logs of games that are numbers: after a way of some turns they go around in a cycle, and all
//! that a log proves of them can be counted.

use super::{Log, MOST_STATES, Proof, Replay};
use crate::kernel::certain::{Certain, Order, WarOrder};
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
