//! Keys and signatures that can't be had.

use super::io::unreadable;
use crate::app::exit::{Exit, Failure};
use crate::machine::keys::KeyFileError;
#[cfg(feature = "table")]
use crate::machine::table_key::TableKeyFileError;
use crate::machine::text::display;
#[cfg(feature = "table")]
use crate::machine::text::io_text;
#[cfg(feature = "table")]
use std::io;
#[cfg(feature = "table")]
use std::path::Path;
use war::i18n::text;
#[cfg(feature = "table")]
use war::signing::TableKeyError;

impl From<KeyFileError> for Failure {
    fn from(error: KeyFileError) -> Self {
        Self::usage(match error {
            KeyFileError::Unreadable { file, source } => return unreadable(&file, &source),
            KeyFileError::NoPassword(file) => {
                let text = text!(KeyNoPassword, file = display(&file));
                return Self::new(Exit::InputOutput, text);
            }
            KeyFileError::WrongPassword(file) => text!(KeyWrongPassword, file = display(&file)),
            KeyFileError::NotSecret(file) => text!(KeyNotSecret, file = display(&file)),
            KeyFileError::NotPublic(file) => text!(KeyNotPublic, file = display(&file)),
            KeyFileError::NotSignature(file) => text!(NotSignature, file = display(&file)),
            KeyFileError::Legacy(file) => text!(SignatureLegacy, file = display(&file)),
        })
    }
}

/// Why a table has no key.
#[cfg(feature = "table")]
pub(crate) fn unusable_key(file: &Path, error: &TableKeyFileError) -> Failure {
    let shown = display(file);
    Failure::usage(match error {
        TableKeyFileError::Unreadable(source) if source.kind() == io::ErrorKind::NotFound => {
            return Failure::new(Exit::InputOutput, text!(TableKeyMissing, file = shown));
        }
        TableKeyFileError::Unreadable(source) => {
            let text = text!(TableKeyUnreadable, file = shown, reason = io_text(source));
            return Failure::new(Exit::InputOutput, text);
        }
        TableKeyFileError::NotMade(source) => {
            let text = text!(KeyNotMade, file = shown, reason = io_text(source));
            return Failure::new(Exit::InputOutput, text);
        }
        TableKeyFileError::Shared(mode) => {
            text!(KeyShared, file = shown, mode = format!("{mode:04o}"))
        }
        TableKeyFileError::Empty => text!(TableKeyEmpty, file = shown),
        TableKeyFileError::Unusable(TableKeyError::Malformed) => text!(KeyNotOfTable, file = shown),
        TableKeyFileError::Unusable(TableKeyError::Protected) => text!(KeyProtected, file = shown),
    })
}
