use tokio::net::TcpListener;

/// Where a server listens.
#[derive(Debug)]
pub struct Listeners {
    /// For players, at one address at least.
    pub players: Vec<TcpListener>,
    /// For the operator, who asks for health and metrics; none where nobody does.
    pub admin: Vec<TcpListener>,
}
