//! Where the log of a card table is read from: a directory, or the network.

use crate::host::signals::is_interrupted;
use crate::log::Source;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;

/// How long one answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

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
    /// Where there is no such directory; whether an address answers is not known before it is
    /// asked.
    pub(crate) fn open(log: &Path) -> io::Result<Self> {
        let text = log.to_str().unwrap_or_default();
        if text.starts_with("http://") || text.starts_with("https://") {
            return Ok(Self::network(text));
        }
        if !fs::metadata(log)?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Self::Directory(log.to_owned()))
    }

    /// What is served under this address.
    pub(crate) fn network(address: &str) -> Self {
        let agent = Agent::config_builder()
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
