#[cfg(feature = "table")]
use crate::host::{admin::AdminAddress, listen::ListenAddress, standard::is_standard};
use serde::de::{self, Unexpected};
use serde::{Deserialize, Deserializer};
use std::ops::RangeInclusive;
use std::path::PathBuf;
#[cfg(feature = "table")]
use war::i18n::{Count, Text, text};

/// The levels of the audit log, from the one that keeps nothing to the one that keeps all.
pub(super) const LEVELS: &[&str] = &[
    "off", "critical", "fatal", "error", "warning", "info", "debug", "trace",
];
/// The formats of the audit log.
pub(super) const FORMATS: &[&str] = &["text", "json"];
/// How many audit logs may be kept.
pub(super) const KEEP: RangeInclusive<u32> = 1..=1_000_000;

/// The configuration file, `war.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) log: Log,
    #[cfg(feature = "table")]
    pub(crate) table: TableSettings,
    /// What another program, built with the card table, understands.
    #[cfg(not(feature = "table"))]
    #[serde(rename = "table")]
    _table: de::IgnoredAny,
}

/// Its section `[log]`: the audit log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Log {
    /// The least level of a record that is kept; `None` where no log is written.
    #[serde(deserialize_with = "level")]
    pub(crate) level: Option<slog::Level>,
    #[serde(deserialize_with = "format")]
    pub(crate) format: Format,
    #[serde(deserialize_with = "directory")]
    pub(crate) directory: PathBuf,
    /// How many logs are kept; `None` where none is ever deleted.
    #[serde(deserialize_with = "keep")]
    pub(crate) keep: Option<u32>,
}

/// Its section `[table]`: the card table.
#[cfg(feature = "table")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TableSettings {
    pub(crate) listen: ListenAddress,
    /// Where the operator asks; `None` where it follows from where players do.
    pub(crate) admin: Option<AdminAddress>,
    /// Where other nodes connect; `None` where that is up to this machine.
    pub(crate) peer_listen: Option<ListenAddress>,
    /// What other nodes connect to; `None` where that is where this one listens.
    pub(crate) advertise: Option<ListenAddress>,
    pub(crate) store: String,
    /// The file of the table's key; `None` where it lies beside the store.
    #[serde(deserialize_with = "key_file")]
    pub(crate) key: Option<PathBuf>,
    /// How many rooms a new table in a database has; `None` where a table keeps its own.
    pub(crate) rooms: Option<u32>,
    pub(crate) bots: u32,
    pub(crate) house_after: u32,
    pub(crate) decide_seconds: u32,
    pub(crate) connections: u32,
    pub(crate) rate: u32,
    pub(crate) new_players: u32,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) trust_proxy: Option<String>,
}

/// How the records of a log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            level: Some(slog::Level::Info),
            format: Format::Text,
            directory: PathBuf::from("logs"),
            keep: None,
        }
    }
}

#[cfg(feature = "table")]
impl TableSettings {
    /// How many rooms a table may have.
    pub(crate) const ROOMS: RangeInclusive<u32> = 1..=1_024;
    /// How many house players there may be.
    pub(crate) const BOTS: RangeInclusive<u32> = 0..=10_000;
    /// How many seconds a player may wait before the house plays with them.
    pub(crate) const HOUSE_AFTER: RangeInclusive<u32> = 0..=86_400;
    /// How many seconds a decision may take.
    pub(crate) const DECIDE_SECONDS: RangeInclusive<u32> = 1..=86_400;
    /// How many connections there may be.
    pub(crate) const CONNECTIONS: RangeInclusive<u32> = 1..=1_000_000;
    /// How many messages a connection may send in a second.
    pub(crate) const RATE: RangeInclusive<u32> = 1..=100_000;
    /// How many new players of an address may come in a minute.
    pub(crate) const NEW_PLAYERS: RangeInclusive<u32> = 1..=1_000_000;

    /// The first setting that is out of its range, if one is, in words.
    pub(crate) fn out_of_range(&self) -> Option<Text> {
        let rooms = self.rooms.unwrap_or(*Self::ROOMS.start());
        let settings = [
            ("rooms", rooms, Self::ROOMS),
            ("bots", self.bots, Self::BOTS),
            ("house_after", self.house_after, Self::HOUSE_AFTER),
            ("decide_seconds", self.decide_seconds, Self::DECIDE_SECONDS),
            ("connections", self.connections, Self::CONNECTIONS),
            ("rate", self.rate, Self::RATE),
            ("new_players", self.new_players, Self::NEW_PLAYERS),
        ];
        let mut settings = settings.into_iter();
        let (name, value, range) = settings.find(|(_, value, range)| !range.contains(value))?;
        Some(text!(
            BadSetting,
            name = name,
            value = Count(value.into()),
            least = Count((*range.start()).into()),
            most = Count((*range.end()).into())
        ))
    }
}

#[cfg(feature = "table")]
impl Default for TableSettings {
    fn default() -> Self {
        Self {
            listen: ListenAddress::default(),
            admin: None,
            peer_listen: None,
            advertise: None,
            store: "sqlite:table.db".to_owned(),
            key: None,
            rooms: None,
            bots: 2,
            house_after: 5,
            decide_seconds: 30,
            connections: 16_000,
            rate: 20,
            new_players: 60,
            hosts: Vec::new(),
            origins: Vec::new(),
            trust_proxy: None,
        }
    }
}

fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<slog::Level>, D::Error> {
    let name = String::deserialize(deserializer)?;
    Ok(match name.to_ascii_lowercase().as_str() {
        "off" => None,
        "critical" | "fatal" => Some(slog::Level::Critical),
        "error" => Some(slog::Level::Error),
        "warning" => Some(slog::Level::Warning),
        "info" => Some(slog::Level::Info),
        "debug" => Some(slog::Level::Debug),
        "trace" => Some(slog::Level::Trace),
        _ => return Err(de::Error::unknown_variant(&name, LEVELS)),
    })
}

fn format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Format, D::Error> {
    let name = String::deserialize(deserializer)?;
    match name.to_ascii_lowercase().as_str() {
        "text" => Ok(Format::Text),
        "json" => Ok(Format::Json),
        _ => Err(de::Error::unknown_variant(&name, FORMATS)),
    }
}

/// A directory as it is written; what stands for another one is put in later.
fn directory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    let path = String::deserialize(deserializer)?;
    let first = path.split('/').next().unwrap_or_default();
    match first {
        "" if path.is_empty() => Err(de::Error::invalid_value(Unexpected::Str(""), &"a path")),
        "~" | "$XDG_STATE_HOME" | "${XDG_STATE_HOME}" => Ok(path.into()),
        _ if first.starts_with(['~', '$']) => {
            Err(de::Error::invalid_value(Unexpected::Str(&path), &"a path"))
        }
        _ => Ok(path.into()),
    }
}

/// A file, since a key is never read from standard input.
#[cfg(feature = "table")]
fn key_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    let file = PathBuf::deserialize(deserializer)?;
    if file.as_os_str().is_empty() || is_standard(&file) {
        let found = file.to_string_lossy();
        return Err(de::Error::invalid_value(Unexpected::Str(&found), &"a file"));
    }
    Ok(Some(file))
}

fn keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if KEEP.contains(&number) {
        return Ok(Some(number));
    }
    let found = Unexpected::Unsigned(number.into());
    Err(de::Error::invalid_value(found, &"a number of logs"))
}
