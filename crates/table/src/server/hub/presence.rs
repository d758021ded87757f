use crate::protocol::{FriendPresence, PlayerId};
use crate::room::{Activity, OpponentChoice, Room};
use crate::time::TableTime;
use std::collections::BTreeMap;
use std::time::Duration;

/// Time that a player may be absent while they wait for an opponent.
pub const ABSENCE_TIMEOUT: Duration = Duration::from_secs(15);
/// Time that a player who invited somebody may be absent. Inviters may send the link with another
/// app, and some phones close the connection meanwhile.
pub const INVITER_ABSENCE_TIMEOUT: Duration = Duration::from_secs(600);

/// Absences of players who wait for an opponent.
#[derive(Default)]
pub(super) struct Presence {
    /// Start of each absence.
    absent: BTreeMap<PlayerId, TableTime>,
    /// End of each absence that is over.
    returned: BTreeMap<PlayerId, TableTime>,
}

impl Presence {
    /// Starts an absence; `since` may be later than now.
    pub(super) fn mark_absent(&mut self, player: PlayerId, since: TableTime) {
        self.absent.insert(player, since);
    }

    /// Ends an absence, if there is one.
    pub(super) fn mark_returned(&mut self, player: PlayerId, now: TableTime) {
        if self.absent.remove(&player).is_some() {
            self.returned.insert(player, now);
        }
    }

    /// Drops an absence, since the player no longer waits.
    pub(super) fn drop_absence(&mut self, player: PlayerId) {
        self.absent.remove(&player);
    }

    /// Forgets that a player came back.
    pub(super) fn forget_return(&mut self, player: PlayerId) {
        self.returned.remove(&player);
    }

    pub(super) fn forget(&mut self, player: PlayerId) {
        self.absent.remove(&player);
        self.returned.remove(&player);
    }

    /// Returns whether a player is absent, or about to be.
    pub(super) fn is_absent_or_leaving(&self, player: PlayerId) -> bool {
        self.absent.contains_key(&player)
    }

    /// Returns whether a player's absence has begun by `now`.
    pub(super) fn is_absent(&self, player: PlayerId, now: TableTime) -> bool {
        self.absent.get(&player).is_some_and(|since| *since <= now)
    }

    /// Time at which a player came back; [`TableTime::ZERO`] if they were never absent.
    pub(super) fn returned_at(&self, player: PlayerId) -> TableTime {
        self.returned
            .get(&player)
            .copied()
            .unwrap_or(TableTime::ZERO)
    }

    /// Absent players, each with the time at which they stop waiting.
    pub(super) fn deadlines(&self, room: &Room) -> impl Iterator<Item = (PlayerId, TableTime)> {
        self.absent.iter().map(|(&player, since)| {
            let activity = room.player(player).map(|known| known.activity);
            let invites = matches!(
                activity,
                Some(Activity::Waiting(_, OpponentChoice::Invitation(_)))
            );
            let patience = if invites {
                INVITER_ABSENCE_TIMEOUT
            } else {
                ABSENCE_TIMEOUT
            };
            (player, since.saturating_add(patience))
        })
    }
}

/// Friend of a waiting player, as the player last saw them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenFriend {
    /// The friend, and the time at which they began to wait or were last ready; `None` if nobody is
    /// present.
    pub(super) friend: Option<(PlayerId, TableTime)>,
    pub(super) presence: FriendPresence,
}

/// Presence of friends, as waiting players last saw it.
#[derive(Default)]
pub(super) struct SeenFriends(pub(super) BTreeMap<PlayerId, SeenFriend>);

impl SeenFriends {
    /// Makes sure that a player learns the presence of their friend again.
    pub(super) fn forget(&mut self, player: PlayerId) {
        self.0.remove(&player);
    }
}
