//! Tally of states, which are games after the first pass over both hands (see `state`). This module
//! plays states one game at a time, in portable code that proves that a game is endless; games
//! played by vector code are counted here too.

use super::exact::{ExactFigures, LongestGame};
use super::state::{CardLayout, State};
use war::cards::Rank;

/// Length of the lists: games with fewer turns than this are counted in a list.
const LIST_LENGTH: usize = 512;

/// Number of lists of turns. Games with the same number of turns follow each other closely, and a
/// processor stalls if it adds to the same number again at once.
const LIST_COUNT: usize = 4;

/// Maximum number of pairs that vector code plays in a game. Longer games go to the code that
/// detects cycles.
#[cfg(target_arch = "x86_64")]
pub(super) const MAX_VECTOR_PAIRS: u64 = 400;

/// Tally of the outcomes of states.
pub(super) struct StateTally {
    layout: CardLayout,
    /// Number of deals by number of turns, spread over several lists.
    turns: [[u64; LIST_LENGTH]; LIST_COUNT],
    /// Counter that selects the list for the next game.
    list: usize,
    /// Total number of pairs in all finished games.
    pairs: u64,
    drawn: u64,
    /// Figures of the games that are counted one at a time.
    rare: ExactFigures,
    /// Games with the most turns, and with the most pairs.
    records: [LongestGames; 2],
    /// State with twins whose games were examined last.
    last_examined: Option<State>,
}

/// Longest games so far.
#[derive(Default)]
struct LongestGames {
    most: u64,
    games: Vec<FinishedGame>,
}

/// Finished game, with the state that it began with.
#[derive(Clone, Copy)]
pub(super) struct FinishedGame {
    pub(super) state: State,
    pub(super) turns: u64,
    pub(super) pairs: u64,
}

impl StateTally {
    pub(super) fn new(layout: CardLayout) -> Self {
        Self {
            layout,
            turns: [[0; LIST_LENGTH]; LIST_COUNT],
            list: 0,
            pairs: 0,
            drawn: 0,
            rare: ExactFigures::default(),
            records: Default::default(),
            last_examined: None,
        }
    }

    /// Plays a state and counts it.
    pub(super) fn play(&mut self, state: State) {
        self.play_on(state, state);
    }

    /// Plays a game from `state` to its end, in both ways wherever twins meet, and counts it.
    /// `began` is the state that the game began with.
    pub(super) fn play_on(&mut self, state: State, began: State) {
        let mut next = Some(state);
        let mut others = Vec::new();
        while let Some(state) = next.take().or_else(|| others.pop()) {
            match play(state, self.layout) {
                StateOutcome::Endless { period } => {
                    self.rare.endless += state.deals;
                    self.rare.periods.count(period, state.deals);
                }
                StateOutcome::Finished {
                    turns,
                    pairs,
                    drawn,
                } => {
                    self.count(turns, pairs, state.deals, drawn);
                    self.examine(FinishedGame {
                        state: began,
                        turns,
                        pairs,
                    });
                }
                StateOutcome::TwinsMeet(state) => others.extend(state.split_twins()),
            }
        }
    }

    /// Counts the deals of a finished game.
    #[inline]
    pub(super) fn count(&mut self, turns: u64, pairs: u64, deals: u64, drawn: bool) {
        let place = usize::try_from(turns).ok();
        let list = &mut self.turns[self.list % LIST_COUNT];
        if let Some(count) = place.and_then(|place| list.get_mut(place)) {
            *count += deals;
            self.list += 1;
        } else {
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            self.rare.turns.count(turns, deals);
        }
        self.pairs += pairs * deals;
        self.drawn += if drawn { deals } else { 0 };
    }

    /// Returns the highest number of turns and of pairs so far; a game with fewer of both need not
    /// be examined.
    #[inline]
    pub(super) fn longest_lengths(&self) -> [u64; 2] {
        [self.records[0].most, self.records[1].most]
    }

    /// Examines a game that may be one of the longest.
    #[inline]
    pub(super) fn examine(&mut self, game: FinishedGame) {
        let [most_turns, most_pairs] = self.longest_lengths();
        if game.turns < most_turns && game.pairs < most_pairs {
            return;
        }
        if self.layout.has_twins() {
            self.examine_twins(game.state);
        } else {
            self.update_records(game);
        }
    }

    /// Plays all games that a state with twins represents, since any of them may be one of the
    /// longest. Consecutive longest games often come from the same state.
    fn examine_twins(&mut self, state: State) {
        if self.last_examined.replace(state) == Some(state) {
            return;
        }
        for state in state.split_all_twins(self.layout) {
            if let StateOutcome::Finished { turns, pairs, .. } = play(state, self.layout) {
                self.update_records(FinishedGame {
                    state,
                    turns,
                    pairs,
                });
            }
        }
    }

    fn update_records(&mut self, game: FinishedGame) {
        let lengths = [game.turns, game.pairs];
        for (record, length) in self.records.iter_mut().zip(lengths) {
            record.examine(length, game, self.layout);
        }
    }

    /// Returns the figures of all states counted.
    pub(super) fn into_figures(mut self) -> ExactFigures {
        let mut exact = std::mem::take(&mut self.rare);
        for list in &self.turns {
            let counts = (0..).zip(list).filter(|&(_, &deals)| deals > 0);
            for (turns, &deals) in counts {
                exact.turns.count(turns, deals);
            }
        }
        let finished: u64 = exact.turns.iter().map(|(_, deals)| deals).sum();
        exact.deals = finished + exact.endless;
        exact.drawn = self.drawn;
        exact.won[0] = finished - self.drawn;
        exact.pairs = self.pairs;
        let layout = self.layout;
        let [turns, pairs] = self.records.map(|record| record.longest(layout));
        (exact.most_turns, exact.most_pairs) = (turns, pairs);
        exact
    }
}

/// Maximum number of equally long games that are kept before the first deal among them is
/// determined.
const MAX_EQUAL_GAMES: usize = 64;

impl LongestGames {
    #[inline]
    fn examine(&mut self, length: u64, game: FinishedGame, layout: CardLayout) {
        if length < self.most {
            return;
        }
        if length > self.most {
            self.most = length;
            self.games.clear();
        }
        self.games.push(game);
        if self.games.len() == MAX_EQUAL_GAMES {
            self.games = self.first_by_deal(layout).into_iter().collect();
        }
    }

    /// Returns the game whose deal comes first in lexicographic order.
    fn first_by_deal(&self, layout: CardLayout) -> Option<FinishedGame> {
        let deal = |game: &&FinishedGame| game.state.first_deal(layout);
        self.games.iter().min_by_key(deal).copied()
    }

    fn longest(&self, layout: CardLayout) -> Option<LongestGame> {
        let game = self.first_by_deal(layout)?;
        let ranks = |hand: Vec<u8>| {
            let ranks = hand.iter().map(|card| Rank::new(card + layout.lowest));
            ranks.flatten().collect()
        };
        Some(LongestGame {
            turns: u32::try_from(game.turns).unwrap_or(u32::MAX),
            pairs: game.pairs,
            hands: game.state.first_deal(layout).map(ranks),
        })
    }
}

/// Outcome of playing a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StateOutcome {
    /// Game that ended after these turns and pairs, with a winner or a draw.
    Finished { turns: u64, pairs: u64, drawn: bool },
    /// Endless game, with this period in turns.
    Endless { period: u32 },
    /// State in which twins meet.
    TwinsMeet(State),
}

/// Plays a game to its end, or until twins meet.
///
/// The hands after each turn are compared with saved ones. As in Brent's method, the saved hands
/// are replaced by the current ones after 2^k turns, with k growing by one each time.
pub(super) fn play(mut state: State, layout: CardLayout) -> StateOutcome {
    let all = layout.all_bits();
    let mut earlier = ([0; 2], [0; 2]);
    let (mut since, mut limit) = (0_u32, 1);
    while state.is_unfinished() {
        if state.has_twins_on_top(layout) {
            return StateOutcome::TwinsMeet(state);
        }
        state.play_pair(layout.card_bits, all);
        if state.is_in_war(all) {
            continue;
        }
        since += 1;
        let hands = (state.hands, state.hand_bits);
        if hands == earlier {
            return StateOutcome::Endless { period: since };
        }
        if since == limit {
            earlier = hands;
            (since, limit) = (0, limit.saturating_mul(2));
        }
    }
    StateOutcome::Finished {
        turns: state.turns + u64::from(state.is_in_war(all)),
        pairs: state.pairs,
        drawn: state.hand_bits == [0; 2],
    }
}

impl State {
    /// Plays a pair. The winner takes the higher card, the lower card, and the cards on the table,
    /// with the last pair first.
    #[inline]
    fn play_pair(&mut self, card: u32, all: u64) {
        let top = !(u64::MAX << card);
        let [first, second] = self.hands.map(|hand| hand & top);
        self.hands = self.hands.map(|hand| hand >> card);
        self.hand_bits = self.hand_bits.map(|length| length - u64::from(card));
        self.pairs += 1;
        let taken = first.max(second) | first.min(second) << card | self.pot << (2 * card);
        if first == second {
            self.pot = taken;
            return;
        }
        self.pot = 0;
        self.turns += 1;
        let winner = usize::from(first < second);
        let place = self.hand_bits[winner];
        self.hands[winner] |= taken << place;
        self.hand_bits[winner] = all - self.hand_bits[1 - winner];
    }
}
