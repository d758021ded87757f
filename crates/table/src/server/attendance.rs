//! Number of people at the table, counted by the server to which they are connected.

use crate::protocol::{Message, PlayerId, RequestId, Waiters};
use std::collections::BTreeMap;
use std::iter::Sum;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Connected players, and the last published counts.
#[derive(Default)]
pub struct Attendance {
    /// Number of connections of each player.
    here: Arc<Mutex<BTreeMap<PlayerId, u32>>>,
    /// Last published counts of this server. Counts are published only from time to time, since
    /// live ones would reveal when a player decides.
    published: Mutex<Headcount>,
    /// Last known counts of the other nodes of the table.
    other_nodes: Mutex<Headcount>,
}

/// Connection of a player, counted until the guard is dropped.
pub(super) struct AttendanceGuard {
    player: PlayerId,
    here: Arc<Mutex<BTreeMap<PlayerId, u32>>>,
}

impl Attendance {
    /// Counts a connection of a player.
    pub(super) fn count_connection(&self, player: PlayerId) -> AttendanceGuard {
        *lock(&self.here).entry(player).or_default() += 1;
        let here = Arc::clone(&self.here);
        AttendanceGuard { player, here }
    }

    /// Publishes the current number of connected players, together with these numbers of running
    /// games and of waiting players by kind of game.
    pub(super) fn publish(&self, running: i64, [single, double]: [i64; 2]) {
        let number = |counted: i64| u64::try_from(counted).unwrap_or_default();
        let people = Headcount {
            here: u64::try_from(lock(&self.here).len()).unwrap_or(u64::MAX),
            running: number(running),
            waiting: Waiters {
                single_card_game: number(single),
                double_card_game: number(double),
            },
        };
        *lock(&self.published) = people;
    }

    /// Last published counts of this server.
    #[must_use]
    pub fn headcount(&self) -> Headcount {
        *lock(&self.published)
    }

    /// Sets the counts of the other nodes of the table.
    pub fn set_other_headcount(&self, people: Headcount) {
        *lock(&self.other_nodes) = people;
    }

    /// Creates the answer to a request for the number of people at the table.
    pub(super) fn answer(&self, in_reply_to: RequestId) -> Message {
        let Headcount {
            here,
            running,
            waiting,
        } = [self.headcount(), *lock(&self.other_nodes)]
            .into_iter()
            .sum();
        Message::People {
            here,
            running,
            waiting,
            in_reply_to,
        }
    }
}

impl Drop for AttendanceGuard {
    fn drop(&mut self) {
        let mut here = lock(&self.here);
        if let Some(connections) = here.get_mut(&self.player) {
            *connections -= 1;
            if *connections == 0 {
                here.remove(&self.player);
            }
        }
    }
}

/// Counts of one node: players connected to it, and games and waiting players in its rooms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Headcount {
    /// Number of connected players.
    pub here: u64,
    /// Number of running games.
    pub running: u64,
    /// Number of players who wait for any opponent.
    pub waiting: Waiters,
}

impl Sum for Headcount {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, more| Self {
            here: sum.here.saturating_add(more.here),
            running: sum.running.saturating_add(more.running),
            waiting: sum.waiting + more.waiting,
        })
    }
}

/// Locks a count, even if a thread panicked while holding the lock: every change leaves the count
/// consistent.
fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Attendance, Headcount};
    use crate::protocol::{Message, PlayerId, RequestId, Waiters};

    /// Published numbers of connected players, of running games, and of waiting players by kind of
    /// game.
    fn published_counts(attendance: &Attendance) -> (u64, u64, [u64; 2]) {
        let id = RequestId::new("p").expect("an id");
        let Message::People {
            here,
            running,
            waiting,
            ..
        } = attendance.answer(id)
        else {
            panic!("an answer to that");
        };
        let waiting = [waiting.single_card_game, waiting.double_card_game];
        (here, running, waiting)
    }

    #[test]
    fn a_player_with_two_connections_is_one_person() {
        let attendance = Attendance::default();
        let first = attendance.count_connection(PlayerId(1));
        let others = [PlayerId(1), PlayerId(2)].map(|player| attendance.count_connection(player));
        assert_eq!(
            published_counts(&attendance),
            (0, 0, [0, 0]),
            "nothing is new"
        );
        attendance.publish(3, [1, 0]);
        assert_eq!(published_counts(&attendance), (2, 3, [1, 0]));
        drop(first);
        attendance.publish(0, [0, 2]);
        assert_eq!(published_counts(&attendance), (2, 0, [0, 2]));
        drop(others);
        attendance.publish(0, [0, 0]);
        assert_eq!(published_counts(&attendance), (0, 0, [0, 0]));
    }

    #[test]
    fn people_of_other_nodes_are_counted_too() {
        let attendance = Attendance::default();
        let _first = attendance.count_connection(PlayerId(1));
        attendance.publish(3, [1, 0]);
        attendance.set_other_headcount(Headcount {
            here: 40,
            running: 20,
            waiting: Waiters {
                single_card_game: 0,
                double_card_game: 5,
            },
        });
        assert_eq!(published_counts(&attendance), (41, 23, [1, 5]));
        // A node reports only its own counts to the others.
        assert_eq!(attendance.headcount().here, 1);
        attendance.set_other_headcount(Headcount::default());
        assert_eq!(published_counts(&attendance), (1, 3, [1, 0]));
    }
}
