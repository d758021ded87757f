use super::{Follow, Followed};
use crate::directory::{Directory, Owner};
use crate::leases::NodeAddress;
use crate::peers::{OwnedRooms, PeerVisit, Peers};
use crate::visit::{RoomGone, Visit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{mpsc, watch};
use war_table::protocol::{PlayerId, Request};
use war_table::server::Newcomers;
use war_table::server::hub::ClientId;
use war_table::server::mailbox::{Inbox, Visitor};
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::{RoomNumber, Rooms};

/// Where the clients of a node enter the rooms of a table that several nodes share.
pub(crate) struct Entrance {
    pub(crate) rooms: Rooms,
    directory: watch::Receiver<Directory>,
    followed: Arc<Followed>,
    peers: Peers,
    pub(super) newcomers: Newcomers,
    /// How many clients have entered a room of this node.
    clients: AtomicU64,
}

impl Entrance {
    /// One to the rooms that this directory shows.
    pub(crate) const fn new(
        rooms: Rooms,
        directory: watch::Receiver<Directory>,
        followed: Arc<Followed>,
        peers: Peers,
        newcomers: Newcomers,
    ) -> Self {
        Self {
            rooms,
            directory,
            followed,
            peers,
            newcomers,
            clients: AtomicU64::new(0),
        }
    }

    /// Lets a visitor enter a room when the node's clock shows `now`; that can't be done where the
    /// room has no owner by now, or nobody knows which.
    pub(super) async fn enter(
        &self,
        room: RoomNumber,
        visitor: Visitor,
        now: u64,
    ) -> Result<Stay, RoomGone> {
        let owner = self.directory.borrow().owner(room).cloned();
        match owner {
            Some(Owner::Here(writer)) => {
                let client = self.next_client();
                let visit = Visit::begin(writer, client, visitor, now).await?;
                Ok(Stay::Here(visit))
            }
            // A node that is stopped takes connections, and says nothing.
            Some(Owner::There(node)) => tokio::select! {
                entered = self.peers.enter(&node, room, visitor) => Ok(Stay::There(entered?)),
                () = self.until_moved(room, &node) => Err(RoomGone),
            },
            None => Err(RoomGone),
        }
    }

    /// Waits until a room is not this node's any more.
    async fn until_moved(&self, room: RoomNumber, node: &NodeAddress) {
        let has_moved = |directory: &Directory| {
            let owner = directory.owner(room);
            !matches!(owner, Some(Owner::There(owner)) if owner == node)
        };
        // Where nobody looks any more the server ends.
        let _ = self.directory.clone().wait_for(has_moved).await;
    }

    /// Follows a player: the store is asked again and again where they are.
    pub(super) fn follow(&self, player: PlayerId) -> Follow {
        Followed::follow(&self.followed, player)
    }
}

impl OwnedRooms for Entrance {
    fn writer(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>> {
        match self.directory.borrow().owner(room) {
            Some(Owner::Here(writer)) => Some(writer.clone()),
            Some(Owner::There(_)) | None => None,
        }
    }

    fn next_client(&self) -> ClientId {
        ClientId(self.clients.fetch_add(1, Ordering::Relaxed))
    }
}

#[cfg(test)]
impl Entrance {
    /// One to the rooms that this directory shows, at a node that knows no other.
    pub(super) fn to(directory: watch::Receiver<Directory>) -> Self {
        use crate::peers::LinkSecret;
        use war_table::server::Clock;
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let peers = Peers::new(LinkSecret::new([7; 32]), Clock::start(), log);
        let newcomers = Newcomers::new(1);
        Self::new(Rooms::ONE, directory, Arc::default(), peers, newcomers)
    }
}

/// A client's stay in a room, wherever that is.
pub(crate) enum Stay {
    /// In a room of this node.
    Here(Visit),
    /// In a room of another one.
    There(PeerVisit),
}

impl Stay {
    /// Asks for something that came when the node's clock showed `arrived`.
    pub(super) async fn ask(&self, request: Request, arrived: u64) -> Result<(), RoomGone> {
        match self {
            Self::Here(visit) => visit.ask(request, arrived).await,
            Self::There(visit) => visit.ask(request, arrived).await,
        }
    }

    /// Leaves the room.
    pub(super) async fn leave(self, now: u64) {
        match self {
            Self::Here(visit) => visit.leave(now).await,
            Self::There(visit) => visit.leave(now).await,
        }
    }

    /// What the room says.
    pub(super) const fn inbox(&mut self) -> &mut Inbox {
        match self {
            Self::Here(visit) => visit.inbox(),
            Self::There(visit) => visit.inbox(),
        }
    }

    /// What the room has said so far.
    pub(super) const fn heard(&self) -> &Inbox {
        match self {
            Self::Here(visit) => visit.heard(),
            Self::There(visit) => visit.heard(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Entrance;

    use crate::directory::{Directory, Owner};
    use crate::leases::NodeAddress;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;
    use tokio::net::TcpListener;
    use tokio::sync::watch;
    use tokio::time::{sleep, timeout};
    use war::i18n::{Catalogue, Lang};
    use war_table::server::mailbox::Visitor;
    use war_table::server::rooms::RoomNumber;

    const ROOM: RoomNumber = RoomNumber(0);

    #[tokio::test]
    async fn nobody_waits_for_a_node_that_says_nothing_once_it_has_lost_the_room() {
        let stopped = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let stopped = stopped.expect("a listener");
        let node = NodeAddress(stopped.local_addr().expect("an address").to_string());
        let (sender, directory) = watch::channel(Directory::default());
        let owned = [(ROOM, Owner::There(node))];
        sender.send_replace(Directory::new(owned, true));
        let entrance = Entrance::to(directory);
        let visitor = Visitor {
            address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
            may_join: true,
            catalogue: Catalogue::built_in(Lang::En),
            player: None,
        };
        let (entered, ()) = tokio::join!(
            timeout(Duration::from_millis(700), entrance.enter(ROOM, visitor, 0)),
            async {
                sleep(Duration::from_millis(50)).await;
                sender.send_replace(Directory::new([], true));
            }
        );
        assert!(entered.expect("an end, soon").is_err());
    }
}
