use super::state::Hub;
use super::{GRACE, HOUSE_PATIENCE, UnitOfWork};
use crate::room::{Activity, Command};
use crate::server::store::StoreError;

impl Hub {
    /// When [`Hub::run`] has something to do even if nobody asks for anything.
    #[must_use]
    pub fn next_due(&self) -> u64 {
        let gone = self
            .gone
            .values()
            .min()
            .map(|since| since.saturating_add(GRACE));
        let called = self
            .called()
            .map(|(since, _)| since.saturating_add(HOUSE_PATIENCE));
        let due = [self.room.next_due(), gone, called].into_iter().flatten();
        due.fold(self.sweep.due, u64::min)
    }

    /// Does what is due by now.
    pub(super) fn pass_time(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        let ticked = self.room.step(&Command::Tick, now);
        self.persist(&ticked.expect("time may always pass"), unit)?;
        while let Some((since, kind)) = self.called()
            && since.saturating_add(HOUSE_PATIENCE) <= now
        {
            self.step_in(kind, unit)?;
        }
        let late = self
            .gone
            .iter()
            .filter(|(_, since)| since.saturating_add(GRACE) <= now);
        let late: Vec<_> = late.map(|(player, _)| *player).collect();
        for player in late {
            self.gone.remove(&player);
            let activity = self.room.player(player).map(|player| player.activity);
            // Somebody else may have come to play with them.
            if let Some(Activity::Waiting(kind)) = activity {
                let cancelled = self.room.step(&Command::Cancel { player, kind }, now);
                self.persist(&cancelled.expect("they wait"), unit)?;
            }
        }
        Ok(())
    }
}
