use war_table::room::PlayerId;
use war_table::server::rooms::RoomNumber;

/// A client's stay in a room, as the owner of the room knows it.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    /// The connection.
    pub(crate) line: u64,
    /// Which player opened it, by their place in the world.
    pub(crate) visitor: usize,
    /// The node that owns the room, or did.
    pub(crate) node: usize,
    pub(crate) room: RoomNumber,
    /// Over which link it is, where nodes share the table.
    pub(crate) link: Option<u64>,
    /// Its player, once that is known.
    pub(crate) player: Option<PlayerId>,
    /// Whether the room counts its player as somebody who is there.
    pub(crate) is_here: bool,
}
