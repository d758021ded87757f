//! Where the log of a card table is read from: a directory, or the network.

use crate::machine::environment::certificates;
use crate::machine::signals::is_interrupted;
use crate::machine::text::io_text;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{PemItem, RootCerts, TlsConfig, parse_pem};
use war::i18n::{Text, text};
use war::support::visible::on_one_line;
use war_table::log::Source;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The longest file of certificates that is read: all that Debian trusts take 220 kB.
const LARGEST: usize = 1 << 22;

/// A log that is served, or a copy of one.
pub(crate) enum LogSource {
    /// Files named as the log's paths.
    Directory(PathBuf),
    /// The address before those paths, without a slash at its end.
    Network { agent: Agent, address: String },
}

/// What could not be read, and why.
pub(crate) struct Unread {
    pub(crate) place: String,
    pub(crate) error: io::Error,
}

/// A file that should have certificates has none.
#[derive(Debug, thiserror::Error)]
#[error("no certificates in PEM")]
struct NoCertificates;

impl Unread {
    fn new(place: &Path, error: io::Error) -> Self {
        let place = place.display().to_string();
        Self { place, error }
    }

    /// What could not be read, why, and what helps.
    pub(crate) fn text(&self) -> Text {
        let place = on_one_line(&self.place);
        let cause = self.error.get_ref();
        if cause.is_some_and(<dyn std::error::Error + Send + Sync>::is::<NoCertificates>) {
            return text!(LogNoCertificates, file = place);
        }
        match cause.and_then(|cause| cause.downcast_ref()) {
            Some(rustls::Error::InvalidCertificate(reason)) => {
                text!(LogUntrusted, address = place, reason = reason.to_string())
            }
            // Whatever it is that the server speaks.
            Some(other) => text!(LogNoTls, address = place, reason = other.to_string()),
            None => text!(Unreadable, file = place, reason = io_text(&self.error)),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.error)
    }
}

impl LogSource {
    /// The log at this address, if it is one, or in this directory.
    ///
    /// # Errors
    ///
    /// Where there is no such directory, or no certificates in the file that `SSL_CERT_FILE`
    /// names; whether an address answers is not known before it is asked.
    pub(crate) fn open(log: &Path) -> Result<Self, Unread> {
        let text = log.to_str().unwrap_or_default();
        if text.starts_with("https://") {
            return Ok(Self::trusting(roots()?, text));
        }
        if text.starts_with("http://") {
            return Ok(Self::network(text));
        }
        match fs::metadata(log) {
            Ok(found) if found.is_dir() => Ok(Self::Directory(log.to_owned())),
            Ok(_) => Err(Unread::new(log, io::ErrorKind::NotADirectory.into())),
            Err(error) => Err(Unread::new(log, error)),
        }
    }

    /// What is served under this address.
    pub(crate) fn network(address: &str) -> Self {
        Self::trusting(RootCerts::WebPki, address)
    }

    fn trusting(roots: RootCerts, address: &str) -> Self {
        let agent = Agent::config_builder()
            .tls_config(TlsConfig::builder().root_certs(roots).build())
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Self::Network {
            agent: agent.into(),
            address: address.trim_end_matches('/').to_owned(),
        }
    }

    /// Whether it is the log as it is now, and not a copy.
    pub(crate) const fn is_live(&self) -> bool {
        matches!(self, Self::Network { .. })
    }
}

impl Source for LogSource {
    type Error = Unread;

    fn fetch(&mut self, path: &str, longest: usize) -> Result<Option<Vec<u8>>, Unread> {
        let (place, fetched) = match self {
            Self::Directory(directory) => {
                let file = directory.join(path);
                (file.display().to_string(), read(&file, longest))
            }
            Self::Network { agent, address } => {
                let place = format!("{address}/{path}");
                let fetched = get(agent, &place, longest);
                (place, fetched)
            }
        };
        // What was waited for in vain is not why it ends.
        let fetched = match fetched {
            _ if is_interrupted() => Err(io::ErrorKind::TimedOut.into()),
            fetched => fetched,
        };
        fetched.map_err(|error| Unread { place, error })
    }
}

/// Who may issue the certificate of a server: the authorities in the file that `SSL_CERT_FILE`
/// names, or else those that Mozilla trusts.
fn roots() -> Result<RootCerts, Unread> {
    let Some(file) = certificates() else {
        return Ok(RootCerts::WebPki);
    };
    let unread = |error| Unread::new(&file, error);
    let pem = File::open(&file).and_then(|file| all(file, LARGEST));
    let pem = pem.map_err(unread)?;
    let found = parse_pem(&pem).map_while(Result::ok);
    let found: Vec<_> = found
        .filter_map(|item| match item {
            PemItem::Certificate(certificate) => Some(certificate),
            _ => None,
        })
        .collect();
    if found.is_empty() {
        return Err(unread(io::Error::other(NoCertificates)));
    }
    Ok(found.into())
}

fn read(file: &Path, longest: usize) -> io::Result<Option<Vec<u8>>> {
    match File::open(file) {
        Ok(file) => all(file, longest).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn get(agent: &Agent, address: &str, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let answer = agent.get(address).call().map_err(ureq::Error::into_io)?;
    match answer.status().as_u16() {
        200 => all(answer.into_body().into_reader(), longest).map(Some),
        404 | 410 => Ok(None),
        status => Err(io::Error::other(format!("HTTP {status}"))),
    }
}

/// All that there is, or one byte more than the longest.
fn all(input: impl Read, longest: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(longest as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
