//! Formats texts, paths and I/O errors for messages.

use super::signals::is_interrupted;
use std::io;
use std::path::Path;
use war::i18n::{Catalogue, Lang, Text, text};
use war::support::sanitize::replace_unprintable;

/// Formats a text in English, for the log.
pub(crate) fn english_text(text: &Text) -> String {
    Catalogue::built_in(Lang::En).text(text)
}

/// Formats a path on one line.
pub(crate) fn path_text(path: &Path) -> String {
    replace_unprintable(&path.display().to_string())
}

/// Describes an I/O error, in the user's language if the error is a common one.
pub(crate) fn io_text(error: &io::Error) -> Text {
    match error.kind() {
        io::ErrorKind::NotFound => text!(IoNotFound),
        io::ErrorKind::ConnectionRefused => text!(IoRefused),
        io::ErrorKind::PermissionDenied => text!(IoPermission),
        io::ErrorKind::AlreadyExists => text!(IoExists),
        io::ErrorKind::IsADirectory => text!(IoDirectory),
        io::ErrorKind::NotADirectory => text!(IoNotDirectory),
        io::ErrorKind::StorageFull => text!(IoFull),
        io::ErrorKind::FileTooLarge => text!(IoTooLarge),
        io::ErrorKind::InvalidData => text!(IoNotText),
        io::ErrorKind::BrokenPipe => text!(IoClosed),
        io::ErrorKind::TimedOut if is_interrupted() => text!(Interrupted),
        io::ErrorKind::ReadOnlyFilesystem => text!(IoReadOnly),
        _ => text!(IoOther, reason = error.to_string()),
    }
}
