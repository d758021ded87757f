use crate::app::exit::{Exit, Failure};
use crate::app::text::display;
use crate::host::followed::Changed;
use crate::host::signals::is_interrupted;
use crate::i18n::{Text, text};
use std::io;
use std::path::Path;

/// What the operating system says, in words where it is one of the usual things.
pub(crate) fn io_text(error: &io::Error) -> Text {
    match error.kind() {
        io::ErrorKind::NotFound => text!(IoNotFound),
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

/// A file or a directory that can't be read, or no further as somebody interrupts.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::TimedOut && is_interrupted() {
        return Failure::new(Exit::Incomplete, text!(Interrupted));
    }
    let file = display(path);
    let changed = error.get_ref().and_then(|inner| inner.downcast_ref());
    let text = match changed {
        Some(Changed::Shorter) => text!(FollowedShorter, file = file),
        Some(Changed::Replaced) => text!(FollowedReplaced, file = file),
        None => text!(Unreadable, file = file, reason = io_text(error)),
    };
    Failure::new(Exit::InputOutput, text)
}
