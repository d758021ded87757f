//! State shared by all commands: terminal, configuration, clock and environment.

use crate::machine::audit_log::LogClock;
use crate::machine::config::Config;
use crate::machine::environment::Environment;
use crate::machine::terminal::Terminal;
use crate::machine::text::{io_text, path_text};
use rand::distr::{Distribution, StandardUniform};
use std::io;
use war::i18n::{Lang, text};

/// State that every command receives.
pub(crate) struct Context {
    pub(crate) terminal: Terminal,
    pub(crate) config: Config,
    pub(crate) clock: LogClock,
    pub(crate) environment: Environment,
    /// Language given by `--lang`.
    pub(crate) lang_flag: Option<Lang>,
    /// True once a failure of the audit log has been reported.
    pub(crate) is_log_failure_reported: bool,
}

impl Context {
    /// Draws a random seed and prints it, so that the game can be played again.
    pub(crate) fn draw_seed<S: ToString>(&mut self) -> S
    where
        StandardUniform: Distribution<S>,
    {
        let seed: S = rand::random();
        self.terminal
            .report_note(&text!(SeedDrawn, seed = seed.to_string()));
        seed
    }

    /// Warns that the audit log can't be written, at most once.
    pub(crate) fn warn_of_log_failure(&mut self, error: &io::Error) {
        if std::mem::replace(&mut self.is_log_failure_reported, true) {
            return;
        }
        let text = text!(
            LogFailed,
            directory = path_text(&self.config.log.directory),
            reason = io_text(error)
        );
        self.terminal.report_warning(&text);
    }
}
