use crate::protocol::{
    BadRequest, Message, PlayerId, ProtocolVersion, Refusal, Request, RequestError, RequestId,
};
use crate::room::PlayerStatus;
use crate::server::hub::HubDelivery;
use crate::server::limits::{Bucket, RateLimit};
use crate::server::mailbox::MAX_QUEUED_DELIVERIES;
use crate::server::queries::Query;
use crate::server::reply::{
    add_journals, add_watchable, bad_request_message, error_message, is_of_type, refusal_message,
    render_forgotten_as_banned, render_later_version, render_without_friend, serialize_message,
};
use crate::server::store::{StoreSecret, StoredMessage};
use crate::time::{Monotonic, MonotonicClock};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use war::i18n::Catalogue;

/// Time that a client may take to say `hello`.
pub const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Time that a client may take to accept a message.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// Time between two pings to a client.
pub const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Time that a client may be silent before it counts as gone.
pub const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);

/// State machine of a connection, without socket and clock.
///
/// Pass it frames of the client ([`Session::receive_text`] and so on) and deliveries of the hub
/// ([`Session::deliver`]), wake it at [`Session::next_wake`], and carry out each
/// [`Session::next_action`] in order.
#[derive(Debug)]
pub struct Session {
    catalogue: &'static Catalogue,
    /// Secret of the table's store.
    secret: StoreSecret,
    /// Version of the protocol that the client speaks, by its last `hello`.
    protocol: ProtocolVersion,
    stage: Stage,
    /// `true` after a `hello` with the token of a player who was forgotten.
    is_forgotten: bool,
    cursor: Cursor,
    rate_limit: MessageLimit,
    hello_due: Monotonic,
    next_ping: Monotonic,
    /// Time at which the client was last active.
    last_received: Monotonic,
    /// Pending `resume`. Nothing is read from the client until the `resume` is done.
    resuming: Option<RequestId>,
    /// Pending query. Nothing is read from the client until the query is answered.
    query: Option<RequestId>,
    /// Number after which messages are being read from the store; `None` if no read is pending.
    /// Such a read may take long.
    reading: Option<u64>,
    /// `true` while messages from the store are being sent: a client that accepts them is alive.
    replaying: bool,
    /// Answers held back until all messages with lower numbers are sent. An answer can overtake
    /// these messages if it comes from a room that the client entered later.
    early_answers: VecDeque<(u64, Arc<str>)>,
    actions: VecDeque<SessionAction>,
}

/// Stage of the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before the `hello`.
    New,
    /// Between the `hello` and its answer.
    Greeting,
    /// After the `hello` was granted to this player.
    Welcomed(PlayerId),
}

/// Position in the messages to the player.
#[derive(Debug, Clone, Copy)]
enum Cursor {
    /// Number of the message after which delivery is held until a returning client makes a request.
    /// The client can thus first say which messages it has.
    Held(u64),
    /// Number of the message sent last.
    At(u64),
}

/// Sequence number of a message, parsed without the rest of it.
#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

impl Session {
    /// Creates a session; `rate` is the maximum number of messages that the client may send per
    /// second, and `secret` the secret of the table's store.
    #[must_use]
    pub fn new(
        catalogue: &'static Catalogue,
        rate: u32,
        secret: StoreSecret,
        now: Monotonic,
    ) -> Self {
        Self {
            catalogue,
            secret,
            protocol: ProtocolVersion::V2,
            stage: Stage::New,
            is_forgotten: false,
            cursor: Cursor::Held(0),
            rate_limit: MessageLimit::new(rate, now),
            hello_due: now.saturating_add(HELLO_TIMEOUT),
            next_ping: now,
            last_received: now,
            resuming: None,
            query: None,
            reading: None,
            replaying: false,
            early_answers: VecDeque::new(),
            actions: VecDeque::new(),
        }
    }

    /// Next action, if there is one now.
    pub fn next_action(&mut self) -> Option<SessionAction> {
        self.actions.pop_front()
    }

    /// Returns whether to read from the client while this many deliveries wait. Unread requests
    /// wait in the client's socket.
    #[must_use]
    pub fn should_read(&self, deliveries: usize) -> bool {
        deliveries + self.early_answers.len() < MAX_QUEUED_DELIVERIES
            && self.stage != Stage::Greeting
            && self.resuming.is_none()
            && self.query.is_none()
    }

    /// Time of the next [`wake`](Self::wake).
    #[must_use]
    pub fn next_wake(&self) -> Monotonic {
        let wake = self
            .next_ping
            .min(self.last_received.saturating_add(SILENCE_TIMEOUT));
        match self.stage {
            Stage::Welcomed(_) => wake,
            Stage::New | Stage::Greeting => wake.min(self.hello_due),
        }
    }

    /// Does everything that is due at `now`.
    pub fn wake(&mut self, now: Monotonic) {
        let welcomed = matches!(self.stage, Stage::Welcomed(_));
        if !welcomed && self.hello_due <= now {
            self.end(ConnectionEnd::Close(CloseCode::Policy));
        } else if self.last_received.saturating_add(SILENCE_TIMEOUT) <= now {
            self.end(ConnectionEnd::Gone);
        } else if self.next_ping <= now {
            self.next_ping = now.saturating_add(PING_INTERVAL);
            self.actions.push_back(SessionAction::Ping);
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

    /// Receives a text message of the client, whose address is within its limit.
    pub fn receive_text(&mut self, text: &str, now: Monotonic) {
        match self.count_frame(now) {
            Some(true) => match Request::parse(text) {
                Ok(request) => self.request(request),
                Err(bad) => self.refuse_bad(bad),
            },
            Some(false) => self.refuse_as_too_fast(text),
            None => {}
        }
    }

    /// Receives a text message of the client, whose address is over its limit.
    pub fn receive_text_over_limit(&mut self, text: &str, now: Monotonic) {
        if self.count_frame(now).is_some() {
            self.refuse_as_too_fast(text);
        }
    }

    /// Receives a binary message of the client, which is never a request.
    pub fn receive_binary(&mut self, now: Monotonic) {
        if self.count_frame(now).is_some() {
            let reason = RequestError::NotObject;
            self.refuse_bad(BadRequest { id: None, reason });
        }
    }

    /// Receives a ping, a pong or a continuation frame of the client.
    pub fn receive_control(&mut self, now: Monotonic) {
        self.count_frame(now);
    }

    /// Receives a close frame of the client.
    pub fn receive_close(&mut self, now: Monotonic) {
        if self.count_frame(now).is_some() {
            self.end(ConnectionEnd::ClosedByClient);
        }
    }

    /// Counts a frame of the client.
    ///
    /// Returns true if the frame is within the client's limit. Returns `None` if the client has
    /// exceeded the limit too often; the session ends then.
    fn count_frame(&mut self, now: Monotonic) -> Option<bool> {
        self.last_received = now;
        let allowed = self.rate_limit.try_take(now);
        if self.rate_limit.is_flooded() {
            self.end(ConnectionEnd::Close(CloseCode::Policy));
            return None;
        }
        Some(allowed)
    }

    fn refuse_as_too_fast(&mut self, text: &str) {
        match Request::parse(text) {
            Ok(request) => self.refuse(Refusal::TooFast, request.id().clone()),
            Err(bad) => self.refuse_bad(bad),
        }
    }

    fn request(&mut self, request: Request) {
        match (request, self.stage) {
            (
                Request::Hello {
                    id,
                    name,
                    token,
                    protocol,
                    watchable,
                },
                Stage::New,
            ) => {
                self.stage = Stage::Greeting;
                self.protocol = protocol;
                // Rooms treat versions 2 and 3 alike.
                let protocol = match protocol {
                    ProtocolVersion::V2 | ProtocolVersion::V3 => ProtocolVersion::V2,
                    ProtocolVersion::V4 => protocol,
                };
                self.actions
                    .push_back(SessionAction::Request(Request::Hello {
                        id,
                        name,
                        token,
                        protocol,
                        watchable,
                    }));
            }
            (Request::Hello { id, .. }, _) => self.refuse(Refusal::HelloAgain, id),
            // The answer to the request that deleted the player may have been lost.
            (Request::Forget { id }, Stage::New) if self.is_forgotten => {
                self.send_unnumbered(Message::Forgotten { in_reply_to: id });
            }
            (request, Stage::Welcomed(_)) if self.protocol < request.version() => {
                self.refuse(Refusal::OldProtocol, request.id().clone());
            }
            (Request::People { id }, Stage::Welcomed(_)) => {
                self.actions.push_back(SessionAction::People(id));
            }
            (request @ Request::Resume { .. }, Stage::Welcomed(_)) => {
                self.resuming = Some(request.id().clone());
                self.actions.push_back(SessionAction::Request(request));
            }
            (request, Stage::Welcomed(player)) => {
                if let Some(query) = Query::from_request(player, &request) {
                    self.query = Some(query.id.clone());
                    self.actions.push_back(SessionAction::Query(query));
                    return;
                }
                // A request shows that the client wants all messages from here on.
                if let Cursor::Held(seq) = self.cursor {
                    self.cursor = Cursor::At(seq);
                }
                self.actions.push_back(SessionAction::Request(request));
            }
            (request, Stage::New | Stage::Greeting) => {
                self.refuse(Refusal::HelloFirst, request.id().clone());
            }
        }
    }

    /// Handles a delivery of the hub.
    pub fn deliver(&mut self, outbound: HubDelivery) {
        match outbound {
            HubDelivery::Welcome {
                player,
                seq,
                returns,
                watchable,
                body,
            } => {
                self.stage = Stage::Welcomed(player);
                self.cursor = if returns {
                    Cursor::Held(seq)
                } else {
                    Cursor::At(seq)
                };
                let body = match self.protocol {
                    ProtocolVersion::V2 | ProtocolVersion::V3 => body,
                    ProtocolVersion::V4 => add_watchable(&body, watchable).unwrap_or(body),
                };
                self.send_rendered(body.into(), None);
            }
            HubDelivery::Push {
                seq,
                body,
                in_reply_to,
            } => {
                if let Cursor::At(last) = self.cursor
                    && last.checked_add(1) == Some(seq)
                {
                    self.cursor = Cursor::At(seq);
                    self.send_rendered(body, in_reply_to);
                    self.send_early_answers();
                }
            }
            HubDelivery::Answer { body, in_reply_to } => {
                let mut body = body;
                if self.stage == Stage::Greeting {
                    // A refused `hello` may be repeated.
                    self.stage = Stage::New;
                    let as_banned = render_forgotten_as_banned(&body);
                    self.is_forgotten = as_banned.is_some();
                    if self.protocol < ProtocolVersion::V4 {
                        body = as_banned.unwrap_or(body);
                    }
                }
                // Messages about other clients of the player, and about friends.
                if self.protocol < ProtocolVersion::V4 && is_of_type(&body, &["settings", "friend"])
                {
                    return;
                }
                self.send_answer_in_order(body.into(), in_reply_to);
            }
            HubDelivery::Resumed(after) => {
                self.resuming = None;
                self.cursor = after.map_or(self.cursor, Cursor::At);
            }
            HubDelivery::Expelled => return self.end(ConnectionEnd::Close(CloseCode::Policy)),
            // The transport handles redirects, and no client is an operator.
            HubDelivery::Done
            | HubDelivery::Redirect(_)
            | HubDelivery::Released
            | HubDelivery::OrderOutcome(_)
            | HubDelivery::MessagesPruned(_) => return,
        }
        self.actions.push_back(SessionAction::CatchUp);
    }

    /// Ends the session of a player who may not stay; a ban is explained first.
    pub fn expel(&mut self, standing: PlayerStatus) {
        if standing == PlayerStatus::Banned {
            let refusal = Refusal::Banned;
            self.send_refusal(refusal, error_message(self.catalogue, refusal));
        }
        self.end(ConnectionEnd::Close(CloseCode::Policy));
    }

    /// Answers that the table can't carry out this request now. The client may repeat the request.
    pub fn refuse_as_unavailable(&mut self, id: RequestId, now: Monotonic) {
        if self.stage == Stage::Greeting {
            self.stage = Stage::New;
            self.hello_due = now.saturating_add(HELLO_TIMEOUT);
        }
        for waits in [&mut self.resuming, &mut self.query] {
            waits.take_if(|waiting| *waiting == id);
        }
        self.refuse(Refusal::Unavailable, id);
    }

    /// Sends the answer to a query.
    pub fn send_query_answer(&mut self, mut seen: Message) {
        self.query = None;
        if self.protocol > ProtocolVersion::V2 {
            add_journals(&mut seen, &self.secret);
        }
        if let Message::Ladder { today, .. } = &mut seen {
            today.take_if(|_| self.protocol < ProtocolVersion::V4);
        }
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.send(serialize_message(seq, seen).into());
    }

    /// Notes that the store may have more messages to the player than were delivered.
    pub fn schedule_catch_up(&mut self) {
        self.actions.push_back(SessionAction::CatchUp);
    }

    /// Reads missing messages from the store; `latest` is the number of the last message to the
    /// player.
    pub fn catch_up(&mut self, latest: u64, now: Monotonic) {
        if std::mem::take(&mut self.replaying) {
            self.last_received = now;
        }
        if let (Cursor::At(after), Stage::Welcomed(player)) = (self.cursor, self.stage)
            && latest > after
            && self.reading.is_none()
        {
            self.reading = Some(after);
            self.actions
                .push_back(SessionAction::Read { player, after });
        }
    }

    /// Sends messages read from the store in order, except those delivered during the read.
    pub fn replay(&mut self, messages: Vec<StoredMessage>) {
        let asked = self.reading.take();
        if messages.is_empty() {
            return;
        }
        if let (Some(asked), Cursor::At(last)) = (asked, self.cursor)
            && last < asked
        {
            // The client has gone back to an earlier message since the read began, so more has to
            // be read.
            self.actions.push_back(SessionAction::CatchUp);
            return;
        }
        for StoredMessage {
            seq,
            body,
            in_reply_to,
        } in messages
        {
            if matches!(self.cursor, Cursor::At(last) if seq <= last) {
                continue;
            }
            self.cursor = Cursor::At(seq);
            self.send_rendered(body.into(), in_reply_to);
            self.send_early_answers();
        }
        self.replaying = true;
        self.actions.push_back(SessionAction::CatchUp);
    }

    /// Sends an answer after all messages with lower numbers.
    fn send_answer_in_order(&mut self, body: Arc<str>, in_reply_to: Option<RequestId>) {
        let numbered: Option<Numbered> = serde_json::from_str(&body).ok();
        let seq = numbered.map_or(0, |answer| answer.seq);
        let rendered = self.render(body, in_reply_to);
        match self.cursor {
            Cursor::At(last) if seq > last => self.early_answers.push_back((seq, rendered)),
            Cursor::At(_) | Cursor::Held(_) => self.send(rendered),
        }
    }

    fn send_early_answers(&mut self) {
        let Cursor::At(last) = self.cursor else {
            return;
        };
        while self
            .early_answers
            .front()
            .is_some_and(|(seq, _)| *seq <= last)
            && let Some((_, body)) = self.early_answers.pop_front()
        {
            self.send(body);
        }
    }

    /// Ends the session because the server is shutting down.
    pub fn shut_down(&mut self) {
        self.end(ConnectionEnd::Close(CloseCode::Restart));
    }

    /// Sends a message to this connection alone, outside the player's sequence.
    pub fn send_unnumbered(&mut self, message: Message) {
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.send(serialize_message(seq, message).into());
    }

    fn refuse(&mut self, refusal: Refusal, id: RequestId) {
        self.send_refusal(refusal, refusal_message(self.catalogue, refusal, id));
    }

    fn refuse_bad(&mut self, bad: BadRequest) {
        self.send_refusal(
            Refusal::BadMessage,
            bad_request_message(self.catalogue, bad),
        );
    }

    /// Sends a refusal in place of the hub.
    fn send_refusal(&mut self, refusal: Refusal, message: Message) {
        let (Cursor::Held(seq) | Cursor::At(seq)) = self.cursor;
        self.actions.push_back(SessionAction::Refuse(
            refusal,
            serialize_message(seq, message).into(),
        ));
    }

    /// Sends a message of version 2 in the client's version of the protocol.
    fn send_rendered(&mut self, body: Arc<str>, in_reply_to: Option<RequestId>) {
        let rendered = self.render(body, in_reply_to);
        self.send(rendered);
    }

    fn render(&self, body: Arc<str>, in_reply_to: Option<RequestId>) -> Arc<str> {
        let body = match self.protocol {
            ProtocolVersion::V2 | ProtocolVersion::V3 => {
                render_without_friend(&body).map_or(body, Arc::from)
            }
            ProtocolVersion::V4 => body,
        };
        match self.protocol {
            ProtocolVersion::V2 => body,
            version => render_later_version(&body, in_reply_to, &self.secret, version)
                .map_or(body, Arc::from),
        }
    }

    fn send(&mut self, body: Arc<str>) {
        self.actions.push_back(SessionAction::Send(body));
    }

    fn end(&mut self, end: ConnectionEnd) {
        self.actions.push_back(SessionAction::End(end));
    }
}

/// Action that a session asks its connection to carry out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionAction {
    /// Sends this message to the client.
    Send(Arc<str>),
    /// Sends this refusal to the client.
    Refuse(Refusal, Arc<str>),
    /// Sends a ping to the client.
    Ping,
    /// Counts the people at the table, and passes the answer to
    /// [`Session::send_unnumbered`](super::Session::send_unnumbered).
    People(RequestId),
    /// Sends a request to the hub.
    Request(Request),
    /// Reads the messages to this player after this number from the store, and passes them to
    /// [`Session::replay`](super::Session::replay).
    Read {
        /// The player.
        player: PlayerId,
        /// Number of the message after which reading starts.
        after: u64,
    },
    /// Answers a query, with [`Session::send_query_answer`](super::Session::send_query_answer) or
    /// [`Session::refuse_as_unavailable`](super::Session::refuse_as_unavailable).
    Query(Query),
    /// Calls [`Session::catch_up`](super::Session::catch_up), unless deliveries wait.
    CatchUp,
    /// Ends the connection.
    End(ConnectionEnd),
}

/// End of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// Loss of the client, which is gone or accepts no messages.
    Gone,
    /// Closing handshake started by the client.
    ClosedByClient,
    /// Closing handshake to be started by the server, with this code.
    Close(CloseCode),
}

/// Close code of the WebSocket protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum CloseCode {
    /// Violation of the WebSocket protocol.
    Protocol = 1002,
    /// Text that is not UTF-8.
    Invalid = 1007,
    /// Violation of the server's policy: no `hello` in time, too many messages, or a player who may
    /// not stay.
    Policy = 1008,
    /// Message of the client that is too long.
    Size = 1009,
    /// Shutdown of the server.
    Restart = 1012,
}

/// Number of messages over the limit after which a connection is closed.
pub const MAX_EXCESS_MESSAGES: u32 = 100;

/// Limit on the messages of a client, with a maximum burst and a steady rate.
///
/// # Examples
///
/// ```
/// use war_table::server::client::MessageLimit;
/// use war_table::time::Monotonic;
///
/// let at = Monotonic::from_millis;
/// let mut limit = MessageLimit::new(1, at(0));
/// // A burst may be twice the rate.
/// assert!(limit.try_take(at(0)) && limit.try_take(at(0)) && !limit.try_take(at(0)));
/// assert!(!limit.try_take(at(999)) && limit.try_take(at(1000)));
/// ```
#[derive(Debug, Clone)]
pub struct MessageLimit {
    limit: RateLimit,
    bucket: Bucket<MonotonicClock>,
    /// Number of messages over the limit, less one for each message within it.
    too_fast: u32,
}

impl MessageLimit {
    /// A limit of this many messages a second, and bursts of twice as many.
    #[must_use]
    pub fn new(rate: u32, now: Monotonic) -> Self {
        let limit = RateLimit::per_second(rate);
        Self {
            bucket: Bucket::new_full(&limit, now),
            limit,
            too_fast: 0,
        }
    }

    /// Takes one message; returns false if the limit does not allow it now.
    pub fn try_take(&mut self, now: Monotonic) -> bool {
        let allowed = self.bucket.take(&self.limit, now).is_ok();
        self.too_fast = if allowed {
            self.too_fast.saturating_sub(1)
        } else {
            self.too_fast + 1
        };
        allowed
    }

    /// Returns whether the client exceeded the limit too often.
    #[must_use]
    pub const fn is_flooded(&self) -> bool {
        self.too_fast > MAX_EXCESS_MESSAGES
    }
}
