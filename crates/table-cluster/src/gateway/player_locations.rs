#![expect(clippy::disallowed_methods, reason = "polls the store in real time")]

use crate::leases::LEASE_POLL_INTERVAL;
use crate::table::{PlayerLocation, TableStore};
use slog::{Logger, warn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;
use war_table::protocol::PlayerId;
use war_table::server::Metrics;
use war_table::server::store::StoreError;

/// Subscriptions of this node's clients to the locations of their players.
///
/// The store is polled for each player, since another device of the player may be connected to
/// another node.
#[derive(Default)]
pub(crate) struct LocationSubscriptions {
    subscribers: Mutex<Subscribers>,
}

#[derive(Default)]
struct Subscribers {
    by_id: BTreeMap<u64, Subscriber>,
    next: u64,
}

/// Sending end of a subscription.
struct Subscriber {
    player: PlayerId,
    updates: watch::Sender<Option<LocationUpdate>>,
}

/// Location of a player, as read from the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LocationUpdate {
    pub(super) location: PlayerLocation,
    /// Number of the player's last message at the previous poll. Messages up to this number have
    /// had time to be delivered by the room that sent them.
    pub(super) previous_seq: u64,
}

/// Subscription of a client to the location of the client's player. Ends when dropped.
pub(crate) struct LocationSubscription {
    subscriptions: Arc<LocationSubscriptions>,
    id: u64,
    updates: watch::Receiver<Option<LocationUpdate>>,
}

impl LocationSubscriptions {
    /// Subscribes to the location of a player.
    pub(super) fn subscribe(this: &Arc<Self>, player: PlayerId) -> LocationSubscription {
        let (sender, updates) = watch::channel(None);
        let mut subscribers = this.subscribers();
        let id = subscribers.next;
        subscribers.next += 1;
        let new = Subscriber {
            player,
            updates: sender,
        };
        subscribers.by_id.insert(id, new);
        LocationSubscription {
            subscriptions: Arc::clone(this),
            id,
            updates,
        }
    }

    /// Players with at least one subscription, in order.
    pub(crate) fn players(&self) -> Vec<PlayerId> {
        let subscribers = self.subscribers();
        let players = subscribers
            .by_id
            .values()
            .map(|subscriber| subscriber.player);
        players.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Sends locations to their subscribers.
    ///
    /// A location without a room is sent only if it has changed. A location with a room is sent
    /// every time, since the client may have lost the room. A new message number is sent twice:
    /// now, and at the next poll as the previous number.
    pub(crate) fn publish(&self, locations: &[PlayerLocation]) {
        let locations: BTreeMap<_, _> = locations
            .iter()
            .map(|location| (location.player, *location))
            .collect();
        for subscriber in self.subscribers().by_id.values() {
            let Some(&location) = locations.get(&subscriber.player) else {
                continue;
            };
            subscriber.updates.send_if_modified(|seen| {
                let previous_seq = seen.map_or(0, |seen| seen.location.seq);
                let update = Some(LocationUpdate {
                    location,
                    previous_seq,
                });
                let is_new = *seen != update || location.room.is_some();
                *seen = update;
                is_new
            });
        }
    }

    fn subscribers(&self) -> MutexGuard<'_, Subscribers> {
        let subscribers = self.subscribers.lock();
        subscribers.unwrap_or_else(PoisonError::into_inner)
    }
}

impl LocationSubscription {
    /// Waits for the next location. Cancel safe.
    pub(super) async fn next(&mut self) -> LocationUpdate {
        loop {
            if self.updates.changed().await.is_err() {
                // The sender is gone only when the server is shutting down.
                std::future::pending::<()>().await;
            }
            if let Some(update) = *self.updates.borrow() {
                return update;
            }
        }
    }
}

impl Drop for LocationSubscription {
    fn drop(&mut self) {
        self.subscriptions.subscribers().by_id.remove(&self.id);
    }
}

/// Polls the store for the location of every followed player and notifies the player's clients.
/// This lets clients receive messages from rooms of other nodes and follow their players there.
pub(crate) struct PlayerLocator {
    /// Table store with a separate connection.
    pub(crate) table: Box<dyn TableStore>,
    pub(crate) subscriptions: Arc<LocationSubscriptions>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Logger,
    pub(crate) closing: watch::Receiver<bool>,
}

impl PlayerLocator {
    /// Polls the store until the server is closing. If the store fails, clients get no updates
    /// until a later poll succeeds.
    pub(crate) fn run(self) {
        let mut failed = false;
        while !*self.closing.borrow() && self.closing.has_changed().is_ok() {
            std::thread::sleep(LEASE_POLL_INTERVAL);
            let polled = self.poll();
            if let Err(error) = &polled {
                self.metrics.count_store_error();
                if !failed {
                    warn!(self.log, "nobody can see where players are"; "reason" => %error);
                }
            }
            failed = polled.is_err();
        }
    }

    fn poll(&self) -> Result<(), StoreError> {
        let players = self.subscriptions.players();
        if !players.is_empty() {
            self.subscriptions.publish(&self.table.locate(&players)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{LocationSubscriptions, LocationUpdate};
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
            status: PlayerStatus::Welcome,
        }
    }

    #[test]
    fn each_followed_player_is_polled_once() {
        let subscriptions = Arc::new(LocationSubscriptions::default());
        let first = LocationSubscriptions::subscribe(&subscriptions, ANN);
        let second = LocationSubscriptions::subscribe(&subscriptions, ANN);
        let other = LocationSubscriptions::subscribe(&subscriptions, BOB);
        assert_eq!(subscriptions.players(), [ANN, BOB]);
        drop((first, other));
        assert_eq!(subscriptions.players(), [ANN]);
        drop(second);
        assert_eq!(subscriptions.players(), []);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_gets_a_new_location_twice_and_its_room_always() {
        let subscriptions = Arc::new(LocationSubscriptions::default());
        let mut ann = LocationSubscriptions::subscribe(&subscriptions, ANN);
        let receives = async |ann: &mut super::LocationSubscription| {
            let soon = std::time::Duration::from_millis(1);
            tokio::time::timeout(soon, ann.next()).await.ok()
        };
        let update = |seq, room, previous_seq| {
            let location = at(ANN, seq, room);
            Some(LocationUpdate {
                location,
                previous_seq,
            })
        };
        assert_eq!(receives(&mut ann).await, None);
        for (seq, room, previous_seq) in [(3, None, 0), (4, None, 3), (4, Some(5), 4)] {
            subscriptions.publish(&[at(ANN, seq, room), at(BOB, 9, Some(1))]);
            assert_eq!(receives(&mut ann).await, update(seq, room, previous_seq));
        }
        subscriptions.publish(&[at(ANN, 4, Some(5))]);
        assert_eq!(receives(&mut ann).await, update(4, Some(5), 4), "again");
        subscriptions.publish(&[at(ANN, 6, None)]);
        assert_eq!(receives(&mut ann).await, update(6, None, 4));
        subscriptions.publish(&[at(ANN, 6, None)]);
        assert_eq!(
            receives(&mut ann).await,
            update(6, None, 6),
            "it is there still"
        );
        subscriptions.publish(&[at(ANN, 6, None)]);
        subscriptions.publish(&[]);
        assert_eq!(receives(&mut ann).await, None, "nothing is new");
        // A slow client receives only the latest location.
        subscriptions.publish(&[at(ANN, 7, None)]);
        subscriptions.publish(&[at(ANN, 7, None)]);
        assert_eq!(receives(&mut ann).await, update(7, None, 7));
    }
}
