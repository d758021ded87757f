//! Nodes that answer, or don't, at the address of another one.

use super::harness::{OwnerNode, SECRET, bind_listener, clear_links, silent_log, with_timeout};
use super::versions::serve_as_old_node;
use crate::leases::NodeAddress;
use crate::peers::{AnsweringNode, LinkAcceptor, LinkSecret, identify_node};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

async fn identify(at: &NodeAddress, own: &LinkAcceptor) -> Result<AnsweringNode, String> {
    with_timeout(identify_node(at, own, &SECRET)).await
}

#[tokio::test]
async fn a_node_tells_itself_from_others() {
    let one = OwnerNode::start(SECRET, silent_log()).await;
    let other = OwnerNode::start_with(SECRET, silent_log(), clear_links(true)).await;
    let own = &one.server.acceptor;
    assert_eq!(identify(&one.address, own).await, Ok(AnsweringNode::Itself));
    let id = other.server.acceptor.node_id();
    assert_ne!(id, own.node_id());
    let answers = AnsweringNode::Other(Some(id));
    assert_eq!(identify(&other.address, own).await, Ok(answers));
}

#[tokio::test]
async fn a_node_of_version_1_is_another_one() {
    let (listener, address) = bind_listener().await;
    drop(tokio::spawn(async move {
        loop {
            serve_as_old_node(&listener).await;
        }
    }));
    let answers = identify(&address, &LinkAcceptor::new()).await;
    assert_eq!(answers, Ok(AnsweringNode::Other(None)));
}

#[tokio::test]
async fn strangers_are_no_other_node() {
    let own = LinkAcceptor::new();
    let stranger = OwnerNode::start(LinkSecret::new([8; 32]), silent_log()).await;
    let reason = identify(&stranger.address, &own).await;
    assert_eq!(
        reason,
        Err("the other node does not know the secret of this table".to_owned())
    );
    let (listener, nobody) = bind_listener().await;
    drop(listener);
    assert!(identify(&nobody, &own).await.is_err());
    // A server of another protocol.
    let (web, web_address) = bind_listener().await;
    drop(tokio::spawn(async move {
        while let Ok((mut stream, _)) = web.accept().await {
            let _ = stream.read(&mut [0; 64]).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    }));
    assert!(identify(&web_address, &own).await.is_err());
}

// As if the node at the address were suspended.
#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn silence_is_no_other_node() {
    let (_listener, silent) = bind_listener().await;
    let reason = identify(&silent, &LinkAcceptor::new()).await;
    assert_eq!(reason, Err("the other node is silent".to_owned()));
}
