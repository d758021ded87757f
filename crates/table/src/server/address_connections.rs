use super::limits::ClientAddress;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedSemaphorePermit;

/// Counts of the connections of each address, so that no address can take all of them.
#[derive(Debug)]
pub(super) struct AddressConnections {
    /// Maximum number of connections of one address.
    limit: u32,
    counts: Mutex<BTreeMap<ClientAddress, u32>>,
}

impl AddressConnections {
    pub(super) const fn new(limit: u32) -> Self {
        Self {
            limit,
            counts: Mutex::new(BTreeMap::new()),
        }
    }

    /// Counts one more connection of an address until the slot is dropped; `None` if the address
    /// has as many as it may.
    pub(super) fn take_slot(self: &Arc<Self>, address: ClientAddress) -> Option<ConnectionSlot> {
        let mut counts = self.counts();
        let count = counts.entry(address).or_default();
        if *count >= self.limit {
            return None;
        }
        *count += 1;
        Some(ConnectionSlot {
            connections: Arc::clone(self),
            address,
        })
    }

    fn counts(&self) -> MutexGuard<'_, BTreeMap<ClientAddress, u32>> {
        // No panic can leave a count half updated.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Place of a connection among those of its address.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    connections: Arc<AddressConnections>,
    address: ClientAddress,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut counts = self.connections.counts();
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// Connection of a client, which lasts until both its HTTP connection and its WebSocket have ended.
pub(super) struct ClientConnection {
    /// Address of the other end, which is a client or a proxy.
    pub(super) peer: IpAddr,
    /// `true` if the number of connections of the client's address is limited.
    pub(super) is_limited: bool,
    _permit: OwnedSemaphorePermit,
    _slot: Option<ConnectionSlot>,
}

impl ClientConnection {
    pub(super) const fn new(
        peer: IpAddr,
        is_limited: bool,
        permit: OwnedSemaphorePermit,
        slot: Option<ConnectionSlot>,
    ) -> Self {
        Self {
            peer,
            is_limited,
            _permit: permit,
            _slot: slot,
        }
    }
}

/// Returns true for an address of this machine or of a private network, which may be a proxy with
/// many clients behind it.
pub(super) fn may_be_proxy(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => {
            address.is_loopback() || address.is_private() || address.is_link_local()
        }
        IpAddr::V6(address) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AddressConnections, may_be_proxy};
    use crate::server::limits::ClientAddress;
    use std::net::IpAddr;
    use std::sync::Arc;

    fn ip(text: &str) -> IpAddr {
        text.parse().expect("an address")
    }

    #[test]
    fn an_address_has_as_many_connections_as_the_limit_at_once() {
        let connections = Arc::new(AddressConnections::new(2));
        let take = |text: &str| connections.take_slot(ClientAddress::from(ip(text)));
        let first = take("2001:db8::1").expect("a slot");
        let second = take("2001:db8::2").expect("a slot of the same network");
        assert!(take("2001:db8::3").is_none());
        assert!(take("2001:db8:0:1::1").is_some(), "another network");
        assert!(take("192.0.2.1").is_some());
        drop(first);
        assert!(take("2001:db8::3").is_some());
        drop((second, connections.take_slot(ip("192.0.2.1").into())));
        assert!(connections.counts().is_empty(), "nothing is kept");
    }

    #[test]
    fn only_addresses_close_by_may_be_proxies() {
        for near in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.1.1",
            "::1",
            "::ffff:10.1.2.3",
            "fd00::1",
            "fe80::1",
        ] {
            assert!(may_be_proxy(ip(near)), "{near}");
        }
        for far in ["192.0.2.1", "172.32.0.1", "2001:db8::1", "::ffff:192.0.2.1"] {
            assert!(!may_be_proxy(ip(far)), "{far}");
        }
    }
}
