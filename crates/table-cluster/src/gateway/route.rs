use crate::local_connection::RETRY_DELAY;
use std::collections::VecDeque;
use std::time::Duration;
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::TokenHash;
use war_table::time::Monotonic;

/// Time after which an unanswered request is reported to the client as unavailable. The client may
/// then repeat the request under the same `id` to get the answer.
pub const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// Routing of one client's requests to rooms, one at a time and in order.
///
/// Feed a route the client's requests ([`Route::enqueue`]), the output and loss of the room that
/// the client has entered ([`Route::deliver`], [`Route::lose_room`]) and the location of the player
/// in the store ([`Route::update_location`]), call [`Route::wake`] at [`Route::next_wake`], and
/// carry out each [`Route::next_step`] in order.
#[derive(Debug)]
pub struct Route {
    rooms: RoomCount,
    /// Room assigned by the client's token. While the player is in no room, this room gets the
    /// requests for which `room_for` returns no other room.
    home: RoomNumber,
    player: Option<PlayerId>,
    /// Last known room of the player.
    location: Option<RoomNumber>,
    /// Room that the client is connected to.
    entered: Option<RoomNumber>,
    /// Unanswered requests; the first may be in flight.
    queue: VecDeque<QueuedRequest>,
    /// True if the first request was sent to the entered room and is not done.
    is_in_flight: bool,
    /// Time before which no request is sent, if a retry is delayed.
    retry_at: Option<Monotonic>,
    steps: VecDeque<RouteStep>,
}

/// Action that the gateway has to take for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteStep {
    /// Enters this room, after leaving the current room, if any. On failure, call
    /// [`Route::lose_room`].
    Enter {
        /// The room.
        room: RoomNumber,
        /// The client's player, if known.
        player: Option<PlayerId>,
    },
    /// Leaves the entered room and ignores its further output.
    Leave,
    /// Sends a request to the entered room.
    Send {
        /// The request.
        request: Request,
        /// Time at which the request came from the client.
        arrived: Monotonic,
    },
    /// Passes output of the room on to the client's session.
    Deliver(HubDelivery),
    /// Reports that this request can't be carried out now.
    Unavailable(RequestId),
}

/// Unanswered request.
#[derive(Debug)]
struct QueuedRequest {
    request: Request,
    arrived: Monotonic,
    /// Number of times that a room has redirected the request since the last delay.
    hops: u32,
}

/// Largest number of redirects that are followed without a delay.
const MAX_HOPS: u32 = 3;

impl Route {
    /// Creates the route of a client that has not sent `hello` yet.
    #[must_use]
    pub const fn new(rooms: RoomCount) -> Self {
        Self {
            rooms,
            home: RoomNumber(0),
            player: None,
            location: None,
            entered: None,
            queue: VecDeque::new(),
            is_in_flight: false,
            retry_at: None,
            steps: VecDeque::new(),
        }
    }

    /// Removes and returns the next step to carry out, if any.
    pub fn next_step(&mut self) -> Option<RouteStep> {
        self.steps.pop_front()
    }

    /// Number of unanswered requests.
    #[must_use]
    pub fn pending_requests(&self) -> usize {
        self.queue.len()
    }

    /// True if there are no unanswered requests.
    #[must_use]
    pub fn has_no_pending_requests(&self) -> bool {
        self.queue.is_empty()
    }

    /// Time at which to call [`Route::wake`] unless something else happens first.
    #[must_use]
    pub fn next_wake(&self) -> Option<Monotonic> {
        let first = self.queue.front()?;
        let overdue = first.arrived.saturating_add(REQUEST_TIMEOUT);
        Some(
            self.retry_at
                .map_or(overdue, |retry_at| retry_at.min(overdue)),
        )
    }

    /// Queues a request that came from the client at the time `now`.
    pub fn enqueue(&mut self, request: Request, now: Monotonic) {
        self.queue.push_back(QueuedRequest {
            request,
            arrived: now,
            hops: 0,
        });
        self.advance();
    }

    /// Handles output of the entered room.
    pub fn deliver(&mut self, outbound: HubDelivery, now: Monotonic) {
        match outbound {
            HubDelivery::Done => {
                if std::mem::take(&mut self.is_in_flight) {
                    self.queue.pop_front();
                }
            }
            HubDelivery::Redirect(room) => {
                self.discard_room();
                self.location = Some(room);
                if let Some(first) = self.queue.front_mut() {
                    first.hops += 1;
                    if first.hops > MAX_HOPS {
                        first.hops = 0;
                        self.retry_at = Some(now.saturating_add(RETRY_DELAY));
                    }
                }
            }
            HubDelivery::Released => {
                self.discard_room();
                self.location = None;
            }
            outbound => {
                if let HubDelivery::Welcome { player, .. } = outbound {
                    self.player = Some(player);
                }
                self.steps.push_back(RouteStep::Deliver(outbound));
            }
        }
        self.advance();
    }

    /// Handles the loss of the entered room, or a failure to enter a room: the room's owner is gone
    /// or has changed. A request in flight is sent again after a delay.
    pub fn lose_room(&mut self, now: Monotonic) {
        self.discard_room();
        self.retry_at = Some(now.saturating_add(RETRY_DELAY));
    }

    /// Updates the location of the player from the store: another client of the player may have
    /// moved the player to another room. Returns true if this client enters another room.
    pub fn update_location(&mut self, room: Option<RoomNumber>) -> bool {
        if !self.queue.is_empty() || self.entered == room && room.is_some() {
            return false;
        }
        self.location = room;
        if let Some(room) = room {
            self.enter(room);
        }
        room.is_some()
    }

    /// Handles the retry and the timeouts that are due by `now`.
    pub fn wake(&mut self, now: Monotonic) {
        if self.retry_at.is_some_and(|retry_at| retry_at <= now) {
            self.retry_at = None;
        }
        while let Some(first) = self.queue.front()
            && first.arrived.saturating_add(REQUEST_TIMEOUT) <= now
        {
            self.give_up();
        }
        self.advance();
    }

    /// Reports the first request as unavailable, although the room may still carry it out.
    fn give_up(&mut self) {
        if self.entered.is_some() && self.is_in_flight {
            // A late answer must not reach the client.
            self.discard_room();
            self.steps.push_back(RouteStep::Leave);
        }
        if let Some(first) = self.queue.pop_front() {
            let id = first.request.id().clone();
            self.steps.push_back(RouteStep::Unavailable(id));
        }
    }

    /// Sends the next request unless one is in flight or a retry is pending.
    fn advance(&mut self) {
        if self.is_in_flight || self.retry_at.is_some() {
            return;
        }
        let Some(first) = self.queue.front() else {
            return;
        };
        let (request, arrived) = (first.request.clone(), first.arrived);
        if let Request::Hello { token, .. } = &request {
            self.home = self.rooms.home_room(TokenHash::from_token(token).bytes());
        }
        if self.entered.is_none() {
            let room = self.location.unwrap_or_else(|| self.room_for(&request));
            self.enter(room);
        }
        self.is_in_flight = true;
        self.steps.push_back(RouteStep::Send { request, arrived });
    }

    /// Room that takes this request of a player who is in no room.
    fn room_for(&self, request: &Request) -> RoomNumber {
        match request {
            Request::Choose { game, with, .. } => match with {
                None => self.rooms.matchmaking_room(*game),
                Some(opponent) => self.rooms.private_room(*opponent).unwrap_or(self.home),
            },
            _ => self.home,
        }
    }

    fn enter(&mut self, room: RoomNumber) {
        self.entered = Some(room);
        let player = self.player;
        self.steps.push_back(RouteStep::Enter { room, player });
    }

    /// Discards the entered room and all pending steps that concern it.
    fn discard_room(&mut self) {
        self.entered = None;
        self.is_in_flight = false;
        let needs_room =
            |step: &RouteStep| matches!(step, RouteStep::Enter { .. } | RouteStep::Send { .. });
        self.steps.retain(|step| !needs_room(step));
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_HOPS, REQUEST_TIMEOUT, RETRY_DELAY, Route, RouteStep};
    use war::support::hex::Hex;
    use war::tokens::Name;
    use war_table::protocol::{AccessToken, PlayerId, ProtocolVersion, Request, RequestId};
    use war_table::server::hub::HubDelivery;
    use war_table::server::rooms::{RoomCount, RoomNumber};
    use war_table::time::Monotonic;

    const PLAYER: PlayerId = PlayerId(7);
    /// Home room for the token in `hello`: the SHA-256 of 32 zero bytes begins with 0x6668.
    const HOME: RoomNumber = RoomNumber(0x6668 % 16);
    const MEETING: RoomNumber = RoomNumber(1);
    const OTHER: RoomNumber = RoomNumber(5);

    fn at(milliseconds: u64) -> Monotonic {
        Monotonic::from_millis(milliseconds)
    }

    fn hello() -> Request {
        Request::Hello {
            id: RequestId::new("h").expect("an id"),
            name: Name::new("Ann").expect("a name"),
            token: AccessToken::new(Hex::new([0; 32])),
            watchable: false,
            protocol: ProtocolVersion::V2,
        }
    }

    fn choose(id: &str) -> Request {
        let zeros = "0".repeat(64);
        request(&format!(
            r#"{{"type":"choose","id":"{id}","game":"double-card-game","seed_hash":"{zeros}"}}"#
        ))
    }

    fn resume() -> Request {
        request(r#"{"type":"resume","id":"r","after":3}"#)
    }

    fn request(text: &str) -> Request {
        Request::parse(text).expect("a request")
    }

    fn new_route() -> Route {
        Route::new(RoomCount::new(16).expect("rooms"))
    }

    fn steps(route: &mut Route) -> Vec<RouteStep> {
        std::iter::from_fn(|| route.next_step()).collect()
    }

    fn enter(room: RoomNumber, player: Option<PlayerId>) -> RouteStep {
        RouteStep::Enter { room, player }
    }

    fn send(request: Request, arrived: u64) -> RouteStep {
        let arrived = at(arrived);
        RouteStep::Send { request, arrived }
    }

    fn refusal() -> HubDelivery {
        HubDelivery::Answer {
            body: "no".to_owned(),
            in_reply_to: None,
        }
    }

    fn welcome() -> HubDelivery {
        HubDelivery::Welcome {
            player: PLAYER,
            seq: 3,
            returns: true,
            watchable: Some(true),
            body: "{}".to_owned(),
        }
    }

    /// Creates a route with a known player who is in no room.
    fn welcomed() -> Route {
        let mut route = new_route();
        route.enqueue(hello(), at(0));
        for outbound in [welcome(), HubDelivery::Done, HubDelivery::Released] {
            route.deliver(outbound, at(1));
        }
        steps(&mut route);
        route
    }

    #[test]
    fn a_hello_goes_to_the_home_room_of_its_token() {
        let mut route = new_route();
        route.enqueue(hello(), at(10));
        let expected = [enter(HOME, None), send(hello(), 10)];
        assert_eq!(steps(&mut route), expected);
        route.deliver(welcome(), at(20));
        assert_eq!(steps(&mut route), [RouteStep::Deliver(welcome())]);
        route.deliver(HubDelivery::Done, at(20));
        route.deliver(HubDelivery::Released, at(20));
        assert!(route.has_no_pending_requests() && steps(&mut route).is_empty());
    }

    #[test]
    fn a_player_who_wants_to_play_goes_to_the_meeting_room() {
        let mut route = welcomed();
        route.enqueue(choose("c"), at(30));
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("c"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn a_private_game_has_a_room_of_its_own() {
        let private = |with: &str| {
            let mut route = welcomed();
            let mut choice = choose("c");
            if let Request::Choose { with: opponent, .. } = &mut choice {
                *opponent = serde_json::from_str(with).expect("somebody");
            }
            route.enqueue(choice, at(30));
            steps(&mut route).swap_remove(0)
        };
        let in_room = |room| enter(RoomNumber(room), Some(PLAYER));
        let code = "000f".to_owned() + &"0".repeat(28);
        for side in ["invitation", "accept"] {
            assert_eq!(private(&format!(r#"{{"{side}":"{code}"}}"#)), in_room(15));
        }
        assert_eq!(private(r#"{"rematch":20}"#), in_room(4));
        assert_eq!(private(r#""house""#), enter(HOME, Some(PLAYER)));
    }

    #[test]
    fn the_next_request_is_sent_when_the_previous_one_is_done() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        route.enqueue(choose("2"), at(31));
        assert_eq!(steps(&mut route).len(), 2, "enter and send");
        route.deliver(refusal(), at(40));
        let answer = RouteStep::Deliver(refusal());
        assert_eq!(steps(&mut route), [answer]);
        route.deliver(HubDelivery::Done, at(40));
        assert_eq!(steps(&mut route), [send(choose("2"), 31)]);
    }

    #[test]
    fn a_redirected_request_goes_to_the_room_of_the_player() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        steps(&mut route);
        route.deliver(HubDelivery::Redirect(OTHER), at(40));
        let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
        // The game ended before the request reached the room, so the player is free again.
        route.deliver(HubDelivery::Released, at(50));
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn a_request_in_flight_to_a_lost_room_is_sent_again_before_later_ones() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        steps(&mut route);
        route.lose_room(at(40));
        route.enqueue(choose("2"), at(41));
        assert_eq!(steps(&mut route), []);
        assert_eq!(route.next_wake(), Some(at(40).saturating_add(RETRY_DELAY)));
        route.wake(at(40).saturating_add(RETRY_DELAY));
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn nothing_is_sent_to_a_room_that_can_not_be_entered() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        assert_eq!(route.next_step(), Some(enter(MEETING, Some(PLAYER))));
        route.lose_room(at(31));
        assert_eq!(steps(&mut route), []);
    }

    #[test]
    fn a_request_redirected_too_often_is_retried_after_a_delay() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        for hop in 0..MAX_HOPS {
            let room = if hop % 2 == 0 { OTHER } else { HOME };
            steps(&mut route);
            route.deliver(HubDelivery::Redirect(room), at(40));
        }
        assert_eq!(steps(&mut route).len(), 2, "enter and send");
        route.deliver(HubDelivery::Redirect(OTHER), at(40));
        assert_eq!(steps(&mut route), []);
        route.wake(at(40).saturating_add(RETRY_DELAY));
        let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn a_request_that_waits_too_long_is_reported_as_unavailable() {
        let mut route = welcomed();
        route.enqueue(choose("1"), at(30));
        let later = at(0).saturating_add(REQUEST_TIMEOUT);
        route.enqueue(resume(), later);
        steps(&mut route);
        route.wake(at(30).saturating_add(REQUEST_TIMEOUT));
        let one = RequestId::new("1").expect("an id");
        let [RouteStep::Leave, RouteStep::Unavailable(id), rest @ ..] = &steps(&mut route)[..]
        else {
            panic!("it waits still");
        };
        assert_eq!(id, &one);
        assert_eq!(
            rest,
            [enter(HOME, Some(PLAYER)), send(resume(), later.as_millis())],
            "what came later is tried"
        );
        // There is no `RouteStep::Leave`, since no room was entered.
        route.lose_room(at(40).saturating_add(REQUEST_TIMEOUT));
        route.wake(later.saturating_add(REQUEST_TIMEOUT));
        let id = RequestId::new("r").expect("an id");
        assert_eq!(steps(&mut route), [RouteStep::Unavailable(id)]);
        assert_eq!(route.next_wake(), None);
    }

    #[test]
    fn a_client_follows_its_player_into_another_room() {
        let mut route = welcomed();
        route.update_location(Some(OTHER));
        assert_eq!(steps(&mut route), [enter(OTHER, Some(PLAYER))]);
        route.update_location(Some(OTHER));
        assert_eq!(steps(&mut route), [], "it is there");
        route.update_location(None);
        assert_eq!(steps(&mut route), [], "the room will say so");
        route.enqueue(resume(), at(30));
        assert_eq!(steps(&mut route), [send(resume(), 30)]);
        route.update_location(Some(HOME));
        assert_eq!(steps(&mut route), [], "what is on its way goes first");
    }
}
