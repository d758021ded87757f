//! Journals that can't be made.

use crate::app::exit::{Exit, Failure};
use crate::machine::input::is_standard;
use crate::machine::signals::is_interrupted;
use crate::machine::text::display;
use crate::machine::text::io_text;
use std::io;
use std::path::Path;
use war::i18n::{Text, text};
use war::journal::{Code, WriteFailed};

/// A journal that can't be created; its name may be made, and only its directory chosen.
pub(crate) fn cannot_create(path: &Path, error: &io::Error, in_directory: bool) -> Failure {
    let (code, file) = (Code::Create.to_string(), display(path));
    failure(match error.kind() {
        io::ErrorKind::AlreadyExists if in_directory => {
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

/// The journal of a game that can't be written on.
pub(crate) fn write_failed(path: &Path, error: &WriteFailed) -> Failure {
    let (code, file) = (Code::Write.to_string(), display(path));
    let reason = io_text(&error.source);
    if error.source.kind() == io::ErrorKind::TimedOut && is_interrupted() {
        let text = text!(JournalNotEnded, file = file, turn = error.turn);
        return Failure::new(Exit::Incomplete, text);
    }
    failure(match error.events {
        _ if is_standard(path) => text!(
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

/// The journal of an imported table that can't be written.
pub(crate) fn import_failed(path: &Path, error: &WriteFailed) -> Failure {
    failure(text!(
        ImportNotWritten,
        code = Code::Write.to_string(),
        file = display(path),
        reason = io_text(&error.source)
    ))
}

/// A journal made from another one that can't be written.
pub(crate) fn copy_failed(path: &Path, error: &WriteFailed) -> Failure {
    failure(text!(
        JournalNewNotWritten,
        code = Code::Write.to_string(),
        file = display(path),
        reason = io_text(&error.source)
    ))
}

/// A file that was not made, as somebody interrupted.
pub(crate) fn not_made(path: &Path) -> Failure {
    let text = text!(NotMade, file = display(path));
    Failure::new(Exit::Incomplete, text)
}

/// A signature that can't be written.
pub(crate) fn no_signature(path: &Path, error: &io::Error) -> Failure {
    let file = display(path);
    failure(match error.kind() {
        io::ErrorKind::AlreadyExists => text!(SignatureExists, file = file),
        _ => text!(SimUnwritable, file = file, reason = io_text(error)),
    })
}

const fn failure(text: Text) -> Failure {
    Failure::new(Exit::InputOutput, text)
}
