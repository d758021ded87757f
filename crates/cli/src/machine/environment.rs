//! Environment variables, including those of a Slurm job array.

#[cfg(feature = "table")]
use super::addresses::ServerAddress;
use std::ffi::OsString;
use std::path::PathBuf;
use war::i18n::{Text, text};
use war::support::digits;
use war_simulate::Shard;

/// Variables that every command reads. An empty variable counts as not set.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    /// `WAR_LANG`: the language, as a code or a locale.
    pub(crate) lang: Option<String>,
    /// `WAR_CONFIG`: the configuration file.
    pub(crate) config: Option<PathBuf>,
    /// `WAR_SCENARIOS`: the directory of scenarios.
    pub(crate) scenarios: Option<PathBuf>,
    pub(crate) user: UserDirectories,
}

/// Directories for a user's own files.
///
/// A relative path in a variable is ignored, as the XDG Base Directory Specification demands.
#[derive(Debug, Default)]
pub(crate) struct UserDirectories {
    /// `HOME`, else on Windows `USERPROFILE`.
    pub(crate) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `~/.config`.
    pub(crate) config: Option<PathBuf>,
    /// `XDG_STATE_HOME`, else `~/.local/state`.
    pub(crate) state: Option<PathBuf>,
}

/// `BROWSER`: the commands that open a page, as xdg-open and Python read them.
pub(crate) fn read_browser_variable() -> Option<String> {
    let list = std::env::var_os("BROWSER")?;
    Some(list.to_string_lossy().into_owned())
}

/// `SSL_CERT_FILE`: the trusted certificate authorities, as in OpenSSL and curl.
#[cfg(feature = "table")]
pub(crate) fn read_certificate_variable() -> Option<PathBuf> {
    let file = std::env::var_os("SSL_CERT_FILE").filter(|file| !file.is_empty());
    file.map(PathBuf::from)
}

/// `WAR_TABLE_LISTEN`: the address of the card table.
///
/// The error says that the variable's value is not an address.
#[cfg(feature = "table")]
pub(crate) fn read_table_address() -> Result<Option<ServerAddress>, Text> {
    const VARIABLE: &str = "WAR_TABLE_LISTEN";
    let Some(typed) = std::env::var_os(VARIABLE).filter(|typed| !typed.is_empty()) else {
        return Ok(None);
    };
    let typed = typed.to_string_lossy();
    let address = typed.parse().map(Some);
    address.map_err(|_| text!(BadAddress, option = VARIABLE, value = typed.as_ref()))
}

impl Environment {
    /// Reads the environment of the process.
    pub(crate) fn read() -> Self {
        Self::from_variables(&|name| std::env::var_os(name))
    }

    fn from_variables(value: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let variable = |name| value(name).filter(|value| !value.is_empty());
        let absolute = |name| {
            let path = variable(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let home = absolute("HOME").or_else(|| absolute("USERPROFILE").filter(|_| cfg!(windows)));
        let under = |path| home.as_ref().map(|home| home.join(path));
        Self {
            lang: variable("WAR_LANG").map(|lang| lang.to_string_lossy().into_owned()),
            config: variable("WAR_CONFIG").map(PathBuf::from),
            scenarios: variable("WAR_SCENARIOS").map(PathBuf::from),
            user: UserDirectories {
                config: absolute("XDG_CONFIG_HOME").or_else(|| under(".config")),
                state: absolute("XDG_STATE_HOME").or_else(|| under(".local/state")),
                home,
            },
        }
    }
}

/// Returns the shard of this task of a Slurm job array.
///
/// The error names the variable that is missing or invalid.
pub(crate) fn read_slurm_shard() -> Result<Shard, Text> {
    slurm_shard_from(&|name| std::env::var_os(name))
}

fn slurm_shard_from(value: &dyn Fn(&str) -> Option<OsString>) -> Result<Shard, Text> {
    let number = |variable: &str| {
        let found = value(variable).filter(|found| !found.is_empty());
        let found = found.ok_or_else(|| text!(SlurmMissing, variable = variable))?;
        let found = found.to_string_lossy();
        let number: Option<u32> = digits::parse_whole_number(&found);
        number.ok_or_else(|| text!(SlurmNumber, variable = variable, value = found.as_ref()))
    };
    let task = number("SLURM_ARRAY_TASK_ID")?;
    let first = number("SLURM_ARRAY_TASK_MIN")?;
    let last = number("SLURM_ARRAY_TASK_MAX")?;
    let step = number("SLURM_ARRAY_TASK_STEP")?;
    let tasks = number("SLURM_ARRAY_TASK_COUNT")?;
    // Number of steps from the first task to the task `to`, if it is a whole number.
    let steps = |to: u32| {
        let behind = to.checked_sub(first)?;
        let is_whole = behind.checked_rem(step)? == 0;
        is_whole.then(|| behind / step)
    };
    let is_even = steps(last).is_some_and(|steps| u64::from(steps) + 1 == u64::from(tasks));
    if tasks == 1 {
        return Err(text!(SlurmSingle, task = task.to_string()));
    }
    let place = steps(task).filter(|_| is_even);
    let shard = place.and_then(|place| Shard::new(u64::from(place) + 1, tasks.into()));
    shard.ok_or_else(|| {
        text!(
            SlurmUneven,
            task = task.to_string(),
            tasks = tasks.to_string(),
            first = first.to_string(),
            last = last.to_string(),
            step = step.to_string()
        )
    })
}
