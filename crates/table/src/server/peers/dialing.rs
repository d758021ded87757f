use super::error::LinkError;
use super::handshake;
use super::link::{Link, PeerVisit};
use super::proof::LinkSecret;
use super::wire::{Frames, in_time};
use crate::server::clock::Clock;
use crate::server::gateway::{RETRY, RoomGone, Visitor};
use crate::server::rooms::{NodeAddress, RoomNumber};
use slog::{Logger, info, warn};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpStream;
use tokio::sync::Mutex as AsyncMutex;

/// The nodes whose rooms the clients of this one visit.
///
/// There is one link to each, made when it is first needed and anew when it was lost.
pub(in crate::server) struct Peers {
    secret: LinkSecret,
    clock: Clock,
    log: Logger,
    known: Mutex<BTreeMap<NodeAddress, Arc<AsyncMutex<Peer>>>>,
}

/// Another node.
#[derive(Default)]
struct Peer {
    link: Option<Arc<Link>>,
    /// Why it could not be reached the last time, and when that turned out.
    failure: Option<(String, u64)>,
}

impl Peers {
    /// A node that knows nobody yet; `secret` is what all nodes of its table know.
    pub(in crate::server) const fn new(secret: LinkSecret, clock: Clock, log: Logger) -> Self {
        Self {
            secret,
            clock,
            log,
            known: Mutex::new(BTreeMap::new()),
        }
    }

    /// Lets a visitor enter a room of the node at this address.
    ///
    /// A room that the node does not own is entered all the same: the visit ends at once.
    ///
    /// # Errors
    ///
    /// [`RoomGone`] where the node can't be reached.
    pub(in crate::server) async fn enter(
        &self,
        at: &NodeAddress,
        room: RoomNumber,
        visitor: Visitor,
    ) -> Result<PeerVisit, RoomGone> {
        let now = self.clock.now();
        let link = self.link(at, now).await?;
        link.enter(room, visitor, now).await
    }

    /// The link to a node, asked for when the clock showed `asked`.
    async fn link(&self, at: &NodeAddress, asked: u64) -> Result<Arc<Link>, RoomGone> {
        let peer = self.peer(at);
        let mut peer = peer.lock().await;
        if let Some(link) = &peer.link
            && link.is_open()
        {
            return Ok(Arc::clone(link));
        }
        // Who waited while it was tried does not try it again, nor does anybody at once.
        if let Some((_, when)) = &peer.failure
            && when.saturating_add(RETRY) > asked
        {
            return Err(RoomGone);
        }
        match self.dial(at).await {
            Ok(link) => {
                info!(self.log, "linked to a node"; "node" => %at);
                let link = Arc::new(link);
                peer.link = Some(Arc::clone(&link));
                peer.failure = None;
                Ok(link)
            }
            Err(error) => {
                let reason = error.to_string();
                let last = peer.failure.as_ref();
                if last.is_none_or(|(last, _)| *last != reason) {
                    warn!(self.log, "can't reach a node"; "node" => %at, "reason" => &reason);
                }
                peer.failure = Some((reason, self.clock.now()));
                Err(RoomGone)
            }
        }
    }

    /// What is known of the node at this address. Nodes that went are forgotten on the way.
    fn peer(&self, at: &NodeAddress) -> Arc<AsyncMutex<Peer>> {
        let peers = self.known.lock();
        let mut peers = peers.unwrap_or_else(PoisonError::into_inner);
        if let Some(peer) = peers.get(at) {
            return Arc::clone(peer);
        }
        let is_linked = |peer: &Peer| peer.link.as_ref().is_some_and(|link| link.is_open());
        peers.retain(|_, peer| {
            let is_asked_for = Arc::strong_count(peer) > 1;
            is_asked_for || peer.try_lock().is_ok_and(|peer| is_linked(&peer))
        });
        Arc::clone(peers.entry(at.clone()).or_default())
    }

    async fn dial(&self, at: &NodeAddress) -> Result<Link, LinkError> {
        let proven = async {
            let stream = TcpStream::connect(&at.0).await?;
            stream.set_nodelay(true)?;
            let (read, mut write) = stream.into_split();
            let mut frames = Frames::new(read);
            handshake::dial(&mut frames, &mut write, &self.secret).await?;
            Ok((frames, write))
        };
        let (frames, write) = in_time(proven).await?;
        let (link, run) = Link::new(frames, write, self.clock.clone());
        let (log, node) = (self.log.clone(), at.clone());
        drop(tokio::spawn(async move {
            let error = run.await;
            info!(log, "lost the link to a node"; "node" => %node, "reason" => %error);
        }));
        Ok(link)
    }
}
