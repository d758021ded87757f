use super::entrance::Stay;
use super::followed::LocationUpdate;
use super::{Entrance, Follow, Route, Step};
use std::future::pending;
use std::sync::Arc;
use war_table::protocol::Request;
use war_table::room::PlayerStatus;
use war_table::server::client::{End, Session, Transport};
use war_table::server::hub::Outbound;
use war_table::server::mailbox::{REQUESTS_IN_FLIGHT, Visitor};

/// A client's way through the rooms of a table that several nodes share: it takes each step that
/// its [`Route`] decides on.
pub(crate) struct RoutedClient {
    route: Route,
    entrance: Arc<Entrance>,
    /// The client as it comes to the next room; that it may join was counted.
    visitor: Visitor,
    stay: Option<Stay>,
    /// The number of the player's last message, as the rooms that were left and the store said.
    latest: u64,
    /// Where the store shows the player.
    follow: Option<Follow>,
    /// Whether the player may play, as the store says.
    standing: PlayerStatus,
    /// Whether more may have been sent than was handed over.
    has_more: bool,
}

/// What comes from a room, or of the player from the store.
pub(crate) enum RoomDelivery {
    /// The room says something, or nothing any more.
    Said(Option<Outbound>),
    /// The store shows where the player is.
    Seen(LocationUpdate),
}

impl RoutedClient {
    /// That of a visitor who has not said who it is.
    pub(crate) fn new(entrance: Arc<Entrance>, visitor: Visitor) -> Self {
        Self {
            route: Route::new(entrance.rooms),
            entrance,
            visitor,
            stay: None,
            latest: 0,
            follow: None,
            standing: PlayerStatus::Welcome,
            has_more: false,
        }
    }

    /// Counts a client who may be a new player, once.
    fn count(&mut self, now: u64) {
        let visitor = &mut self.visitor;
        if visitor.player.is_none() && !visitor.may_join {
            visitor.may_join = self.entrance.newcomers.count(visitor.address, now);
        }
    }

    /// Does not count any more a client that turns out not to be a new player: the player was
    /// known before, or the `hello` is refused. One that is gone before the answer stays counted.
    fn count_no_more(&mut self, answer: &Outbound, now: u64) {
        let is_new = match answer {
            Outbound::Welcome { returns, .. } => !returns,
            Outbound::Answer(_) => false,
            _ => return,
        };
        if std::mem::take(&mut self.visitor.may_join) && !is_new {
            self.entrance.newcomers.forget(self.visitor.address, now);
        }
    }

    async fn send_to_room(&mut self, request: Request, arrived: u64, now: u64) {
        let sent = match &self.stay {
            Some(stay) => stay.ask(request, arrived).await.is_ok(),
            None => false,
        };
        if !sent {
            drop(self.end_stay());
            self.route.lost(now);
        }
    }

    fn end_stay(&mut self) -> Option<Stay> {
        self.latest = self.latest();
        self.stay.take()
    }
}

impl Transport for RoutedClient {
    type Delivery = RoomDelivery;

    async fn receive(&mut self) -> RoomDelivery {
        let said = async {
            match &mut self.stay {
                Some(stay) => stay.inbox().receive().await,
                None => pending().await,
            }
        };
        let seen = async {
            match &mut self.follow {
                Some(follow) => follow.next().await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            said = said => RoomDelivery::Said(said),
            seen = seen => RoomDelivery::Seen(seen),
        }
    }

    async fn handle(&mut self, delivery: RoomDelivery, _session: &mut Session, now: u64) {
        self.has_more = true;
        match delivery {
            RoomDelivery::Said(Some(outbound)) => {
                if matches!(outbound, Outbound::Elsewhere(_) | Outbound::Released) {
                    // The room has forgotten the client.
                    drop(self.end_stay());
                }
                self.route.deliver(outbound, now);
            }
            RoomDelivery::Said(None) => {
                self.leave(now).await;
                self.route.lost(now);
            }
            RoomDelivery::Seen(LocationUpdate { place, earlier }) => {
                self.standing = place.standing;
                let goes = self.route.seen(place.room);
                // What the room has just sent that the client is in comes from there, and needs
                // not be read.
                let stays = self.stay.is_some() && !goes;
                let there = if stays { earlier } else { place.seq };
                self.latest = self.latest.max(there);
            }
        }
    }

    async fn advance(&mut self, session: &mut Session, now: u64) -> bool {
        while let Some(step) = self.route.next_step() {
            match step {
                Step::Enter { room, player } => {
                    self.leave(now).await;
                    self.visitor.player = player;
                    self.count(now);
                    match self.entrance.enter(room, self.visitor, now).await {
                        Ok(stay) => self.stay = Some(stay),
                        Err(_) => self.route.lost(now),
                    }
                }
                Step::Leave => self.leave(now).await,
                Step::Send { request, arrived } => self.send_to_room(request, arrived, now).await,
                Step::Hand(outbound) => {
                    self.count_no_more(&outbound, now);
                    if let Outbound::Welcome { player, .. } = outbound {
                        self.follow = Some(self.entrance.follow(player));
                    }
                    session.deliver(outbound);
                    return true;
                }
                Step::Unavailable(id) => {
                    session.give_up(id, now);
                    return true;
                }
            }
        }
        if self.standing != PlayerStatus::Welcome {
            session.expel(self.standing);
            return true;
        }
        let has_more = std::mem::take(&mut self.has_more);
        if has_more {
            session.note_more();
        }
        has_more
    }

    async fn send(&mut self, request: Request, arrived: u64) -> Result<(), End> {
        self.route.ask(request, arrived);
        Ok(())
    }

    /// Leaves the room where the client is, if it is in one.
    async fn leave(&mut self, now: u64) {
        if let Some(stay) = self.end_stay() {
            stay.leave(now).await;
        }
    }

    fn waiting(&self) -> usize {
        self.stay.as_ref().map_or(0, |stay| stay.heard().waiting())
    }

    fn latest(&self) -> u64 {
        let heard = self.stay.as_ref().map_or(0, |stay| stay.heard().latest());
        heard.max(self.latest)
    }

    fn has_room(&self) -> bool {
        self.route.len() < REQUESTS_IN_FLIGHT
    }

    fn next_wake(&self) -> Option<u64> {
        self.route.next_wake()
    }

    fn wake(&mut self, now: u64) {
        self.route.wake(now);
    }
}

#[cfg(test)]
mod tests {
    use super::{LocationUpdate, RoomDelivery, RoutedClient};
    use crate::directory::{Directory, Owner};
    use crate::gateway::Entrance;
    use crate::table::PlayerLocation;
    use std::net::{IpAddr, Ipv4Addr};
    use std::sync::Arc;
    use tokio::sync::{mpsc, watch};
    use war::i18n::{Catalogue, Lang};
    use war_table::protocol::PlayerId;
    use war_table::room::PlayerStatus;
    use war_table::server::client::{Session, Transport};
    use war_table::server::hub::Outbound;
    use war_table::server::mailbox::Visitor;
    use war_table::server::rooms::RoomNumber;

    const ROOM: RoomNumber = RoomNumber(3);

    const fn sight(seq: u64, room: Option<RoomNumber>, earlier: u64) -> RoomDelivery {
        let place = PlayerLocation {
            player: PlayerId(1),
            seq,
            room,
            standing: PlayerStatus::Welcome,
        };
        RoomDelivery::Seen(LocationUpdate { place, earlier })
    }

    // At a node that does not own the room the store shows a message before it came from there.
    #[tokio::test]
    async fn what_is_on_its_way_from_a_room_is_not_read_from_the_store() {
        let (commands, _waiting) = mpsc::channel(8);
        let (_sender, directory) =
            watch::channel(Directory::new([(ROOM, Owner::Here(commands))], true));
        let entrance = Arc::new(Entrance::to(directory));
        let mut session = Session::new(Catalogue::built_in(Lang::En), 20, 0);
        let mut client = RoutedClient::new(
            entrance,
            Visitor {
                address: IpAddr::from(Ipv4Addr::LOCALHOST).into(),
                may_join: true,
                catalogue: Catalogue::built_in(Lang::En),
                player: Some(PlayerId(1)),
            },
        );
        // On the way into the room all counts: what was sent before does not come from there.
        client
            .handle(sight(2, Some(ROOM), 0), &mut session, 0)
            .await;
        assert_eq!(client.latest(), 2);
        while client.advance(&mut session, 0).await {}
        assert!(client.stay.is_some(), "the room is entered");
        client
            .handle(sight(4, Some(ROOM), 2), &mut session, 250)
            .await;
        assert_eq!(client.latest(), 2, "it may be on its way");
        client
            .handle(sight(4, Some(ROOM), 4), &mut session, 500)
            .await;
        assert_eq!(client.latest(), 4, "it did not come");
        client
            .handle(
                RoomDelivery::Said(Some(Outbound::Released)),
                &mut session,
                510,
            )
            .await;
        client.handle(sight(6, None, 4), &mut session, 750).await;
        assert_eq!(client.latest(), 6, "nothing comes from anywhere");
    }
}
