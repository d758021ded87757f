//! How many people are at the table, by the server to which they are connected.

use crate::protocol::{Message, PlayerId, RequestId, Waiters};
use std::collections::BTreeMap;
use std::iter::Sum;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Who is connected, and how many play and wait, as that was counted last.
#[derive(Default)]
pub struct Attendance {
    /// How many connections each player has.
    here: Arc<Mutex<BTreeMap<PlayerId, u32>>>,
    /// How many there are. A figure of the moment would show when a player decides, so it is
    /// published once in a while.
    published: Mutex<People>,
    /// How many the other nodes of the table counted last.
    elsewhere: Mutex<People>,
}

/// A player who is connected once more, until this is dropped.
pub(super) struct Attending {
    player: PlayerId,
    here: Arc<Mutex<BTreeMap<PlayerId, u32>>>,
}

impl Attendance {
    /// A player comes, over one more connection.
    pub(super) fn comes(&self, player: PlayerId) -> Attending {
        *locked(&self.here).entry(player).or_default() += 1;
        let here = Arc::clone(&self.here);
        Attending { player, here }
    }

    /// Publishes how many there are; of the games and of those who wait for each kind so many.
    pub(super) fn publish(&self, running: i64, [single, double]: [i64; 2]) {
        let number = |counted: i64| u64::try_from(counted).unwrap_or_default();
        let people = People {
            here: u64::try_from(locked(&self.here).len()).unwrap_or(u64::MAX),
            running: number(running),
            waiting: Waiters {
                single_card_game: number(single),
                double_card_game: number(double),
            },
        };
        *locked(&self.published) = people;
    }

    /// How many there are by this server, as that was published last.
    #[must_use]
    pub fn people(&self) -> People {
        *locked(&self.published)
    }

    /// Notes how many there are by the other nodes of the table.
    pub fn note_elsewhere(&self, people: People) {
        *locked(&self.elsewhere) = people;
    }

    /// The answer to who asks how many there are at the table.
    pub(super) fn answer(&self, in_reply_to: RequestId) -> Message {
        let People {
            here,
            running,
            waiting,
        } = [self.people(), *locked(&self.elsewhere)].into_iter().sum();
        Message::People {
            here,
            running,
            waiting,
            in_reply_to,
        }
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        let mut here = locked(&self.here);
        if let Some(connections) = here.get_mut(&self.player) {
            *connections -= 1;
            if *connections == 0 {
                here.remove(&self.player);
            }
        }
    }
}

/// How many people a node counts: those who are connected to it, and those in the rooms that it
/// serves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct People {
    /// The players who are connected.
    pub here: u64,
    /// The games that run.
    pub running: u64,
    /// The players who wait for anyone.
    pub waiting: Waiters,
}

impl Sum for People {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, more| Self {
            here: sum.here.saturating_add(more.here),
            running: sum.running.saturating_add(more.running),
            waiting: sum.waiting + more.waiting,
        })
    }
}

/// What is counted is sound between any two changes, so also after a panic.
fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Attendance, People};
    use crate::protocol::{Message, PlayerId, RequestId, Waiters};

    /// How many are here, how many games run, and how many wait for each kind.
    fn published(attendance: &Attendance) -> (u64, u64, [u64; 2]) {
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
        let first = attendance.comes(PlayerId(1));
        let others = [PlayerId(1), PlayerId(2)].map(|player| attendance.comes(player));
        assert_eq!(published(&attendance), (0, 0, [0, 0]), "nothing is new");
        attendance.publish(3, [1, 0]);
        assert_eq!(published(&attendance), (2, 3, [1, 0]));
        drop(first);
        attendance.publish(0, [0, 2]);
        assert_eq!(published(&attendance), (2, 0, [0, 2]));
        drop(others);
        attendance.publish(0, [0, 0]);
        assert_eq!(published(&attendance), (0, 0, [0, 0]));
    }

    #[test]
    fn those_of_other_nodes_are_at_the_table_too() {
        let attendance = Attendance::default();
        let _first = attendance.comes(PlayerId(1));
        attendance.publish(3, [1, 0]);
        attendance.note_elsewhere(People {
            here: 40,
            running: 20,
            waiting: Waiters {
                single_card_game: 0,
                double_card_game: 5,
            },
        });
        assert_eq!(published(&attendance), (41, 23, [1, 5]));
        // What other nodes are told is its own alone.
        assert_eq!(attendance.people().here, 1);
        attendance.note_elsewhere(People::default());
        assert_eq!(published(&attendance), (1, 3, [1, 0]));
    }
}
