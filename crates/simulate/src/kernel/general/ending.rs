use super::search::Search;
use super::state::State;
use super::turn::Turns;
use crate::game::{Conclusion, Depths, Played, Ties};
use crate::setup::most_turns;
use std::mem::take;
use war::engine::Seat;
use war::rules::{Limit, Parameters, Repeated};

/// How many turns a game lasts at most where the rules set no limit: no more can be counted.
const MOST_TURNS: u64 = u32::MAX as u64;

/// What ends a game, beside the state that it is in.
pub(super) struct Ending {
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
    pub(super) played: Played,
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
    pub(super) fn before_turn(&mut self, state: &State, wars: &mut Depths) -> Option<End> {
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
    pub(super) fn period(&mut self, state: &State) -> Option<u64> {
        self.search.as_mut()?.meets(state)
    }

    /// The end of a game whose hands came back after so many turns, unless it is stopped: it
    /// is endless if they did in time.
    pub(super) fn repeated(
        self,
        period: u64,
        turns: &mut Turns,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<End> {
        let search = self.search.expect("a search has found it");
        let endless = endless(turns, &search, period, goes_on)?;
        let in_time = u64::from(endless.played.turns) < self.limit;
        let late = self.over_time.filter(|_| !in_time);
        Some(late.unwrap_or(endless))
    }

    /// The end of a game in a turn that nobody won, if it is one.
    pub(super) fn after_draw(
        &mut self,
        is_drawn: bool,
        state: &State,
        wars: &mut Depths,
    ) -> Option<End> {
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
pub(super) fn is_stopped(state: &State, goes_on: &dyn Fn() -> bool) -> bool {
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
