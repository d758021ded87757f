//! Keys and signatures in files, and the password of a key, asked for on the terminal.

use crate::host::standard;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use war::signing::{KeyError, PublicKey, SecretKey, Signature, SignatureError};

/// The longest file that is read: a key takes some 200 bytes, a signature with a long comment
/// some thousand.
const LARGEST: u64 = 1 << 16;

/// Why a key or a signature can't be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum KeyFileError {
    /// Its file can't be read.
    #[error("`{}` can't be read", file.display())]
    Unreadable { file: PathBuf, source: io::Error },
    /// The password could not be asked for.
    #[error("the password of `{}` can't be read", .0.display())]
    NoPassword(PathBuf),
    /// The password is another one.
    #[error("this is not the password of `{}`", .0.display())]
    WrongPassword(PathBuf),
    /// It is something else than a secret key.
    #[error("`{}` is not a secret key", .0.display())]
    NotSecret(PathBuf),
    /// It is something else than a public key.
    #[error("`{}` is not a public key", .0.display())]
    NotPublic(PathBuf),
    /// It is something else than a signature.
    #[error("`{}` is not a signature", .0.display())]
    NotSignature(PathBuf),
    /// It is a signature of a kind that is no longer made.
    #[error("`{}` is a signature of the legacy kind", .0.display())]
    Legacy(PathBuf),
}

/// Where the detached signature of a file is: beside it.
pub(crate) fn signature_of(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".minisig");
    path.into()
}

/// The secret key in a file; where a password protects it, `prompt` asks for it.
pub(crate) fn secret_key(file: &Path, prompt: &str) -> Result<SecretKey, KeyFileError> {
    let text = text(file)?;
    let key = SecretKey::unlock(&text, || rpassword::prompt_password(prompt));
    let file = file.to_owned();
    key.map_err(|error| match error {
        KeyError::Malformed => KeyFileError::NotSecret(file),
        KeyError::NoPassword(_) => KeyFileError::NoPassword(file),
        KeyError::WrongPassword => KeyFileError::WrongPassword(file),
    })
}

/// The public key that this is, or that the file of this name has.
pub(crate) fn public_key(typed: &OsStr) -> Result<PublicKey, KeyFileError> {
    let key = typed
        .to_str()
        .and_then(|key| PublicKey::from_base64(key).ok());
    if let Some(key) = key {
        return Ok(key);
    }
    let file = Path::new(typed);
    let key = PublicKey::from_file(&text(file)?);
    key.map_err(|_| KeyFileError::NotPublic(file.to_owned()))
}

/// The signature in a file.
pub(crate) fn signature(file: &Path) -> Result<Signature, KeyFileError> {
    let signature = Signature::parse(&text(file)?);
    let file = file.to_owned();
    signature.map_err(|error| match error {
        SignatureError::Malformed => KeyFileError::NotSignature(file),
        SignatureError::Legacy => KeyFileError::Legacy(file),
    })
}

/// What a file has; the beginning of one that is longer than any key or signature.
fn text(file: &Path) -> Result<String, KeyFileError> {
    let read = standard::read(file, LARGEST).map_err(|source| {
        let file = file.to_owned();
        KeyFileError::Unreadable { file, source }
    })?;
    // Whatever is too long is nothing of the kind.
    Ok(String::from_utf8_lossy(&read.unwrap_or_default()).into_owned())
}
