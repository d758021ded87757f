use super::state::Hub;
use super::{CLOCKS_PART, GRACE, INVITED, Now, UnitOfWork};
use crate::room::{Activity, Command, Meeting, PlayerId};
use crate::server::store::StoreError;
use war::tokens::Kind;

impl Hub {
    /// When [`Hub::run`] has something to do even if nobody asks for anything.
    #[must_use]
    pub fn next_due(&self) -> u64 {
        let gone = self.given_up().map(|(_, at)| at).min();
        let called = self
            .called()
            .map(|(since, _)| since.saturating_add(self.house_after));
        let due = [self.room.next_due(), gone, called, self.next_sending()];
        let due = due.into_iter().flatten();
        due.fold(self.sweep.due, u64::min)
    }

    /// Whether players would read a deadline wrong that they were told: the table has stood
    /// still since, or the wall clock was set.
    pub(super) const fn clocks_parted(&self, present: Now) -> bool {
        let expected = self.told.wall_at(present.table);
        expected.abs_diff(present.wall) >= CLOCKS_PART
    }

    /// Lets games go on after a pause, and tells those who are awaited how long they have.
    pub(super) fn go_on(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.told = unit.present();
        let gone_on = self.room.step(&Command::GoOn, unit.now());
        self.persist(&gone_on.expect("games may always go on"), unit)
    }

    /// Does what is due by a time.
    pub(super) fn pass_time(
        &mut self,
        until: u64,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        self.passed = self.passed.max(until);
        let now = self.passed;
        unit.go_to(now);
        let ticked = self.room.step(&Command::Tick, now);
        self.persist(&ticked.expect("time may always pass"), unit)?;
        while let Some((since, kind)) = self.called()
            && since.saturating_add(self.house_after) <= now
        {
            self.step_in(kind, Meeting::Anyone, unit)?;
        }
        let late = self.given_up().filter(|(_, at)| *at <= now);
        let late: Vec<_> = late.map(|(player, _)| player).collect();
        for player in late {
            self.give_up(player, unit)?;
        }
        self.send_on_who_is_alone(now, unit)
    }

    /// Those who are gone while they wait, and when they wait no longer.
    fn given_up(&self) -> impl Iterator<Item = (PlayerId, u64)> {
        self.gone.iter().map(|(&player, since)| {
            let activity = self.room.player(player).map(|known| known.activity);
            let invites = matches!(activity, Some(Activity::Waiting(_, Meeting::Invitation(_))));
            (
                player,
                since.saturating_add(if invites { INVITED } else { GRACE }),
            )
        })
    }

    /// Lets whom a player would meet who chooses a game so wait no longer, if they are gone: nobody
    /// is matched with a player who has no connection.
    pub(super) fn make_way(
        &mut self,
        player: PlayerId,
        kind: Kind,
        meeting: Meeting,
        unit: &mut UnitOfWork<'_>,
    ) -> Result<(), StoreError> {
        match self.room.would_meet(player, kind, meeting) {
            Some(other) if self.is_gone(other, unit.now()) => self.give_up(other, unit),
            _ => Ok(()),
        }
    }

    /// Whether a player who waits is gone at this time.
    pub(super) fn is_gone(&self, player: PlayerId, now: u64) -> bool {
        self.gone.get(&player).is_some_and(|since| *since <= now)
    }

    /// Lets a player who is gone wait no longer.
    fn give_up(&mut self, player: PlayerId, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        self.gone.remove(&player);
        self.bring_opponent_of(player, unit)?;
        let activity = self.room.player(player).map(|player| player.activity);
        // Somebody else may have come to play with them.
        let Some(Activity::Waiting(kind, _)) = activity else {
            return Ok(());
        };
        let cancelled = self
            .room
            .step(&Command::Cancel { player, kind }, unit.now());
        self.persist(&cancelled.expect("they wait"), unit)
    }
}
