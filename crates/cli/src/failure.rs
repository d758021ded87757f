//! Exit statuses, and the errors that end a command.

use crate::machine::config::ConfigError;
use crate::machine::follow::FollowError;
use crate::machine::input::is_standard_stream;
use crate::machine::keys::KeyFileError;
use crate::machine::output_files::{OutputError, find_overwritten};
use crate::machine::scenario_files::ScenarioLibraryError;
use crate::machine::signals::is_interrupted;
#[cfg(feature = "table")]
use crate::machine::table_key::TableKeyFileError;
use crate::machine::terminal::{CloseOutcome, Terminal};
use crate::machine::text::{io_text, path_text};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use war::i18n::{Text, text};
use war::journal::{FaultCode, Problem, Verdict, WriteError};
#[cfg(feature = "table")]
use war::signing::TableKeyError;
use war::support::device_names::is_device_name_error;
use war::support::encoding::EncodingError;

/// Exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    Success,
    /// Invalid scenario, table or simulation part, or a journal that is damaged, diverges, or
    /// differs from the expected or compared one.
    InvalidData,
    /// Invalid command line or configuration.
    Usage,
    /// Journal whose recording was cut off, or games that were interrupted.
    Incomplete,
    /// Failed read or write.
    InputOutput,
    /// Journal of an unknown version or with unknown rules.
    Unsupported,
    /// Immediate stop after a second interrupt.
    #[cfg(feature = "table")]
    Interrupted,
}

impl ExitStatus {
    /// Combines the status with the outcome of the last writes to standard output.
    pub(crate) fn combine_with_close(self, closed: CloseOutcome) -> Self {
        match closed {
            CloseOutcome::Complete => self,
            CloseOutcome::Interrupted => self.worse(Self::Incomplete),
            CloseOutcome::Failed => self.worse(Self::InputOutput),
        }
    }

    /// Returns the worse of two statuses: damage outranks failed I/O, and that outranks journals
    /// that are merely unsupported or incomplete.
    pub(crate) fn worse(self, other: Self) -> Self {
        const ORDER: [ExitStatus; 6] = [
            ExitStatus::InvalidData,
            ExitStatus::InputOutput,
            ExitStatus::Unsupported,
            ExitStatus::Incomplete,
            ExitStatus::Usage,
            ExitStatus::Success,
        ];
        let worst = ORDER
            .into_iter()
            .find(|&exit| exit == self || exit == other);
        worst.unwrap_or(self)
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(exit: ExitStatus) -> Self {
        Self::from(match exit {
            ExitStatus::Success => 0,
            ExitStatus::InvalidData => 1,
            ExitStatus::Usage => 2,
            ExitStatus::Incomplete => 3,
            ExitStatus::InputOutput => 4,
            ExitStatus::Unsupported => 5,
            #[cfg(feature = "table")]
            ExitStatus::Interrupted => 130,
        })
    }
}

impl From<Verdict> for ExitStatus {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Verified => Self::Success,
            Verdict::Damaged | Verdict::Diverged | Verdict::Unexpected => Self::InvalidData,
            Verdict::Incomplete => Self::Incomplete,
            Verdict::Unsupported => Self::Unsupported,
        }
    }
}

/// Error that ends a command, with its exit status.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: ExitStatus,
    pub(crate) text: Text,
}

impl Failure {
    pub(crate) const fn new(exit: ExitStatus, text: Text) -> Self {
        Self { exit, text }
    }

    pub(crate) const fn usage(text: Text) -> Self {
        Self::new(ExitStatus::Usage, text)
    }

    /// Prints the error, and returns the exit status.
    pub(crate) fn report(&self, terminal: &mut Terminal) -> ExitStatus {
        terminal.report_error(&self.text);
        self.exit
    }
}

/// Error for a game that can't be recorded in any journal.
impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::new(ExitStatus::InvalidData, Text::from(&problem))
    }
}

/// Error for a file or directory that can't be read, or whose reading was interrupted.
pub(crate) fn read_failure(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::TimedOut && is_interrupted() {
        return Failure::new(ExitStatus::Incomplete, text!(Interrupted));
    }
    let file = path_text(path);
    let changed = error.get_ref().and_then(|inner| inner.downcast_ref());
    let text = match changed {
        Some(FollowError::Truncated) => text!(FollowedShorter, file = file),
        Some(FollowError::Replaced) => text!(FollowedReplaced, file = file),
        None => text!(Unreadable, file = file, reason = io_text(error)),
    };
    Failure::new(ExitStatus::InputOutput, text)
}

/// Error for a text file in another encoding.
pub(crate) fn encoding_text(path: &Path, error: &EncodingError) -> Text {
    not_utf8_text(path, error, error.into())
}

/// Error for a JSON file in another encoding.
pub(crate) fn json_encoding_text(path: &Path, error: &EncodingError) -> Text {
    not_utf8_text(path, error, error.json_text())
}

fn not_utf8_text(path: &Path, error: &EncodingError, reason: Text) -> Text {
    text!(
        NotUtf8,
        file = path_text(path),
        line = error.line,
        column = error.column,
        reason = reason
    )
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::usage(match error {
            ConfigError::Unreadable { file, source } => text!(
                ConfigUnreadable,
                file = path_text(&file),
                reason = io_text(&source)
            ),
            ConfigError::NotUtf8 { file, error } => encoding_text(&file, &error),
            ConfigError::NoHome(directory) => {
                text!(ConfigNoHome, directory = path_text(&directory))
            }
            ConfigError::Invalid {
                file,
                line,
                column,
                problem,
            } => text!(
                ConfigBad,
                file = path_text(&file),
                line = line,
                column = column,
                reason = Text::from(&problem)
            ),
        })
    }
}

/// Returns an error if an output would overwrite a journal that is read.
pub(crate) fn check_not_overwritten(output: &Path, journals: &[PathBuf]) -> Result<(), Text> {
    match find_overwritten([Some(output)], journals) {
        Some(output) => Err(text!(OutputIsJournal, file = path_text(output))),
        None => Ok(()),
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::SameDestination(file) => {
                Self::usage(text!(SimSameOutput, file = path_text(&file)))
            }
            OutputError::Unwritable { file, source } => unwritable_failure(&file, &source),
        }
    }
}

impl From<ScenarioLibraryError> for Failure {
    fn from(error: ScenarioLibraryError) -> Self {
        match error {
            ScenarioLibraryError::NoDirectory(directory) => {
                let directory = path_text(&directory);
                Self::usage(text!(NoScenariosDirectory, directory = directory))
            }
            ScenarioLibraryError::Unreadable { directory, source } => {
                read_failure(&directory, &source)
            }
            ScenarioLibraryError::NoScenario { name, known } => {
                let known = known.join(", ");
                Self::new(
                    ExitStatus::InvalidData,
                    text!(NoSuchScenario, name = name, known = known),
                )
            }
        }
    }
}

impl From<KeyFileError> for Failure {
    fn from(error: KeyFileError) -> Self {
        Self::usage(match error {
            KeyFileError::Unreadable { file, source } => return read_failure(&file, &source),
            KeyFileError::NotUtf8 { file, error } => encoding_text(&file, &error),
            KeyFileError::NoPassword { file, source } => {
                let reason = io_text(&source);
                let text = text!(KeyNoPassword, file = path_text(&file), reason = reason);
                return Self::new(ExitStatus::InputOutput, text);
            }
            KeyFileError::WrongPassword(file) => text!(KeyWrongPassword, file = path_text(&file)),
            KeyFileError::NotSecret(file) => text!(KeyNotSecret, file = path_text(&file)),
            KeyFileError::NotPublic(file) => text!(KeyNotPublic, file = path_text(&file)),
            KeyFileError::NotSignature(file) => text!(NotSignature, file = path_text(&file)),
            KeyFileError::Legacy(file) => text!(SignatureLegacy, file = path_text(&file)),
        })
    }
}

/// Error for a table key that can't be used.
#[cfg(feature = "table")]
pub(crate) fn key_failure(file: &Path, error: &TableKeyFileError) -> Failure {
    let shown = path_text(file);
    Failure::usage(match error {
        TableKeyFileError::Unreadable(source) if source.kind() == io::ErrorKind::NotFound => {
            return Failure::new(
                ExitStatus::InputOutput,
                text!(TableKeyMissing, file = shown),
            );
        }
        TableKeyFileError::Unreadable(source) => {
            let text = text!(TableKeyUnreadable, file = shown, reason = io_text(source));
            return Failure::new(ExitStatus::InputOutput, text);
        }
        TableKeyFileError::NotCreated(source) => {
            let text = text!(KeyNotMade, file = shown, reason = io_text(source));
            return Failure::new(ExitStatus::InputOutput, text);
        }
        TableKeyFileError::AccessibleToOthers(mode) => {
            text!(KeyShared, file = shown, mode = format!("{mode:04o}"))
        }
        TableKeyFileError::NotUtf8(error) => encoding_text(file, error),
        TableKeyFileError::Empty => text!(TableKeyEmpty, file = shown),
        TableKeyFileError::Unusable(TableKeyError::Malformed) => text!(KeyNotOfTable, file = shown),
        TableKeyFileError::Unusable(TableKeyError::Protected) => text!(KeyProtected, file = shown),
    })
}

/// Origin of a journal's file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JournalNaming {
    /// File named by the user.
    Given,
    /// File named after its game, in a directory named by the user.
    Derived,
}

/// Error for a journal that can't be created.
pub(crate) fn create_failure(path: &Path, error: &io::Error, naming: JournalNaming) -> Failure {
    if is_device_name_error(error) {
        return unwritable_failure(path, error);
    }
    let (code, file) = (FaultCode::Create.to_string(), path_text(path));
    io_failure(match error.kind() {
        io::ErrorKind::AlreadyExists if naming == JournalNaming::Derived => {
            text!(JournalExistsInDirectory, code = code, file = file)
        }
        io::ErrorKind::AlreadyExists => text!(JournalExists, code = code, file = file),
        _ => text!(
            JournalNotCreated,
            code = code,
            file = file,
            reason = io_text(error)
        ),
    })
}

/// Error for a write that failed while a game was recorded.
pub(crate) fn write_failure(path: &Path, error: &WriteError) -> Failure {
    let (code, file) = (FaultCode::Write.to_string(), path_text(path));
    let reason = io_text(&error.source);
    if error.source.kind() == io::ErrorKind::TimedOut && is_interrupted() {
        let text = text!(JournalNotEnded, file = file, turn = error.turn);
        return Failure::new(ExitStatus::Incomplete, text);
    }
    io_failure(match error.events {
        _ if is_standard_stream(path) => text!(
            JournalStreamFailed,
            code = code,
            turn = error.turn,
            reason = reason
        ),
        0 => text!(
            JournalNotBegun,
            code = code,
            file = file,
            turn = error.turn,
            reason = reason
        ),
        _ => text!(
            JournalNotWritten,
            code = code,
            file = file,
            turn = error.turn,
            reason = reason
        ),
    })
}

/// Error for a write that failed while a printed game was imported.
pub(crate) fn import_failure(path: &Path, error: &WriteError) -> Failure {
    io_failure(text!(
        ImportNotWritten,
        code = FaultCode::Write.to_string(),
        file = path_text(path),
        reason = io_text(&error.source)
    ))
}

/// Error for a write that failed while a journal was copied.
pub(crate) fn copy_failure(path: &Path, error: &WriteError) -> Failure {
    io_failure(text!(
        JournalNewNotWritten,
        code = FaultCode::Write.to_string(),
        file = path_text(path),
        reason = io_text(&error.source)
    ))
}

/// Error for a file that was not created because of an interrupt.
pub(crate) fn interrupted_creation_failure(path: &Path) -> Failure {
    let text = text!(NotMade, file = path_text(path));
    Failure::new(ExitStatus::Incomplete, text)
}

/// Error for a signature that can't be written.
pub(crate) fn signature_failure(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::AlreadyExists => io_failure(text!(SignatureExists, file = path_text(path))),
        _ => unwritable_failure(path, error),
    }
}

/// Error for a file that can't be written.
pub(crate) fn unwritable_failure(path: &Path, error: &io::Error) -> Failure {
    let file = path_text(path);
    io_failure(if is_device_name_error(error) {
        text!(DeviceNotWritten, file = file)
    } else {
        text!(SimUnwritable, file = file, reason = io_text(error))
    })
}

const fn io_failure(text: Text) -> Failure {
    Failure::new(ExitStatus::InputOutput, text)
}
