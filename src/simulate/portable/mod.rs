//! The kernel for every rule, in portable code: rings of cards, and Brent's cycle check.

mod hand;
mod search;
mod war;

use super::game::{Depths, Played, Verdict};
use crate::cards::{Chance, Rank};
use crate::engine::Seat;
use crate::rules::{Limit, Parameters, Repeated};
use hand::{Hand, Pot, Put};
use search::Search;

/// The most players of a simulated game.
pub const MOST_PLAYERS: usize = 5;

/// How a turn went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Somebody took the cards.
    Taken,
    /// Everybody took what chance gave him, and could have taken it in another order.
    LeftToChance,
    /// All ran out of cards at once, and the game is drawn.
    GameDrawn,
}

/// A game in the middle of play.
#[derive(Clone)]
struct State {
    hands: [Hand; MOST_PLAYERS],
    players: usize,
    turns: u64,
    wars: u64,
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
    /// taken from `chance`. An endless game counts up to its first repetition. A game that the
    /// rules set no limit lasts 2³² - 1 turns at most.
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
        let counted = self.play_while(hands, chance, depths, &|| true);
        counted.expect("nothing stops the game")
    }

    /// Plays a game to its end, as [`Portable::play`] does, unless it is stopped: `None` says
    /// that it was, and nothing of it is counted.
    ///
    /// `goes_on` is asked at the start, and after every million turns or so.
    ///
    /// # Panics
    ///
    /// As [`Portable::play`].
    pub fn play_while<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Counted> {
        assert!((2..=MOST_PLAYERS).contains(&hands.len()), "2 to 5 players");
        let mut state = State::dealt(hands);
        let cards = hands.iter().map(Vec::len).sum();
        let limit = self.parameters.limit.map(|limit: Limit| limit.turns(cards));
        let limit = limit.unwrap_or(MOST_TURNS).min(MOST_TURNS);
        let ends = self.parameters.repetition == Repeated::Ends;
        let mut counted = Depths::default();
        let mut search = ends.then(|| Search::from(&state, &counted));
        // The game as it was when its turns were used up: what repeated itself before is
        // endless all the same, and the check may find that later.
        let mut over_time: Option<(Counted, Depths)> = None;
        loop {
            if state.turns.is_multiple_of(UNASKED_TURNS) && !goes_on() {
                return None;
            }
            if let Some((stopped, counted)) = &over_time {
                let found_by_now = search.as_ref().is_none_or(|search| search.is_over(limit));
                if found_by_now || state.winner().is_some() {
                    depths.add(counted);
                    return Some(*stopped);
                }
            } else if let Some(winner) = state.winner() {
                depths.add(&counted);
                return Some(state.ended(Verdict::Won(winner)));
            } else if state.turns >= limit {
                let verdict = self.verdict_over_time(&state);
                over_time = Some((state.ended(verdict), counted.clone()));
                if let Some(search) = &mut search {
                    search.only_for(&state);
                }
                continue;
            }
            if let Some(search) = &mut search
                && let Some(period) = search.meets(&state)
            {
                let (endless, counted) = self.endless(search, period, goes_on)?;
                let in_time = u64::from(endless.played.turns) < limit;
                let late = over_time.filter(|_| !in_time);
                let (counted_game, wars) = late.unwrap_or((endless, counted));
                depths.add(&wars);
                return Some(counted_game);
            }
            let turn = self.turn(&mut state, chance, &mut counted);
            if let (false, Some((stopped, wars))) = (turn == Turn::Taken, &over_time) {
                depths.add(wars);
                return Some(*stopped);
            }
            match turn {
                Turn::GameDrawn => {
                    depths.add(&counted);
                    return Some(state.ended(Verdict::Drawn));
                }
                Turn::LeftToChance if ends => search = Some(Search::from(&state, &counted)),
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
    /// another meets it where the repetition begins. It is `None` if it is stopped.
    fn endless(
        &mut self,
        search: &Search,
        period: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<(Counted, Depths)> {
        let (mut behind, mut ahead) = (search.origin.clone(), search.origin.clone());
        let mut counted = search.before.clone();
        let mut ignored = Depths::default();
        let mut lead = 0;
        while lead < period || !ahead.is_like(&behind) {
            if ahead.turns.is_multiple_of(UNASKED_TURNS) && !goes_on() {
                return None;
            }
            if lead < period {
                lead += 1;
            } else {
                self.turn(&mut behind, &mut (), &mut ignored);
            }
            self.turn(&mut ahead, &mut (), &mut counted);
        }
        let period = u32::try_from(period).unwrap_or(u32::MAX);
        Some((ahead.ended(Verdict::Endless { period }), counted))
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

/// How many turns a game lasts at most where the rules set no limit: no more are told.
const MOST_TURNS: u64 = u32::MAX as u64;

/// How many turns are played before it is asked whether the game goes on.
const UNASKED_TURNS: u64 = 1 << 20;

impl State {
    fn dealt(hands: &[Vec<Rank>]) -> Self {
        let hand = |seat: usize| hands.get(seat).map_or(&[][..], Vec::as_slice);
        Self {
            hands: std::array::from_fn(|seat| Hand::dealt(hand(seat))),
            players: hands.len(),
            turns: 0,
            wars: 0,
            rounds: 0,
        }
    }

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

    fn ended(&self, verdict: Verdict) -> Counted {
        let told = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        Counted {
            played: Played {
                verdict,
                turns: told(self.turns),
                wars: told(self.wars),
            },
            rounds: self.rounds,
        }
    }
}
