use super::{LocationSubscription, LocationSubscriptions};
use crate::directory::{Directory, Owner};
use crate::leases::NodeAddress;
use crate::local_connection::{LocalConnection, RoomUnavailableError};
use crate::peers::{OwnedRooms, Peers, RemoteConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{mpsc, watch};
use war_table::protocol::{PlayerId, Request};
use war_table::server::NewPlayerLimit;
use war_table::server::hub::ClientId;
use war_table::server::mailbox::{Inbox, PendingClient};
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::time::Monotonic;

/// Connects clients of this node to rooms, on this node or on others.
pub(crate) struct RoomConnector {
    pub(crate) rooms: RoomCount,
    directory: watch::Receiver<Directory>,
    subscriptions: Arc<LocationSubscriptions>,
    peers: Peers,
    pub(super) new_player_limit: NewPlayerLimit,
    /// Number of the next client that enters a room of this node.
    next_client_number: AtomicU64,
}

impl RoomConnector {
    /// Creates a connector to the rooms of this directory.
    pub(crate) const fn new(
        rooms: RoomCount,
        directory: watch::Receiver<Directory>,
        subscriptions: Arc<LocationSubscriptions>,
        peers: Peers,
        new_player_limit: NewPlayerLimit,
    ) -> Self {
        Self {
            rooms,
            directory,
            subscriptions,
            peers,
            new_player_limit,
            next_client_number: AtomicU64::new(0),
        }
    }

    /// Connects a visitor to a room at the node's time `now`.
    ///
    /// # Errors
    ///
    /// [`RoomUnavailableError`] if the owner of the room is unknown or can't be reached, or if the
    /// room has just ended.
    pub(super) async fn enter(
        &self,
        room: RoomNumber,
        visitor: PendingClient,
        now: Monotonic,
    ) -> Result<RoomConnection, RoomUnavailableError> {
        let owner = self.directory.borrow().owner(room).cloned();
        match owner {
            Some(Owner::Local(commands)) => {
                let client = self.next_client();
                let connection = LocalConnection::open(commands, client, visitor, now).await?;
                Ok(RoomConnection::Local(connection))
            }
            // A suspended node still accepts connections but never answers, so the wait also ends
            // once the node has lost the room.
            Some(Owner::Remote(node)) => tokio::select! {
                entered = self.peers.enter(&node, room, visitor) => Ok(RoomConnection::Remote(entered?)),
                () = self.wait_until_moved(room, &node) => Err(RoomUnavailableError),
            },
            None => Err(RoomUnavailableError),
        }
    }

    /// Waits until the directory shows that `node` no longer owns the room.
    async fn wait_until_moved(&self, room: RoomNumber, node: &NodeAddress) {
        let has_moved = |directory: &Directory| {
            let owner = directory.owner(room);
            !matches!(owner, Some(Owner::Remote(owner)) if owner == node)
        };
        // The sender is gone only when the server is shutting down.
        let _ = self.directory.clone().wait_for(has_moved).await;
    }

    /// Subscribes to the location of a player, which is polled from the store.
    pub(super) fn subscribe(&self, player: PlayerId) -> LocationSubscription {
        LocationSubscriptions::subscribe(&self.subscriptions, player)
    }
}

impl OwnedRooms for RoomConnector {
    fn commands(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>> {
        match self.directory.borrow().owner(room) {
            Some(Owner::Local(commands)) => Some(commands.clone()),
            Some(Owner::Remote(_)) | None => None,
        }
    }

    fn next_client(&self) -> ClientId {
        ClientId(self.next_client_number.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
impl RoomConnector {
    /// Creates a connector for tests, at a node that has no peers.
    pub(super) fn for_tests(directory: watch::Receiver<Directory>) -> Self {
        use crate::peers::{ClearLinks, LinkSecret};
        use war_table::server::Clock;
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let clear_links = ClearLinks::new(watch::channel(false).1);
        let secret = LinkSecret::new([7; 32]);
        let peers = Peers::new(secret, clear_links, Clock::start(), log);
        let newcomers = NewPlayerLimit::new(1);
        Self::new(RoomCount::ONE, directory, Arc::default(), peers, newcomers)
    }
}

/// Connection of a client to a room, on this node or another.
pub(crate) enum RoomConnection {
    /// Connection to a room of this node.
    Local(LocalConnection),
    /// Connection to a room of another node.
    Remote(RemoteConnection),
}

impl RoomConnection {
    /// Sends a request that reached this node at the time `arrived`.
    pub(super) async fn send_request(
        &self,
        request: Request,
        arrived: Monotonic,
    ) -> Result<(), RoomUnavailableError> {
        match self {
            Self::Local(connection) => connection.send_request(request, arrived).await,
            Self::Remote(connection) => connection.send_request(request, arrived).await,
        }
    }

    pub(super) async fn leave(self, now: Monotonic) {
        match self {
            Self::Local(connection) => connection.leave(now).await,
            Self::Remote(connection) => connection.leave(now).await,
        }
    }

    pub(super) const fn inbox_mut(&mut self) -> &mut Inbox {
        match self {
            Self::Local(connection) => connection.inbox_mut(),
            Self::Remote(connection) => connection.inbox_mut(),
        }
    }

    pub(super) const fn inbox(&self) -> &Inbox {
        match self {
            Self::Local(connection) => connection.inbox(),
            Self::Remote(connection) => connection.inbox(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RoomConnector;

    use crate::directory::{Directory, Owner};
    use crate::leases::NodeAddress;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;
    use tokio::net::TcpListener;
    use tokio::sync::watch;
    use tokio::time::{sleep, timeout};
    use war::i18n::{Catalogue, Lang};
    use war_table::server::mailbox::PendingClient;
    use war_table::server::rooms::RoomNumber;
    use war_table::time::Monotonic;

    const ROOM: RoomNumber = RoomNumber(0);

    #[tokio::test]
    async fn waiting_for_a_silent_node_ends_when_it_loses_the_room() {
        let suspended = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let suspended = suspended.expect("a listener");
        let node = NodeAddress(suspended.local_addr().expect("an address").to_string());
        let (sender, directory) = watch::channel(Directory::default());
        let owned = [(ROOM, Owner::Remote(node))];
        sender.send_replace(Directory::new(owned));
        let connector = RoomConnector::for_tests(directory);
        let visitor = PendingClient {
            address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
            may_join: true,
            catalogue: Catalogue::built_in(Lang::En),
            player: None,
        };
        let (entered, ()) = tokio::join!(
            timeout(
                Duration::from_millis(700),
                connector.enter(ROOM, visitor, Monotonic::ZERO)
            ),
            async {
                sleep(Duration::from_millis(50)).await;
                sender.send_replace(Directory::new([]));
            }
        );
        assert!(entered.expect("an end, soon").is_err());
    }
}
