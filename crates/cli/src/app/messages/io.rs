use crate::app::exit::{Exit, Failure};
use crate::machine::followed::Changed;
use crate::machine::signals::is_interrupted;
use crate::machine::text::display;
use crate::machine::text::io_text;
use std::io;
use std::path::Path;
use war::i18n::text;

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
