//! The configuration `war.toml`: its settings and their ranges, its location, and its errors in
//! words.

#[cfg(feature = "table")]
use super::addresses::{AdminAddress, ServerAddress};
use super::environment::UserDirectories;
use super::input;
#[cfg(feature = "table")]
use super::input::is_standard_stream;
#[cfg(feature = "table")]
use clap::ValueEnum;
use serde::de::{self, Unexpected};
use serde::{Deserialize, Deserializer};
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use war::i18n::{self, Count, Text, text};
use war::support::encoding::{EncodingError, decode_utf8};
use war::support::fields::{DataTree, FieldError};

/// Levels of the audit log, from the least verbose.
const LEVELS: &[&str] = &[
    "off", "critical", "fatal", "error", "warning", "info", "debug", "trace",
];

const FORMATS: &[&str] = &["text", "json"];

/// Destinations of a server's log.
#[cfg(feature = "table")]
const LOG_DESTINATIONS: &[&str] = &["file", "stdout"];

/// Range of the number of audit logs to keep.
const KEEP: RangeInclusive<u32> = 1..=1_000_000;

/// Range of the length of an audit log, in megabytes of 1,000,000 bytes.
const ROTATE_MB: RangeInclusive<u32> = 1..=1_000_000;

/// The configuration file, `war.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) log: LogSettings,
    #[cfg(feature = "table")]
    pub(crate) table: TableSettings,
    /// Section `[table]`, which a build without the card table ignores.
    #[cfg(not(feature = "table"))]
    #[serde(rename = "table")]
    _table: de::IgnoredAny,
}

/// Section `[log]`: the audit log.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LogSettings {
    /// Lowest level of the records to write; `None` to write no log.
    #[serde(deserialize_with = "deserialize_level")]
    pub(crate) level: Option<slog::Level>,
    #[serde(deserialize_with = "deserialize_format")]
    pub(crate) format: LogFormat,
    #[serde(deserialize_with = "deserialize_directory")]
    pub(crate) directory: PathBuf,
    /// Number of log files to keep; `None` to keep all.
    #[serde(deserialize_with = "deserialize_keep")]
    pub(crate) keep: Option<u32>,
    /// Length in megabytes from which a log continues in a new file; `None` for no limit.
    #[serde(deserialize_with = "deserialize_rotate_mb")]
    pub(crate) rotate_mb: Option<u32>,
}

/// Section `[table]`: the card table.
#[cfg(feature = "table")]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TableSettings {
    pub(crate) listen: ServerAddress,
    /// Operator's address; `None` to derive it from `listen`.
    pub(crate) admin: Option<AdminAddress>,
    /// Address for other nodes; `None` for a free port on this machine.
    pub(crate) peer_listen: Option<ServerAddress>,
    /// Address advertised to other nodes; `None` for `peer_listen`.
    pub(crate) advertise: Option<ServerAddress>,
    pub(crate) store: String,
    /// File of the table's key; `None` for the one beside the store.
    #[serde(deserialize_with = "deserialize_key_file")]
    pub(crate) key: Option<PathBuf>,
    /// Number of rooms of a new table in a database; `None` for the default.
    pub(crate) rooms: Option<u32>,
    pub(crate) bots: u32,
    pub(crate) house_after: u32,
    pub(crate) decide_seconds: u32,
    pub(crate) connections: u32,
    pub(crate) connections_per_address: u32,
    pub(crate) rate: u32,
    pub(crate) new_players: u32,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) trust_proxy: Option<String>,
    pub(crate) log: LogDestination,
}

/// Format of the records of an audit log: lines of text, or a JSON object on each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogFormat {
    Text,
    Json,
}

/// Destination of a server's log.
#[cfg(feature = "table")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogDestination {
    /// A file in the directory of `[log]`.
    File,
    /// Standard output.
    Stdout,
}

impl Default for LogSettings {
    fn default() -> Self {
        Self {
            level: Some(slog::Level::Info),
            format: LogFormat::Text,
            directory: PathBuf::from("logs"),
            keep: None,
            rotate_mb: None,
        }
    }
}

#[cfg(feature = "table")]
impl TableSettings {
    pub(crate) const ROOM_RANGE: RangeInclusive<u32> = 1..=1_024;
    pub(crate) const BOT_RANGE: RangeInclusive<u32> = 0..=10_000;
    pub(crate) const HOUSE_DELAY_RANGE: RangeInclusive<u32> = 0..=86_400;
    pub(crate) const DECISION_SECONDS_RANGE: RangeInclusive<u32> = 1..=86_400;
    pub(crate) const CONNECTION_RANGE: RangeInclusive<u32> = 1..=1_000_000;
    pub(crate) const RATE_RANGE: RangeInclusive<u32> = 1..=100_000;
    pub(crate) const NEW_PLAYER_RANGE: RangeInclusive<u32> = 1..=1_000_000;

    /// Error for the first setting that is out of its range, if any.
    pub(crate) fn find_range_error(&self) -> Option<Text> {
        let rooms = self.rooms.unwrap_or(*Self::ROOM_RANGE.start());
        let settings = [
            ("rooms", rooms, Self::ROOM_RANGE),
            ("bots", self.bots, Self::BOT_RANGE),
            ("house_after", self.house_after, Self::HOUSE_DELAY_RANGE),
            (
                "decide_seconds",
                self.decide_seconds,
                Self::DECISION_SECONDS_RANGE,
            ),
            ("connections", self.connections, Self::CONNECTION_RANGE),
            (
                "connections_per_address",
                self.connections_per_address,
                Self::CONNECTION_RANGE,
            ),
            ("rate", self.rate, Self::RATE_RANGE),
            ("new_players", self.new_players, Self::NEW_PLAYER_RANGE),
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
            listen: ServerAddress::default(),
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
            connections_per_address: 256,
            rate: 20,
            new_players: 60,
            hosts: Vec::new(),
            origins: Vec::new(),
            trust_proxy: None,
            log: LogDestination::File,
        }
    }
}

fn deserialize_level<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<slog::Level>, D::Error> {
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

fn deserialize_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<LogFormat, D::Error> {
    let name = String::deserialize(deserializer)?;
    match name.to_ascii_lowercase().as_str() {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err(de::Error::unknown_variant(&name, FORMATS)),
    }
}

/// Deserializes a directory without expanding `~` or variables, which is done later.
fn deserialize_directory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
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

/// Deserializes a file name, but not `-`: a key is never read from standard input.
#[cfg(feature = "table")]
fn deserialize_key_file<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PathBuf>, D::Error> {
    let file = PathBuf::deserialize(deserializer)?;
    if file.as_os_str().is_empty() || is_standard_stream(&file) {
        let found = file.to_string_lossy();
        return Err(de::Error::invalid_value(Unexpected::Str(&found), &"a file"));
    }
    Ok(Some(file))
}

fn deserialize_keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserialize_in(&KEEP, "a number of logs", deserializer)
}

fn deserialize_rotate_mb<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    deserialize_in(&ROTATE_MB, "a number of megabytes", deserializer)
}

/// Reads a number that must be in a range.
fn deserialize_in<'de, D: Deserializer<'de>>(
    range: &RangeInclusive<u32>,
    expected: &str,
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if range.contains(&number) {
        return Ok(Some(number));
    }
    let found = Unexpected::Unsigned(number.into());
    Err(de::Error::invalid_value(found, &expected))
}

/// Error that makes a configuration unusable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// Failure to read the file.
    #[error("the configuration `{}` can't be read", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    /// File that is not UTF-8.
    #[error("{}: {error}", file.display())]
    NotUtf8 { file: PathBuf, error: EncodingError },
    /// File that is not a valid configuration.
    #[error("{}:{line}:{column}: {problem}", file.display())]
    Invalid {
        file: PathBuf,
        line: usize,
        column: usize,
        problem: ConfigProblem,
    },
    /// Log directory that begins with `~` or `$XDG_STATE_HOME`, while the user's home is not known.
    #[error("`{}` begins with a home that is not known", .0.display())]
    NoHome(PathBuf),
}

/// Problem in a configuration file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigProblem {
    /// File that is not TOML.
    #[error(transparent)]
    Syntax(Box<toml::de::Error>),
    /// Unknown name of a setting or section.
    #[error("`{name}` is unknown")]
    UnknownName { name: String, known: String },
    /// Value that its setting does not accept.
    #[error("`{key}`: {error}")]
    InvalidValue {
        key: &'static str,
        allowed: AllowedValue,
        error: FieldError,
    },
    /// Section that is not a table.
    #[error("{error}")]
    Section { error: FieldError, known: String },
}

/// Configuration file of the project, in the current directory.
const DEFAULT_FILE: &str = "war.toml";

/// Configuration file of the user, relative to the user's directory for configurations.
const USER_FILE: &str = "war/war.toml";

impl Config {
    /// Reads the named file (`-` for standard input), or else `./war.toml` if it exists. Settings
    /// missing from that file come from the user's own configuration.
    pub(crate) fn load(named: Option<&Path>, user: &UserDirectories) -> Result<Self, ConfigError> {
        let own = user
            .config
            .as_ref()
            .map(|directory| directory.join(USER_FILE));
        let mut settings = match own {
            Some(path) => read(&path, true)?,
            None => Table::new(),
        };
        let project = read(named.unwrap_or(Path::new(DEFAULT_FILE)), named.is_none())?;
        merge_over(&mut settings, project);
        let mut config = Self::deserialize(settings).expect("both files were checked");
        config.log.directory = expand_directory(&config.log.directory, user)?;
        Ok(config)
    }
}

/// Reads and checks a file; an optional one may be missing.
fn read(path: &Path, is_optional: bool) -> Result<Table, ConfigError> {
    let mut content = Vec::new();
    let read = input::open(path).and_then(|mut file| file.read_to_end(&mut content));
    match read {
        Err(error) if is_optional && is_missing(&error) => return Ok(Table::new()),
        Err(source) => {
            let file = path.to_owned();
            return Err(ConfigError::Unreadable { file, source });
        }
        Ok(_) => {}
    }
    let content = decode_utf8(&content).map_err(|error| {
        let file = path.to_owned();
        ConfigError::NotUtf8 { file, error }
    })?;
    let checked = toml::from_str::<Config>(content);
    let table = checked.and_then(|_| toml::from_str(content));
    table.map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = &content[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ConfigError::Invalid {
            file: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: config_problem(content, at, error),
        }
    })
}

/// Returns true if a file is missing, or a part of its path is not a directory.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Finds the problem behind a parser's error at this byte of a configuration.
fn config_problem(content: &str, at: usize, error: toml::de::Error) -> ConfigProblem {
    let tree: Option<DataTree> = toml::from_str(content).ok();
    let error = match tree.and_then(|tree| tree.check::<Config>().err()) {
        None => return ConfigProblem::Syntax(Box::new(error)),
        Some(FieldError::Unknown(name)) => {
            let known = known_names_at(content, at);
            return ConfigProblem::UnknownName { name, known };
        }
        Some(error) => error,
    };
    match setting_at(content, at) {
        Some((key, allowed)) => ConfigProblem::InvalidValue {
            key,
            allowed,
            error,
        },
        None => ConfigProblem::Section {
            error,
            known: known_names_at("", 0),
        },
    }
}

/// Merges `upper` into `lower`. If both have a setting, `upper` wins.
fn merge_over(lower: &mut Table, upper: Table) {
    for (name, value) in upper {
        match (lower.get_mut(&name), value) {
            (Some(Value::Table(lower)), Value::Table(upper)) => merge_over(lower, upper),
            (_, value) => {
                lower.insert(name, value);
            }
        }
    }
}

/// Expands `~` and `$XDG_STATE_HOME` at the start of a directory.
fn expand_directory(directory: &Path, user: &UserDirectories) -> Result<PathBuf, ConfigError> {
    for (short, meant) in [
        ("~", &user.home),
        ("$XDG_STATE_HOME", &user.state),
        ("${XDG_STATE_HOME}", &user.state),
    ] {
        if let Ok(rest) = directory.strip_prefix(short) {
            let meant = meant.as_ref();
            let meant = meant.ok_or_else(|| ConfigError::NoHome(directory.to_owned()))?;
            return Ok(meant.join(rest));
        }
    }
    Ok(directory.to_owned())
}

/// Kind of value that a setting accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowedValue {
    OneOf(&'static [&'static str]),
    WholeNumber(RangeInclusive<u32>),
    Directory,
    #[cfg(feature = "table")]
    Address,
    /// A host with a port, or `off`.
    #[cfg(feature = "table")]
    AddressOrOff,
    #[cfg(feature = "table")]
    Text,
    /// A file, but not standard input.
    #[cfg(feature = "table")]
    File,
    #[cfg(feature = "table")]
    Texts,
}

/// All sections and their settings.
fn sections() -> Vec<(&'static str, Vec<(&'static str, AllowedValue)>)> {
    vec![
        (
            "log",
            vec![
                ("level", AllowedValue::OneOf(LEVELS)),
                ("format", AllowedValue::OneOf(FORMATS)),
                ("directory", AllowedValue::Directory),
                ("keep", AllowedValue::WholeNumber(KEEP)),
                ("rotate_mb", AllowedValue::WholeNumber(ROTATE_MB)),
            ],
        ),
        #[cfg(feature = "table")]
        (
            "table",
            vec![
                ("listen", AllowedValue::Address),
                ("admin", AllowedValue::AddressOrOff),
                ("peer_listen", AllowedValue::Address),
                ("advertise", AllowedValue::Address),
                ("store", AllowedValue::Text),
                ("key", AllowedValue::File),
                (
                    "rooms",
                    AllowedValue::WholeNumber(TableSettings::ROOM_RANGE),
                ),
                ("bots", AllowedValue::WholeNumber(TableSettings::BOT_RANGE)),
                (
                    "house_after",
                    AllowedValue::WholeNumber(TableSettings::HOUSE_DELAY_RANGE),
                ),
                (
                    "decide_seconds",
                    AllowedValue::WholeNumber(TableSettings::DECISION_SECONDS_RANGE),
                ),
                (
                    "connections",
                    AllowedValue::WholeNumber(TableSettings::CONNECTION_RANGE),
                ),
                (
                    "connections_per_address",
                    AllowedValue::WholeNumber(TableSettings::CONNECTION_RANGE),
                ),
                ("rate", AllowedValue::WholeNumber(TableSettings::RATE_RANGE)),
                (
                    "new_players",
                    AllowedValue::WholeNumber(TableSettings::NEW_PLAYER_RANGE),
                ),
                ("hosts", AllowedValue::Texts),
                ("origins", AllowedValue::Texts),
                ("trust_proxy", AllowedValue::Text),
                ("log", AllowedValue::OneOf(LOG_DESTINATIONS)),
            ],
        ),
    ]
}

/// Finds the setting whose value starts at this byte of a file.
fn setting_at(content: &str, at: usize) -> Option<(&'static str, AllowedValue)> {
    let line = content[..at].rsplit('\n').next()?;
    let key = line.rsplit_once('=')?.0.trim();
    let key = key.rsplit(['.', ' ', '{', ',']).next()?.trim_matches('"');
    let mut settings = sections().into_iter().flat_map(|(_, settings)| settings);
    settings.find(|(name, _)| *name == key)
}

/// Lists the known names at this byte of a file: the settings of the section, or all sections with
/// their settings.
fn known_names_at(content: &str, at: usize) -> String {
    let mut lines = content[..at].rsplit('\n');
    // In a header, the unknown name is that of a section, so all sections are listed.
    let in_header = lines
        .next()
        .is_some_and(|line| line.trim_start().starts_with('['));
    let header = lines.find_map(|line| line.trim().strip_prefix('['));
    let section = header.filter(|_| !in_header);
    let section = section.and_then(|header| header.split(']').next());
    let sections = sections();
    let own = sections
        .iter()
        .find(|(name, _)| Some(*name) == section.map(str::trim));
    let names = |settings: &[(&str, AllowedValue)]| {
        let names = settings.iter().map(|(name, _)| format!("`{name}`"));
        names.collect::<Vec<_>>().join(", ")
    };
    if let Some((_, settings)) = own {
        return names(settings);
    }
    let all = sections
        .iter()
        .map(|(section, settings)| format!("[{section}] {}", names(settings)));
    all.collect::<Vec<_>>().join("; ")
}

impl From<&ConfigProblem> for Text {
    fn from(problem: &ConfigProblem) -> Self {
        match problem {
            ConfigProblem::Syntax(error) => text!(ConfigSyntax, reason = error.message()),
            ConfigProblem::UnknownName { name, known } => {
                text!(ConfigName, name = name.as_str(), known = known.as_str())
            }
            ConfigProblem::InvalidValue {
                key,
                allowed,
                error,
            } => text!(
                ConfigValue,
                reason = Self::from(error),
                key = *key,
                known = i18n::Value::from(allowed)
            ),
            ConfigProblem::Section { error, known } => text!(
                ConfigSection,
                reason = Self::from(error),
                known = known.as_str()
            ),
        }
    }
}

impl From<&AllowedValue> for i18n::Value {
    fn from(allowed: &AllowedValue) -> Self {
        match allowed {
            AllowedValue::OneOf(words) => words.join(", ").into(),
            AllowedValue::WholeNumber(range) => {
                let [least, most] = [*range.start(), *range.end()].map(|end| Count(end.into()));
                text!(AllowedWhole, least = least, most = most).into()
            }
            AllowedValue::Directory => text!(AllowedDirectory).into(),
            #[cfg(feature = "table")]
            AllowedValue::Address => text!(AllowedAddress).into(),
            #[cfg(feature = "table")]
            AllowedValue::AddressOrOff => text!(AllowedAddressOrOff).into(),
            #[cfg(feature = "table")]
            AllowedValue::Text => text!(AllowedText).into(),
            #[cfg(feature = "table")]
            AllowedValue::File => text!(AllowedFile).into(),
            #[cfg(feature = "table")]
            AllowedValue::Texts => text!(AllowedTexts).into(),
        }
    }
}
