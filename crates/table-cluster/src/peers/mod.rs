//! Links between nodes, over which clients of one node use rooms of another.
//!
//! A node that needs a room of another node opens one TCP connection to that node: a link, which
//! carries a stream for each client. [`Peers`] is the end that opens links, and [`PeerServer`] the
//! end that owns the rooms. Both ends begin TLS ([`encryption`]) and prove that they know the secret
//! of the store ([`handshake`]). Frames are JSON, prefixed with their length ([`wire`]). Links to
//! nodes of earlier versions are in clear, until the store takes no such nodes any more.
//!
//! A link may lose data at any time without harm: whatever a link carries is in the store, and
//! unanswered requests are sent again. A link that is silent, stuck or garbled is therefore closed,
//! and opened again when it is needed.

mod answering_node;
mod encryption;
mod handshake;
mod link;
mod server;
mod wire;

pub(super) use answering_node::{AnsweringNode, identify_node};
pub(super) use encryption::{ClearLinks, LinkAcceptor};
pub(super) use handshake::LinkSecret;
pub(super) use link::{Peers, RemoteConnection};
pub(super) use server::{OwnedRooms, PeerServer};

/// Tests of links over loopback TCP connections.
#[cfg(test)]
mod tests {
    mod answering_nodes;
    mod frames;
    mod handshakes;
    mod harness;
    mod links;
    mod versions;
}
