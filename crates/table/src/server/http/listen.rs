use super::guard::{Guard, admit};
use super::listener::accept_all;
use super::{admin, routes};
use crate::server::host::Hosts;
use crate::server::shared::Shared;
use crate::server::{HostName, Listeners};
use axum::Router;
use axum::middleware::from_fn_with_state;
use std::sync::Arc;
use tokio::net::TcpListener;

/// The most connections of the operator at a time.
const ADMIN_CONNECTIONS: u32 = 64;

/// Serves players and the operator, each at their own addresses and by these names, until the
/// server is closing.
pub(in crate::server) async fn listen(
    listeners: Listeners,
    hosts: Vec<HostName>,
    shared: Arc<Shared>,
) {
    let Listeners { players, admin, .. } = listeners;
    let router = |routes: Router, listeners: &[TcpListener], is_limited| {
        let addresses = listeners.iter().filter_map(|at| at.local_addr().ok());
        let addresses = addresses.map(|address| address.ip());
        let guard = Guard {
            hosts: Hosts::new(hosts.clone(), addresses),
            shared: Arc::clone(&shared),
            is_limited,
        };
        routes.layer(from_fn_with_state(Arc::new(guard), admit))
    };
    let closing = || shared.closing.clone();
    let for_players = router(routes::router(Arc::clone(&shared)), &players, true);
    let for_admin = router(admin::router(Arc::clone(&shared)), &admin, false);
    let most = shared.limits.connections;
    let refuse = || shared.metrics.refused_connection();
    let players = accept_all(players, for_players, most, closing(), refuse);
    let operator = async {
        if !admin.is_empty() {
            accept_all(admin, for_admin, ADMIN_CONNECTIONS, closing(), || {}).await;
        }
    };
    tokio::join!(players, operator);
}
