use crate::daily::Day;
use crate::ladder::LadderUpdate;
use crate::protocol::{PlayerId, Request};
use crate::room::Order;
use crate::server::limits::ClientAddress;
use crate::time::{TableClock, Time, WallTime};
use war::i18n::Catalogue;

/// A command with its time of arrival: by the server's clock on the way to a hub, by the table's
/// time within the hub.
#[derive(Debug, Clone)]
pub struct TimedCommand<C = TableClock> {
    /// Time of arrival.
    pub at: Time<C>,
    /// The command.
    pub command: HubCommand,
}

/// Command to a hub.
#[derive(Debug, Clone)]
pub enum HubCommand {
    /// Connection of a new client, whose first request is a `hello`.
    Connect {
        /// The client.
        client: ClientId,
        /// Address that the client connects from.
        address: ClientAddress,
        /// `true` if the client's gateway counted it as a possible new player. A table with one
        /// room counts new players itself.
        may_join: bool,
        /// Language of the client's errors.
        catalogue: &'static Catalogue,
    },
    /// Connection of a client whose player is known: the client's `hello` was granted in another
    /// room, or by a previous owner of this room.
    Attach {
        /// The client.
        client: ClientId,
        /// Address that the client connects from.
        address: ClientAddress,
        /// Language of the client's errors.
        catalogue: &'static Catalogue,
        /// Player of the client.
        player: PlayerId,
    },
    /// A client's request. The first one is a `hello`.
    Request {
        /// The client.
        client: ClientId,
        /// The request.
        request: Request,
    },
    /// End of a client's connection.
    Disconnect {
        /// The client.
        client: ClientId,
    },
    /// An operator's order. The outcome is published to this client alone, which needs no
    /// connection.
    Order {
        /// Recipient of the outcome.
        client: ClientId,
        /// The order.
        order: Order,
    },
    /// Removes old messages for an operator.
    PruneMessages {
        /// Recipient of the outcome.
        client: ClientId,
        /// Time from which messages are kept.
        before: WallTime,
        /// Player after whom the removal continues.
        after: PlayerId,
    },
    /// Commits to the seed of a day's duel, unless this hub has done so.
    CommitDay(Day),
    /// Saves the ladder after the games of a day have been rated.
    Rate(LadderUpdate),
    /// Starts no more games; the hub closes after the last one.
    Drain,
}

impl HubCommand {
    /// Returns whether this is a request other than a `hello`.
    pub(super) const fn is_player_request(&self) -> bool {
        matches!(self, Self::Request { request, .. } if !matches!(request, Request::Hello { .. }))
    }
}

/// Number of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClientId(pub u64);
