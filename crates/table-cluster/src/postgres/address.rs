use super::tls_options::{TlsMode, TlsOptions, TlsOptionsError, WrittenTlsOptions};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// Address and credentials of a database.
///
/// `Display` and `Debug` omit the password.
///
/// # Examples
///
/// ```
/// use war_table_cluster::DatabaseAddress;
///
/// let typed = "postgres://ann:secret@db.example:5433/war?connect_timeout=5";
/// let address: DatabaseAddress = typed.parse().unwrap();
/// assert_eq!(address.to_string(), "postgres://ann@db.example:5433/war");
/// ```
#[derive(Clone)]
pub struct DatabaseAddress {
    config: Config,
    tls: TlsOptions,
}

/// Error of parsing a [`DatabaseAddress`]. Its message never quotes the text, which may contain a
/// password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseAddressError {
    /// Scheme other than that of PostgreSQL.
    #[error("an address that begins with postgres://")]
    Scheme,
    /// Address that can't be parsed, or whose password could be taken for the host.
    #[error("an address such as postgres://ann@db.example:5432/war")]
    Malformed,
    /// Missing host.
    #[error("an address with a host, or with the directory of a socket")]
    Host,
    /// Invalid options for TLS.
    #[error(transparent)]
    Tls(#[from] TlsOptionsError),
}

/// Protection of a connection that lets others on the way read it, or pose as the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WeakProtection {
    /// Value of `sslmode`.
    pub mode: &'static str,
    /// True if the connection may be in clear; else the name of the server is not checked.
    pub may_be_clear: bool,
}

impl DatabaseAddress {
    /// Returns true if the address has a password.
    #[must_use]
    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }

    /// Protection of the connections to another machine, if it is less than the default.
    #[must_use]
    pub fn weak_protection(&self) -> Option<WeakProtection> {
        let is_weak = self.tls.mode < TlsMode::VerifyFull && !is_local(&self.config);
        is_weak.then(|| WeakProtection {
            mode: self.tls.mode.name(),
            may_be_clear: self.tls.mode < TlsMode::Require,
        })
    }

    /// Settings of a connection.
    pub(super) const fn config(&self) -> &Config {
        &self.config
    }

    /// Use of TLS on a connection.
    pub(super) const fn tls(&self) -> &TlsOptions {
        &self.tls
    }
}

impl FromStr for DatabaseAddress {
    type Err = DatabaseAddressError;

    fn from_str(typed: &str) -> Result<Self, DatabaseAddressError> {
        let schemes = ["postgres://", "postgresql://"];
        if !schemes.iter().any(|scheme| typed.starts_with(scheme)) {
            return Err(DatabaseAddressError::Scheme);
        }
        if !is_unambiguous(typed) {
            return Err(DatabaseAddressError::Malformed);
        }
        let (typed, written) = WrittenTlsOptions::split_off(typed)?;
        let mut config: Config = typed.parse().map_err(|_| DatabaseAddressError::Malformed)?;
        if config.get_hosts().is_empty() {
            // A certificate has to have this name.
            for address in config.get_hostaddrs().to_vec() {
                config.host(address.to_string());
            }
        }
        let hosts = config.get_hosts();
        if hosts.is_empty() {
            return Err(DatabaseAddressError::Host);
        }
        if hosts.len() > 1 && hosts.iter().any(is_socket) {
            return Err(DatabaseAddressError::Malformed);
        }
        let tls = written.complete(is_local(&config), config.get_ssl_negotiation())?;
        Ok(Self { config, tls })
    }
}

/// Returns true if all hosts are this machine, by their names or addresses.
fn is_local(config: &Config) -> bool {
    let addresses = config.get_hostaddrs();
    let is_loopback = |address: &IpAddr| address.to_canonical().is_loopback();
    if !addresses.is_empty() {
        return addresses.iter().all(is_loopback);
    }
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => match name.parse() {
            Ok(address) => is_loopback(&address),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        },
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

/// Returns true if the host is the directory of a socket.
const fn is_socket(host: &Host) -> bool {
    !matches!(host, Host::Tcp(_))
}

/// Returns false if a part of a password could be taken for the host: if a password contains `@`,
/// or `@` follows the path.
fn is_unambiguous(typed: &str) -> bool {
    let Some((credentials, _)) = typed.rsplit_once('@') else {
        return true;
    };
    let credentials = credentials.split_once("://").map_or("", |(_, rest)| rest);
    let user = credentials.split(':').next().unwrap_or_default();
    !credentials.contains('@') && !user.contains(['/', '?', '#', '='])
}

/// Shows the address without its password. A part that does not look like a name is shown as `…`:
/// it may be a password in the wrong place.
impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        // A user name without a password is hidden: it may be a password typed without its colon.
        if let Some(user) = self.config.get_user().filter(|_| self.has_password()) {
            write!(f, "{}@", name_text(user))?;
        }
        match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => match name.parse() {
                Ok(address) => write_ip(f, address)?,
                Err(_) => f.write_str(name_text(name))?,
            },
            #[cfg(unix)]
            Some(Host::Unix(directory)) => write!(f, "{}", directory.display())?,
            None => {}
        }
        if let Some(port) = self.config.get_ports().first() {
            write!(f, ":{port}")?;
        }
        match self.config.get_dbname() {
            Some(database) => write!(f, "/{}", name_text(database)),
            None => Ok(()),
        }
    }
}

fn write_ip(f: &mut fmt::Formatter<'_>, address: IpAddr) -> fmt::Result {
    match address {
        IpAddr::V4(address) => write!(f, "{address}"),
        IpAddr::V6(address) => write!(f, "[{address}]"),
    }
}

fn name_text(name: &str) -> &str {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    if name.chars().all(is_plain) {
        name
    } else {
        "…"
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::{DatabaseAddress, DatabaseAddressError, TlsMode, TlsOptions, TlsOptionsError};

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (typed, shown) in [
            ("postgres://db/war", "postgres://db:5432/war"),
            ("postgresql://a:secret%40@db:1/war", "postgres://a@db:1/war"),
            ("postgres://a@db?password=secret", "postgres://a@db:5432"),
            ("postgres://ann@db", "postgres://db:5432"),
            ("postgres://[::1]/war", "postgres://[::1]:5432/war"),
            ("postgres://db/war?hostaddr=::1", "postgres://db:5432/war"),
            (
                "postgres://%2Frun%2Fpg:2/war?user=a",
                "postgres:///run/pg:2/war",
            ),
            ("postgres://a;word:b@db/war", "postgres://…@db:5432/war"),
            ("postgres://db/war password=word", "postgres://db:5432/…"),
            ("postgres://db/war%3Aword", "postgres://db:5432/…"),
        ] {
            let address: DatabaseAddress = typed.parse().expect(typed);
            assert_eq!(address.to_string(), shown);
            let details = format!("{address:?} {:?}", address.config());
            assert!(!details.contains("secret"), "{details}");
        }
    }

    #[test]
    fn an_invalid_address_is_refused_with_a_reason() {
        for (typed, reason) in [
            ("", DatabaseAddressError::Scheme),
            ("sqlite:a.db", DatabaseAddressError::Scheme),
            ("host=db password=b", DatabaseAddressError::Scheme),
            ("postgres://db:x/war", DatabaseAddressError::Malformed),
            (
                "postgres://db/war?passwrd=b",
                DatabaseAddressError::Malformed,
            ),
            (
                "postgres://a:b@secret@db/war",
                DatabaseAddressError::Malformed,
            ),
            (
                "postgres://a/secret@db/war",
                DatabaseAddressError::Malformed,
            ),
            (
                "postgres://a=b:secret@db/war",
                DatabaseAddressError::Malformed,
            ),
            ("postgres:///war", DatabaseAddressError::Host),
            (
                "postgres://db/war?sslmode=verify",
                DatabaseAddressError::Tls(TlsOptionsError::Mode),
            ),
            (
                "postgres://db,%2Frun%2Fpg/war",
                DatabaseAddressError::Malformed,
            ),
            (
                "postgres://db/war?sslmode=verify-ca&sslrootcert=system",
                DatabaseAddressError::Tls(TlsOptionsError::Contradiction),
            ),
            (
                "postgres://db/war?sslnegotiation=direct&sslmode=prefer",
                DatabaseAddressError::Tls(TlsOptionsError::Contradiction),
            ),
            (
                "postgres://db/war?sslcert=a.pem",
                DatabaseAddressError::Tls(TlsOptionsError::Contradiction),
            ),
        ] {
            let refused = typed.parse::<DatabaseAddress>().expect_err(typed);
            assert_eq!(refused, reason, "{typed}");
        }
    }

    #[test]
    fn another_machine_is_verified_unless_the_address_says_otherwise() {
        for (typed, mode, is_weak) in [
            ("postgres://db/war", TlsMode::VerifyFull, false),
            ("postgres://10.0.0.1/war", TlsMode::VerifyFull, false),
            (
                "postgres://localhost.example/war",
                TlsMode::VerifyFull,
                false,
            ),
            ("postgres://localhost,db/war", TlsMode::VerifyFull, false),
            (
                "postgres:///war?hostaddr=10.0.0.1",
                TlsMode::VerifyFull,
                false,
            ),
            (
                "postgres://localhost/war?hostaddr=10.0.0.1",
                TlsMode::VerifyFull,
                false,
            ),
            ("postgres://localhost/war", TlsMode::Disable, false),
            ("postgres://LocalHost/war", TlsMode::Disable, false),
            ("postgres://127.1.2.3/war", TlsMode::Disable, false),
            ("postgres://[::1]/war", TlsMode::Disable, false),
            ("postgres://[::ffff:127.0.0.1]/war", TlsMode::Disable, false),
            (
                "postgres://db/war?hostaddr=127.0.0.1",
                TlsMode::Disable,
                false,
            ),
            ("postgres://%2Frun%2Fpg/war", TlsMode::Disable, false),
            (
                "postgres://localhost/war?sslrootcert=a.pem",
                TlsMode::VerifyFull,
                false,
            ),
            (
                "postgres://localhost/war?sslmode=prefer",
                TlsMode::Prefer,
                false,
            ),
            ("postgres://db/war?sslmode=disable", TlsMode::Disable, true),
            ("postgres://db/war?sslmode=allow", TlsMode::Allow, true),
            (
                "postgres://a:b%3Fc@db/war?sslmode=prefer",
                TlsMode::Prefer,
                true,
            ),
            (
                "postgres://a:b?c@db/war?sslmode=require",
                TlsMode::Require,
                true,
            ),
            (
                "postgres://db/war?sslmode=require&sslrootcert=a.pem",
                TlsMode::VerifyCa,
                true,
            ),
            (
                "postgres://db?sslmode=disable&sslmode=verify-full",
                TlsMode::VerifyFull,
                false,
            ),
        ] {
            let address: DatabaseAddress = typed.parse().expect(typed);
            assert_eq!(address.tls().mode, mode, "{typed}");
            let weak = address.weak_protection();
            assert_eq!(weak.is_some(), is_weak, "{typed}");
            assert!(weak.is_none_or(|weak| weak.mode == mode.name()), "{typed}");
        }
    }

    #[test]
    fn the_files_of_tls_are_those_of_the_address() {
        let typed = "postgres://db/war?sslcert=my%20own.pem&connect_timeout=5&sslkey=/a=b\
                     &sslrootcert=system";
        let address: DatabaseAddress = typed.parse().expect(typed);
        let expected = TlsOptions {
            mode: TlsMode::VerifyFull,
            authorities: None,
            identity: Some(("my own.pem".into(), "/a=b".into())),
            is_direct: false,
        };
        assert_eq!(address.tls(), &expected);
        let timeout = address.config().get_connect_timeout();
        assert_eq!(timeout.map(std::time::Duration::as_secs), Some(5));
    }
}
