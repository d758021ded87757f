use super::allowed::{Allowed, names_at, setting_at};
use super::settings::Config;
use crate::host::environment::Home;
use crate::host::standard;
use serde::Deserialize;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use toml::{Table, Value};
use war::support::fields::{FieldError, Tree};

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
        allowed: Allowed,
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
    pub(crate) fn load(named: Option<&Path>, home: &Home) -> Result<Self, ConfigError> {
        let own = home
            .config
            .as_ref()
            .map(|directory| directory.join(OWN_FILE));
        let mut settings = match own {
            Some(path) => read(&path, true)?,
            None => Table::new(),
        };
        let project = read(named.unwrap_or(Path::new(DEFAULT_FILE)), named.is_none())?;
        put_over(&mut settings, project);
        let mut config = Self::deserialize(settings).expect("both files were checked");
        config.log.directory = placed(&config.log.directory, home)?;
        Ok(config)
    }
}

/// Reads and checks a file; one that is optional need not be there.
fn read(path: &Path, is_optional: bool) -> Result<Table, ConfigError> {
    let mut content = String::new();
    let read = standard::open(path).and_then(|mut file| file.read_to_string(&mut content));
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
            problem: problem(&content, at, error),
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
fn problem(content: &str, at: usize, error: toml::de::Error) -> ConfigProblem {
    let tree: Option<Tree> = toml::from_str(content).ok();
    let error = match tree.and_then(|tree| tree.check::<Config>().err()) {
        None => return ConfigProblem::Syntax(Box::new(error)),
        Some(FieldError::Unknown(name)) => {
            let known = names_at(content, at);
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
            known: names_at("", 0),
        },
    }
}

/// Puts settings over others: what both have is what the upper ones say.
fn put_over(lower: &mut Table, upper: Table) {
    for (name, value) in upper {
        match (lower.get_mut(&name), value) {
            (Some(Value::Table(lower)), Value::Table(upper)) => put_over(lower, upper),
            (_, value) => {
                lower.insert(name, value);
            }
        }
    }
}

/// The directory that is meant: `~` and `$XDG_STATE_HOME` stand for others.
fn placed(directory: &Path, home: &Home) -> Result<PathBuf, ConfigError> {
    for (short, meant) in [
        ("~", &home.directory),
        ("$XDG_STATE_HOME", &home.state),
        ("${XDG_STATE_HOME}", &home.state),
    ] {
        if let Ok(rest) = directory.strip_prefix(short) {
            let meant = meant.as_ref();
            let meant = meant.ok_or_else(|| ConfigError::NoHome(directory.to_owned()))?;
            return Ok(meant.join(rest));
        }
    }
    Ok(directory.to_owned())
}
