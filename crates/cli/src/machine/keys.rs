//! Files with keys and signatures, the password prompt of a key, and the detached signature of a
//! journal.

use super::input;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use war::journal::RecordError;
use war::signing::{
    ContentHash, HashingReader, KeyError, PublicKey, SecretKey, Signature, SignatureError,
};
use war::support::encoding::{EncodingError, decode_utf8};

/// Maximum size of a file, in bytes: a key takes about 200, a signature with a long comment about
/// 1,000.
const MAX_FILE_SIZE: u64 = 1 << 16;

/// Error for a key or signature that can't be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    /// Failure to read the file.
    #[error("`{}` can't be read", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    /// File that is not UTF-8.
    #[error("`{}`: {error}", file.display())]
    NotUtf8 { file: PathBuf, error: EncodingError },
    /// Failure to read the password from the terminal.
    #[error("the password of `{}` can't be read", file.display())]
    NoPassword { file: PathBuf, source: io::Error },
    /// Wrong password.
    #[error("this is not the password of `{}`", .0.display())]
    WrongPassword(PathBuf),
    /// File that is not a secret key.
    #[error("`{}` is not a secret key", .0.display())]
    NotSecret(PathBuf),
    /// File that is not a public key.
    #[error("`{}` is not a public key", .0.display())]
    NotPublic(PathBuf),
    /// File that is not a signature.
    #[error("`{}` is not a signature", .0.display())]
    NotSignature(PathBuf),
    /// Signature of a legacy kind that is no longer made.
    #[error("`{}` is a signature of the legacy kind", .0.display())]
    Legacy(PathBuf),
}

/// Path of a file's detached signature.
pub(crate) fn signature_path(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".minisig");
    path.into()
}

/// Loads a secret key; `prompt` asks for its password if it has one.
pub(crate) fn load_secret_key(file: &Path, prompt: &str) -> Result<SecretKey, KeyFileError> {
    let text = read_text(file)?;
    let key = SecretKey::unlock(&text, || rpassword::prompt_password(prompt));
    let file = file.to_owned();
    key.map_err(|error| match error {
        KeyError::Malformed => KeyFileError::NotSecret(file),
        KeyError::NoPassword(source) => KeyFileError::NoPassword { file, source },
        KeyError::WrongPassword => KeyFileError::WrongPassword(file),
    })
}

/// Parses a public key, or loads it from the file of this name.
pub(crate) fn load_public_key(typed: &OsStr) -> Result<PublicKey, KeyFileError> {
    let key = typed
        .to_str()
        .and_then(|key| PublicKey::from_base64(key).ok());
    if let Some(key) = key {
        return Ok(key);
    }
    let file = Path::new(typed);
    let key = PublicKey::parse_file(&read_text(file)?);
    key.map_err(|_| KeyFileError::NotPublic(file.to_owned()))
}

/// Loads a signature.
pub(crate) fn load_signature(file: &Path) -> Result<Signature, KeyFileError> {
    let signature = Signature::parse(&read_text(file)?);
    let file = file.to_owned();
    signature.map_err(|error| match error {
        SignatureError::Malformed => KeyFileError::NotSignature(file),
        SignatureError::Legacy => KeyFileError::Legacy(file),
    })
}

/// Reads a file as text; one that is too long for a key or signature reads as empty.
fn read_text(path: &Path) -> Result<String, KeyFileError> {
    let file = path.to_owned();
    let bytes = match input::read_limited(path, MAX_FILE_SIZE) {
        // A longer file is not a key or a signature.
        Ok(read) => read.unwrap_or_default(),
        Err(source) => return Err(KeyFileError::Unreadable { file, source }),
    };
    let text = decode_utf8(&bytes).map(str::to_owned);
    text.map_err(|error| KeyFileError::NotUtf8 { file, error })
}

/// Detached signature of a journal, and the public key that it should be from.
pub(crate) struct ExpectedSignature {
    key: PublicKey,
    signature: Signature,
}

/// Id of the key that signed a journal, or the fault of the journal's signature.
pub(crate) type SignatureCheck = Result<String, RecordError>;

impl ExpectedSignature {
    /// Loads the detached signature of a journal.
    pub(crate) fn load(journal: &Path, key: &PublicKey) -> Result<Self, KeyFileError> {
        let signature = load_signature(&signature_path(journal))?;
        let key = key.clone();
        Ok(Self { key, signature })
    }

    /// Checks the signature against these bytes.
    ///
    /// # Errors
    ///
    /// If reading fails.
    pub(crate) fn check(&self, bytes: impl Read) -> io::Result<SignatureCheck> {
        let [expected, found] = [self.key.id(), self.signature.key_id()].map(|key| key.to_string());
        Ok(if found != expected {
            Err(RecordError::OtherKey(found))
        } else if self.key.is_valid_signature(&self.signature, bytes)? {
            Ok(found)
        } else {
            Err(RecordError::Signature)
        })
    }

    /// Checks the signature against a file, and wraps a second reader of the same file. Comparing
    /// the hashes of both readings then shows whether the file was changed between them.
    ///
    /// # Errors
    ///
    /// If the first reader fails.
    pub(crate) fn check_before_reading<R: Read>(
        &self,
        file: impl Read,
        again: R,
    ) -> io::Result<(CheckedSignature, HashingReader<R>)> {
        let mut file = HashingReader::new(file);
        let check = self.check(&mut file)?;
        io::copy(&mut file, &mut io::sink())?;
        let again = HashingReader::new(again);
        let hashes = [file.content_hash(), again.content_hash()];
        Ok((CheckedSignature { check, hashes }, again))
    }
}

/// Signature that was checked against a file before the file is read again.
pub(crate) struct CheckedSignature {
    check: SignatureCheck,
    hashes: [ContentHash; 2],
}

impl CheckedSignature {
    /// Id of the key that signed the file; `None` if the signature has a fault.
    pub(crate) fn key(&self) -> Option<&str> {
        self.check.as_deref().ok()
    }

    /// Fault of the signature, if any.
    pub(crate) fn fault(&self) -> Option<&RecordError> {
        self.check.as_ref().err()
    }

    /// Returns true if the second reading of the file found different bytes.
    pub(crate) fn is_file_changed(&self) -> bool {
        let [first, then] = &self.hashes;
        !first.is_same(then)
    }
}

#[cfg(test)]
mod tests {
    use super::ExpectedSignature;
    use std::io::{self, Read};
    use war::signing::{PublicKey, Signature};

    const JOURNAL: &[u8] = include_bytes!("../../../../journals/classic_dealt_won.json");

    fn expected_signature() -> ExpectedSignature {
        let key = PublicKey::parse_file(include_str!("../../../../tests/keys/signer.pub"));
        let signature = include_str!("../../../../tests/keys/classic_dealt_won.json.minisig");
        ExpectedSignature {
            key: key.expect("a key"),
            signature: Signature::parse(signature).expect("a signature"),
        }
    }

    #[test]
    fn a_file_that_changes_between_two_readings_is_noticed() {
        let changed = &JOURNAL[1..];
        for (again, is_changed) in [(JOURNAL, false), (changed, true), (&[], true)] {
            let checked = expected_signature().check_before_reading(JOURNAL, again);
            let (signed, mut again) = checked.expect("memory is read");
            io::copy(&mut again, &mut io::sink()).expect("memory is read");
            assert_eq!(signed.key(), Some("D0EDDE00A8917FD7"));
            assert_eq!(signed.is_file_changed(), is_changed);
        }
        // The signature covers the whole file, not a prefix.
        let longer = JOURNAL.chain(&b" "[..]);
        let checked = expected_signature().check_before_reading(longer, JOURNAL);
        let (signed, _) = checked.expect("memory is read");
        assert!(signed.fault().is_some());
    }
}
