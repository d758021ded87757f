//! The link between nodes: how the clients of one node visit rooms of another.
//!
//! A node that needs a room of another one makes a TCP connection to it, once, and all visits to
//! that node share it: [`Peers`] is this end, where the visits come from, and [`Host`] the other
//! one, which owns the rooms. Before anything else both show that they know the secret of the
//! store ([`handshake`]). Frames are JSON behind their length ([`wire`]).
//!
//! Nothing depends on what the link brings: whatever is lost with it is in the store, and a
//! request whose answer did not come is asked again. So a link that is silent, stuck or garbled
//! is simply cut, and made anew when it is needed next. What it carries is not encrypted: it is
//! for a private network.

mod handshake;
mod host;
mod link;
mod wire;

pub(super) use handshake::LinkSecret;
pub(super) use host::{Host, OwnedRooms};
pub(super) use link::{PeerVisit, Peers};

/// The link, over real connections of this machine.
#[cfg(test)]
mod tests {
    mod bytes;
    mod handshakes;
    mod lives;
    mod rig;
}
