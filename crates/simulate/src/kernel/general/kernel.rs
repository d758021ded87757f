//! Games played to their ends: won, drawn, out of turns, or endless.

use super::state::GameState;
use super::turns::{TurnOutcome, TurnPlayer};
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use crate::setup::max_turns;
use std::mem::take;
use war::cards::{Chance, Rank};
use war::engine::Seat;
use war::rules::{Parameters, RepetitionRule, TurnLimit};

/// Kernel for every rule, with its working memory.
#[derive(Debug)]
pub struct GeneralKernel {
    turns: TurnPlayer,
}

/// Result of a game, with the number of rounds of cards put on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DetailedResult {
    /// Result of the game.
    pub result: GameResult,
    /// Number of times that the players put a card each, face up or face down.
    pub rounds: u64,
}

impl GeneralKernel {
    /// Returns a kernel for games with these rules, in which cards are drawn from the top.
    #[must_use]
    pub fn new(parameters: Parameters) -> Self {
        Self {
            turns: TurnPlayer::new(parameters),
        }
    }

    /// Plays a game to its end and counts its wars by depth.
    ///
    /// `hands` has one hand for each player, top card first, and `chance` decides what the rules
    /// leave to chance. An endless game counts up to its first repetition. If chance decides the
    /// order of cards and the cards are not all the same, repeated hands prove nothing, and a rule
    /// that repetitions end the game has no effect. A game without a limit lasts at most 2³² - 1
    /// turns.
    ///
    /// Returns `None` if there are fewer than two players or more than
    /// [`MAX_PLAYERS`](super::MAX_PLAYERS), no cards or more than 255.
    pub fn play<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut WarDepthCounts,
    ) -> Option<DetailedResult> {
        self.play_while(hands, chance, depths, &|| true)
    }

    /// Plays a game to its end as [`GeneralKernel::play`] does, unless `should_continue` returns
    /// false: then the result is `None` and nothing is counted.
    ///
    /// `should_continue` is polled at the start, and about every million turns.
    pub fn play_while<C: Chance>(
        &mut self,
        hands: &[Vec<Rank>],
        chance: &mut C,
        depths: &mut WarDepthCounts,
        should_continue: &dyn Fn() -> bool,
    ) -> Option<DetailedResult> {
        let (mut state, mut wars) = (GameState::from_hands(hands)?, WarDepthCounts::default());
        let mut detector = EndDetector::new(self.turns.parameters(), &state);
        let end = loop {
            if is_stopped(&state, should_continue) {
                return None;
            }
            if let Some(end) = detector.check_before_turn(&state, &mut wars) {
                break end;
            }
            if let Some(period) = detector.search_period(&state) {
                break detector.end_after_repetition(period, &mut self.turns, should_continue)?;
            }
            let turn = self.turns.play(&mut state, chance, &mut wars);
            if turn == TurnOutcome::Taken {
                continue;
            }
            if let Some(end) =
                detector.check_after_draw(turn == TurnOutcome::GameDrawn, &state, &mut wars)
            {
                break end;
            }
        };
        depths.add(&end.wars);
        Some(DetailedResult {
            result: end.result,
            rounds: end.rounds,
        })
    }
}

/// Limit of turns if the rules set none: more can't be counted.
const MAX_TURNS: u64 = u32::MAX as u64;

/// Detector of the end of a game: a win, the turn limit, or repeated hands.
struct EndDetector {
    /// Maximum number of turns of the game.
    limit: u64,
    /// True if the edition sets the limit, so that a player may win when it is reached.
    names_winner: bool,
    /// Search for repeated hands, if they end the game.
    search: Option<CycleSearch>,
    /// Result at the turn limit. If hands were repeated before the limit, the game is still
    /// endless, and the search may find that later.
    end_at_limit: Option<GameEnd>,
}

/// Result of a game, with its rounds and wars.
pub(super) struct GameEnd {
    result: GameResult,
    /// Number of times that the players put a card each.
    pub(super) rounds: u64,
    pub(super) wars: WarDepthCounts,
}

impl EndDetector {
    /// Returns the detector for a game with these rules that begins with this state.
    pub(super) fn new(parameters: &Parameters, state: &GameState) -> Self {
        let limit = max_turns(parameters, state.card_count());
        // After a shuffle, a repeated state does not prove that the game is endless.
        let ends = parameters.repetition == RepetitionRule::Ends
            && (!parameters.is_left_to_chance() || state.is_of_one_rank());
        Self {
            limit: limit.map_or(MAX_TURNS, u64::from),
            names_winner: matches!(parameters.limit, Some(TurnLimit::TurnsPerCard(_))),
            search: ends.then(|| CycleSearch::new(state, &WarDepthCounts::default())),
            end_at_limit: None,
        }
    }

    /// Returns the end of a game that is won or has used up its turns, and takes the wars out of
    /// `wars`.
    #[inline]
    fn check_before_turn(
        &mut self,
        state: &GameState,
        wars: &mut WarDepthCounts,
    ) -> Option<GameEnd> {
        let winner = state.winner();
        if winner.is_none() && state.turns < self.limit {
            return None;
        }
        self.end_won_or_at_limit(winner, state, wars)
    }

    /// Rare part of `check_before_turn`, kept separate so that the check of every turn stays small.
    #[cold]
    fn end_won_or_at_limit(
        &mut self,
        winner: Option<Seat>,
        state: &GameState,
        wars: &mut WarDepthCounts,
    ) -> Option<GameEnd> {
        if self.end_at_limit.is_none() {
            if let Some(winner) = winner {
                return Some(GameEnd::new(state, Conclusion::Won(winner), take(wars)));
            }
            self.end_at_limit = Some(GameEnd::new(
                state,
                self.conclusion_at_limit(state),
                take(wars),
            ));
            if let Some(search) = &mut self.search {
                search.narrow_to(state);
            }
        }
        let search = self.search.as_ref();
        let found_by_now = search.is_none_or(|search| search.is_over(self.limit));
        self.end_at_limit
            .take_if(|_| found_by_now || winner.is_some())
    }

    /// Returns the conclusion of a game that reached its limit: only a limit that the edition sets
    /// can decide the winner.
    fn conclusion_at_limit(&self, state: &GameState) -> Conclusion {
        let winner = state.winner_when_stopped().filter(|_| self.names_winner);
        winner.map_or(Conclusion::Undecided, Conclusion::Won)
    }

    /// Returns the number of turns after which the state was repeated, if the search detects it.
    #[inline]
    fn search_period(&mut self, state: &GameState) -> Option<u64> {
        self.search.as_mut()?.advance(state)
    }

    /// Returns the end of a game whose hands were repeated after `period` turns, unless the game is
    /// stopped. The game is endless if the hands were repeated within the limit.
    fn end_after_repetition(
        self,
        period: u64,
        turns: &mut TurnPlayer,
        should_continue: &dyn Fn() -> bool,
    ) -> Option<GameEnd> {
        let search = self.search.expect("a search has found it");
        let endless = play_endless(turns, &search, period, should_continue)?;
        let in_time = u64::from(endless.result.turns) < self.limit;
        let late = self.end_at_limit.filter(|_| !in_time);
        Some(late.unwrap_or(endless))
    }

    /// Returns the end of a game after a turn that nobody won, if the game ended.
    fn check_after_draw(
        &mut self,
        is_drawn: bool,
        state: &GameState,
        wars: &mut WarDepthCounts,
    ) -> Option<GameEnd> {
        // After a drawn turn, no earlier state can be repeated, so the game ended at the limit.
        if self.end_at_limit.is_some() {
            return self.end_at_limit.take();
        }
        if is_drawn {
            return Some(GameEnd::new(state, Conclusion::Drawn, take(wars)));
        }
        if let Some(search) = &mut self.search {
            *search = CycleSearch::new(state, wars);
        }
        None
    }
}

/// Number of turns between two polls of `should_continue`.
const POLL_INTERVAL: u64 = 1 << 20;

/// Returns true if the game was asked to stop; polls only from time to time.
#[inline]
fn is_stopped(state: &GameState, should_continue: &dyn Fn() -> bool) -> bool {
    state.turns.is_multiple_of(POLL_INTERVAL) && !should_continue()
}

impl GameEnd {
    fn new(state: &GameState, conclusion: Conclusion, wars: WarDepthCounts) -> Self {
        // Only a repetition after the turn limit has larger numbers, and then the result at the
        // limit is used instead.
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        let ties = match conclusion {
            Conclusion::Won(_) | Conclusion::Drawn => Ties::new(wars.ties(), state.last_ties),
            Conclusion::Endless { .. } | Conclusion::Undecided => Ties::default(),
        };
        Self {
            result: GameResult {
                conclusion,
                turns: counted(state.turns),
                wars: counted(state.wars),
                ties,
            },
            rounds: state.rounds,
            wars,
        }
    }
}

/// Returns an endless game up to its first repetition, unless the game is stopped.
///
/// Two copies of the game start after the last decision by chance, one of them a period ahead.
/// Their hands become the same where the repetition begins.
fn play_endless(
    turns: &mut TurnPlayer,
    search: &CycleSearch,
    period: u64,
    should_continue: &dyn Fn() -> bool,
) -> Option<GameEnd> {
    let (mut behind, mut ahead) = (search.origin.clone(), search.origin.clone());
    let mut wars = search.wars_before.clone();
    let mut ignored = WarDepthCounts::default();
    let mut lead = 0;
    while lead < period || !ahead.has_same_hands(&behind) {
        if is_stopped(&ahead, should_continue) {
            return None;
        }
        if lead < period {
            lead += 1;
        } else {
            turns.play(&mut behind, &mut (), &mut ignored);
        }
        turns.play(&mut ahead, &mut (), &mut wars);
    }
    // Only a repetition after the turn limit has a longer period, and then the result at the limit
    // is used instead.
    let period = u32::try_from(period).unwrap_or(u32::MAX);
    Some(GameEnd::new(&ahead, Conclusion::Endless { period }, wars))
}

/// Number of turns before the search replaces its first saved state.
const FIRST_SAVE_INTERVAL: u64 = 32;

/// Search for a repeated state, in constant memory.
///
/// Brent's method: saves the current state again after 2^k turns, with k growing by one each time.
struct CycleSearch {
    /// State after the last decision by chance.
    origin: Box<GameState>,
    /// Wars up to `origin`.
    wars_before: WarDepthCounts,
    saved: Box<GameState>,
    power: u64,
    /// Number of turns since the saved state.
    turns: u64,
}

impl CycleSearch {
    /// Returns a search that begins with this state, after these wars.
    fn new(state: &GameState, before: &WarDepthCounts) -> Self {
        Self {
            origin: Box::new(state.clone()),
            wars_before: before.clone(),
            saved: Box::new(state.clone()),
            power: FIRST_SAVE_INTERVAL,
            turns: 0,
        }
    }

    /// Examines the state before a turn. If it is equal to the saved state, returns the number of
    /// turns between the two.
    #[inline]
    fn advance(&mut self, state: &GameState) -> Option<u64> {
        if self.turns > 0 && state.has_same_hands(&self.saved) {
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

    /// Restricts the search to this state. If any state was repeated before, this one is in the
    /// cycle and will be repeated too.
    fn narrow_to(&mut self, state: &GameState) {
        *self.saved = state.clone();
        self.power = u64::MAX;
        self.turns = 0;
    }

    /// Returns true if a state repeated within the first `limit` turns of the game would have been
    /// found by now.
    fn is_over(&self, limit: u64) -> bool {
        self.turns > limit.saturating_sub(self.origin.turns)
    }
}
