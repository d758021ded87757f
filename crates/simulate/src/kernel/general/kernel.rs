//! Games to their ends: won, drawn, over time, or back where they were.

use super::state::State;
use super::turns::{Turn, Turns};
use crate::game::{Conclusion, Depths, Played, Ties};
use crate::setup::most_turns;
use std::mem::take;
use war::cards::{Chance, Rank};
use war::engine::Seat;
use war::rules::{Limit, Parameters, Repeated};

/// The kernel for every rule, with the memory that it works in.
#[derive(Debug)]
pub struct General {
    turns: Turns,
}

/// What a game was, with the number of rounds of cards that were put on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How the game went.
    pub played: Played,
    /// How often those in the game put a card each, face up or face down.
    pub rounds: u64,
}

impl General {
    /// A kernel for games of these rules, in which cards are drawn from the top.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            turns: Turns::new(parameters),
        }
    }

    /// Plays a game to its end, and counts its wars by depth.
    ///
    /// `hands` are one for each player, top card first; what the rules leave to chance is
    /// taken from `chance`. An endless game counts up to its first repetition; where the order of
    /// cards is left to chance, hands that come back prove nothing, whatever the rules say of
    /// repetitions, unless all cards are the same. A game that the rules set no limit lasts
    /// 2³² - 1 turns at most.
    ///
    /// The result is `None` where there are fewer than two players or more than
    /// [`MOST_PLAYERS`](super::MOST_PLAYERS), no cards or more than 255.
    pub fn play<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
    ) -> Option<Counted> {
        self.play_while(hands, chance, depths, &|| true)
    }

    /// Plays a game to its end, as [`General::play`] does, unless it is stopped: the result is
    /// `None` then too, and nothing of the game is counted.
    ///
    /// `goes_on` is asked at the start, and after every million turns or so.
    pub fn play_while<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut Depths,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Counted> {
        let (mut state, mut wars) = (State::dealt(hands)?, Depths::default());
        let mut ending = Ending::new(self.turns.parameters(), &state);
        let end = loop {
            if is_stopped(&state, goes_on) {
                return None;
            }
            if let Some(end) = ending.before_turn(&state, &mut wars) {
                break end;
            }
            if let Some(period) = ending.period(&state) {
                break ending.repeated(period, &mut self.turns, goes_on)?;
            }
            let turn = self.turns.play(&mut state, chance, &mut wars);
            if turn == Turn::Taken {
                continue;
            }
            if let Some(end) = ending.after_draw(turn == Turn::GameDrawn, &state, &mut wars) {
                break end;
            }
        };
        depths.add(&end.wars);
        Some(Counted {
            played: end.played,
            rounds: end.rounds,
        })
    }
}

/// How many turns a game lasts at most where the rules set no limit: no more can be counted.
const MOST_TURNS: u64 = u32::MAX as u64;

/// What ends a game, beside the state that it is in.
struct Ending {
    /// How many turns the game may last.
    limit: u64,
    /// Whether the limit is the edition's own, and may name a winner.
    names_winner: bool,
    /// The search for a repetition, where one ends the game.
    search: Option<Search>,
    /// The game as it was when its turns were used up: what repeated itself before is
    /// endless all the same, and the search may find that later.
    over_time: Option<End>,
}

/// What a game came to.
pub(super) struct End {
    played: Played,
    /// How often those in the game put a card each.
    pub(super) rounds: u64,
    pub(super) wars: Depths,
}

impl Ending {
    /// For a game by these rules that begins with this state.
    pub(super) fn new(parameters: &Parameters, state: &State) -> Self {
        let limit = most_turns(parameters, state.cards());
        // Hands that a shuffle brings back prove nothing.
        let ends = parameters.repetition == Repeated::Ends
            && (!parameters.shuffles() || state.is_of_one_rank());
        Self {
            limit: limit.map_or(MOST_TURNS, u64::from),
            names_winner: matches!(parameters.limit, Some(Limit::TurnsPerCard(_))),
            search: ends.then(|| Search::from(state, &Depths::default())),
            over_time: None,
        }
    }

    /// The end of a game that is won, or whose turns are used up. The wars go with it.
    #[inline]
    fn before_turn(&mut self, state: &State, wars: &mut Depths) -> Option<End> {
        let winner = state.winner();
        if winner.is_none() && state.turns < self.limit {
            return None;
        }
        self.won_or_over_time(winner, state, wars)
    }

    /// Apart from what every turn asks, to keep that small.
    #[cold]
    fn won_or_over_time(
        &mut self,
        winner: Option<Seat>,
        state: &State,
        wars: &mut Depths,
    ) -> Option<End> {
        if self.over_time.is_none() {
            if let Some(winner) = winner {
                return Some(End::of(state, Conclusion::Won(winner), take(wars)));
            }
            self.over_time = Some(End::of(state, self.verdict_over_time(state), take(wars)));
            if let Some(search) = &mut self.search {
                search.only_for(state);
            }
        }
        let search = self.search.as_ref();
        let found_by_now = search.is_none_or(|search| search.is_over(self.limit));
        self.over_time.take_if(|_| found_by_now || winner.is_some())
    }

    /// What a game comes to whose turns are used up: an edition with a limit of its own may
    /// name a winner, a limit that was only asked for decides nothing.
    fn verdict_over_time(&self, state: &State) -> Conclusion {
        let winner = state.winner_when_stopped().filter(|_| self.names_winner);
        winner.map_or(Conclusion::Undecided, Conclusion::Won)
    }

    /// After how many turns the state before a turn came back, if the search sees that it did.
    #[inline]
    fn period(&mut self, state: &State) -> Option<u64> {
        self.search.as_mut()?.meets(state)
    }

    /// The end of a game whose hands came back after so many turns, unless it is stopped: it
    /// is endless if they did in time.
    fn repeated(self, period: u64, turns: &mut Turns, goes_on: &dyn Fn() -> bool) -> Option<End> {
        let search = self.search.expect("a search has found it");
        let endless = endless(turns, &search, period, goes_on)?;
        let in_time = u64::from(endless.played.turns) < self.limit;
        let late = self.over_time.filter(|_| !in_time);
        Some(late.unwrap_or(endless))
    }

    /// The end of a game in a turn that nobody won, if it is one.
    fn after_draw(&mut self, is_drawn: bool, state: &State, wars: &mut Depths) -> Option<End> {
        // Nothing that happened before comes back now.
        if self.over_time.is_some() {
            return self.over_time.take();
        }
        if is_drawn {
            return Some(End::of(state, Conclusion::Drawn, take(wars)));
        }
        if let Some(search) = &mut self.search {
            *search = Search::from(state, wars);
        }
        None
    }
}

/// How many turns are played before it is asked whether the game goes on.
const UNASKED_TURNS: u64 = 1 << 20;

/// Whether a game in this state was asked to stop; it is asked from time to time only.
#[inline]
fn is_stopped(state: &State, goes_on: &dyn Fn() -> bool) -> bool {
    state.turns.is_multiple_of(UNASKED_TURNS) && !goes_on()
}

impl End {
    fn of(state: &State, verdict: Conclusion, wars: Depths) -> Self {
        // More are only those of a repetition that comes too late to count.
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        let ties = match verdict {
            Conclusion::Won(_) | Conclusion::Drawn => Ties::but(wars.ties(), state.last_ties),
            Conclusion::Endless { .. } | Conclusion::Undecided => Ties::default(),
        };
        Self {
            played: Played {
                verdict,
                turns: counted(state.turns),
                wars: counted(state.wars),
                ties,
            },
            rounds: state.rounds,
            wars,
        }
    }
}

/// An endless game up to its first repetition, unless it is stopped: from where chance last
/// had a say, a game that is a period ahead of another meets it where the repetition begins.
fn endless(
    turns: &mut Turns,
    search: &Search,
    period: u64,
    goes_on: &dyn Fn() -> bool,
) -> Option<End> {
    let (mut behind, mut ahead) = (search.origin.clone(), search.origin.clone());
    let mut wars = search.before.clone();
    let mut ignored = Depths::default();
    let mut lead = 0;
    while lead < period || !ahead.is_like(&behind) {
        if is_stopped(&ahead, goes_on) {
            return None;
        }
        if lead < period {
            lead += 1;
        } else {
            turns.play(&mut behind, &mut (), &mut ignored);
        }
        turns.play(&mut ahead, &mut (), &mut wars);
    }
    // A longer one comes too late to count.
    let period = u32::try_from(period).unwrap_or(u32::MAX);
    Some(End::of(&ahead, Conclusion::Endless { period }, wars))
}

/// How many turns pass before the search saves another state than the first.
const FIRST_POWER: u64 = 32;

/// The search for a state that comes back, in constant memory.
///
/// Brent's method: the saved state moves on when the power of two is used up.
struct Search {
    /// Where chance last had a say.
    origin: Box<State>,
    /// The wars up to there.
    before: Depths,
    saved: Box<State>,
    power: u64,
    /// How many turns ago the saved state was.
    turns: u64,
}

impl Search {
    /// A search that begins with this state, after these wars.
    fn from(state: &State, before: &Depths) -> Self {
        Self {
            origin: Box::new(state.clone()),
            before: before.clone(),
            saved: Box::new(state.clone()),
            power: FIRST_POWER,
            turns: 0,
        }
    }

    /// Looks at the state before a turn: after how many turns it came back, if it did.
    #[inline]
    fn meets(&mut self, state: &State) -> Option<u64> {
        if self.turns > 0 && state.is_like(&self.saved) {
            return Some(self.turns);
        }
        if self.turns == self.power {
            *self.saved = state.clone();
            self.power *= 2;
            self.turns = 0;
        }
        self.turns += 1;
        None
    }

    /// From now on looks for this state alone. If states repeated themselves before it, it is
    /// one of those that come back.
    fn only_for(&mut self, state: &State) {
        *self.saved = state.clone();
        self.power = u64::MAX;
        self.turns = 0;
    }

    /// Whether a state that repeated itself within this many turns of the game would have been
    /// back by now.
    fn is_over(&self, limit: u64) -> bool {
        self.turns > limit.saturating_sub(self.origin.turns)
    }
}
