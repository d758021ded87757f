use super::search::Search;
use super::state::State;
use super::turn::{Turn, Turns};
use crate::cards::Chance;
use crate::rules::{Limit, Repeated};
use crate::simulate::game::{Depths, Played, Verdict};

/// How many turns a game lasts at most where the rules set no limit: no more can be counted.
const MOST_TURNS: u64 = u32::MAX as u64;

/// How many turns are played before it is asked whether the game goes on.
const UNASKED_TURNS: u64 = 1 << 20;

/// The course of a game, from the deal to what it comes to.
pub(super) struct Course<'a> {
    turns: &'a mut Turns,
    /// How many turns the game may last.
    limit: u64,
    state: State,
    wars: Depths,
    /// The search for a repetition, where one ends the game.
    search: Option<Search>,
    /// The game as it was when its turns were used up: what repeated itself before is
    /// endless all the same, and the search may find that later.
    over_time: Option<End>,
}

/// What a game came to.
pub(super) struct End {
    pub(super) played: Played,
    /// How often those in the game put a card each.
    pub(super) rounds: u64,
    pub(super) wars: Depths,
}

impl<'a> Course<'a> {
    /// The course of a game that begins with this state.
    pub(super) fn new(turns: &'a mut Turns, state: State) -> Self {
        let parameters = turns.parameters();
        let cards = state.cards();
        let limit = parameters.limit.map(|limit| limit.turns(cards));
        let wars = Depths::default();
        let ends = parameters.repetition == Repeated::Ends;
        Self {
            turns,
            limit: limit.map_or(MOST_TURNS, |limit| limit.min(MOST_TURNS)),
            search: ends.then(|| Search::from(&state, &wars)),
            state,
            wars,
            over_time: None,
        }
    }

    /// Plays the game to its end, unless it is stopped.
    pub(super) fn play<C: Chance>(
        mut self,
        chance: &mut C,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<End> {
        loop {
            if self.state.turns.is_multiple_of(UNASKED_TURNS) && !goes_on() {
                return None;
            }
            if let Some(end) = self.end_before_turn() {
                return Some(end);
            }
            let search = self.search.as_mut();
            if let Some(period) = search.and_then(|search| search.meets(&self.state)) {
                return self.repeated(period, goes_on);
            }
            if let Some(end) = self.turn(chance) {
                return Some(end);
            }
        }
    }

    /// The end of a game that is won, or whose turns are used up.
    #[inline]
    fn end_before_turn(&mut self) -> Option<End> {
        let winner = self.state.winner();
        if self.over_time.is_none() {
            if let Some(winner) = winner {
                return Some(self.end(Verdict::Won(winner)));
            }
            if self.state.turns < self.limit {
                return None;
            }
            let verdict = self.verdict_over_time();
            self.over_time = Some(self.end(verdict));
            if let Some(search) = &mut self.search {
                search.only_for(&self.state);
            }
        }
        let search = self.search.as_ref();
        let found_by_now = search.is_none_or(|search| search.is_over(self.limit));
        self.over_time.take_if(|_| found_by_now || winner.is_some())
    }

    /// What a game comes to whose turns are used up: an edition with a limit of its own may
    /// name a winner, a limit that was only asked for decides nothing.
    fn verdict_over_time(&self) -> Verdict {
        let own = matches!(self.turns.parameters().limit, Some(Limit::TurnsPerCard(_)));
        let winner = self.state.winner_when_stopped().filter(|_| own);
        winner.map_or(Verdict::Undecided, Verdict::Won)
    }

    /// Plays a turn: the end of the game, if it is one.
    #[inline]
    fn turn<C: Chance>(&mut self, chance: &mut C) -> Option<End> {
        let turn = self.turns.play(&mut self.state, chance, &mut self.wars);
        if turn == Turn::Taken {
            return None;
        }
        // Nothing that happened before comes back now.
        if self.over_time.is_some() {
            return self.over_time.take();
        }
        if turn == Turn::GameDrawn {
            return Some(self.end(Verdict::Drawn));
        }
        if let Some(search) = &mut self.search {
            *search = Search::from(&self.state, &self.wars);
        }
        None
    }

    /// The end of a game whose hands came back after so many turns, unless it is stopped: it
    /// is endless if they did in time.
    fn repeated(self, period: u64, goes_on: &dyn Fn() -> bool) -> Option<End> {
        let search = self.search.expect("a search has found it");
        let endless = endless(self.turns, &search, period, goes_on)?;
        let in_time = u64::from(endless.played.turns) < self.limit;
        let late = self.over_time.filter(|_| !in_time);
        Some(late.unwrap_or(endless))
    }

    /// The game as it is now.
    fn end(&mut self, verdict: Verdict) -> End {
        End::of(&self.state, verdict, std::mem::take(&mut self.wars))
    }
}

impl End {
    fn of(state: &State, verdict: Verdict, wars: Depths) -> Self {
        // More are only those of a repetition that comes too late to count.
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        Self {
            played: Played {
                verdict,
                turns: counted(state.turns),
                wars: counted(state.wars),
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
        if ahead.turns.is_multiple_of(UNASKED_TURNS) && !goes_on() {
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
    Some(End::of(&ahead, Verdict::Endless { period }, wars))
}
