//! What every command has at hand: terminal, configuration, clock and environment.

use crate::machine::audit_log::Clock;
use crate::machine::config::Config;
use crate::machine::environment::Environment;
use crate::machine::terminal::Terminal;
use crate::machine::text::{display, io_text};
use rand::distr::{Distribution, StandardUniform};
use std::io;
use war::i18n::{Lang, text};

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
    /// Draws a seed, and says which one: the same game can be played again.
    pub(crate) fn draw_seed<S: ToString>(&mut self) -> S
    where
        StandardUniform: Distribution<S>,
    {
        let seed: S = rand::random();
        self.terminal
            .note(&text!(SeedDrawn, seed = seed.to_string()));
        seed
    }

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
