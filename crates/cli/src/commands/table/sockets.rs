//! Listening sockets of a table, and the addresses by which its nodes reach each other.

use crate::machine::addresses::{AdminAddress, ServerAddress};
use crate::machine::config::TableSettings;
use crate::machine::text::io_text;
use std::io;
use tokio::net::TcpListener;
use war::i18n::{Text, text};
use war_table_cluster::StoreLocation;

/// Listening sockets of a table.
pub(crate) struct Sockets {
    pub(crate) players: Vec<TcpListener>,
    pub(crate) admin: Vec<TcpListener>,
    pub(crate) peers: Vec<TcpListener>,
    /// Address advertised to other nodes; `None` if the store is a file, which other nodes can't
    /// share.
    pub(crate) advertised_address: Option<String>,
}

impl Sockets {
    /// Opens all sockets; the error names the address that failed.
    pub(crate) fn open(
        chosen: &TableSettings,
        peering: Option<&PeerAddresses>,
    ) -> Result<Self, Text> {
        let failed =
            |error: &io::Error, text: fn(String, Text) -> Text, address: &ServerAddress| {
                let reason = match error.kind() {
                    io::ErrorKind::AddrInUse => text!(IoAddressInUse),
                    _ => io_text(error),
                };
                text(address.to_string(), reason)
            };
        let players = chosen.listen.bind().map_err(|error| {
            let text = |address, reason| text!(ListenFailed, address = address, reason = reason);
            failed(&error, text, &chosen.listen)
        })?;
        let beside = || AdminAddress::default_for_server(&chosen.listen);
        let admin = match chosen.admin.clone().unwrap_or_else(beside) {
            AdminAddress::Off => Vec::new(),
            AdminAddress::At(address) => address.bind().map_err(|error| {
                let text = |address, reason| text!(AdminFailed, address = address, reason = reason);
                failed(&error, text, &address)
            })?,
        };
        let peers = match peering {
            None => Vec::new(),
            Some(peering) => peering.listen.bind().map_err(|error| {
                let text =
                    |address, reason| text!(PeerListenFailed, address = address, reason = reason);
                failed(&error, text, &peering.listen)
            })?,
        };
        let advertised_address = peering.map(|peering| peering.advertised_address(&peers));
        Ok(Self {
            players,
            admin,
            peers,
            advertised_address,
        })
    }
}

/// Addresses for connections from other nodes: one to listen on, and one to advertise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PeerAddresses {
    pub(crate) listen: ServerAddress,
    advertise: ServerAddress,
}

impl PeerAddresses {
    /// Chooses the addresses; `None` for a store in a file, which is not shared. By default, a free
    /// port is used, for nodes on this machine.
    ///
    /// The error names an option that does not fit the store or the other option.
    pub(crate) fn new(chosen: &TableSettings, store: &StoreLocation) -> Result<Option<Self>, Text> {
        let given = [
            ("--peer-listen", &chosen.peer_listen),
            ("--advertise", &chosen.advertise),
        ];
        let given = given.iter().find(|(_, address)| address.is_some());
        if matches!(store, StoreLocation::File(_)) {
            return match given {
                None => Ok(None),
                Some((option, _)) => {
                    let store = store.to_string();
                    Err(text!(PeersNeedDatabase, option = *option, store = store))
                }
            };
        }
        let (listen, advertise) = match (&chosen.peer_listen, &chosen.advertise) {
            (None, None) => (ServerAddress::loopback(0), ServerAddress::loopback(0)),
            (None, Some(address)) => {
                return Err(text!(AdvertiseAlone, address = address.to_string()));
            }
            (Some(listen), None) => (listen.clone(), listen.clone()),
            (Some(listen), Some(advertise)) => (listen.clone(), advertise.clone()),
        };
        if advertise.is_wildcard() {
            return Err(text!(AdvertiseWildcard, address = advertise.to_string()));
        }
        Ok(Some(Self { listen, advertise }))
    }

    /// Address to advertise, with the actual port in place of port 0.
    pub(crate) fn advertised_address(&self, listeners: &[TcpListener]) -> String {
        let mut addresses = listeners.iter().filter_map(|at| at.local_addr().ok());
        self.address_with_port(addresses.next().map(|first| first.port()))
    }

    fn address_with_port(&self, free: Option<u16>) -> String {
        match (self.advertise.port(), free) {
            (0, Some(port)) => format!("{}:{port}", self.advertise.host()),
            _ => self.advertise.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PeerAddresses, StoreLocation};
    use crate::machine::addresses::ServerAddress;
    use crate::machine::config::TableSettings;

    fn chosen(listen: &str, advertise: &str) -> TableSettings {
        let address = |typed: &str| (!typed.is_empty()).then(|| typed.parse().expect("an address"));
        TableSettings {
            peer_listen: address(listen),
            advertise: address(advertise),
            ..TableSettings::default()
        }
    }

    fn database() -> StoreLocation {
        "postgres://db/war".parse().expect("an address")
    }

    #[test]
    fn nodes_advertise_their_addresses() {
        for (listen, advertise, told) in [
            ("", "", "127.0.0.1:4711"),
            ("10.0.0.1:7000", "", "10.0.0.1:7000"),
            ("10.0.0.1:0", "", "10.0.0.1:4711"),
            ("[::1]:0", "", "[::1]:4711"),
            ("0.0.0.0:7000", "a.example:7001", "a.example:7001"),
            ("[::]:0", "192.0.2.1:0", "192.0.2.1:4711"),
        ] {
            let peering = PeerAddresses::new(&chosen(listen, advertise), &database());
            let peering = peering.ok().flatten().expect("a choice");
            assert_eq!(
                peering.address_with_port(Some(4711)),
                told,
                "{listen} {advertise}"
            );
        }
        for (listen, advertise) in [
            ("0.0.0.0:7000", ""),
            ("[::]:7000", ""),
            ("0:7000", ""),
            ("10.0.0.1:7000", "0.0.0.0:7000"),
            ("", "10.0.0.1:7000"),
        ] {
            let refused = PeerAddresses::new(&chosen(listen, advertise), &database());
            assert!(refused.is_err(), "{listen} {advertise}");
        }
    }

    #[test]
    fn a_table_in_a_file_has_no_other_nodes() {
        let file = StoreLocation::File("table.db".into());
        assert_eq!(PeerAddresses::new(&chosen("", ""), &file).ok(), Some(None));
        for (listen, advertise) in [("10.0.0.1:7000", ""), ("", "10.0.0.1:7000")] {
            assert!(PeerAddresses::new(&chosen(listen, advertise), &file).is_err());
        }
        let default = PeerAddresses::new(&chosen("", ""), &database())
            .ok()
            .flatten();
        let listen = default.map(|peering| peering.listen);
        assert_eq!(listen, Some(ServerAddress::loopback(0)));
    }
}
