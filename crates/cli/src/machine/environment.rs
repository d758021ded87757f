//! What the environment says, where a flag does not; and the task of a Slurm job array.

use std::ffi::OsString;
use std::path::PathBuf;
use war::i18n::{Text, text};
use war::support::digits;
use war_simulate::Shard;

/// The variables that count for every command. One that is empty counts as not set.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    /// `WAR_LANG`: the language, as a code or as a locale.
    pub(crate) lang: Option<String>,
    /// `WAR_CONFIG`: the configuration.
    pub(crate) config: Option<PathBuf>,
    /// `WAR_SCENARIOS`: the scenarios directory.
    pub(crate) scenarios: Option<PathBuf>,
    /// Where your own files lie.
    pub(crate) user: UserDirectories,
}

/// The directories in which the files of a user lie.
///
/// A relative path in a variable is ignored, as the XDG Base Directory Specification wants it.
#[derive(Debug, Default)]
pub(crate) struct UserDirectories {
    /// `HOME`.
    pub(crate) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`, else `~/.config`.
    pub(crate) config: Option<PathBuf>,
    /// `XDG_STATE_HOME`, else `~/.local/state`.
    pub(crate) state: Option<PathBuf>,
}

/// `SSL_CERT_FILE`: the certificates of authorities that may issue those of servers, as OpenSSL
/// and curl know it.
#[cfg(feature = "table")]
pub(crate) fn certificate_file() -> Option<PathBuf> {
    let file = std::env::var_os("SSL_CERT_FILE").filter(|file| !file.is_empty());
    file.map(PathBuf::from)
}

impl Environment {
    /// Reads the environment of the process.
    pub(crate) fn read() -> Self {
        Self::from(&|name| std::env::var_os(name))
    }

    /// The environment in which the variables have these values.
    fn from(value: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let variable = |name| value(name).filter(|value| !value.is_empty());
        let absolute = |name| {
            let path = variable(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let home = absolute("HOME");
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

/// The shard of this task: its place among all tasks of the array.
///
/// The error says which variable of Slurm is missing or makes no sense.
pub(crate) fn slurm_shard() -> Result<Shard, Text> {
    slurm_shard_from(&|name| std::env::var_os(name))
}

/// The shard where the variables have these values.
fn slurm_shard_from(value: &dyn Fn(&str) -> Option<OsString>) -> Result<Shard, Text> {
    let number = |variable: &str| {
        let found = value(variable).filter(|found| !found.is_empty());
        let found = found.ok_or_else(|| text!(SlurmMissing, variable = variable))?;
        let found = found.to_string_lossy();
        let number: Option<u32> = digits::whole(&found);
        number.ok_or_else(|| text!(SlurmNumber, variable = variable, value = found.as_ref()))
    };
    let task = number("SLURM_ARRAY_TASK_ID")?;
    let first = number("SLURM_ARRAY_TASK_MIN")?;
    let last = number("SLURM_ARRAY_TASK_MAX")?;
    let step = number("SLURM_ARRAY_TASK_STEP")?;
    let tasks = number("SLURM_ARRAY_TASK_COUNT")?;
    // How many steps a task is behind the first one, if it is a whole number of them.
    let steps = |to: u32| {
        let behind = to.checked_sub(first)?;
        let is_whole = behind.checked_rem(step)? == 0;
        is_whole.then(|| behind / step)
    };
    let is_even = steps(last).is_some_and(|steps| u64::from(steps) + 1 == u64::from(tasks));
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
