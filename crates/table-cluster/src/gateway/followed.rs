#![expect(
    clippy::disallowed_methods,
    reason = "it looks again and again, in real time"
)]

use crate::leases::LOOK;
use crate::table::{PlayerLocation, TableStore};
use slog::{Logger, warn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use war_table::protocol::PlayerId;
use war_table::server::Metrics;
use war_table::server::store::StoreError;

/// The players of this node's clients, each of whom is looked for in the store again and again:
/// another device of theirs may be at another node.
#[derive(Default)]
pub(crate) struct Followed {
    followers: Mutex<Followers>,
}

#[derive(Default)]
struct Followers {
    by_number: BTreeMap<u64, Follower>,
    /// The number of the next one.
    next: u64,
}

/// A client, as it is said where its player is.
struct Follower {
    player: PlayerId,
    seen: watch::Sender<Option<LocationUpdate>>,
}

/// Where the store shows a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationUpdate {
    /// Where they are.
    pub(super) place: PlayerLocation,
    /// The number of their last message a look earlier: all up to this one had time to come from
    /// the room that sent it.
    pub(super) earlier: u64,
}

/// A client's way to hear where its player is, until it is dropped.
pub(crate) struct Follow {
    followed: Arc<Followed>,
    number: u64,
    seen: watch::Receiver<Option<LocationUpdate>>,
}

impl Followed {
    /// Follows a player for a client.
    pub(super) fn follow(this: &Arc<Self>, player: PlayerId) -> Follow {
        let (sender, seen) = watch::channel(None);
        let mut followers = this.followers();
        let number = followers.next;
        followers.next += 1;
        let new = Follower {
            player,
            seen: sender,
        };
        followers.by_number.insert(number, new);
        Follow {
            followed: Arc::clone(this),
            number,
            seen,
        }
    }

    /// All players whom somebody follows.
    pub(crate) fn players(&self) -> Vec<PlayerId> {
        let followers = self.followers();
        let players = followers.by_number.values().map(|follower| follower.player);
        players.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Says where players are, to all who follow them. Who is in a room is said again and again: the
    /// client may have lost it; and each message a second time, at the next look.
    pub(crate) fn tell(&self, places: &[PlayerLocation]) {
        let places: BTreeMap<_, _> = places.iter().map(|place| (place.player, *place)).collect();
        for follower in self.followers().by_number.values() {
            let Some(&place) = places.get(&follower.player) else {
                continue;
            };
            follower.seen.send_if_modified(|seen| {
                let earlier = seen.map_or(0, |seen| seen.place.seq);
                let sight = Some(LocationUpdate { place, earlier });
                let is_news = *seen != sight || place.room.is_some();
                *seen = sight;
                is_news
            });
        }
    }

    fn followers(&self) -> MutexGuard<'_, Followers> {
        let followers = self.followers.lock();
        followers.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follow {
    /// Where the player is, once the store was asked again. Nothing is lost where this is dropped.
    pub(super) async fn next(&mut self) -> LocationUpdate {
        loop {
            if self.seen.changed().await.is_err() {
                // Nobody looks any more: the server ends.
                std::future::pending::<()>().await;
            }
            if let Some(sight) = *self.seen.borrow() {
                return sight;
            }
        }
    }
}

impl Drop for Follow {
    fn drop(&mut self) {
        self.followed.followers().by_number.remove(&self.number);
    }
}

/// What looks, again and again, where the players of this node's clients are, and tells the clients:
/// so they get what was sent by rooms of other nodes, and follow their players there.
pub(crate) struct PlayerLocator {
    /// A connection to the store that nobody else waits for.
    pub(crate) table: Box<dyn TableStore>,
    pub(crate) followed: Arc<Followed>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Logger,
    pub(crate) closing: watch::Receiver<bool>,
}

impl PlayerLocator {
    /// Looks until the server is closing. Where the store fails nobody hears anything, and it is
    /// looked again.
    pub(crate) fn work(self) {
        let mut failed = false;
        while !*self.closing.borrow() && self.closing.has_changed().is_ok() {
            std::thread::sleep(Duration::from_millis(LOOK));
            let looked = self.look();
            if let Err(error) = &looked {
                self.metrics.store_error(error);
                if !failed {
                    warn!(self.log, "nobody can see where players are"; "reason" => %error);
                }
            }
            failed = looked.is_err();
        }
    }

    /// Looks once.
    fn look(&self) -> Result<(), StoreError> {
        let players = self.followed.players();
        if !players.is_empty() {
            self.followed.tell(&self.table.whereabouts(&players)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Followed, LocationUpdate};
    use crate::table::PlayerLocation;
    use std::sync::Arc;
    use war_table::protocol::PlayerId;
    use war_table::room::PlayerStatus;
    use war_table::server::rooms::RoomNumber;

    const ANN: PlayerId = PlayerId(1);
    const BOB: PlayerId = PlayerId(2);

    const fn at(player: PlayerId, seq: u64, room: Option<u16>) -> PlayerLocation {
        let room = match room {
            Some(room) => Some(RoomNumber(room)),
            None => None,
        };
        PlayerLocation {
            player,
            seq,
            room,
            standing: PlayerStatus::Welcome,
        }
    }

    #[test]
    fn each_player_is_asked_for_once_as_long_as_somebody_follows_them() {
        let followed = Arc::new(Followed::default());
        let first = Followed::follow(&followed, ANN);
        let second = Followed::follow(&followed, ANN);
        let other = Followed::follow(&followed, BOB);
        assert_eq!(followed.players(), [ANN, BOB]);
        drop((first, other));
        assert_eq!(followed.players(), [ANN]);
        drop(second);
        assert_eq!(followed.players(), []);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_hears_what_is_new_twice_and_where_its_player_is() {
        let followed = Arc::new(Followed::default());
        let mut ann = Followed::follow(&followed, ANN);
        let hears = async |ann: &mut super::Follow| {
            let soon = std::time::Duration::from_millis(1);
            tokio::time::timeout(soon, ann.next()).await.ok()
        };
        let sight = |seq, room, earlier| {
            let place = at(ANN, seq, room);
            Some(LocationUpdate { place, earlier })
        };
        assert_eq!(hears(&mut ann).await, None);
        for (seq, room, earlier) in [(3, None, 0), (4, None, 3), (4, Some(5), 4)] {
            followed.tell(&[at(ANN, seq, room), at(BOB, 9, Some(1))]);
            assert_eq!(hears(&mut ann).await, sight(seq, room, earlier));
        }
        followed.tell(&[at(ANN, 4, Some(5))]);
        assert_eq!(hears(&mut ann).await, sight(4, Some(5), 4), "again");
        followed.tell(&[at(ANN, 6, None)]);
        assert_eq!(hears(&mut ann).await, sight(6, None, 4));
        followed.tell(&[at(ANN, 6, None)]);
        assert_eq!(
            hears(&mut ann).await,
            sight(6, None, 6),
            "it is there still"
        );
        followed.tell(&[at(ANN, 6, None)]);
        followed.tell(&[]);
        assert_eq!(hears(&mut ann).await, None, "nothing is new");
        // Who was busy misses nothing.
        followed.tell(&[at(ANN, 7, None)]);
        followed.tell(&[at(ANN, 7, None)]);
        assert_eq!(hears(&mut ann).await, sight(7, None, 7));
    }
}
