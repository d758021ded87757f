//! What every command has at hand: terminal, configuration, clock and environment.

use super::messages::io_text;
use super::terminal::Terminal;
use super::text::display;
use crate::host::audit_log::Clock;
use crate::host::config::Config;
use crate::i18n::{Lang, text};
use std::io;
use std::path::PathBuf;

/// What the environment says, where a flag does not.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) lang: Option<String>,
    pub(crate) config: Option<PathBuf>,
    pub(crate) scenarios: Option<PathBuf>,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        Self {
            lang: variable("WAR_LANG").map(|lang| lang.to_string_lossy().into_owned()),
            config: variable("WAR_CONFIG").map(PathBuf::from),
            scenarios: variable("WAR_SCENARIOS").map(PathBuf::from),
        }
    }
}

/// What every command has at hand.
pub(crate) struct Context {
    pub(crate) terminal: Terminal,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) environment: Environment,
    /// The language asked for by a flag.
    pub(crate) lang_flag: Option<Lang>,
    /// Whether a failing audit log was reported already.
    pub(crate) log_failed: bool,
}

impl Context {
    /// Warns once that an audit log can't be written.
    pub(crate) fn warn_of_log(&mut self, error: &io::Error) {
        if std::mem::replace(&mut self.log_failed, true) {
            return;
        }
        let text = text!(
            LogFailed,
            directory = display(&self.config.log.directory),
            reason = io_text(error)
        );
        self.terminal.warning(&text);
    }
}
