//! Finds out who answers at an address: this node, or another one of the table.

use super::encryption::{LinkAcceptor, LinkConnector, OpenedLink};
use super::handshake::{self, LinkSecret};
use super::link::connect;
use super::wire::{FrameReader, LinkError, run_with_timeout};
use crate::leases::NodeAddress;

/// Node of this table that answers at an address.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum AnsweringNode {
    /// The node that asks.
    Itself,
    /// Another running node, with its id. Nodes that know only links in clear have no id.
    Other(Option<String>),
}

/// Dials an address as other nodes do, and tells who answers there. `own` accepts the links of this
/// node, and `secret` is that of the table.
///
/// # Errors
///
/// The reason, if nobody answers who knows the secret.
pub(crate) async fn identify_node(
    at: &NodeAddress,
    own: &LinkAcceptor,
    secret: &LinkSecret,
) -> Result<AnsweringNode, String> {
    let encrypted = async {
        let opened = LinkConnector::new().connect(connect(at).await?).await?;
        let key = opened.listener_key.clone();
        if key.as_ref() == Some(own.key()) {
            return Ok(AnsweringNode::Itself);
        }
        verify(opened, secret).await?;
        Ok(AnsweringNode::Other(key.map(|key| key.to_id())))
    };
    let answered = match run_with_timeout(encrypted).await {
        // A link in clear is harmless here, even if no such links are allowed: this node sends
        // nothing but a nonce.
        Err(LinkError::Clear) => {
            let clear = async {
                verify(OpenedLink::new_clear(connect(at).await?), secret).await?;
                Ok(AnsweringNode::Other(None))
            };
            run_with_timeout(clear).await
        }
        answered => answered,
    };
    answered.map_err(|error| error.to_string())
}

/// Verifies that the other side knows the secret of the table.
async fn verify(opened: OpenedLink, secret: &LinkSecret) -> Result<(), LinkError> {
    let channel = opened.channel;
    let (read, mut write) = opened.split();
    let mut frames = FrameReader::new(read);
    let verified = handshake::verify_listener(&mut frames, &mut write, secret, channel).await;
    verified.map(drop)
}
