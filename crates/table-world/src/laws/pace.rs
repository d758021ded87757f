use super::When;
use crate::broken::{Lawful, law};

/// How far the table's time and the time that it served may be apart in milliseconds: a step that
/// takes a second more than it should counts, and a commit stores a time a little before it.
const APART: u64 = 2_500;

/// How the table's time goes.
#[derive(Default)]
pub(super) struct Pace {
    /// The first commit since the table began to serve: the table's time, and the world's.
    first: Option<(u64, When)>,
    last: u64,
    /// When a server began to serve, until it commits, by the world's time.
    began: Option<u64>,
}

impl Pace {
    /// The server starts: its time goes on from where it was stored, which may be a while ago.
    pub(super) const fn begins(&mut self, now: u64) {
        self.first = None;
        self.began = Some(now);
    }

    /// The table's time was stored.
    pub(super) fn stored(&mut self, table: u64, when: When) -> Lawful {
        let last = std::mem::replace(&mut self.last, table);
        law("the table's time goes on", table >= last, || {
            format!("{table} after {last}")
        })?;
        let since = when
            .now
            .saturating_sub(self.began.take().unwrap_or(when.now));
        law(
            "time goes on from where it was",
            self.first.is_some() || table - last <= since + since / 1_000 + APART,
            || format!("{table} after {last}, {since} ms since somebody serves"),
        )?;
        let Some((first, since)) = self.first.filter(|(_, since)| since.starts == when.starts)
        else {
            self.first = Some((table, when));
            return Ok(());
        };
        let passed = table - first;
        let (served, world) = (when.served - since.served, when.now - since.now);
        let told = || {
            let (room, now) = (when.room, when.now);
            format!("{passed} ms while room {room} was served for {served}, at {now}")
        };
        law(
            "time goes on while the table serves",
            passed + passed / 1_000 + APART >= served,
            told,
        )?;
        law(
            "time goes no faster than the clock",
            passed <= world + world / 1_000 + APART,
            told,
        )
    }

    /// The table's time at the last commit.
    pub(super) const fn now(&self) -> u64 {
        self.last
    }
}
