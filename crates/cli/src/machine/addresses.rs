//! Addresses of a server, for players and for its operator.

use serde::{Deserialize, Deserializer, de};
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};
use war::support::digits::parse_whole_number;

/// Longest wait for a connection before the next address is tried.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Host name or IP address, and a port: `localhost:8080`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerAddress {
    host: String,
    port: u16,
}

/// Error for a text that is not a host with a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a host with a port, such as localhost:8080")]
pub(crate) struct ParseAddressError;

impl ServerAddress {
    /// Host as it appears in a URL.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Address that only this machine can connect to.
    pub(crate) fn loopback(port: u16) -> Self {
        Self {
            host: "127.0.0.1".to_owned(),
            port,
        }
    }

    /// Returns true for a wildcard such as `0.0.0.0`, which nobody can connect to.
    pub(crate) fn is_wildcard(&self) -> bool {
        let all = self.resolve().unwrap_or_default();
        all.iter().any(|address| address.ip().is_unspecified())
    }

    /// Resolves the host to all of its addresses.
    fn resolve(&self) -> io::Result<Vec<SocketAddr>> {
        let found: Vec<_> = self.to_string().to_socket_addrs()?.collect();
        if found.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(found)
    }

    /// Listens on all addresses of the host, on one port.
    ///
    /// Addresses that this machine does not have are skipped if another one works.
    pub(crate) fn bind(&self) -> io::Result<Vec<TcpListener>> {
        let mut listeners: Vec<TcpListener> = Vec::new();
        let mut failed = None;
        for mut address in self.resolve()? {
            if let Some(first) = listeners.first() {
                address.set_port(first.local_addr()?.port());
            }
            match listen(address) {
                Ok(listener) => listeners.push(listener),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => return Err(error),
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) if listeners.is_empty() => Err(error),
            _ => Ok(listeners),
        }
    }

    /// Finds the first address of the host that accepts connections, else the first one.
    pub(crate) fn find_reachable(&self) -> io::Result<SocketAddr> {
        let addresses = self.resolve()?;
        let mut all = addresses.iter();
        let listens =
            |address: &&SocketAddr| TcpStream::connect_timeout(address, CONNECT_TIMEOUT).is_ok();
        Ok(*all.find(listens).unwrap_or(&addresses[0]))
    }
}

/// Listens on an address.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    /// Number of connections that may wait to be accepted, such as all players after a restart.
    const BACKLOG: u32 = 4096;
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()
    } else {
        TcpSocket::new_v6()
    }?;
    // As `TcpListener::bind` does: elsewhere, others could take the address.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Raises the limit of open files to hold `asked` connections. Returns the number of connections
/// that this process can hold: `asked`, or fewer if the limit can't be raised far enough.
pub(crate) fn raise_open_file_limit(asked: u32) -> u32 {
    /// Open files other than players' connections: the store, the log, the operator's connections,
    /// and files that the system opens.
    const OTHER_FILES: u64 = 128;
    let wanted = u64::from(asked) + OTHER_FILES;
    let raised = rlimit::increase_nofile_limit(wanted);
    let allowed = raised.or_else(|_| rlimit::Resource::NOFILE.get_soft());
    let allowed = allowed.unwrap_or(wanted);
    let possible = allowed.saturating_sub(OTHER_FILES).max(1);
    u32::try_from(possible).unwrap_or(asked).min(asked)
}

/// Defaults to port 8080 on this machine alone.
impl Default for ServerAddress {
    fn default() -> Self {
        Self::loopback(8080)
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

impl FromStr for ServerAddress {
    type Err = ParseAddressError;

    fn from_str(typed: &str) -> Result<Self, ParseAddressError> {
        let (host, port) = typed.rsplit_once(':').ok_or(ParseAddressError)?;
        let is_part = |c: char| c.is_alphanumeric() || "-._".contains(c);
        let is_name = !host.is_empty() && host.chars().all(is_part);
        // An IPv6 address contains colons itself, so it is in brackets.
        if !is_name && typed.parse::<SocketAddr>().is_err() {
            return Err(ParseAddressError);
        }
        Ok(Self {
            host: host.to_owned(),
            port: parse_whole_number(port).ok_or(ParseAddressError)?,
        })
    }
}

impl<'de> Deserialize<'de> for ServerAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let typed = String::deserialize(deserializer)?;
        let unfit = |_| de::Error::invalid_value(de::Unexpected::Str(&typed), &"an address");
        typed.parse().map_err(unfit)
    }
}

/// Default distance of the operator's port from the players' port.
const ADMIN_PORT_OFFSET: u16 = 1000;

const OFF: &str = "off";

/// Address at which the server listens for its operator, or `off`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AdminAddress {
    Off,
    At(ServerAddress),
}

impl AdminAddress {
    /// Default address for the operator of a server, on this machine alone: 1000 ports above the
    /// server's port, or below it if there is no such port. If the server's port is 0, any free
    /// port.
    pub(crate) fn default_for_server(listen: &ServerAddress) -> Self {
        let port = match listen.port() {
            0 => 0,
            port => port
                .checked_add(ADMIN_PORT_OFFSET)
                .unwrap_or_else(|| port - ADMIN_PORT_OFFSET),
        };
        Self::At(ServerAddress::loopback(port))
    }
}

impl FromStr for AdminAddress {
    type Err = ParseAddressError;

    fn from_str(typed: &str) -> Result<Self, ParseAddressError> {
        if typed.eq_ignore_ascii_case(OFF) {
            return Ok(Self::Off);
        }
        typed.parse().map(Self::At)
    }
}

impl<'de> Deserialize<'de> for AdminAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let typed = String::deserialize(deserializer)?;
        let unfit = |_| de::Error::invalid_value(de::Unexpected::Str(&typed), &"an address");
        typed.parse().map_err(unfit)
    }
}

#[cfg(test)]
mod tests {
    use super::AdminAddress;

    #[test]
    fn tables_on_different_ports_have_different_operator_ports() {
        for (listen, admin) in [
            ("127.0.0.1:8080", "127.0.0.1:9080"),
            ("0.0.0.0:8081", "127.0.0.1:9081"),
            ("[::]:64535", "127.0.0.1:65535"),
            ("war.example:64536", "127.0.0.1:63536"),
            ("127.0.0.1:0", "127.0.0.1:0"),
        ] {
            let beside = AdminAddress::default_for_server(&listen.parse().expect("an address"));
            assert_eq!(Ok(beside), admin.parse(), "{listen}");
        }
        assert_eq!("Off".parse(), Ok(AdminAddress::Off));
    }
}
