#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::trouble::Trouble;
use crate::fair::{Checks, Finished, LogChecks, Unfair};
use crate::log::{Leaf, Source};
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::{Duration, Instant};

/// Where a table's log and its journals are read from.
pub struct Sources<S> {
    /// The log.
    pub log: S,
    /// What the table serves: a journal is `games/7/journal.json`.
    pub table: S,
}

/// Of how many games the journals are read.
const JOURNALS: usize = 20;

/// The longest journal that is read.
const LONGEST_JOURNAL: usize = 1 << 20;

/// How long to wait before the log is read again.
const PAUSE: Duration = Duration::from_millis(500);

/// A reader of the table's log, while players play.
pub(super) struct LogReader<S> {
    sources: Sources<S>,
    checks: LogChecks,
    key: VerifyingKey,
    since: Instant,
}

impl<S: Source<Error: Display>> LogReader<S> {
    /// Reads the log as it is before the first game; `None` where the table has none.
    pub(super) fn open(sources: Sources<S>, known: &Checks) -> Result<Option<Self>, Trouble> {
        let Some((table, key)) = known.table() else {
            return Ok(None);
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| Unfair::Key)?;
        let mut reader = Self {
            sources,
            checks: LogChecks::new(table, key),
            key,
            since: Instant::now(),
        };
        reader.read()?;
        reader.checks.chooses();
        Ok(Some(reader))
    }

    /// Checks that the table has signed these games and that they are in the log, and the journals
    /// of some of them.
    pub(super) fn check(&mut self, games: &[Finished]) -> Result<(), Trouble> {
        self.check_signatures(games)?;
        let now = self.now();
        for game in games {
            self.checks.expect(Leaf::Start(game.start.clone()), now);
            self.checks.expect(Leaf::End(game.end()), now);
        }
        for game in games.iter().take(JOURNALS) {
            self.check_journal(game)?;
        }
        self.read()?;
        while !self.checks.has_all() {
            std::thread::sleep(PAUSE);
            self.read()?;
        }
        Ok(())
    }

    /// Checks what was signed, once where both players were told the same.
    fn check_signatures(&self, games: &[Finished]) -> Result<(), Trouble> {
        let mut checked = BTreeMap::new();
        for game in games {
            let told = (&game.start, game.signed);
            if checked.insert(game.start.game, told) != Some(told) {
                game.signed.check(&game.start, &self.key)?;
            }
        }
        Ok(())
    }

    fn check_journal(&mut self, finished: &Finished) -> Result<(), Trouble> {
        let path = format!("games/{}/journal.json", finished.start.game);
        let journal = self.sources.table.fetch(&path, LONGEST_JOURNAL);
        let journal = journal.map_err(unread)?.unwrap_or_default();
        finished.check_journal(&journal)?;
        Ok(())
    }

    fn read(&mut self) -> Result<(), Trouble> {
        let now = self.now();
        let read = self.checks.read(&mut self.sources.log, now);
        Ok(read.map_err(unread)??)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn unread(error: impl Display) -> Trouble {
    Trouble::Unread(error.to_string())
}
