use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use tokio_postgres::config::SslNegotiation;

/// Use of TLS, by libpq's names for `sslmode`, from the weakest to the strictest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TlsMode {
    /// No TLS.
    Disable,
    /// TLS only if the server refuses a connection without it.
    Allow,
    /// TLS if the server offers it.
    Prefer,
    /// TLS with any certificate.
    Require,
    /// TLS with a certificate of a trusted authority, for any name.
    VerifyCa,
    /// TLS with a certificate of a trusted authority, for the name of the host.
    VerifyFull,
}

impl TlsMode {
    const ALL: [Self; 6] = [
        Self::Disable,
        Self::Allow,
        Self::Prefer,
        Self::Require,
        Self::VerifyCa,
        Self::VerifyFull,
    ];

    /// Name of the mode in an address.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Disable => "disable",
            Self::Allow => "allow",
            Self::Prefer => "prefer",
            Self::Require => "require",
            Self::VerifyCa => "verify-ca",
            Self::VerifyFull => "verify-full",
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}

/// Use of TLS on the connections to a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TlsOptions {
    pub(super) mode: TlsMode,
    /// File with the certificates of trusted authorities; `None` for those of the system.
    pub(super) authorities: Option<PathBuf>,
    /// Files with the client's certificate and its key.
    pub(super) identity: Option<(PathBuf, PathBuf)>,
    /// True if TLS begins at once, without a request for it.
    pub(super) is_direct: bool,
}

/// Error of the options for TLS in an address. Its message never quotes the text, which may contain a
/// password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TlsOptionsError {
    /// Unknown value of `sslmode`.
    #[error("an address with an sslmode that libpq has")]
    Mode,
    /// Options that contradict each other, or of which one is missing.
    #[error("an address with sslmode, sslrootcert, sslcert and sslkey that go together")]
    Contradiction,
    /// Value that is not text.
    #[error("an address in UTF-8")]
    Malformed,
}

/// Options for TLS in the query of an address.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct WrittenTlsOptions {
    mode: Option<TlsMode>,
    authorities: Option<String>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
}

impl WrittenTlsOptions {
    /// Splits these options off an address. As in libpq, the last one of a name counts.
    ///
    /// # Errors
    ///
    /// [`TlsOptionsError`] if a value is invalid.
    pub(super) fn split_off(typed: &str) -> Result<(String, Self), TlsOptionsError> {
        let mut written = Self::default();
        let host = typed.rfind('@').unwrap_or_default();
        let Some(query) = typed[host..].find('?').map(|query| host + query) else {
            return Ok((typed.to_owned(), written));
        };
        let mut others = Vec::new();
        for parameter in typed[query + 1..].split('&') {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = percent_decode_str(value).decode_utf8();
            let value = value.map_err(|_| TlsOptionsError::Malformed)?;
            match name {
                "sslmode" => {
                    let mode = TlsMode::from_name(&value).ok_or(TlsOptionsError::Mode)?;
                    written.mode = Some(mode);
                }
                "sslrootcert" => written.authorities = Some(value.into_owned()),
                "sslcert" => written.certificate = Some(PathBuf::from(&*value)),
                "sslkey" => written.key = Some(PathBuf::from(&*value)),
                _ => others.push(parameter),
            }
        }
        let rest = match &others[..] {
            [] => typed[..query].to_owned(),
            others => format!("{}?{}", &typed[..query], others.join("&")),
        };
        Ok((rest, written))
    }

    /// Completes the options. Without a mode, TLS is used to reach another machine, and where other
    /// options ask for it.
    ///
    /// # Errors
    ///
    /// [`TlsOptionsError::Contradiction`] if the options contradict each other.
    pub(super) fn complete(
        self,
        is_local: bool,
        negotiation: SslNegotiation,
    ) -> Result<TlsOptions, TlsOptionsError> {
        let is_direct = negotiation == SslNegotiation::Direct;
        let is_asked = is_direct || self.authorities.is_some() || self.certificate.is_some();
        let mode = match self.mode {
            None if is_local && !is_asked => TlsMode::Disable,
            None => TlsMode::VerifyFull,
            // As in libpq: an authority that is named is checked.
            Some(TlsMode::Require) if self.authorities.is_some() => TlsMode::VerifyCa,
            Some(mode) => mode,
        };
        let is_of_system = self.authorities.as_deref() == Some("system");
        let identity = match (self.certificate, self.key) {
            (None, None) => None,
            (Some(certificate), Some(key)) => Some((certificate, key)),
            _ => return Err(TlsOptionsError::Contradiction),
        };
        let is_too_weak = is_of_system && mode < TlsMode::VerifyFull;
        if is_too_weak || is_direct && mode < TlsMode::Require {
            return Err(TlsOptionsError::Contradiction);
        }
        Ok(TlsOptions {
            mode,
            authorities: self
                .authorities
                .filter(|_| !is_of_system)
                .map(PathBuf::from),
            identity,
            is_direct,
        })
    }
}
