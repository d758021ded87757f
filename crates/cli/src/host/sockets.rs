//! All sockets that a table listens at.

use super::peering::Peering;
use crate::machine::addresses::AdminAddress;
use crate::machine::addresses::ListenAddress;
use crate::machine::config::TableSettings;
use crate::machine::text::io_text;
use std::io;
use tokio::net::TcpListener;
use war::i18n::{Text, text};

/// Where a table listens.
pub(crate) struct Sockets {
    pub(crate) players: Vec<TcpListener>,
    pub(crate) admin: Vec<TcpListener>,
    pub(crate) peers: Vec<TcpListener>,
    /// Where other nodes reach this one, if there may be others.
    pub(crate) node: Option<String>,
}

impl Sockets {
    /// Listens everywhere; the error says where that failed.
    pub(crate) async fn open(
        chosen: &TableSettings,
        peering: Option<&Peering>,
    ) -> Result<Self, Text> {
        let failed =
            |error: &io::Error, text: fn(String, Text) -> Text, address: &ListenAddress| {
                let reason = match error.kind() {
                    io::ErrorKind::AddrInUse => text!(IoAddressInUse),
                    _ => io_text(error),
                };
                text(address.to_string(), reason)
            };
        let players = chosen.listen.bind().await.map_err(|error| {
            let text = |address, reason| text!(ListenFailed, address = address, reason = reason);
            failed(&error, text, &chosen.listen)
        })?;
        let beside = || AdminAddress::beside(&chosen.listen);
        let admin = match chosen.admin.clone().unwrap_or_else(beside) {
            AdminAddress::Off => Vec::new(),
            AdminAddress::At(address) => address.bind().await.map_err(|error| {
                let text = |address, reason| text!(AdminFailed, address = address, reason = reason);
                failed(&error, text, &address)
            })?,
        };
        let peers = match peering {
            None => Vec::new(),
            Some(peering) => peering.listen.bind().await.map_err(|error| {
                let text =
                    |address, reason| text!(PeerListenFailed, address = address, reason = reason);
                failed(&error, text, &peering.listen)
            })?,
        };
        let node = peering.map(|peering| peering.advertised(&peers));
        Ok(Self {
            players,
            admin,
            peers,
            node,
        })
    }
}
