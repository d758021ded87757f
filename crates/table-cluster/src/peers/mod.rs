//! Links between nodes, over which clients of one node use rooms of another.
//!
//! A node that needs a room of another node opens one TCP connection to that node: a link, which
//! carries a stream for each client. [`Peers`] is the end that opens links, and [`PeerServer`] the
//! end that owns the rooms. Both ends first prove that they know the secret of the store
//! ([`handshake`]). Frames are JSON, prefixed with their length ([`wire`]).
//!
//! A link may lose data at any time without harm: whatever a link carries is in the store, and
//! unanswered requests are sent again. A link that is silent, stuck or garbled is therefore closed,
//! and opened again when it is needed. Links are not encrypted: use a private network.

mod handshake;
mod link;
mod server;
mod wire;

pub(super) use handshake::LinkSecret;
pub(super) use link::{Peers, RemoteConnection};
pub(super) use server::{OwnedRooms, PeerServer};

/// Tests of links over loopback TCP connections.
#[cfg(test)]
mod tests {
    mod frames;
    mod handshakes;
    mod harness;
    mod links;
}
