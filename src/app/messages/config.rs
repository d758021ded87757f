use super::io::io_text;
use crate::app::exit::Failure;
use crate::app::text::display;
use crate::host::config::{ConfigError, ConfigProblem};
use crate::i18n::{Text, text};

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(match error {
            ConfigError::Unreadable { file, source } => text!(
                ConfigUnreadable,
                file = display(&file),
                reason = io_text(&source)
            ),
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

impl From<&ConfigProblem> for Text {
    fn from(problem: &ConfigProblem) -> Self {
        match problem {
            ConfigProblem::Syntax(error) => text!(FieldOther, reason = error.message()),
            ConfigProblem::Field(error) => error.into(),
            ConfigProblem::Address(_) => text!(FieldAddress),
        }
    }
}
