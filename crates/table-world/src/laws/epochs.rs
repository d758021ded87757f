use crate::broken::{Lawful, law};
use war_table::server::rooms::{Epoch, LEASE};

/// How much sooner than after a whole lease a node may take a room, in milliseconds: its clock may
/// be too fast.
const DRIFT: u64 = 10;

/// Who may commit, as the owners of a room follow one another.
#[derive(Default)]
pub(super) struct Epochs {
    epoch: u64,
    next: u64,
    /// When the owner showed last that it is there, by the world's time, if there is one.
    beat: Option<u64>,
    /// Whether the owner has handed the room over, and nobody has taken it.
    is_free: bool,
}

impl Epochs {
    /// A node takes the room.
    pub(super) fn taken(&mut self, epoch: Epoch, now: u64) -> Lawful {
        let last = std::mem::replace(&mut self.epoch, epoch.0);
        law(
            "each owner has an epoch of its own",
            epoch.0 == last + 1,
            || format!("{} after {last}", epoch.0),
        )?;
        self.is_free = false;
        let beat = self.beat.replace(now);
        let silent = beat.map_or(u64::MAX, |beat| now.saturating_sub(beat));
        law(
            "a lease is kept",
            silent.saturating_add(DRIFT) >= LEASE,
            || format!("{silent} ms"),
        )
    }

    /// The owner hands the room over.
    pub(super) const fn handed_over(&mut self) {
        self.beat = None;
        self.is_free = true;
    }

    /// A batch is committed.
    pub(super) fn committed(&mut self, epoch: Epoch, seq: u64, now: u64) -> Lawful {
        law("one epoch commits", epoch.0 == self.epoch, || {
            format!("{} in {}", epoch.0, self.epoch)
        })?;
        law(
            "who hands a room over is done with it",
            !self.is_free,
            || format!("batch {seq} of {}", epoch.0),
        )?;
        let due = std::mem::replace(&mut self.next, seq + 1);
        self.beat = self.beat.map(|_| now);
        law("batches have no gap", seq == due, || {
            format!("{seq} instead of {due}")
        })
    }
}
