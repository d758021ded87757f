//! Texts from outside and in the player's language, as the program prints them, and failures of
//! files and connections.

use super::signals::is_interrupted;
use std::io;
use std::path::Path;
use war::i18n::{Catalogue, Lang, Text, text};
use war::support::visible::on_one_line;

/// A text as the log has it.
pub(crate) fn english(text: &Text) -> String {
    Catalogue::built_in(Lang::En).text(text)
}

/// A path as a message names it: on one line, whatever it holds.
pub(crate) fn display(path: &Path) -> String {
    on_one_line(&path.display().to_string())
}

/// What the operating system says, in words where it is one of the usual things.
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
