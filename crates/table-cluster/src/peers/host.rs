use super::handshake::{self, LinkSecret};
use super::wire::{
    Frame, Frames, LONGEST, LinkError, ToGateway, ToOwner, VisitNumber, in_time, opened, send_all,
};
use crate::visit::Visit;
use slog::{Logger, debug, info, warn};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::Request;
use war_table::server::hub::{ClientId, Outbound};
use war_table::server::mailbox::Visitor;
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::RoomNumber;
use war_table::server::{Clock, accept};

/// How many connections may be there that have proven nothing yet.
const MOST_UNPROVEN: usize = 64;
/// How many frames may wait to be written.
const WAITING_FRAMES: usize = 1024;
/// How long a node waits when it can't accept a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// The rooms that this node owns.
pub(crate) trait OwnedRooms: Send + Sync {
    /// How commands reach the writer of a room; `None` where this node does not own it.
    fn writer(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>>;

    /// The number of a new client, which no other client of this node has or had.
    fn next_client(&self) -> ClientId;
}

/// A node that lets clients of other nodes visit its rooms.
pub(crate) struct Host {
    pub(crate) secret: LinkSecret,
    pub(crate) rooms: Arc<dyn OwnedRooms>,
    pub(crate) clock: Clock,
    pub(crate) log: Logger,
}

/// The visits over one link, at the end of the owner.
struct Guests<'a> {
    host: &'a Host,
    /// How requests reach the stays that have begun.
    stays: BTreeMap<VisitNumber, mpsc::Sender<Asked>>,
    answers: mpsc::Sender<ToGateway>,
}

impl Host {
    /// Takes the links of other nodes at these listeners, one at least, until the node is
    /// closing.
    pub(crate) async fn listen(
        self: Arc<Self>,
        listeners: Vec<TcpListener>,
        mut closing: watch::Receiver<bool>,
    ) {
        let unproven = Arc::new(Semaphore::new(MOST_UNPROVEN));
        let mut links = JoinSet::new();
        let mut last_refused = None;
        loop {
            let accepted = tokio::select! {
                accepted = accept(&listeners) => accepted,
                Some(ended) = links.join_next() => {
                    // It tries again and again: once is enough.
                    if let Ok(Some(refused)) = ended && last_refused.as_ref() != Some(&refused) {
                        let (from, reason) = &refused;
                        warn!(self.log, "refused a node"; "from" => from, "reason" => reason);
                        last_refused = Some(refused);
                    }
                    continue;
                }
                _ = closing.changed() => break,
            };
            let Ok((stream, from)) = accepted else {
                // Out of file descriptors, most likely: some will be free soon.
                tokio::time::sleep(PAUSE).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&unproven).try_acquire_owned() else {
                debug!(self.log, "too many nodes at once"; "from" => %from);
                continue;
            };
            let host = Arc::clone(&self);
            links.spawn(async move {
                let proven = in_time(host.greet(stream)).await;
                drop(permit);
                match proven {
                    Ok((incoming, write)) => {
                        info!(host.log, "a node has linked"; "from" => %from);
                        let Err(error) = host.serve(incoming, write).await;
                        info!(host.log, "a node's link ended"; "from" => %from, "reason" => %error);
                    }
                    Err(error @ (LinkError::Version { .. } | LinkError::Secret)) => {
                        return Some((from.ip().to_string(), error.to_string()));
                    }
                    Err(error) => {
                        debug!(host.log, "not a node"; "from" => %from, "reason" => %error);
                    }
                }
                None
            });
        }
    }

    /// Lets the other side prove that it is a node.
    async fn greet(
        &self,
        stream: TcpStream,
    ) -> Result<(Frames<OwnedReadHalf>, OwnedWriteHalf), LinkError> {
        stream.set_nodelay(true)?;
        let (read, mut write) = stream.into_split();
        let mut incoming = Frames::new(read);
        handshake::listen(&mut incoming, &mut write, &self.secret).await?;
        Ok((incoming, write))
    }

    /// Serves a link until it ends.
    async fn serve(
        &self,
        mut incoming: Frames<OwnedReadHalf>,
        mut write: OwnedWriteHalf,
    ) -> Result<Infallible, LinkError> {
        let (answers, waiting) = mpsc::channel(WAITING_FRAMES);
        let mut guests = Guests {
            host: self,
            stays: BTreeMap::new(),
            answers,
        };
        tokio::select! {
            ended = guests.receive(&mut incoming) => ended,
            ended = send_all(&mut write, waiting, || self.clock.now()) => ended,
        }
    }
}

impl Guests<'_> {
    async fn receive<R: AsyncRead + Unpin>(
        &mut self,
        incoming: &mut Frames<R>,
    ) -> Result<Infallible, LinkError> {
        loop {
            let frame = incoming.next(LONGEST).await?;
            let now = self.host.clock.now();
            match frame {
                ToOwner::Enter {
                    visit,
                    age,
                    room,
                    address,
                    may_join,
                    lang,
                    player,
                } => {
                    let lang = Lang::from_code(&lang).unwrap_or(Lang::ALL[0]);
                    let visitor = Visitor {
                        address,
                        may_join,
                        catalogue: Catalogue::built_in(lang),
                        player,
                    };
                    let arrived = now.saturating_sub(age);
                    self.enter(visit, room, visitor, arrived).await?;
                }
                ToOwner::Ask {
                    visit,
                    age,
                    request,
                } => {
                    let Some(stay) = self.stays.get(&visit) else {
                        continue;
                    };
                    let asked = opened(&request).map(|request| (request, now.saturating_sub(age)));
                    let is_on_its_way = asked.is_some_and(|asked| stay.try_send(asked).is_ok());
                    if !is_on_its_way {
                        self.turn_out(visit).await?;
                    }
                }
                ToOwner::Leave { visit } => drop(self.stays.remove(&visit)),
                ToOwner::Beat {} => {}
            }
        }
    }

    async fn enter(
        &mut self,
        visit: VisitNumber,
        room: RoomNumber,
        visitor: Visitor,
        arrived: u64,
    ) -> Result<(), LinkError> {
        if self.stays.contains_key(&visit) {
            return Err(LinkError::Garbled);
        }
        let Some(writer) = self.host.rooms.writer(room) else {
            return self.say_not_owner(visit).await;
        };
        let client = self.host.rooms.next_client();
        let (ask, stay) = Stay::new(visit, self.answers.clone(), self.host.clock.clone());
        self.stays.insert(visit, ask);
        // A writer that is busy holds up nobody else.
        drop(tokio::spawn(async move {
            let begun = Visit::begin(writer, client, visitor, arrived).await;
            stay.last(begun.ok()).await;
        }));
        Ok(())
    }

    /// Ends the stay of somebody who asks for what this node does not understand, or for more
    /// than it takes at a time.
    async fn turn_out(&mut self, visit: VisitNumber) -> Result<(), LinkError> {
        self.stays.remove(&visit);
        warn!(self.host.log, "can't do what a node's client asks for"; "visit" => visit);
        self.say_not_owner(visit).await
    }

    async fn say_not_owner(&self, visit: VisitNumber) -> Result<(), LinkError> {
        let sent = self.answers.send(ToGateway::NotOwner { visit }).await;
        sent.map_err(|_| LinkError::Closed)
    }
}

/// How many requests of a visitor may wait: gateways send the next one when the one before it is
/// done.
const WAITING_ERRANDS: usize = 4;

/// What a visitor asks for, and when it came by this node's clock.
type Asked = (Request, u64);

/// The stay of another node's client in a room of this one.
struct Stay {
    visit: VisitNumber,
    /// What the visitor asks for, until they leave.
    asked: mpsc::Receiver<Asked>,
    /// To the other node.
    answers: mpsc::Sender<ToGateway>,
    clock: Clock,
}

impl Stay {
    /// A stay, and how requests come to it: it ends when no more can come.
    pub(super) fn new(
        visit: VisitNumber,
        answers: mpsc::Sender<ToGateway>,
        clock: Clock,
    ) -> (mpsc::Sender<Asked>, Self) {
        let (ask, asked) = mpsc::channel(WAITING_ERRANDS);
        let stay = Self {
            visit,
            asked,
            answers,
            clock,
        };
        (ask, stay)
    }

    /// Stays until the visitor leaves, their link is lost, or the writer of the room ends. `begun`
    /// is the visit to the room, or nothing where its writer has ended by now.
    pub(super) async fn last(mut self, begun: Option<Visit>) {
        let visit = self.visit;
        if let Some(mut room) = begun {
            let is_left = self.serve(&mut room).await;
            // Also where the writer has given the client up: its player is not connected.
            room.leave(self.clock.now()).await;
            if is_left {
                return;
            }
        }
        // A link that is lost needs to know nothing.
        let _ = self.answers.send(ToGateway::NotOwner { visit }).await;
    }

    /// The result is whether the visitor left, rather than the room.
    async fn serve(&mut self, room: &mut Visit) -> bool {
        loop {
            tokio::select! {
                asked = self.asked.recv() => match asked {
                    Some((request, arrived)) => {
                        if room.ask(request, arrived).await.is_err() {
                            return false;
                        }
                    }
                    None => return true,
                },
                said = room.inbox().receive() => match said {
                    Some(outbound) => {
                        if !self.hand(outbound).await {
                            return true;
                        }
                    }
                    None => return false,
                },
            }
        }
    }

    /// Sends this to the other node, if the link is still there.
    async fn hand(&self, what: Outbound) -> bool {
        let visit = self.visit;
        let sent = self.answers.send(ToGateway::Hand { visit, what }).await;
        sent.is_ok()
    }
}

impl Frame for ToGateway {
    type Wire = Self;

    fn wire(self, _now: u64) -> Self {
        self
    }

    fn beat() -> Self {
        Self::Beat {}
    }
}
