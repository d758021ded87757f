use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

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
pub struct DatabaseAddress(Config);

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
    /// Requirement of an encrypted connection, which is not supported.
    #[error("an address without sslmode=require")]
    EncryptionUnsupported,
}

impl DatabaseAddress {
    /// Returns true if the address has a password.
    #[must_use]
    pub fn has_password(&self) -> bool {
        self.0.get_password().is_some()
    }

    /// Settings of a connection.
    pub(super) const fn config(&self) -> &Config {
        &self.0
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
        let config: Config = typed.parse().map_err(|_| DatabaseAddressError::Malformed)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(DatabaseAddressError::Host);
        }
        if config.get_ssl_mode() == SslMode::Require {
            return Err(DatabaseAddressError::EncryptionUnsupported);
        }
        Ok(Self(config))
    }
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
        if let Some(user) = self.0.get_user().filter(|_| self.has_password()) {
            write!(f, "{}@", name_text(user))?;
        }
        match self.0.get_hosts().first() {
            Some(Host::Tcp(name)) => match name.parse() {
                Ok(address) => write_ip(f, address)?,
                Err(_) => f.write_str(name_text(name))?,
            },
            #[cfg(unix)]
            Some(Host::Unix(directory)) => write!(f, "{}", directory.display())?,
            None => {
                if let Some(address) = self.0.get_hostaddrs().first() {
                    write_ip(f, *address)?;
                }
            }
        }
        if let Some(port) = self.0.get_ports().first() {
            write!(f, ":{port}")?;
        }
        match self.0.get_dbname() {
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
    use super::{DatabaseAddress, DatabaseAddressError};

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
                "postgres://db/war?sslmode=require",
                DatabaseAddressError::EncryptionUnsupported,
            ),
        ] {
            let refused = typed.parse::<DatabaseAddress>().expect_err(typed);
            assert_eq!(refused, reason, "{typed}");
        }
    }
}
