//! What states come to. They are played one game at a time, in portable code, with a proof where a
//! game is endless; what faster code has played is counted here too.

use super::exact::{Exact, Longest};
use super::state::{Layout, State};
use war::cards::Rank;

/// Games with fewer turns are counted in a list.
const MOST_TURNS: usize = 512;

/// How many lists of turns there are. Games with as many turns follow each other closely, and a
/// processor waits where it adds to the same number again at once.
const LISTS: usize = 4;

/// Games with more pairs are left by the fast code to the one that knows cycles.
#[cfg(target_arch = "x86_64")]
pub(super) const MOST_PAIRS: u64 = 400;

/// What states come to.
pub(super) struct Sum {
    layout: Layout,
    /// How many deals took how many turns, in several lists.
    turns: [[u64; MOST_TURNS]; LISTS],
    /// The list that counts next.
    list: usize,
    /// The pairs of all finished games.
    pairs: u64,
    drawn: u64,
    /// What is counted of games one at a time.
    others: Exact,
    /// The games with the most turns, and with the most pairs.
    records: [Record; 2],
    /// The state with twins whose games were looked at last.
    seen: Option<State>,
}

/// The longest games so far.
#[derive(Default)]
struct Record {
    most: u64,
    games: Vec<Game>,
}

/// A game that is over.
#[derive(Clone, Copy)]
pub(super) struct Game {
    pub(super) state: State,
    pub(super) turns: u64,
    pub(super) pairs: u64,
}

impl Sum {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            layout,
            turns: [[0; MOST_TURNS]; LISTS],
            list: 0,
            pairs: 0,
            drawn: 0,
            others: Exact::default(),
            records: Default::default(),
            seen: None,
        }
    }

    /// Plays a state and counts it.
    pub(super) fn play(&mut self, state: State) {
        self.play_on(state, state);
    }

    /// Plays a game from here on, in every way where twins meet, and counts it; it began with this
    /// state.
    pub(super) fn play_on(&mut self, state: State, began: State) {
        let mut next = Some(state);
        let mut others = Vec::new();
        while let Some(state) = next.take().or_else(|| others.pop()) {
            match play(state, self.layout) {
                End::Endless { period } => {
                    self.others.endless += state.deals;
                    self.others.periods.count(period, state.deals);
                }
                End::Over {
                    turns,
                    pairs,
                    drawn,
                } => {
                    self.count(turns, pairs, state.deals, drawn);
                    self.see(Game {
                        state: began,
                        turns,
                        pairs,
                    });
                }
                End::Twins(state) => others.extend(state.after_twins_met()),
            }
        }
    }

    /// Counts deals of a game that is over.
    #[inline]
    pub(super) fn count(&mut self, turns: u64, pairs: u64, deals: u64, drawn: bool) {
        let place = usize::try_from(turns).ok();
        let list = &mut self.turns[self.list % LISTS];
        if let Some(count) = place.and_then(|place| list.get_mut(place)) {
            *count += deals;
            self.list += 1;
        } else {
            let turns = u32::try_from(turns).unwrap_or(u32::MAX);
            self.others.turns.count(turns, deals);
        }
        self.pairs += pairs * deals;
        self.drawn += if drawn { deals } else { 0 };
    }

    /// The most turns and the most pairs of a game so far: one with fewer need not be seen.
    #[inline]
    pub(super) fn most(&self) -> [u64; 2] {
        [self.records[0].most, self.records[1].most]
    }

    /// Looks at a game that may be one of the longest.
    #[inline]
    pub(super) fn see(&mut self, game: Game) {
        let [most_turns, most_pairs] = self.most();
        if game.turns < most_turns && game.pairs < most_pairs {
            return;
        }
        if self.layout.has_twins() {
            self.see_apart(game.state);
        } else {
            self.keep(game);
        }
    }

    /// Plays all games that a state with twins stands for: which of them is one of the longest is
    /// not known. Several often are, one after the other.
    fn see_apart(&mut self, state: State) {
        if self.seen.replace(state) == Some(state) {
            return;
        }
        for state in state.told_apart(self.layout) {
            if let End::Over { turns, pairs, .. } = play(state, self.layout) {
                self.keep(Game {
                    state,
                    turns,
                    pairs,
                });
            }
        }
    }

    fn keep(&mut self, game: Game) {
        let lengths = [game.turns, game.pairs];
        for (record, length) in self.records.iter_mut().zip(lengths) {
            record.see(length, game, self.layout);
        }
    }

    /// What all states that were counted come to.
    pub(super) fn exact(mut self) -> Exact {
        let mut exact = std::mem::take(&mut self.others);
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

/// How many equally long games are kept before the first deal among them is looked for.
const KEPT: usize = 64;

impl Record {
    #[inline]
    fn see(&mut self, length: u64, game: Game, layout: Layout) {
        if length < self.most {
            return;
        }
        if length > self.most {
            self.most = length;
            self.games.clear();
        }
        self.games.push(game);
        if self.games.len() == KEPT {
            self.games = self.first(layout).into_iter().collect();
        }
    }

    /// The game with the first deal in order.
    fn first(&self, layout: Layout) -> Option<Game> {
        let deal = |game: &&Game| game.state.first_deal(layout);
        self.games.iter().min_by_key(deal).copied()
    }

    fn longest(&self, layout: Layout) -> Option<Longest> {
        let game = self.first(layout)?;
        let ranks = |hand: Vec<u8>| {
            let ranks = hand.iter().map(|card| Rank::new(card + layout.lowest));
            ranks.flatten().collect()
        };
        Some(Longest {
            turns: u32::try_from(game.turns).unwrap_or(u32::MAX),
            pairs: game.pairs,
            hands: game.state.first_deal(layout).map(ranks),
        })
    }
}

/// How a game ended, or why it can't go on as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// After so many turns and pairs, with a winner or a draw.
    Over { turns: u64, pairs: u64, drawn: bool },
    /// Never: it comes back after so many turns.
    Endless { period: u32 },
    /// Not yet: twins meet in this state.
    Twins(State),
}

/// Plays a game to its end, or until twins meet.
///
/// The hands after a turn are compared with those of an earlier turn, which is a later one each
/// time the turns since have doubled: Brent's method.
pub(super) fn play(mut state: State, layout: Layout) -> End {
    let all = layout.all();
    let mut earlier = ([0; 2], [0; 2]);
    let (mut since, mut limit) = (0_u32, 1);
    while state.goes_on() {
        if state.twins_meet(layout) {
            return End::Twins(state);
        }
        state.put_pair(layout.card, all);
        if state.is_in_war(all) {
            continue;
        }
        since += 1;
        let hands = (state.hands, state.lengths);
        if hands == earlier {
            return End::Endless { period: since };
        }
        if since == limit {
            earlier = hands;
            (since, limit) = (0, limit.saturating_mul(2));
        }
    }
    End::Over {
        turns: state.turns + u64::from(state.is_in_war(all)),
        pairs: state.pairs,
        drawn: state.lengths == [0; 2],
    }
}

impl State {
    /// Each player puts a card: the higher one takes both, and what is on the table behind
    /// them, the pair put last first.
    #[inline]
    fn put_pair(&mut self, card: u32, all: u64) {
        let top = !(u64::MAX << card);
        let [first, second] = self.hands.map(|hand| hand & top);
        self.hands = self.hands.map(|hand| hand >> card);
        self.lengths = self.lengths.map(|length| length - u64::from(card));
        self.pairs += 1;
        let taken = first.max(second) | first.min(second) << card | self.pot << (2 * card);
        if first == second {
            self.pot = taken;
            return;
        }
        self.pot = 0;
        self.turns += 1;
        let winner = usize::from(first < second);
        let place = self.lengths[winner];
        self.hands[winner] |= taken << place;
        self.lengths[winner] = all - self.lengths[1 - winner];
    }
}
