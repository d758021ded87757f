use crate::ladder::Rated;
use crate::protocol::{PlayerId, Request};
use crate::room::Order;
use crate::server::limits::Address;
use war::i18n::Catalogue;

/// A command, and when it came.
#[derive(Debug, Clone)]
pub struct TimedCommand {
    /// The table's time when the command came, whenever it is done.
    pub at: u64,
    /// The command.
    pub command: HubCommand,
}

/// What a hub is asked for.
#[derive(Debug, Clone)]
pub enum HubCommand {
    /// A client is there, which will say `hello`.
    Connect {
        /// The client.
        client: ClientId,
        /// Where it comes from.
        address: Address,
        /// Whether it may be a new player, as far as its gateway counts: a table of one room counts
        /// by itself.
        may_join: bool,
        /// The language that its errors are written in.
        catalogue: &'static Catalogue,
    },
    /// A client is there whose player is known: it said `hello` in another room, or before this
    /// room got its owner.
    Attach {
        /// The client.
        client: ClientId,
        /// Where it comes from.
        address: Address,
        /// The language that its errors are written in.
        catalogue: &'static Catalogue,
        /// Its player.
        player: PlayerId,
    },
    /// A client asks for something, first to be welcomed.
    Request {
        /// The client.
        client: ClientId,
        /// What it asks for.
        request: Request,
    },
    /// A client is gone.
    Disconnect {
        /// The client.
        client: ClientId,
    },
    /// An operator asks for something; what came of it is published to this client alone, which
    /// has no player and need not be known.
    Operate {
        /// The number that the answer goes to.
        client: ClientId,
        /// What is asked for.
        order: Order,
    },
    /// An operator keeps messages of some time only.
    Retain {
        /// The number that the answer goes to.
        client: ClientId,
        /// From when on messages are kept, by the wall clock.
        before: u64,
        /// Of the players behind this one.
        after: PlayerId,
    },
    /// The games of a day were rated: what the ladder has become is to be kept.
    Rate(Rated),
    /// No game shall start any more; the hub is closed with the last one.
    Drain,
}

impl HubCommand {
    /// Whether a client asks for something that is not to be welcomed.
    pub(super) const fn is_of_a_player(&self) -> bool {
        matches!(self, Self::Request { request, .. } if !matches!(request, Request::Hello { .. }))
    }
}

/// The number of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub u64);
