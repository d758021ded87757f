use futures_util::future::select_all;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use tokio::net::{TcpListener, TcpStream};
use war::support::digits::parse_whole_number;

/// Host name or IP address of the table in requests, without a port.
///
/// # Examples
///
/// ```
/// use war_table::server::HostName;
///
/// let name: HostName = "War.example.".parse().unwrap();
/// assert_eq!(name.to_string(), "war.example");
/// assert_eq!("[::1]".parse::<HostName>(), "::1".parse());
/// assert!("war.example:443".parse::<HostName>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostName(HostKind);

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostKind {
    Address(IpAddr),
    Name(String),
}

/// Error for a text that is not a host name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the name of a host such as war.example")]
pub struct ParseHostNameError;

impl FromStr for HostName {
    type Err = ParseHostNameError;

    fn from_str(typed: &str) -> Result<Self, ParseHostNameError> {
        let in_brackets = typed
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        if let Ok(address) = in_brackets.unwrap_or(typed).parse::<IpAddr>() {
            return Ok(Self(HostKind::Address(address.to_canonical())));
        }
        let name = typed.strip_suffix('.').unwrap_or(typed);
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        if !name.contains(|c: char| c.is_ascii_alphanumeric()) || !name.chars().all(is_part) {
            return Err(ParseHostNameError);
        }
        Ok(Self(HostKind::Name(name.to_ascii_lowercase())))
    }
}

impl std::fmt::Display for HostName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            HostKind::Address(address) => address.fmt(f),
            HostKind::Name(name) => name.fmt(f),
        }
    }
}

/// Hosts that requests may name.
///
/// A foreign page can resolve its own name to an address of this machine ("DNS rebinding"), but its
/// requests carry that name.
#[derive(Debug, Clone)]
pub(super) struct AllowedHosts {
    known: Vec<HostName>,
    /// `true` if requests may name any IP address, because the table listens on all addresses.
    any_address: bool,
}

impl AllowedHosts {
    /// Allows these names, and the addresses on which the table listens.
    pub(super) fn new(
        mut known: Vec<HostName>,
        listening: impl IntoIterator<Item = IpAddr>,
    ) -> Self {
        let mut any_address = false;
        for address in listening {
            any_address |= address.is_unspecified();
            known.push(HostName(HostKind::Address(address.to_canonical())));
        }
        Self { known, any_address }
    }

    /// Returns true if requests may name this host: an allowed one, or this machine itself.
    pub(super) fn is_allowed(&self, host: &HostName) -> bool {
        let is_own = match &host.0 {
            HostKind::Address(address) => self.any_address || address.is_loopback(),
            HostKind::Name(name) => name == "localhost" || name.ends_with(".localhost"),
        };
        is_own || self.known.contains(host)
    }
}

/// Origin of a page as browsers write it: scheme, host, and a port unless it is the default port of
/// the scheme.
///
/// # Examples
///
/// ```
/// use war_table::server::Origin;
///
/// let origin: Origin = "https://War.example:443/".parse().unwrap();
/// assert_eq!(origin.as_str(), "https://war.example");
/// assert!("war.example".parse::<Origin>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

/// Error for a text that is not an origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an origin such as https://war.example")]
pub struct ParseOriginError;

impl Origin {
    /// Text of the origin.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Origin {
    type Err = ParseOriginError;

    fn from_str(typed: &str) -> Result<Self, ParseOriginError> {
        let (scheme, host) = typed.split_once("://").ok_or(ParseOriginError)?;
        let host = host.strip_suffix('/').unwrap_or(host);
        let own_port = match scheme {
            "http" => ":80",
            "https" => ":443",
            _ => return Err(ParseOriginError),
        };
        let host = host.strip_suffix(own_port).unwrap_or(host);
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host, None),
        };
        let is_part = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
        let has_name = name.contains(char::is_alphanumeric) && name.chars().all(is_part);
        let has_port = port.is_none_or(|port| parse_whole_number::<u16>(port).is_some());
        if !has_name || !has_port {
            return Err(ParseOriginError);
        }
        Ok(Self(format!("{scheme}://{}", host.to_ascii_lowercase())))
    }
}

/// Listening sockets of a server.
#[derive(Debug)]
pub struct Listeners {
    /// Sockets for players, at least one.
    pub players: Vec<TcpListener>,
    /// Sockets for the operator; may be empty.
    pub admin: Vec<TcpListener>,
}

/// Accepts the next connection on any of these sockets.
///
/// # Errors
///
/// Error of the system if it can't accept a connection.
///
/// # Panics
///
/// If there are no sockets.
pub async fn accept_connection(listeners: &[TcpListener]) -> io::Result<(TcpStream, SocketAddr)> {
    let accepts = listeners.iter().map(|listener| Box::pin(listener.accept()));
    select_all(accepts).await.0
}

#[cfg(test)]
mod tests {
    use super::{AllowedHosts, HostName, Origin};

    fn host(text: &str) -> HostName {
        text.parse().expect("a host")
    }

    #[test]
    fn this_machine_and_the_given_hosts_are_allowed() {
        let listening = ["192.0.2.1".parse().expect("an address")];
        let hosts = AllowedHosts::new(vec![host("War.Example")], listening);
        for known in [
            "localhost",
            "LOCALHOST.",
            "table.localhost",
            "127.0.0.1",
            "127.8.9.10",
            "[::1]",
            "::ffff:127.0.0.1",
            "war.example",
            "WAR.example.",
            "192.0.2.1",
        ] {
            assert!(hosts.is_allowed(&host(known)), "{known}");
        }
        for foreign in [
            "evil",
            "evil.example",
            "war.example.evil.example",
            "localhost.evil.example",
            "notlocalhost",
            "192.0.2.2",
            "0.0.0.0",
            "sub.war.example",
        ] {
            assert!(!hosts.is_allowed(&host(foreign)), "{foreign}");
        }
    }

    #[test]
    fn a_table_that_listens_on_all_addresses_allows_any_address_but_no_name() {
        let listening = ["::".parse().expect("an address")];
        let hosts = AllowedHosts::new(Vec::new(), listening);
        assert!(hosts.is_allowed(&host("192.0.2.1")) && hosts.is_allowed(&host("[2001:db8::1]")));
        assert!(!hosts.is_allowed(&host("evil.example")));
    }

    #[test]
    fn a_text_with_a_port_or_a_scheme_is_not_a_host() {
        for typed in [
            "",
            ".",
            "-",
            "war.example:80",
            "http://war.example",
            "a b",
            "ż.pl",
            "[::1]:80",
        ] {
            assert!(typed.parse::<HostName>().is_err(), "{typed}");
        }
    }

    #[test]
    fn an_origin_is_written_as_browsers_write_it() {
        for (typed, written) in [
            ("http://war.example", "http://war.example"),
            ("http://War.Example:80/", "http://war.example"),
            ("https://war.example:80", "https://war.example:80"),
            ("http://[::1]", "http://[::1]"),
            ("http://[::1]:7000", "http://[::1]:7000"),
        ] {
            let origin: Origin = typed.parse().expect("an origin");
            assert_eq!(origin.as_str(), written);
        }
    }

    #[test]
    fn a_text_that_no_browser_sends_is_not_an_origin() {
        for typed in [
            "war.example",
            "ftp://war.example",
            "https://",
            "https://-.-",
            "https://war.example/page",
            "https://war.example:port",
            "https://war.example:65536",
        ] {
            assert!(typed.parse::<Origin>().is_err(), "{typed}");
        }
    }
}
