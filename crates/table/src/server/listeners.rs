use futures_util::future::select_all;
use std::io;
use std::net::SocketAddr;
use tokio::net::{TcpListener, TcpStream};

/// Where a server listens.
#[derive(Debug)]
pub struct Listeners {
    /// For players, at one address at least.
    pub players: Vec<TcpListener>,
    /// For the operator, who asks for health and metrics; none where nobody does.
    pub admin: Vec<TcpListener>,
    /// For other nodes of the same table; none where the table is this server's alone.
    pub peers: Vec<TcpListener>,
}

/// The next connection at any of these, of which there is one at least.
pub(super) async fn accept(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    let accepts = listeners.iter().map(|listener| Box::pin(listener.accept()));
    select_all(accepts).await.0
}
