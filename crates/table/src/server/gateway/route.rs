use crate::room::{PlayerId, Request, RequestId};
use crate::server::hub::{Hello, Outbound};
use crate::server::rooms::{RoomNumber, Rooms};
use crate::server::store::TokenHash;
use std::collections::VecDeque;

/// How long after a room could not be entered, or was lost, it is tried again, in milliseconds.
pub const RETRY: u64 = 100;
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

/// Something that a client asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Errand {
    /// Who it is.
    Hello(Hello),
    /// Anything else.
    Request(Request),
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
        errand: Errand,
        /// When.
        arrived: u64,
    },
    /// Hand this to the client's session.
    Hand(Outbound),
    /// Say that the table can't do what was asked for by this name now.
    Unavailable(RequestId),
}

/// An errand that waits, and when it came.
#[derive(Debug)]
struct Waiting {
    errand: Errand,
    arrived: u64,
    /// How often it was sent on from one room to another.
    hops: u32,
}

/// How often an errand is sent on at once: who moves that fast is looked for a moment later.
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

    /// How many errands wait for their answers.
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
    pub fn ask(&mut self, errand: Errand, now: u64) {
        self.waiting.push_back(Waiting {
            errand,
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

    /// Says of the first errand that it can't be done now. It may be done all the same.
    fn give_up(&mut self) {
        if self.entered.is_some() && self.is_on_its_way {
            // Its answer is for nobody any more.
            self.leave_behind();
            self.steps.push_back(Step::Leave);
        }
        if let Some(first) = self.waiting.pop_front() {
            let id = first.errand.id().clone();
            self.steps.push_back(Step::Unavailable(id));
        }
    }

    /// Sends the next errand, if none is on its way and it is time.
    fn go_on(&mut self) {
        if self.is_on_its_way || self.retry.is_some() {
            return;
        }
        let Some(first) = self.waiting.front() else {
            return;
        };
        let (errand, arrived) = (first.errand.clone(), first.arrived);
        if let Errand::Hello(hello) = &errand {
            self.home = self.rooms.home(TokenHash::of(&hello.token).bytes());
        }
        if self.entered.is_none() {
            let room = self.place.unwrap_or_else(|| self.room_for(&errand));
            self.enter(room);
        }
        self.is_on_its_way = true;
        self.steps.push_back(Step::Send { errand, arrived });
    }

    /// Where a player who is in no room asks for this.
    fn room_for(&self, errand: &Errand) -> RoomNumber {
        match errand {
            Errand::Request(Request::Choose { game, with, .. }) => match with {
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

impl Errand {
    /// The name under which the client asks.
    #[must_use]
    pub const fn id(&self) -> &RequestId {
        match self {
            Self::Hello(hello) => &hello.id,
            Self::Request(request) => request.id(),
        }
    }
}

#[cfg(test)]
mod tests;
