use std::fmt;
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

/// Error of parsing a [`DatabaseAddress`]. It never quotes the text, which may contain a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The scheme is not that of PostgreSQL.
    #[error("an address that begins with postgres://")]
    Scheme,
    /// A part of the address can't be parsed.
    #[error("an address such as postgres://ann@db.example:5432/war")]
    Malformed,
    /// The host is missing.
    #[error("an address with a host, or with the directory of a socket")]
    Host,
    /// The address requires an encrypted connection, which is not supported.
    #[error("an address without sslmode=require")]
    EncryptionUnsupported,
}

impl DatabaseAddress {
    /// Removes everything from a typed address that may be a password, so that it can be shown.
    #[must_use]
    pub fn without_password(typed: &str) -> String {
        let Some((scheme, rest)) = typed.split_once("://") else {
            return typed.to_owned();
        };
        // A password may itself contain `@`, `/` or `?`.
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        let host = host.split_once('?').map_or(host, |(host, _)| host);
        let user = match rest.split_once([':', '@', '?']) {
            Some((user, _)) if host.len() < rest.len() && rest.contains('@') => {
                format!("{user}@")
            }
            _ => String::new(),
        };
        format!("{scheme}://{user}{host}")
    }

    /// Settings of a connection.
    pub(super) const fn config(&self) -> &Config {
        &self.0
    }
}

impl FromStr for DatabaseAddress {
    type Err = AddressError;

    fn from_str(typed: &str) -> Result<Self, AddressError> {
        let schemes = ["postgres://", "postgresql://"];
        if !schemes.iter().any(|scheme| typed.starts_with(scheme)) {
            return Err(AddressError::Scheme);
        }
        let config: Config = typed.parse().map_err(|_| AddressError::Malformed)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(AddressError::Host);
        }
        if config.get_ssl_mode() == SslMode::Require {
            return Err(AddressError::EncryptionUnsupported);
        }
        Ok(Self(config))
    }
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.0.get_user() {
            write!(f, "{user}@")?;
        }
        match self.0.get_hosts().first() {
            Some(Host::Tcp(name)) => f.write_str(name)?,
            #[cfg(unix)]
            Some(Host::Unix(directory)) => write!(f, "{}", directory.display())?,
            None => {
                if let Some(address) = self.0.get_hostaddrs().first() {
                    write!(f, "{address}")?;
                }
            }
        }
        if let Some(port) = self.0.get_ports().first() {
            write!(f, ":{port}")?;
        }
        match self.0.get_dbname() {
            Some(database) => write!(f, "/{database}"),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseAddress({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::{AddressError, DatabaseAddress};

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (typed, shown) in [
            ("postgres://db/war", "postgres://db:5432/war"),
            ("postgresql://a:secret%40@db:1/war", "postgres://a@db:1/war"),
            ("postgres://a@db?password=secret", "postgres://a@db:5432"),
            (
                "postgres://%2Frun%2Fpg:2/war?user=a",
                "postgres://a@/run/pg:2/war",
            ),
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
            ("", AddressError::Scheme),
            ("sqlite:a.db", AddressError::Scheme),
            ("host=db password=b", AddressError::Scheme),
            ("postgres://db:x/war", AddressError::Malformed),
            ("postgres://db/war?passwrd=b", AddressError::Malformed),
            ("postgres:///war", AddressError::Host),
            (
                "postgres://db/war?sslmode=require",
                AddressError::EncryptionUnsupported,
            ),
        ] {
            let refused = typed.parse::<DatabaseAddress>().expect_err(typed);
            assert_eq!(refused, reason, "{typed}");
        }
    }

    #[test]
    fn a_typed_address_is_shown_without_its_password() {
        for (typed, shown) in [
            ("table.db", "table.db"),
            ("mysql://a:b@db/war", "mysql://a@db/war"),
            ("postgres://a:b@c?d/e@db/war?x=y", "postgres://a@db/war"),
            ("postgres://db/war?password=b", "postgres://db/war"),
            ("postgres://a@db/war", "postgres://a@db/war"),
        ] {
            assert_eq!(DatabaseAddress::without_password(typed), shown);
        }
    }
}
