use crate::visit::RETRY;
use std::collections::VecDeque;
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::server::hub::Outbound;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table::server::store::TokenHash;

/// How long a request may wait for its answer before the client learns that the table can't give
/// it now, in milliseconds. Asked again under its `id`, it is answered as if nothing had been.
pub const PATIENCE: u64 = 5_000;

/// The way of one client's requests to the rooms that do them: one at a time, in order.
///
/// Feed it with what the client asks ([`Route::ask`]), with what the room that it has entered says
/// ([`Route::deliver`], [`Route::lost`]) and with where the store says its player is
/// ([`Route::seen`]), wake it at [`Route::next_wake`], and do each [`Route::next_step`] in order.
/// Times are milliseconds of one clock that never goes back.
#[derive(Debug)]
pub struct Route {
    rooms: Rooms,
    /// Where the player is looked up while they are in no room.
    home: RoomNumber,
    player: Option<PlayerId>,
    /// Where the player is, as far as that is known.
    place: Option<RoomNumber>,
    /// The room that knows the client.
    entered: Option<RoomNumber>,
    /// What the client asks for; the first may be on its way.
    waiting: VecDeque<Waiting>,
    /// Whether the first was sent to the room that was entered, and is not done.
    is_on_its_way: bool,
    /// When to try again.
    retry: Option<u64>,
    steps: VecDeque<Step>,
}

/// What the gateway does for a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Leave the room that was entered before, if any, and enter this one. Where that can't be
    /// done, tell [`Route::lost`].
    Enter {
        /// The room.
        room: RoomNumber,
        /// The client's player, once that is known.
        player: Option<PlayerId>,
    },
    /// Leave the room that was entered: what it says from now on is for nobody.
    Leave,
    /// Send this to the room that was entered; it came from the client at this time.
    Send {
        /// What.
        request: Request,
        /// When.
        arrived: u64,
    },
    /// Hand this to the client's session.
    Hand(Outbound),
    /// Say that the table can't do what was asked for by this name now.
    Unavailable(RequestId),
}

/// An request that waits, and when it came.
#[derive(Debug)]
struct Waiting {
    request: Request,
    arrived: u64,
    /// How often it was sent on from one room to another.
    hops: u32,
}

/// How often an request is sent on at once: who moves that fast is looked for a moment later.
const HOPS: u32 = 3;

impl Route {
    /// The route of a client who has not said who it is, to the rooms of a table.
    #[must_use]
    pub const fn new(rooms: Rooms) -> Self {
        Self {
            rooms,
            home: RoomNumber(0),
            player: None,
            place: None,
            entered: None,
            waiting: VecDeque::new(),
            is_on_its_way: false,
            retry: None,
            steps: VecDeque::new(),
        }
    }

    /// The next thing to do, if there is one now.
    pub fn next_step(&mut self) -> Option<Step> {
        self.steps.pop_front()
    }

    /// How many requests wait for their answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether nothing waits for an answer.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// When to wake the route, if nothing comes before.
    #[must_use]
    pub fn next_wake(&self) -> Option<u64> {
        let first = self.waiting.front()?;
        let overdue = first.arrived.saturating_add(PATIENCE);
        Some(self.retry.map_or(overdue, |retry| retry.min(overdue)))
    }

    /// Takes what the client asks for, which came at the time `now`.
    pub fn ask(&mut self, request: Request, now: u64) {
        self.waiting.push_back(Waiting {
            request,
            arrived: now,
            hops: 0,
        });
        self.go_on();
    }

    /// Takes what the room says that was entered last.
    pub fn deliver(&mut self, outbound: Outbound, now: u64) {
        match outbound {
            Outbound::Done => {
                if std::mem::take(&mut self.is_on_its_way) {
                    self.waiting.pop_front();
                }
            }
            Outbound::Elsewhere(room) => {
                self.leave_behind();
                self.place = Some(room);
                if let Some(first) = self.waiting.front_mut() {
                    first.hops += 1;
                    if first.hops > HOPS {
                        first.hops = 0;
                        self.retry = Some(now.saturating_add(RETRY));
                    }
                }
            }
            Outbound::Released => {
                self.leave_behind();
                self.place = None;
            }
            outbound => {
                if let Outbound::Welcome { player, .. } = outbound {
                    self.player = Some(player);
                }
                self.steps.push_back(Step::Hand(outbound));
            }
        }
        self.go_on();
    }

    /// The room that was entered last is lost or could not be entered: its owner is gone, or
    /// another one by now. What was on its way there is sent again.
    pub fn lost(&mut self, now: u64) {
        self.leave_behind();
        self.retry = Some(now.saturating_add(RETRY));
    }

    /// Takes where the player is, as the store shows it: a room that another client of theirs
    /// may have brought them to. The result is whether the client goes to another room now.
    pub fn seen(&mut self, room: Option<RoomNumber>) -> bool {
        if !self.waiting.is_empty() || self.entered == room && room.is_some() {
            return false;
        }
        self.place = room;
        if let Some(room) = room {
            self.enter(room);
        }
        room.is_some()
    }

    /// Does what is due by now.
    pub fn wake(&mut self, now: u64) {
        if self.retry.is_some_and(|retry| retry <= now) {
            self.retry = None;
        }
        while let Some(first) = self.waiting.front()
            && first.arrived.saturating_add(PATIENCE) <= now
        {
            self.give_up();
        }
        self.go_on();
    }

    /// Says of the first request that it can't be done now. It may be done all the same.
    fn give_up(&mut self) {
        if self.entered.is_some() && self.is_on_its_way {
            // Its answer is for nobody any more.
            self.leave_behind();
            self.steps.push_back(Step::Leave);
        }
        if let Some(first) = self.waiting.pop_front() {
            let id = first.request.id().clone();
            self.steps.push_back(Step::Unavailable(id));
        }
    }

    /// Sends the next request, if none is on its way and it is time.
    fn go_on(&mut self) {
        if self.is_on_its_way || self.retry.is_some() {
            return;
        }
        let Some(first) = self.waiting.front() else {
            return;
        };
        let (request, arrived) = (first.request.clone(), first.arrived);
        if let Request::Hello { token, .. } = &request {
            self.home = self.rooms.home(TokenHash::of(token).bytes());
        }
        if self.entered.is_none() {
            let room = self.place.unwrap_or_else(|| self.room_for(&request));
            self.enter(room);
        }
        self.is_on_its_way = true;
        self.steps.push_back(Step::Send { request, arrived });
    }

    /// Where a player who is in no room asks for this.
    fn room_for(&self, request: &Request) -> RoomNumber {
        match request {
            Request::Choose { game, with, .. } => match with {
                None => self.rooms.meeting(*game),
                Some(whom) => self.rooms.private(*whom).unwrap_or(self.home),
            },
            _ => self.home,
        }
    }

    fn enter(&mut self, room: RoomNumber) {
        self.entered = Some(room);
        let player = self.player;
        self.steps.push_back(Step::Enter { room, player });
    }

    /// Reckons with the room that was entered no more.
    fn leave_behind(&mut self) {
        self.entered = None;
        self.is_on_its_way = false;
        let concerns_it = |step: &Step| matches!(step, Step::Enter { .. } | Step::Send { .. });
        self.steps.retain(|step| !concerns_it(step));
    }
}

#[cfg(test)]
mod tests {
    use super::{HOPS, PATIENCE, RETRY, Route, Step};
    use war::support::hex::Hex;
    use war::tokens::Name;
    use war_table::protocol::{AccessToken, PlayerId, ProtocolVersion, Request, RequestId};
    use war_table::server::hub::Outbound;
    use war_table::server::rooms::{RoomNumber, Rooms};

    const PLAYER: PlayerId = PlayerId(7);
    /// The first two bytes of the SHA-256 of 32 zeros are 0x6668.
    const HOME: RoomNumber = RoomNumber(0x6668 % 16);
    const MEETING: RoomNumber = RoomNumber(1);
    const OTHER: RoomNumber = RoomNumber(5);

    fn hello() -> Request {
        Request::Hello {
            id: RequestId::new("h").expect("an id"),
            name: Name::new("Ann").expect("a name"),
            token: AccessToken::new(Hex::new([0; 32])),
            watchable: false,
            protocol: ProtocolVersion,
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
        Route::new(Rooms::new(16).expect("rooms"))
    }

    fn steps(route: &mut Route) -> Vec<Step> {
        std::iter::from_fn(|| route.next_step()).collect()
    }

    fn enter(room: RoomNumber, player: Option<PlayerId>) -> Step {
        Step::Enter { room, player }
    }

    fn send(request: Request, arrived: u64) -> Step {
        Step::Send { request, arrived }
    }

    fn welcome() -> Outbound {
        Outbound::Welcome {
            player: PLAYER,
            seq: 3,
            returns: true,
            body: "{}".to_owned(),
        }
    }

    /// A route whose player is known, and in no room.
    fn welcomed() -> Route {
        let mut route = new_route();
        route.ask(hello(), 0);
        for outbound in [welcome(), Outbound::Done, Outbound::Released] {
            route.deliver(outbound, 1);
        }
        steps(&mut route);
        route
    }

    #[test]
    fn a_hello_goes_to_the_home_of_its_token() {
        let mut route = new_route();
        route.ask(hello(), 10);
        let expected = [enter(HOME, None), send(hello(), 10)];
        assert_eq!(steps(&mut route), expected);
        route.deliver(welcome(), 20);
        assert_eq!(steps(&mut route), [Step::Hand(welcome())]);
        route.deliver(Outbound::Done, 20);
        route.deliver(Outbound::Released, 20);
        assert!(route.is_empty() && steps(&mut route).is_empty());
    }

    #[test]
    fn who_wants_to_play_goes_where_all_meet_who_want_that() {
        let mut route = welcomed();
        route.ask(choose("c"), 30);
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("c"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn who_wants_to_play_with_somebody_goes_where_those_meet() {
        let private = |with: &str| {
            let mut route = welcomed();
            let mut choice = choose("c");
            if let Request::Choose { with: whom, .. } = &mut choice {
                *whom = serde_json::from_str(with).expect("somebody");
            }
            route.ask(choice, 30);
            steps(&mut route).swap_remove(0)
        };
        let at = |room| enter(RoomNumber(room), Some(PLAYER));
        let code = "000f".to_owned() + &"0".repeat(28);
        for side in ["invitation", "accept"] {
            assert_eq!(private(&format!(r#"{{"{side}":"{code}"}}"#)), at(15));
        }
        assert_eq!(private(r#"{"rematch":20}"#), at(4));
        assert_eq!(private(r#""house""#), enter(HOME, Some(PLAYER)));
    }

    #[test]
    fn the_next_request_is_sent_when_the_one_before_is_done() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        route.ask(choose("2"), 31);
        assert_eq!(steps(&mut route).len(), 2, "enter and send");
        route.deliver(Outbound::Answer("no".to_owned()), 40);
        let answer = Step::Hand(Outbound::Answer("no".to_owned()));
        assert_eq!(steps(&mut route), [answer]);
        route.deliver(Outbound::Done, 40);
        assert_eq!(steps(&mut route), [send(choose("2"), 31)]);
    }

    #[test]
    fn what_is_not_done_is_asked_in_the_room_where_the_player_is() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        steps(&mut route);
        route.deliver(Outbound::Elsewhere(OTHER), 40);
        let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
        // A game that ended before the request came lets the player go.
        route.deliver(Outbound::Released, 50);
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn what_was_on_its_way_to_a_lost_room_is_sent_again_before_what_came_later() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        steps(&mut route);
        route.lost(40);
        route.ask(choose("2"), 41);
        assert_eq!(steps(&mut route), []);
        assert_eq!(route.next_wake(), Some(40 + RETRY));
        route.wake(40 + RETRY);
        let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn a_room_that_can_not_be_entered_is_sent_nothing() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        assert_eq!(route.next_step(), Some(enter(MEETING, Some(PLAYER))));
        route.lost(31);
        assert_eq!(steps(&mut route), []);
    }

    #[test]
    fn who_is_sent_from_room_to_room_is_looked_for_a_moment_later() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        for hop in 0..HOPS {
            let room = if hop % 2 == 0 { OTHER } else { HOME };
            steps(&mut route);
            route.deliver(Outbound::Elsewhere(room), 40);
        }
        assert_eq!(steps(&mut route).len(), 2, "enter and send");
        route.deliver(Outbound::Elsewhere(OTHER), 40);
        assert_eq!(steps(&mut route), []);
        route.wake(40 + RETRY);
        let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
        assert_eq!(steps(&mut route), expected);
    }

    #[test]
    fn what_waits_too_long_is_not_to_be_had_now() {
        let mut route = welcomed();
        route.ask(choose("1"), 30);
        route.ask(resume(), PATIENCE);
        steps(&mut route);
        route.wake(30 + PATIENCE);
        let one = RequestId::new("1").expect("an id");
        let [Step::Leave, Step::Unavailable(id), rest @ ..] = &steps(&mut route)[..] else {
            panic!("it waits still");
        };
        assert_eq!(id, &one);
        assert_eq!(
            rest,
            [enter(HOME, Some(PLAYER)), send(resume(), PATIENCE)],
            "what came later is tried"
        );
        // Without a room there is nothing to leave.
        route.lost(40 + PATIENCE);
        route.wake(2 * PATIENCE);
        let id = RequestId::new("r").expect("an id");
        assert_eq!(steps(&mut route), [Step::Unavailable(id)]);
        assert_eq!(route.next_wake(), None);
    }

    #[test]
    fn a_client_follows_its_player_into_a_room() {
        let mut route = welcomed();
        route.seen(Some(OTHER));
        assert_eq!(steps(&mut route), [enter(OTHER, Some(PLAYER))]);
        route.seen(Some(OTHER));
        assert_eq!(steps(&mut route), [], "it is there");
        route.seen(None);
        assert_eq!(steps(&mut route), [], "the room will say so");
        route.ask(resume(), 30);
        assert_eq!(steps(&mut route), [send(resume(), 30)]);
        route.seen(Some(HOME));
        assert_eq!(steps(&mut route), [], "what is on its way goes first");
    }
}
