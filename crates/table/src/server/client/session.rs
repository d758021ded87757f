use crate::protocol::{BadRequest, Message, PlayerId, Refusal, Request, RequestError, RequestId};
use crate::room::Standing;
use crate::server::hub::Outbound;
use crate::server::limits::{Allowance, Bucket};
use crate::server::mailbox::READ_BELOW;
use crate::server::queries::Query;
use crate::server::reply::{json, not_a_request, refused, told};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;
use war::i18n::Catalogue;

/// How long a client may take before it has said `hello`, in milliseconds.
pub const HELLO_PATIENCE: u64 = 10_000;
/// How long a client may take to take a message, in milliseconds.
pub const SEND_PATIENCE: u64 = 10_000;
/// How often a client is asked whether it is still there, in milliseconds.
pub const PING_INTERVAL: u64 = 20_000;
/// How long a client may be silent, in milliseconds.
pub const SILENCE: u64 = 60_000;

/// What a connection has to do, decided without socket and clock.
///
/// Feed it with what comes from the client ([`Session::receive`]) and from the hub
/// ([`Session::deliver`]), wake it at [`Session::next_wake`], and do each
/// [`Session::next_action`] in order. Times are milliseconds of one clock.
#[derive(Debug)]
pub struct Session {
    catalogue: &'static Catalogue,
    stage: Stage,
    cursor: Cursor,
    rate_limit: RateLimit,
    hello_due: u64,
    next_ping: u64,
    /// When the client last gave a sign of life.
    heard: u64,
    /// The `resume` that is on its way: nothing is read before it is done.
    resuming: Option<RequestId>,
    /// What the client asks to see and is on its way: nothing is read before it is there.
    looking: Option<RequestId>,
    /// After which message the store is being read: its messages may be long in coming.
    reading: Option<u64>,
    /// Messages of the store are on their way, and taking them is a sign of life.
    replaying: bool,
    /// Answers with numbers of messages that were not sent yet: they were handed over in a room
    /// that the client came to after these.
    ahead: VecDeque<(u64, String)>,
    actions: VecDeque<Action>,
}

/// How far a client has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It has not said `hello`.
    New,
    /// Its `hello` is on its way.
    Greeting,
    /// Its player is known.
    Welcomed(PlayerId),
}

/// Where in the sequence of its player a client is.
#[derive(Debug, Clone, Copy)]
enum Cursor {
    /// It would go on after this message; held until a client that returned asks for
    /// something, so that it can say first what it has.
    Held(u64),
    /// This one was sent last.
    At(u64),
}

/// What stands in every message.
#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

impl Session {
    /// A session that begins now; `rate` is the most messages in a second.
    #[must_use]
    pub fn new(catalogue: &'static Catalogue, rate: u32, now: u64) -> Self {
        Self {
            catalogue,
            stage: Stage::New,
            cursor: Cursor::Held(0),
            rate_limit: RateLimit::new(rate, now),
            hello_due: now + HELLO_PATIENCE,
            next_ping: now,
            heard: now,
            resuming: None,
            looking: None,
            reading: None,
            replaying: false,
            ahead: VecDeque::new(),
            actions: VecDeque::new(),
        }
    }

    /// The next thing to do, if there is one now.
    pub fn next_action(&mut self) -> Option<Action> {
        self.actions.pop_front()
    }

    /// Whether to read from the client while this many deliveries wait: what is not read yet
    /// waits at the client, not here.
    #[must_use]
    pub fn reads(&self, deliveries: usize) -> bool {
        deliveries + self.ahead.len() < READ_BELOW
            && self.stage != Stage::Greeting
            && self.resuming.is_none()
            && self.looking.is_none()
    }

    /// When to wake the session, if nothing comes before.
    #[must_use]
    pub fn next_wake(&self) -> u64 {
        let wake = self.next_ping.min(self.heard + SILENCE);
        match self.stage {
            Stage::Welcomed(_) => wake,
            Stage::New | Stage::Greeting => wake.min(self.hello_due),
        }
    }

    /// Does what is due by now.
    pub fn wake(&mut self, now: u64) {
        let welcomed = matches!(self.stage, Stage::Welcomed(_));
        if !welcomed && self.hello_due <= now {
            self.end(End::Close(CloseCode::Policy));
        } else if self.heard + SILENCE <= now {
            self.end(End::Gone);
        } else if self.next_ping <= now {
            self.next_ping = now + PING_INTERVAL;
            self.actions.push_back(Action::Ping);
        }
    }

    /// Player of the client, once the hub has welcomed it.
    #[must_use]
    pub const fn player(&self) -> Option<PlayerId> {
        match self.stage {
            Stage::Welcomed(player) => Some(player),
            Stage::New | Stage::Greeting => None,
        }
    }

    /// Takes what comes from the client.
    pub fn receive(&mut self, frame: Frame<'_>, now: u64) {
        self.heard = now;
        let allowed = self.rate_limit.take(now);
        if self.rate_limit.is_flooded() {
            return self.end(End::Close(CloseCode::Policy));
        }
        let (text, allowed) = match frame {
            Frame::Text(text) => (text, allowed),
            Frame::Crowded(text) => (text, false),
            Frame::Binary => {
                let reason = RequestError::NotObject;
                return self.refuse_bad(BadRequest { id: None, reason });
            }
            Frame::Control => return,
            Frame::Close => return self.end(End::Left),
        };
        match Request::parse(text) {
            Ok(request) if !allowed => {
                self.refuse(Refusal::TooFast, request.id().clone());
            }
            Ok(request) => self.request(request),
            Err(bad) => self.refuse_bad(bad),
        }
    }

    fn request(&mut self, request: Request) {
        match (request, self.stage) {
            (hello @ Request::Hello { .. }, Stage::New) => {
                self.stage = Stage::Greeting;
                self.actions.push_back(Action::Request(hello));
            }
            (Request::Hello { id, .. }, _) => self.refuse(Refusal::HelloAgain, id),
            (Request::People { id }, Stage::Welcomed(_)) => {
                self.actions.push_back(Action::People(id));
            }
            (request @ Request::Resume { .. }, Stage::Welcomed(_)) => {
                self.resuming = Some(request.id().clone());
                self.actions.push_back(Action::Request(request));
            }
            (request, Stage::Welcomed(player)) => {
                if let Some(look) = Query::of(player, &request) {
                    self.looking = Some(look.id.clone());
                    self.actions.push_back(Action::Query(look));
                    return;
                }
                // A client that asks for something wants all that comes.
                if let Cursor::Held(seq) = self.cursor {
                    self.cursor = Cursor::At(seq);
                }
                self.actions.push_back(Action::Request(request));
            }
            (request, Stage::New | Stage::Greeting) => {
                self.refuse(Refusal::HelloFirst, request.id().clone());
            }
        }
    }

    /// Takes what comes from the hub.
    pub fn deliver(&mut self, outbound: Outbound) {
        match outbound {
            Outbound::Welcome {
                player,
                seq,
                returns,
                body,
            } => {
                self.stage = Stage::Welcomed(player);
                self.cursor = if returns {
                    Cursor::Held(seq)
                } else {
                    Cursor::At(seq)
                };
                self.send(body);
            }
            Outbound::Push { seq, body } => match self.cursor {
                Cursor::At(last) if last.checked_add(1) == Some(seq) => {
                    self.cursor = Cursor::At(seq);
                    self.actions.push_back(Action::Send(body));
                    self.answer_what_waits();
                }
                _ => {}
            },
            Outbound::Answer(body) => {
                if self.stage == Stage::Greeting {
                    // A `hello` that is refused may be said again.
                    self.stage = Stage::New;
                }
                self.answer_in_turn(body);
            }
            Outbound::Resumed(after) => {
                self.resuming = None;
                self.cursor = after.map_or(self.cursor, Cursor::At);
            }
            Outbound::Expelled => return self.end(End::Close(CloseCode::Policy)),
            // Where its player is concerns the way of its requests, not the client; and no client is
            // an operator.
            Outbound::Done
            | Outbound::Elsewhere(_)
            | Outbound::Released
            | Outbound::Operated(_)
            | Outbound::Retained(_) => return,
        }
        self.actions.push_back(Action::CatchUp);
    }

    /// Ends the session because its player may not stay: one who is banned reads it.
    pub fn expel(&mut self, standing: Standing) {
        if standing == Standing::Banned {
            let refusal = Refusal::Banned;
            self.answer(refusal, told(self.catalogue, refusal));
        }
        self.end(End::Close(CloseCode::Policy));
    }

    /// Answers that the table can't do now what was asked for by this name: it may be asked again.
    pub fn give_up(&mut self, id: RequestId, now: u64) {
        if self.stage == Stage::Greeting {
            self.stage = Stage::New;
            self.hello_due = now + HELLO_PATIENCE;
        }
        for waits in [&mut self.resuming, &mut self.looking] {
            waits.take_if(|waiting| *waiting == id);
        }
        self.refuse(Refusal::Unavailable, id);
    }

    /// Sends what the client asked to see.
    pub fn show(&mut self, seen: Message) {
        self.looking = None;
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.send(json(seq, seen));
    }

    /// Notes that the store may have more messages to the player than were delivered.
    pub fn note_more(&mut self) {
        self.actions.push_back(Action::CatchUp);
    }

    /// Reads from the store what was not handed over; `latest` is the number of the player's
    /// last message.
    pub fn catch_up(&mut self, latest: u64, now: u64) {
        if std::mem::take(&mut self.replaying) {
            self.heard = now;
        }
        if let (Cursor::At(after), Stage::Welcomed(player)) = (self.cursor, self.stage)
            && latest > after
            && self.reading.is_none()
        {
            self.reading = Some(after);
            self.actions.push_back(Action::Read { player, after });
        }
    }

    /// Sends messages of the store, in order, but for those that were handed over meanwhile.
    pub fn replay(&mut self, messages: Vec<(u64, String)>) {
        let asked = self.reading.take();
        if messages.is_empty() {
            return;
        }
        if let (Some(asked), Cursor::At(last)) = (asked, self.cursor)
            && last < asked
        {
            // The client has gone back since: there is more to be read.
            self.actions.push_back(Action::CatchUp);
            return;
        }
        for (seq, body) in messages {
            if matches!(self.cursor, Cursor::At(last) if seq <= last) {
                continue;
            }
            self.cursor = Cursor::At(seq);
            self.send(body);
            self.answer_what_waits();
        }
        self.replaying = true;
        self.actions.push_back(Action::CatchUp);
    }

    /// Sends an answer, once all messages were sent that came before it.
    fn answer_in_turn(&mut self, body: String) {
        let numbered: Option<Numbered> = serde_json::from_str(&body).ok();
        let seq = numbered.map_or(0, |answer| answer.seq);
        match self.cursor {
            Cursor::At(last) if seq > last => self.ahead.push_back((seq, body)),
            _ => self.send(body),
        }
    }

    fn answer_what_waits(&mut self) {
        let Cursor::At(last) = self.cursor else {
            return;
        };
        while self.ahead.front().is_some_and(|(seq, _)| *seq <= last)
            && let Some((_, body)) = self.ahead.pop_front()
        {
            self.send(body);
        }
    }

    /// Ends the session because the server ends.
    pub fn shut_down(&mut self) {
        self.end(End::Close(CloseCode::Restart));
    }

    /// Says something to this connection alone, which is not of the sequence.
    pub fn tell(&mut self, message: Message) {
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.send(json(seq, message));
    }

    fn refuse(&mut self, refusal: Refusal, id: RequestId) {
        self.answer(refusal, refused(self.catalogue, refusal, id));
    }

    fn refuse_bad(&mut self, bad: BadRequest) {
        self.answer(Refusal::BadMessage, not_a_request(self.catalogue, bad));
    }

    /// Answers in place of the hub.
    fn answer(&mut self, refusal: Refusal, message: Message) {
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.actions
            .push_back(Action::Refuse(refusal, json(seq, message).into()));
    }

    fn send(&mut self, body: String) {
        self.actions.push_back(Action::Send(body.into()));
    }

    fn end(&mut self, end: End) {
        self.actions.push_back(Action::End(end));
    }
}

/// What comes from a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A text message.
    Text(&'a str),
    /// A text message that is one too many for its address.
    Crowded(&'a str),
    /// A binary message, which no request is.
    Binary,
    /// A ping or a pong.
    Control,
    /// The client closes.
    Close,
}

/// What a connection has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send this message.
    Send(Arc<str>),
    /// Send this answer to a request that is not granted.
    Refuse(Refusal, Arc<str>),
    /// Ask the client whether it is there.
    Ping,
    /// Count who is at the table, and tell [`Session::tell`](super::Session::tell): the answer to
    /// this request.
    People(RequestId),
    /// Hand a request to the hub.
    Request(Request),
    /// Read the messages to this player after this number from the store, and tell
    /// [`Session::replay`](super::Session::replay).
    Read {
        /// The player.
        player: PlayerId,
        /// The number.
        after: u64,
    },
    /// Read what the client asks to see, and tell [`Session::show`](super::Session::show) or
    /// [`Session::give_up`](super::Session::give_up).
    Query(Query),
    /// Tell [`Session::catch_up`](super::Session::catch_up), unless a delivery waits.
    CatchUp,
    /// End the connection.
    End(End),
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client is gone, or does not take what it is sent.
    Gone,
    /// The client has closed it.
    Left,
    /// The server closes it.
    Close(CloseCode),
}

/// Why the server closes a connection, as the WebSocket protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum CloseCode {
    /// What came is against the WebSocket protocol.
    Protocol = 1002,
    /// A text was not one.
    Invalid = 1007,
    /// The client does what it may not, or not what it should.
    Policy = 1008,
    /// A message was too long.
    Size = 1009,
    /// The server ends.
    Restart = 1012,
}

/// How often a client may be too fast before it is closed.
pub const MOST_TOO_FAST: u32 = 100;

/// How many messages a client may send: some at once, and more as time passes.
///
/// # Examples
///
/// ```
/// use war_table::server::client::RateLimit;
///
/// let mut limit = RateLimit::new(1, 0);
/// // Twice as many as in a second may come at once.
/// assert!(limit.take(0) && limit.take(0) && !limit.take(0));
/// assert!(!limit.take(999) && limit.take(1000));
/// ```
#[derive(Debug, Clone)]
pub struct RateLimit {
    allowance: Allowance,
    bucket: Bucket,
    /// How many were too many; each that is not makes up for one.
    too_fast: u32,
}

impl RateLimit {
    /// The limit for this many messages a second; twice as many may come at once.
    #[must_use]
    pub fn new(rate: u32, now: u64) -> Self {
        let allowance = Allowance::per_second(rate);
        Self {
            bucket: Bucket::full(&allowance, now),
            allowance,
            too_fast: 0,
        }
    }

    /// Whether one more may come now.
    pub fn take(&mut self, now: u64) -> bool {
        let allowed = self.bucket.take(&self.allowance, now).is_ok();
        self.too_fast = if allowed {
            self.too_fast.saturating_sub(1)
        } else {
            self.too_fast + 1
        };
        allowed
    }

    /// Whether the client was too fast too often.
    #[must_use]
    pub const fn is_flooded(&self) -> bool {
        self.too_fast > MOST_TOO_FAST
    }
}
