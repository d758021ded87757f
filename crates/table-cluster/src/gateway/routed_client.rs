use super::player_locations::LocationUpdate;
use super::room_connector::RoomConnection;
use super::{LocationSubscription, RoomConnector, Route, RouteStep};
use std::future::pending;
use std::sync::Arc;
use war_table::protocol::Request;
use war_table::room::PlayerStatus;
use war_table::server::client::{ConnectionEnd, Session, Transport};
use war_table::server::hub::HubDelivery;
use war_table::server::mailbox::{MAX_REQUESTS_IN_FLIGHT, PendingClient};
use war_table::time::Monotonic;

/// [`Transport`] that carries out the steps of a client's [`Route`].
pub(crate) struct RoutedClient {
    route: Route,
    connector: Arc<RoomConnector>,
    /// Data of the client for the next room that it enters. `may_join` is set once the client is
    /// counted as a new player.
    visitor: PendingClient,
    connection: Option<RoomConnection>,
    /// Number of the player's last message, according to the rooms left so far and the store.
    last_seq: u64,
    /// Updates of the player's location, once the player is known.
    subscription: Option<LocationSubscription>,
    /// Status of the player in the store.
    status: PlayerStatus,
    /// True if there may be output that the session has not taken.
    has_more: bool,
}

/// Input of a [`RoutedClient`], from its room or from the store.
pub(crate) enum RouteInput {
    /// Output of the room; `None` once the connection to the room has ended.
    Output(Option<HubDelivery>),
    /// New location of the player.
    Location(LocationUpdate),
}

impl RoutedClient {
    /// Creates the transport of a client that has not sent `hello` yet.
    pub(crate) fn new(connector: Arc<RoomConnector>, visitor: PendingClient) -> Self {
        Self {
            route: Route::new(connector.rooms),
            connector,
            visitor,
            connection: None,
            last_seq: 0,
            subscription: None,
            status: PlayerStatus::Welcome,
            has_more: false,
        }
    }

    /// Counts a client that may be a new player toward the limit on new players, at most once.
    fn count_new_player(&mut self, now: Monotonic) {
        let visitor = &mut self.visitor;
        if visitor.player.is_none() && !visitor.may_join {
            visitor.may_join = self
                .connector
                .new_player_limit
                .try_count_newcomer(visitor.address, now);
        }
    }

    /// Reverts the count of a client that is not a new player: the player was known before, or the
    /// `hello` was refused. A client that disconnects before the answer stays counted.
    fn revert_new_player_count(&mut self, answer: &HubDelivery, now: Monotonic) {
        let is_new = match answer {
            HubDelivery::Welcome { returns, .. } => !returns,
            HubDelivery::Answer { .. } => false,
            _ => return,
        };
        if std::mem::take(&mut self.visitor.may_join) && !is_new {
            self.connector
                .new_player_limit
                .undo_newcomer_count(self.visitor.address, now);
        }
    }

    async fn send_to_room(&mut self, request: Request, arrived: Monotonic, now: Monotonic) {
        let sent = match &self.connection {
            Some(connection) => connection.send_request(request, arrived).await.is_ok(),
            None => false,
        };
        if !sent {
            drop(self.disconnect());
            self.route.lose_room(now);
        }
    }

    fn disconnect(&mut self) -> Option<RoomConnection> {
        self.last_seq = self.latest();
        self.connection.take()
    }
}

impl Transport for RoutedClient {
    type Delivery = RouteInput;

    async fn receive(&mut self) -> RouteInput {
        let output = async {
            match &mut self.connection {
                Some(connection) => connection.inbox_mut().receive().await,
                None => pending().await,
            }
        };
        let update = async {
            match &mut self.subscription {
                Some(subscription) => subscription.next().await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            output = output => RouteInput::Output(output),
            update = update => RouteInput::Location(update),
        }
    }

    async fn handle(&mut self, delivery: RouteInput, _session: &mut Session, now: Monotonic) {
        self.has_more = true;
        match delivery {
            RouteInput::Output(Some(outbound)) => {
                if matches!(outbound, HubDelivery::Redirect(_) | HubDelivery::Released) {
                    // The room no longer knows the client.
                    drop(self.disconnect());
                }
                self.route.deliver(outbound, now);
            }
            RouteInput::Output(None) => {
                self.leave(now).await;
                self.route.lose_room(now);
            }
            RouteInput::Location(LocationUpdate {
                location,
                previous_seq,
            }) => {
                self.status = location.status;
                let moves = self.route.update_location(location.room);
                // The current room delivers the player's latest messages, so these need not be read
                // from the store.
                let is_in_room = self.connection.is_some() && !moves;
                let seq = if is_in_room {
                    previous_seq
                } else {
                    location.seq
                };
                self.last_seq = self.last_seq.max(seq);
            }
        }
    }

    async fn advance(&mut self, session: &mut Session, now: Monotonic) -> bool {
        while let Some(step) = self.route.next_step() {
            match step {
                RouteStep::Enter { room, player } => {
                    self.leave(now).await;
                    self.visitor.player = player;
                    self.count_new_player(now);
                    match self.connector.enter(room, self.visitor, now).await {
                        Ok(connection) => self.connection = Some(connection),
                        Err(_) => self.route.lose_room(now),
                    }
                }
                RouteStep::Leave => self.leave(now).await,
                RouteStep::Send { request, arrived } => {
                    self.send_to_room(request, arrived, now).await;
                }
                RouteStep::Deliver(outbound) => {
                    self.revert_new_player_count(&outbound, now);
                    if let HubDelivery::Welcome { player, .. } = outbound {
                        self.subscription = Some(self.connector.subscribe(player));
                    }
                    session.deliver(outbound);
                    return true;
                }
                RouteStep::Unavailable(id) => {
                    session.refuse_as_unavailable(id, now);
                    return true;
                }
            }
        }
        if self.status != PlayerStatus::Welcome {
            session.expel(self.status);
            return true;
        }
        let has_more = std::mem::take(&mut self.has_more);
        if has_more {
            session.schedule_catch_up();
        }
        has_more
    }

    async fn send(&mut self, request: Request, arrived: Monotonic) -> Result<(), ConnectionEnd> {
        self.route.enqueue(request, arrived);
        Ok(())
    }

    async fn leave(&mut self, now: Monotonic) {
        if let Some(connection) = self.disconnect() {
            connection.leave(now).await;
        }
    }

    fn waiting_count(&self) -> usize {
        self.connection
            .as_ref()
            .map_or(0, |connection| connection.inbox().waiting_count())
    }

    fn latest(&self) -> u64 {
        let received = self
            .connection
            .as_ref()
            .map_or(0, |connection| connection.inbox().last_seq());
        received.max(self.last_seq)
    }

    fn accepts_requests(&self) -> bool {
        self.route.pending_requests() < MAX_REQUESTS_IN_FLIGHT
    }

    fn next_wake(&self) -> Option<Monotonic> {
        self.route.next_wake()
    }

    fn wake(&mut self, now: Monotonic) {
        self.route.wake(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{LocationUpdate, RouteInput, RoutedClient};
    use crate::directory::{Directory, Owner};
    use crate::gateway::RoomConnector;
    use crate::table::PlayerLocation;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
    use tokio::sync::{mpsc, watch};
    use war::i18n::{Catalogue, Lang};
    use war_table::protocol::PlayerId;
    use war_table::room::PlayerStatus;
    use war_table::server::client::{Session, Transport};
    use war_table::server::hub::HubDelivery;
    use war_table::server::mailbox::PendingClient;
    use war_table::server::rooms::RoomNumber;
    use war_table::server::store::StoreSecret;
    use war_table::time::Monotonic;

    const ROOM: RoomNumber = RoomNumber(3);

    fn at(milliseconds: u64) -> Monotonic {
        Monotonic::from_millis(milliseconds)
    }

    const fn update(seq: u64, room: Option<RoomNumber>, previous_seq: u64) -> RouteInput {
        let location = PlayerLocation {
            player: PlayerId(1),
            seq,
            room,
            status: PlayerStatus::Welcome,
        };
        RouteInput::Location(LocationUpdate {
            location,
            previous_seq,
        })
    }

    // If another node owns the room, the store may show a message before the link delivers it.
    #[tokio::test]
    async fn messages_on_their_way_from_a_room_are_not_read_from_the_store() {
        let (commands, _waiting) = mpsc::channel(8);
        let (_sender, directory) = watch::channel(Directory::new([(ROOM, Owner::Local(commands))]));
        let connector = Arc::new(RoomConnector::for_tests(directory));
        let secret = StoreSecret::new([0x2a; 32]);
        let mut session = Session::new(Catalogue::built_in(Lang::En), 20, secret, at(0));
        let mut client = RoutedClient::new(
            connector,
            PendingClient {
                address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
                may_join: true,
                catalogue: Catalogue::built_in(Lang::En),
                player: Some(PlayerId(1)),
            },
        );
        // Messages sent before the client enters the room have to be read from the store.
        client
            .handle(update(2, Some(ROOM), 0), &mut session, at(0))
            .await;
        assert_eq!(client.latest(), 2);
        while client.advance(&mut session, at(0)).await {}
        assert!(client.connection.is_some(), "the room is entered");
        client
            .handle(update(4, Some(ROOM), 2), &mut session, at(250))
            .await;
        assert_eq!(client.latest(), 2, "it may be on its way");
        client
            .handle(update(4, Some(ROOM), 4), &mut session, at(500))
            .await;
        assert_eq!(client.latest(), 4, "it did not come");
        client
            .handle(
                RouteInput::Output(Some(HubDelivery::Released)),
                &mut session,
                at(510),
            )
            .await;
        client
            .handle(update(6, None, 4), &mut session, at(750))
            .await;
        assert_eq!(client.latest(), 6, "nothing comes from anywhere");
    }
}
