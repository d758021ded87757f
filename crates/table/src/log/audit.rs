use super::fault::LogFault;
use super::leaf::Leaf;
use std::collections::BTreeMap;

/// What the leaves of a log say together: every game begins once, and ends once after that, or
/// is void where the table goes on from a backup.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// Where games began and ended, by their numbers.
    games: BTreeMap<u64, Game>,
    ended: u64,
    /// When the leaves were written, by their own account.
    times: Vec<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Game {
    start: u64,
    end: Option<u64>,
}

/// How long a game may take to end, in milliseconds: far longer than any takes, so that a table
/// that was closed for hours is not blamed.
const LONGEST_GAME: u64 = 24 * HOUR;

const HOUR: u64 = 60 * 60 * 1000;

impl Audit {
    /// How many games began.
    pub(super) fn games(&self) -> u64 {
        self.games.len() as u64
    }

    /// How many of them ended.
    pub(super) const fn ended(&self) -> u64 {
        self.ended
    }

    /// Counts a leaf that nobody understands.
    pub(super) fn unknown(&mut self) {
        // It says nothing of when it was written.
        self.times.push(u64::MAX);
    }

    /// Takes in the next leaf; the result is what is wrong with it.
    pub(super) fn leaf(&mut self, leaf: &Leaf) -> Option<LogFault> {
        let at = self.times.len() as u64;
        self.times.push(leaf.time_ms());
        let game = leaf.game();
        match (leaf, self.games.get_mut(&game)) {
            (Leaf::Restored(_), _) => {
                let open = self.games.values_mut().filter(|game| game.end.is_none());
                for game in open {
                    game.end = Some(at);
                    self.ended += 1;
                }
                None
            }
            (Leaf::Start(_), None) => {
                let (start, end) = (at, None);
                self.games.insert(game, Game { start, end });
                None
            }
            (Leaf::Start(_), Some(known)) => Some(LogFault::StartedTwice {
                game,
                leaf: at,
                before: known.start,
            }),
            (Leaf::End(_), None) => Some(LogFault::NoStart { game, leaf: at }),
            (Leaf::End(_), Some(known)) => {
                let before = known.end.replace(at);
                self.ended += u64::from(before.is_none());
                before.map(|before| LogFault::EndedTwice {
                    game,
                    leaf: at,
                    before,
                })
            }
        }
    }

    /// The games that should have ended, with `now` by the clock of who reads the log, if
    /// there is one: a copy is only as new as its last leaf.
    pub(super) fn overdue(&self, now: Option<u64>) -> impl Iterator<Item = LogFault> {
        let last = self.times.iter().rev().find(|time| **time != u64::MAX);
        let now = now.max(last.copied()).unwrap_or_default();
        let open = self.games.iter().filter(|(_, game)| game.end.is_none());
        let mut open: Vec<_> = open.map(|(number, game)| (game.start, *number)).collect();
        open.sort_unstable();
        // A leaf is at least as old as all that follow it, whatever it says itself.
        let mut written = self.times.clone();
        for at in (1..written.len()).rev() {
            written[at - 1] = written[at - 1].min(written[at]);
        }
        open.into_iter().filter_map(move |(leaf, game)| {
            let began = usize::try_from(leaf).ok().and_then(|at| written.get(at))?;
            let age = now.saturating_sub(*began);
            let hours = age / HOUR;
            (age >= LONGEST_GAME).then_some(LogFault::NoEnd { game, leaf, hours })
        })
    }
}
