//! The configuration, `war.toml`: its settings, what each may be, where it is read, and what is
//! wrong in it, in words.

#[cfg(feature = "table")]
use super::addresses::{AdminAddress, ListenAddress};
use super::environment::UserDirectories;
use super::input;
#[cfg(feature = "table")]
use super::input::is_standard;
use serde::de::{self, Unexpected};
use serde::{Deserialize, Deserializer};
use std::io::{self, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use war::i18n::{self, Count, Text, text};
use war::support::fields::{FieldError, Tree};

/// The levels of the audit log, from the one that keeps nothing to the one that keeps all.
const LEVELS: &[&str] = &[
    "off", "critical", "fatal", "error", "warning", "info", "debug", "trace",
];

/// The formats of the audit log.
const FORMATS: &[&str] = &["text", "json"];

/// How many audit logs may be kept.
const KEEP: RangeInclusive<u32> = 1..=1_000_000;

/// The configuration file, `war.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    pub(crate) log: LogSettings,
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
pub(crate) struct LogSettings {
    /// The least level of a record that is kept; `None` where no log is written.
    #[serde(deserialize_with = "deserialize_level")]
    pub(crate) level: Option<slog::Level>,
    #[serde(deserialize_with = "deserialize_format")]
    pub(crate) format: LogFormat,
    #[serde(deserialize_with = "deserialize_directory")]
    pub(crate) directory: PathBuf,
    /// How many logs are kept; `None` where none is ever deleted.
    #[serde(deserialize_with = "deserialize_keep")]
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
    #[serde(deserialize_with = "deserialize_key_file")]
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
pub(crate) enum LogFormat {
    Text,
    Json,
}

impl Default for LogSettings {
    fn default() -> Self {
        Self {
            level: Some(slog::Level::Info),
            format: LogFormat::Text,
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

/// A directory as it is written; what stands for another one is put in later.
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

/// A file, since a key is never read from standard input.
#[cfg(feature = "table")]
fn deserialize_key_file<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<PathBuf>, D::Error> {
    let file = PathBuf::deserialize(deserializer)?;
    if file.as_os_str().is_empty() || is_standard(&file) {
        let found = file.to_string_lossy();
        return Err(de::Error::invalid_value(Unexpected::Str(&found), &"a file"));
    }
    Ok(Some(file))
}

fn deserialize_keep<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if KEEP.contains(&number) {
        return Ok(Some(number));
    }
    let found = Unexpected::Unsigned(number.into());
    Err(de::Error::invalid_value(found, &"a number of logs"))
}

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
    /// The log's directory begins with your home, and nothing says where that is.
    #[error("`{}` begins with a home that is not known", .0.display())]
    NoHome(PathBuf),
}

/// What is wrong in a configuration.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigProblem {
    /// It is not TOML.
    #[error(transparent)]
    Syntax(Box<toml::de::Error>),
    /// No setting or section has this name.
    #[error("`{name}` is unknown")]
    Name { name: String, known: String },
    /// A setting may not be this.
    #[error("`{key}`: {error}")]
    Value {
        key: &'static str,
        allowed: AllowedValue,
        error: FieldError,
    },
    /// A section is none.
    #[error("{error}")]
    Section { error: FieldError, known: String },
}

/// Where the configuration lies unless something else is said.
const DEFAULT_FILE: &str = "war.toml";

/// Where your own configuration lies, below the directory for configurations.
const OWN_FILE: &str = "war/war.toml";

impl Config {
    /// Reads the configuration: the file named (`-` is standard input), or else `./war.toml`
    /// if it is there; where that says nothing, your own one counts.
    pub(crate) fn load(named: Option<&Path>, user: &UserDirectories) -> Result<Self, ConfigError> {
        let own = user
            .config
            .as_ref()
            .map(|directory| directory.join(OWN_FILE));
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

/// Reads and checks a file; one that is optional need not be there.
fn read(path: &Path, is_optional: bool) -> Result<Table, ConfigError> {
    let mut content = String::new();
    let read = input::open(path).and_then(|mut file| file.read_to_string(&mut content));
    match read {
        Err(error) if is_optional && is_missing(&error) => return Ok(Table::new()),
        Err(source) => {
            let file = path.to_owned();
            return Err(ConfigError::Unreadable { file, source });
        }
        Ok(_) => {}
    }
    let checked = toml::from_str::<Config>(&content);
    let table = checked.and_then(|_| toml::from_str(&content));
    table.map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = &content[..at];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ConfigError::Bad {
            file: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: config_problem(&content, at, error),
        }
    })
}

/// Whether a file is missing; a home that is not a directory contains none.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// What is wrong at this place of a configuration of which the library says this.
fn config_problem(content: &str, at: usize, error: toml::de::Error) -> ConfigProblem {
    let tree: Option<Tree> = toml::from_str(content).ok();
    let error = match tree.and_then(|tree| tree.check::<Config>().err()) {
        None => return ConfigProblem::Syntax(Box::new(error)),
        Some(FieldError::Unknown(name)) => {
            let known = known_names_at(content, at);
            return ConfigProblem::Name { name, known };
        }
        Some(error) => error,
    };
    match setting_at(content, at) {
        Some((key, allowed)) => ConfigProblem::Value {
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

/// Puts settings over others: what both have is what the upper ones say.
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

/// The directory that is meant: `~` and `$XDG_STATE_HOME` stand for others.
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

/// What a setting may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowedValue {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from here to there.
    Whole(RangeInclusive<u32>),
    /// A directory.
    Directory,
    /// A host with a port.
    #[cfg(feature = "table")]
    Address,
    /// A host with a port, or `off`.
    #[cfg(feature = "table")]
    AddressOrOff,
    /// Any text.
    #[cfg(feature = "table")]
    Text,
    /// A file that can't be standard input.
    #[cfg(feature = "table")]
    File,
    /// A list of texts.
    #[cfg(feature = "table")]
    Texts,
}

/// The sections with their settings.
fn sections() -> Vec<(&'static str, Vec<(&'static str, AllowedValue)>)> {
    vec![
        (
            "log",
            vec![
                ("level", AllowedValue::OneOf(LEVELS)),
                ("format", AllowedValue::OneOf(FORMATS)),
                ("directory", AllowedValue::Directory),
                ("keep", AllowedValue::Whole(KEEP)),
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
                ("rooms", AllowedValue::Whole(TableSettings::ROOMS)),
                ("bots", AllowedValue::Whole(TableSettings::BOTS)),
                (
                    "house_after",
                    AllowedValue::Whole(TableSettings::HOUSE_AFTER),
                ),
                (
                    "decide_seconds",
                    AllowedValue::Whole(TableSettings::DECIDE_SECONDS),
                ),
                (
                    "connections",
                    AllowedValue::Whole(TableSettings::CONNECTIONS),
                ),
                ("rate", AllowedValue::Whole(TableSettings::RATE)),
                (
                    "new_players",
                    AllowedValue::Whole(TableSettings::NEW_PLAYERS),
                ),
                ("hosts", AllowedValue::Texts),
                ("origins", AllowedValue::Texts),
                ("trust_proxy", AllowedValue::Text),
            ],
        ),
    ]
}

/// The setting whose value begins at this place of a file, and what it may be.
fn setting_at(content: &str, at: usize) -> Option<(&'static str, AllowedValue)> {
    let line = content[..at].rsplit('\n').next()?;
    let key = line.rsplit_once('=')?.0.trim();
    let key = key.rsplit(['.', ' ', '{', ',']).next()?.trim_matches('"');
    let mut settings = sections().into_iter().flat_map(|(_, settings)| settings);
    settings.find(|(name, _)| *name == key)
}

/// The names that are known where an unknown one stands: those of the section's settings, or
/// all of them with their sections.
fn known_names_at(content: &str, at: usize) -> String {
    let mut lines = content[..at].rsplit('\n');
    // In a header, the name is that of a section.
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
            ConfigProblem::Name { name, known } => {
                text!(ConfigName, name = name.as_str(), known = known.as_str())
            }
            ConfigProblem::Value {
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
            AllowedValue::Whole(range) => {
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
