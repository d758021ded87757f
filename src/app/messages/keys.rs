//! Keys and signatures that can't be had.

use super::io::unreadable;
use crate::app::exit::{Exit, Failure};
use crate::app::text::display;
use crate::host::keys::KeyFileError;
use crate::i18n::text;

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
