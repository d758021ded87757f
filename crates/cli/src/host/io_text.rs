//! Failures of files and connections, in words.

use super::signals::is_interrupted;
use std::io;
use war::i18n::{Text, text};

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
