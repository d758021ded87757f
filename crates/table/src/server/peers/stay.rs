use super::frames::{ToGateway, VisitNumber};
use super::wire::Frame;
use crate::server::clock::Clock;
use crate::server::gateway::{Errand, Visit};
use crate::server::hub::Outbound;
use tokio::sync::mpsc;

/// How many errands of a visitor may wait: gateways send the next one when the one before it is
/// done.
const WAITING_ERRANDS: usize = 4;

/// What a visitor asks for, and when it came by this node's clock.
pub(super) type Asked = (Errand, u64);

/// The stay of another node's client in a room of this one.
pub(super) struct Stay {
    visit: VisitNumber,
    /// What the visitor asks for, until they leave.
    asked: mpsc::Receiver<Asked>,
    /// To the other node.
    answers: mpsc::Sender<ToGateway>,
    clock: Clock,
}

impl Stay {
    /// A stay, and how errands come to it: it ends when no more can come.
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
                    Some((errand, arrived)) => {
                        if room.ask(errand, arrived).await.is_err() {
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
