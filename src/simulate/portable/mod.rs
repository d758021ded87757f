//! The kernel for every rule, in portable code: rings of cards, and Brent's cycle check.

mod hand;
mod war;

use super::game::{Depths, Played, Verdict};
use crate::cards::{Chance, Rank};
use crate::engine::Seat;
use crate::rules::{Limit, Parameters, Repeated};
use hand::{Hand, Pot, Put};

/// The most players of a simulated game.
pub const MOST_PLAYERS: usize = 5;

/// How a turn went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Somebody took the cards.
    Taken,
    /// Everybody took what chance gave him.
    LeftToChance,
    /// All ran out of cards at once, and the game is drawn.
    GameDrawn,
}

/// A game in the middle of play.
#[derive(Clone)]
struct State {
    hands: [Hand; MOST_PLAYERS],
    players: usize,
    turns: u32,
    wars: u32,
    rounds: u64,
}

/// The kernel, with the memory that it works in.
#[derive(Debug)]
pub struct Portable {
    parameters: Parameters,
    pot: Pot,
    scratch: Vec<Rank>,
    /// Whom the last comparison left in the war.
    left: Vec<usize>,
}

/// What a game was, with the number of rounds of cards that were put on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How the game went.
    pub played: Played,
    /// How often those in the game put a card each, face up or face down.
    pub rounds: u64,
}

impl Portable {
    /// A kernel for games of these rules, in which cards are drawn from the top.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        let put = Put {
            round: 0,
            seat: 0,
            card: Rank::ACE,
        };
        Self {
            parameters,
            pot: Pot {
                cards: [put; 256],
                length: 0,
                rounds: 0,
            },
            scratch: Vec::with_capacity(256),
            left: Vec::with_capacity(MOST_PLAYERS),
        }
    }

    /// Plays a game to its end, and counts its wars by depth.
    ///
    /// `hands` are one for each player, top card first; what the rules leave to chance is
    /// taken from `chance`. An endless game counts up to its first repetition.
    ///
    /// # Panics
    ///
    /// If there are fewer than two players or more than [`MOST_PLAYERS`], no cards or more
    /// than 255.
    pub fn play<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
    ) -> Counted {
        assert!((2..=MOST_PLAYERS).contains(&hands.len()), "2 to 5 players");
        let empty = Hand::dealt(&[]);
        let mut state = State {
            hands: std::array::from_fn(|seat| {
                hands
                    .get(seat)
                    .map_or_else(|| empty.clone(), |hand| Hand::dealt(hand))
            }),
            players: hands.len(),
            turns: 0,
            wars: 0,
            rounds: 0,
        };
        let cards = hands.iter().map(Vec::len).sum();
        let limit = self.parameters.limit.map(|limit: Limit| limit.turns(cards));
        let limit = limit.unwrap_or(u64::MAX);
        let ends = self.parameters.repetition == Repeated::Ends;
        // Brent's method: the saved state moves on when the power of two is used up.
        let mut origin = ends.then(|| Box::new(state.clone()));
        let mut saved = origin.clone();
        let (mut power, mut period) = (FIRST_POWER, 0_u32);
        let mut counted = Depths::default();
        // The game as it was when its turns were used up: what repeated itself before is
        // endless all the same, and the check may find that later.
        let mut over_time: Option<(Counted, Depths)> = None;
        loop {
            if let Some((stopped, counted)) = &over_time {
                let late = u64::from(state.turns) > limit.saturating_mul(5) + LATEST;
                if !ends || late || state.winner().is_some() {
                    depths.add(counted);
                    return *stopped;
                }
            } else if let Some(winner) = state.winner() {
                depths.add(&counted);
                return state.ended(Verdict::Won(winner));
            } else if u64::from(state.turns) >= limit {
                let verdict = self.verdict_over_time(&state);
                over_time = Some((state.ended(verdict), counted.clone()));
                continue;
            }
            if let (Some(saved), Some(origin)) = (&mut saved, &origin) {
                if period > 0 && state.is_like(saved) {
                    let (endless, counted) = self.endless(origin, period);
                    let in_time = u64::from(endless.played.turns) < limit;
                    let late = over_time.filter(|_| !in_time);
                    let (counted_game, wars) = late.unwrap_or((endless, counted));
                    depths.add(&wars);
                    return counted_game;
                }
                if period == power {
                    **saved = state.clone();
                    power *= 2;
                    period = 0;
                }
                period += 1;
            }
            let turn = self.turn(&mut state, chance, &mut counted);
            if let (false, Some((stopped, wars))) = (turn == Turn::Taken, &over_time) {
                depths.add(wars);
                return *stopped;
            }
            match turn {
                Turn::GameDrawn => {
                    depths.add(&counted);
                    return state.ended(Verdict::Drawn);
                }
                Turn::LeftToChance if ends => {
                    depths.add(&std::mem::take(&mut counted));
                    origin = Some(Box::new(state.clone()));
                    saved.clone_from(&origin);
                    (power, period) = (FIRST_POWER, 0);
                }
                Turn::Taken | Turn::LeftToChance => {}
            }
        }
    }

    /// What a game comes to whose turns are used up: an edition with a limit of its own may
    /// name a winner, a limit that was only asked for decides nothing.
    fn verdict_over_time(&self, state: &State) -> Verdict {
        let own = matches!(self.parameters.limit, Some(Limit::TurnsPerCard(_)));
        let winner = state.winner_when_stopped().filter(|_| own);
        winner.map_or(Verdict::Undecided, Verdict::Won)
    }

    /// An endless game: from where chance last had a say, one that is a period ahead of
    /// another meets it where the repetition begins.
    fn endless(&mut self, origin: &State, period: u32) -> (Counted, Depths) {
        let (mut behind, mut ahead) = (origin.clone(), origin.clone());
        let mut counted = Depths::default();
        for _ in 0..period {
            self.turn(&mut ahead, &mut (), &mut counted);
        }
        let mut ignored = Depths::default();
        while !ahead.is_like(&behind) {
            self.turn(&mut behind, &mut (), &mut ignored);
            self.turn(&mut ahead, &mut (), &mut counted);
        }
        (ahead.ended(Verdict::Endless { period }), counted)
    }

    /// Plays a turn.
    #[inline]
    fn turn<C: Chance>(&mut self, state: &mut State, chance: &mut C, depths: &mut Depths) -> Turn {
        state.turns += 1;
        state.rounds += 1;
        self.pot.length = 0;
        self.pot.rounds = 0;
        let (mut highest, mut winner, mut tied) = (None, 0, 0);
        for seat in 0..state.players {
            if !state.hands[seat].in_game {
                continue;
            }
            let card = state.hands[seat].take();
            self.pot.put(seat, card);
            if Some(card) > highest {
                (highest, winner, tied) = (Some(card), seat, 1);
            } else if Some(card) == highest {
                tied += 1;
            }
        }
        let turn = if tied > 1 {
            state.wars += 1;
            self.war(state, highest, chance, depths)
        } else {
            self.collect(state, winner, chance);
            Turn::Taken
        };
        for hand in &mut state.hands[..state.players] {
            hand.in_game &= hand.length > 0;
        }
        turn
    }
}

/// How many turns pass before the cycle check saves another state than the first.
const FIRST_POWER: u32 = 32;

/// How many turns beyond five times the limit the cycle check may take at most to find what
/// repeated itself before the limit.
const LATEST: u64 = 5 * FIRST_POWER as u64;

impl State {
    /// Who alone is in the game.
    #[inline]
    fn winner(&self) -> Option<Seat> {
        let mut in_game = (0..self.players).filter(|&seat| self.hands[seat].in_game);
        match (in_game.next(), in_game.next()) {
            (Some(seat), None) => Some(Seat::from_index(seat)),
            _ => None,
        }
    }

    /// Who alone holds all cards of the highest rank in the hands, and alone holds the most.
    fn winner_when_stopped(&self) -> Option<Seat> {
        let hands = &self.hands[..self.players];
        let highest = hands.iter().filter_map(Hand::highest).max();
        let most = hands.iter().map(|hand| hand.length).max();
        let has_either = |hand: &Hand| hand.highest() == highest || Some(hand.length) == most;
        let mut seats = (0..self.players).filter(|&seat| has_either(&hands[seat]));
        // A second seat shares one of them, or each of the two has another of them.
        match (seats.next(), seats.next()) {
            (Some(seat), None) => Some(Seat::from_index(seat)),
            _ => None,
        }
    }

    #[inline]
    fn is_like(&self, other: &Self) -> bool {
        let hands = self.hands.iter().zip(&other.hands).take(self.players);
        { hands }.all(|(hand, other)| hand.holds_the_same(other))
    }

    const fn ended(&self, verdict: Verdict) -> Counted {
        Counted {
            played: Played {
                verdict,
                turns: self.turns,
                wars: self.wars,
            },
            rounds: self.rounds,
        }
    }
}
