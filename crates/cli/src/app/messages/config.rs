use crate::app::exit::Failure;
use crate::machine::config::ConfigError;
use crate::machine::text::display;
use crate::machine::text::io_text;
use war::i18n::{Text, text};

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(match error {
            ConfigError::Unreadable { file, source } => text!(
                ConfigUnreadable,
                file = display(&file),
                reason = io_text(&source)
            ),
            ConfigError::NoHome(directory) => {
                text!(ConfigNoHome, directory = display(&directory))
            }
            ConfigError::Bad {
                file,
                line,
                column,
                problem,
            } => text!(
                ConfigBad,
                file = display(&file),
                line = line,
                column = column,
                reason = Text::from(&problem)
            ),
        })
    }
}
