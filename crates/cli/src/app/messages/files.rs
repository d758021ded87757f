//! Files of simulations and scenarios that can't be had.

use super::io::unreadable;
use crate::app::exit::{Exit, Failure};
use crate::machine::outputs::OutputError;
use crate::machine::scenario_files::LibraryError;
use crate::machine::text::{display, io_text};
use war::i18n::text;

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Same(file) => Self::usage(text!(SimSameOutput, file = display(&file))),
            OutputError::Unwritable { file, source } => Self::new(
                Exit::InputOutput,
                text!(
                    SimUnwritable,
                    file = display(&file),
                    reason = io_text(&source)
                ),
            ),
        }
    }
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        match error {
            LibraryError::NoDirectory(directory) => {
                let directory = display(&directory);
                Self::usage(text!(NoScenariosDirectory, directory = directory))
            }
            LibraryError::Unreadable { directory, source } => unreadable(&directory, &source),
            LibraryError::NoScenario { name, known } => {
                let known = known.join(", ");
                Self::new(Exit::Bad, text!(NoSuchScenario, name = name, known = known))
            }
        }
    }
}
