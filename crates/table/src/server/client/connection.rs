use super::query::{self, PendingQuery, PendingRead, QueryAnswer};
use super::socket::{MAX_MESSAGE_LEN, close_code_of};
use super::{CloseCode, ConnectionEnd, SEND_TIMEOUT, Session, SessionAction, Socket, Transport};
use crate::protocol::PlayerId;
use crate::server::attendance::AttendanceGuard;
use crate::server::limits::ClientAddress;
use crate::server::mailbox::PendingClient;
use crate::server::shared_state::SharedState;
use crate::server::store::StoredMessage;
use crate::time::Monotonic;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, Message};

/// Time that a client may take to accept a message.
const WRITE_TIMEOUT: Duration = SEND_TIMEOUT;
/// Maximum number of messages read from the store at a time.
const MAX_READ: u64 = 100;

/// Messages being read from the store.
type PendingMessages = PendingRead<Vec<StoredMessage>>;

/// An accepted client that has yet to be served.
pub struct AcceptedClient {
    /// Number of the client's connection.
    pub number: u64,
    /// The client, about to enter a room.
    pub visitor: PendingClient,
    pub(in crate::server) socket: Socket<TokioIo<Upgraded>>,
    pub(in crate::server) shared: Arc<SharedState>,
}

impl AcceptedClient {
    /// Serves the client until its connection ends.
    pub async fn serve(self, transport: impl Transport) {
        let Self {
            visitor,
            socket,
            shared,
            ..
        } = self;
        let session = Session::new(
            visitor.catalogue,
            shared.limits.rate,
            shared.identity.secret,
            shared.clock.now(),
        );
        let connection = Connection {
            address: visitor.address,
            socket,
            shared,
            session,
            transport,
            reading: None,
            query: None,
            arrived: Monotonic::ZERO,
            attending: None,
        };
        connection.serve().await;
    }
}

/// A WebSocket connection that carries out the actions of its session.
struct Connection<T> {
    /// Address of the client.
    address: ClientAddress,
    socket: Socket<TokioIo<Upgraded>>,
    shared: Arc<SharedState>,
    session: Session,
    transport: T,
    /// Messages being read from the store. The limit of the client's address may delay the read,
    /// but nothing else waits for the read.
    reading: Option<PendingMessages>,
    /// Query being answered.
    query: Option<PendingQuery>,
    /// Time of the client's last message.
    arrived: Monotonic,
    /// Guard that counts the client's player as connected.
    attending: Option<AttendanceGuard>,
}

impl<T: Transport> Connection<T> {
    /// Serves the connection until it ends.
    async fn serve(mut self) {
        let end = match self.run().await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        self.transport.leave(self.shared.clock.now()).await;
        // A client that does not accept the close frame in time is gone.
        let _ = timeout(WRITE_TIMEOUT, self.close(end)).await;
    }

    /// Closes the connection as the WebSocket protocol requires.
    async fn close(&mut self, end: ConnectionEnd) {
        match end {
            ConnectionEnd::Gone => {}
            ConnectionEnd::ClosedByClient => self.socket.finish_close().await,
            ConnectionEnd::Close(code) => self.socket.close(code).await,
        }
    }

    async fn run(&mut self) -> Result<std::convert::Infallible, ConnectionEnd> {
        let mut closing = self.shared.closing.clone();
        let mut wake = pin!(sleep_until(self.next_wake()));
        loop {
            reset_timer(&mut wake, self.next_wake());
            let reads = self.session.should_read(self.transport.waiting_count())
                && self.transport.accepts_requests();
            tokio::select! {
                // Deliveries come first, even while the server is closing.
                biased;
                delivery = self.transport.receive() => {
                    let now = self.shared.clock.now();
                    self.transport.handle(delivery, &mut self.session, now).await;
                }
                _ = closing.changed() => self.session.shut_down(),
                () = &mut wake => self.wake(),
                messages = wait_for_read(&mut self.reading) => self.session.replay(messages?),
                seen = wait_for_read(&mut self.query) => self.show(seen?),
                received = self.socket.receive(), if reads => self.receive(received)?,
            }
            self.act().await?;
            // Waiting deliveries are flushed together.
            if self.transport.waiting_count() == 0 {
                self.flush().await?;
            }
        }
    }

    fn next_wake(&self) -> Instant {
        let wake = self.session.next_wake();
        let wake = self.transport.next_wake().map_or(wake, |due| due.min(wake));
        self.shared.clock.to_instant(wake).into()
    }

    fn wake(&mut self) {
        let now = self.shared.clock.now();
        self.session.wake(now);
        self.transport.wake(now);
    }

    fn catch_up(&mut self) {
        if self.transport.waiting_count() == 0 {
            let now = self.shared.clock.now();
            self.session.catch_up(self.transport.latest(), now);
        }
    }

    /// Passes a query's answer to the session.
    fn show(&mut self, seen: QueryAnswer) {
        match seen {
            Ok(message) => self.session.send_query_answer(message),
            Err(id) => self
                .session
                .refuse_as_unavailable(id, self.shared.clock.now()),
        }
    }

    fn receive(
        &mut self,
        received: Option<Result<Message, tungstenite::Error>>,
    ) -> Result<(), ConnectionEnd> {
        let message = match received {
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                return Err(close_code_of(&error).map_or(ConnectionEnd::Gone, ConnectionEnd::Close));
            }
            None => return Err(ConnectionEnd::Gone),
        };
        if message.len() > MAX_MESSAGE_LEN && !message.is_close() {
            return Err(ConnectionEnd::Close(CloseCode::Size));
        }
        let now = self.shared.clock.now();
        self.arrived = now;
        // A continuation frame costs as much to read as a message, so it counts towards the limit.
        for _ in 0..self.socket.take_continuations() {
            self.session.receive_control(now);
        }
        match &message {
            Message::Text(text) => {
                let limits = &self.shared.address_limits;
                match limits.count_request(self.address, now) {
                    Ok(()) => self.session.receive_text(text, now),
                    Err(_) => self.session.receive_text_over_limit(text, now),
                }
            }
            Message::Binary(_) => self.session.receive_binary(now),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {
                self.session.receive_control(now);
            }
            Message::Close(_) => self.session.receive_close(now),
        }
        Ok(())
    }

    /// Carries out all actions of the session and all waiting requests.
    async fn act(&mut self) -> Result<(), ConnectionEnd> {
        loop {
            if self.attending.is_none()
                && let Some(player) = self.session.player()
            {
                self.attending = Some(self.shared.metrics.attendance().count_connection(player));
            }
            while let Some(action) = self.session.next_action() {
                self.act_on(action).await?;
            }
            let now = self.shared.clock.now();
            if !self.transport.advance(&mut self.session, now).await {
                return Ok(());
            }
        }
    }

    async fn act_on(&mut self, action: SessionAction) -> Result<(), ConnectionEnd> {
        if !matches!(
            action,
            SessionAction::Send(_) | SessionAction::Refuse(..) | SessionAction::CatchUp
        ) {
            self.flush().await?;
        }
        match action {
            SessionAction::Send(body) => self.send_text(&body).await?,
            SessionAction::Refuse(refusal, body) => {
                self.shared.metrics.count_refusal(refusal);
                self.send_text(&body).await?;
            }
            SessionAction::Ping => self.send(Message::Ping(Vec::new().into())).await?,
            SessionAction::People(id) => {
                let people = self.shared.metrics.attendance().answer(id);
                self.session.send_unnumbered(people);
            }
            SessionAction::Request(request) => self.transport.send(request, self.arrived).await?,
            SessionAction::Read { player, after } => {
                let shared = Arc::clone(&self.shared);
                let messages = self.transport.latest().saturating_sub(after);
                let estimated_bytes = estimated_bytes(messages);
                let read = read(shared, self.address, estimated_bytes, player, after);
                self.reading = Some(Box::pin(read));
            }
            SessionAction::Query(query) => {
                let shared = Arc::clone(&self.shared);
                self.query = Some(Box::pin(query::answer_query(shared, self.address, query)));
            }
            SessionAction::CatchUp => self.catch_up(),
            SessionAction::End(end) => return Err(end),
        }
        Ok(())
    }

    async fn send_text(&mut self, body: &str) -> Result<(), ConnectionEnd> {
        self.send(Message::Text(body.into())).await
    }

    /// Queues a message; it is sent with later ones or by [`Self::flush`].
    async fn send(&mut self, message: Message) -> Result<(), ConnectionEnd> {
        check_sent(&timeout(WRITE_TIMEOUT, self.socket.feed(message)).await)
    }

    /// Sends queued messages.
    async fn flush(&mut self) -> Result<(), ConnectionEnd> {
        check_sent(&timeout(WRITE_TIMEOUT, self.socket.flush()).await)
    }
}

/// Checks that a client accepted a message in time.
fn check_sent<T>(sent: &Result<Result<(), tungstenite::Error>, T>) -> Result<(), ConnectionEnd> {
    match sent {
        Ok(Ok(())) => Ok(()),
        _ => Err(ConnectionEnd::Gone),
    }
}

/// Resets the timer unless it is set to this moment already.
fn reset_timer(wake: &mut Pin<&mut Sleep>, moment: Instant) {
    if wake.deadline() != moment || wake.is_elapsed() {
        wake.as_mut().reset(moment);
    }
}

/// Waits for a pending read, if there is one.
async fn wait_for_read<T>(reading: &mut Option<PendingRead<T>>) -> Result<T, ConnectionEnd> {
    let Some(found) = reading else {
        return pending().await;
    };
    let found = found.await;
    *reading = None;
    found
}

/// Estimated bytes of the next read for a client that misses this many messages. The estimate
/// depends on the number, so that a client that misses only two messages does not wait as long as a
/// client that misses all.
fn estimated_bytes(messages: u64) -> i64 {
    query::estimate_bytes(messages.clamp(1, MAX_READ))
}

/// Reads messages from the store, once the limit of this address allows it.
async fn read(
    shared: Arc<SharedState>,
    address: ClientAddress,
    estimated_bytes: i64,
    player: PlayerId,
    after: u64,
) -> Result<Vec<StoredMessage>, ConnectionEnd> {
    query::wait_for_turn(&shared, address, estimated_bytes).await?;
    let messages = shared.read_messages(player, after).await;
    let messages = messages.ok_or(ConnectionEnd::Gone)?;
    let length: usize = messages.iter().map(|message| message.body.len()).sum();
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    let now = shared.clock.now();
    shared
        .address_limits
        .count_replayed(address, length - estimated_bytes, now);
    Ok(messages)
}

#[cfg(test)]
mod tests {
    use super::estimated_bytes;
    use crate::server::limits::AddressLimits;
    use crate::time::Monotonic;
    use std::net::{IpAddr, Ipv4Addr};
    use std::time::Duration;

    #[test]
    fn a_crowd_at_one_address_may_miss_two_messages_each() {
        let address_limits = AddressLimits::new(20);
        let address = IpAddr::from(Ipv4Addr::LOCALHOST).into();
        for _ in 0..1000 {
            let wait = address_limits.count_replayed(address, estimated_bytes(2), Monotonic::ZERO);
            assert_eq!(wait, Duration::ZERO);
        }
        let much = estimated_bytes(40_000);
        let waits = (0..100).map(|_| address_limits.count_replayed(address, much, Monotonic::ZERO));
        assert!(
            waits.max() > Some(Duration::from_secs(1)),
            "who misses much waits"
        );
    }
}
