use std::str::FromStr;
use war::support::digits::whole;

/// The origin of a page as browsers write it: scheme, host, and a port unless it is the
/// scheme's own.
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

/// A text that names no origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an origin such as https://war.example")]
pub struct ParseOriginError;

impl Origin {
    /// The origin as text.
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
        let has_port = port.is_none_or(|port| whole::<u16>(port).is_some());
        if !has_name || !has_port {
            return Err(ParseOriginError);
        }
        Ok(Self(format!("{scheme}://{}", host.to_ascii_lowercase())))
    }
}

#[cfg(test)]
mod tests {
    use super::Origin;

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
    fn what_no_browser_sends_is_no_origin() {
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
