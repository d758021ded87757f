use crate::fields::{FieldError, Tree};
use serde::{Deserialize, Deserializer, de};
use std::net::{AddrParseError, SocketAddr};
#[cfg(feature = "table")]
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Why a configuration can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file can't be read.
    #[error("the configuration `{}` can't be read", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    /// It is not a configuration.
    #[error("{}:{line}:{column}: {problem}", file.display())]
    Bad {
        file: PathBuf,
        line: usize,
        column: usize,
        problem: ConfigProblem,
    },
}

/// What is wrong in a configuration.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigProblem {
    /// It is not TOML.
    #[error(transparent)]
    Syntax(Box<toml::de::Error>),
    /// A setting is not as it should be.
    #[error(transparent)]
    Field(FieldError),
    /// An address is not valid.
    #[error("expected an IP address and a port")]
    Address(#[from] AddrParseError),
}

/// Where the configuration is by default.
const DEFAULT_FILE: &str = "war.toml";

/// The configuration file, `war.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) log: Log,
    pub(crate) table: TableSettings,
}

/// Its section `[log]`: the audit log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Log {
    #[serde(deserialize_with = "level")]
    pub(crate) level: slog::Level,
    pub(crate) format: Format,
    pub(crate) directory: PathBuf,
}

/// Its section `[table]`: the card table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TableSettings {
    pub(crate) listen: SocketAddr,
    pub(crate) store: String,
    pub(crate) bots: u32,
    pub(crate) decide_seconds: u32,
    pub(crate) connections: u32,
    pub(crate) rate: u32,
    pub(crate) origins: Vec<String>,
}

/// How the records of a log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Text,
    Json,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            level: slog::Level::Info,
            format: Format::Text,
            directory: PathBuf::from("logs"),
        }
    }
}

#[cfg(feature = "table")]
impl TableSettings {
    /// How many house players there may be.
    pub(crate) const BOTS: RangeInclusive<u32> = 0..=10_000;
    /// How many seconds a decision may take.
    pub(crate) const DECIDE_SECONDS: RangeInclusive<u32> = 1..=86_400;
    /// How many connections there may be.
    pub(crate) const CONNECTIONS: RangeInclusive<u32> = 1..=1_000_000;
    /// How many messages a connection may send in a second.
    pub(crate) const RATE: RangeInclusive<u32> = 1..=100_000;

    /// The first setting that is out of its range: its name, its value, and the range.
    pub(crate) fn out_of_range(&self) -> Option<(&'static str, u32, RangeInclusive<u32>)> {
        let settings = [
            ("bots", self.bots, Self::BOTS),
            ("decide_seconds", self.decide_seconds, Self::DECIDE_SECONDS),
            ("connections", self.connections, Self::CONNECTIONS),
            ("rate", self.rate, Self::RATE),
        ];
        let mut settings = settings.into_iter();
        settings.find(|(_, value, range)| !range.contains(value))
    }
}

impl Default for TableSettings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            store: "sqlite:table.db".to_owned(),
            bots: 2,
            decide_seconds: 30,
            connections: 16_000,
            rate: 20,
            origins: Vec::new(),
        }
    }
}

impl Config {
    /// Reads the configuration: the file named, or else `./war.toml` if it is there.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, ConfigError> {
        let path = named.unwrap_or(Path::new(DEFAULT_FILE));
        let content = match fs::read_to_string(path) {
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            content => content,
        };
        let unreadable = |source| ConfigError::Unreadable {
            file: path.to_owned(),
            source,
        };
        let content = content.map_err(unreadable)?;
        toml::from_str(&content).map_err(|error| {
            let before = &content[..error.span().map_or(0, |span| span.start)];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            ConfigError::Bad {
                file: path.to_owned(),
                line: before.matches('\n').count() + 1,
                column: before[line_start..].chars().count() + 1,
                problem: problem(&content, error),
            }
        })
    }
}

/// What is wrong with a configuration of which the library says this.
fn problem(content: &str, error: toml::de::Error) -> ConfigProblem {
    let Ok(tree) = toml::from_str::<Tree>(content) else {
        return ConfigProblem::Syntax(Box::new(error));
    };
    let address = || tree.field("table")?.field("listen")?.text();
    let parsed = address().map(str::parse::<SocketAddr>);
    match (tree.check::<Config>(), parsed) {
        (Ok(()), _) => ConfigProblem::Syntax(Box::new(error)),
        (Err(FieldError::Rule(_)), Some(Err(error))) => error.into(),
        (Err(error), _) => ConfigProblem::Field(error),
    }
}

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<slog::Level, D::Error> {
    const NAMES: [&str; 7] = [
        "critical", "fatal", "error", "warning", "info", "debug", "trace",
    ];
    let name = String::deserialize(deserializer)?;
    match name.to_ascii_lowercase().as_str() {
        "critical" | "fatal" => Ok(slog::Level::Critical),
        "error" => Ok(slog::Level::Error),
        "warning" => Ok(slog::Level::Warning),
        "info" => Ok(slog::Level::Info),
        "debug" => Ok(slog::Level::Debug),
        "trace" => Ok(slog::Level::Trace),
        _ => Err(de::Error::unknown_variant(&name, &NAMES)),
    }
}
