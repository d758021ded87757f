use crate::ladder::Rated;
use crate::protocol::{AccessToken, PlayerId, Request, RequestId};
use crate::room::Order;
use crate::server::limits::Address;
use war::i18n::Catalogue;
use war::tokens::Name;

/// A command, and when it came.
#[derive(Debug, Clone)]
pub struct Stamped {
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
    /// A client says who it is.
    Hello {
        /// The client.
        client: ClientId,
        /// What it says.
        hello: Hello,
    },
    /// A client that is known asks for something.
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

/// The first request of a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// The request's own name.
    pub id: RequestId,
    /// What the player is called.
    pub name: Name,
    /// The token, by which the player is known or will be.
    pub token: AccessToken,
    /// Whether others may watch the player's games.
    pub watchable: bool,
}

/// The number of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub u64);
