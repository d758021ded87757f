#[cfg(feature = "table-key")]
use crate::support::hex::Hex;
use crate::support::redacted::RedactedValue;
use ct_codecs::{Base64, Decoder};
use minisign::{ErrorKind, PublicKeyBox, SecretKeyBox, SignatureBox};
#[cfg(feature = "table-key")]
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// Number of a key pair, which both keys and every signature contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyId(u64);

/// A secret key of minisign, unlocked and ready to sign.
#[derive(Debug)]
pub struct SecretKey(RedactedValue<minisign::SecretKey>);

/// A public key in the format of minisign.
#[derive(Debug, Clone)]
pub struct PublicKey(minisign::PublicKey);

/// A detached signature of a file, in the format of minisign.
pub struct Signature(SignatureBox);

/// Error of a key that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Text that is not a key.
    #[error("not a minisign key")]
    Malformed,
    /// Failure to read the password of a secret key.
    #[error("the password can't be read")]
    NoPassword(#[source] io::Error),
    /// Password that doesn't decrypt the secret key.
    #[error("wrong password")]
    WrongPassword,
}

/// Error of a text that is not a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// Text that is not a signature.
    #[error("not a minisign signature")]
    Malformed,
    /// Signature over the file itself instead of its hash, as made before minisign 0.10.
    #[error("a signature of the legacy kind")]
    Legacy,
}

impl KeyId {
    fn from_bytes(bytes: &[u8]) -> Self {
        let bytes = bytes.try_into().unwrap_or_default();
        Self(u64::from_le_bytes(bytes))
    }

    /// The bytes of the number in keys and signatures.
    #[cfg(feature = "table-key")]
    pub(super) const fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// Start of the second line of a secret key with a password: algorithms `Ed`, `Sc` and `B2` in
/// Base64. A key without a password has zeros for `Sc`.
const PROTECTED_PREFIX: &str = "RWRTY0Iy";

impl SecretKey {
    /// Parses a key file of `minisign -G`. Calls `password` only if the key has one.
    ///
    /// # Errors
    ///
    /// If the text is not a key, or the password can't be read or is wrong.
    pub fn unlock(
        text: &str,
        password: impl FnOnce() -> io::Result<String>,
    ) -> Result<Self, KeyError> {
        let file = SecretKeyBox::from(text.to_owned());
        let key = text.lines().nth(1).unwrap_or_default();
        let unlocked = if key.starts_with(PROTECTED_PREFIX) {
            let password = password().map_err(KeyError::NoPassword)?;
            let unlocked = file.into_secret_key(Some(password));
            unlocked.map_err(|error| match error.kind() {
                ErrorKind::Verify => KeyError::WrongPassword,
                _ => KeyError::Malformed,
            })?
        } else {
            let checked = file.into_unencrypted_secret_key().ok();
            let key = checked.or_else(|| parse_without_checksum(key));
            key.ok_or(KeyError::Malformed)?
        };
        Ok(Self(RedactedValue(unlocked)))
    }

    /// The number of the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::from_bytes(self.0.0.keynum())
    }

    /// Signs these bytes, and returns the text of the signature file. `comment` is the trusted
    /// comment, which is signed too and must not contain a line break.
    ///
    /// # Errors
    ///
    /// The error of the reader, or an error if the system has no randomness.
    pub fn sign(&self, bytes: impl Read, comment: &str) -> io::Result<String> {
        let untrusted = format!("signature from key {}", self.id());
        let signed = minisign::sign(None, &self.0.0, bytes, Some(comment), Some(&untrusted));
        let signature = signed.map_err(io::Error::other)?;
        Ok(signature.into_string())
    }

    /// The same key as a type of `ed25519_dalek`, to sign data other than files.
    #[cfg(feature = "table-key")]
    pub(super) fn ed25519(&self) -> Option<ed25519_dalek::SigningKey> {
        let bytes = self.0.0.to_bytes();
        // After algorithms, salt, limits and number: the secret, the public key, a checksum.
        let pair = bytes.get(62..126)?.try_into().ok()?;
        ed25519_dalek::SigningKey::from_keypair_bytes(pair).ok()
    }

    /// The text of the public key file, byte for byte as `minisign -G` writes it.
    #[cfg(feature = "table-key")]
    pub(super) fn to_public_key_file(&self) -> Option<String> {
        let public = minisign::PublicKey::from_secret_key(&self.0.0).ok()?;
        let (id, key) = (self.id(), public.to_base64());
        Some(format!(
            "untrusted comment: minisign public key {id}\n{key}\n"
        ))
    }
}

/// Fingerprint of a public key.
#[cfg(feature = "table-key")]
pub(super) fn fingerprint(key: &[u8; 32]) -> Hex<32> {
    Hex::new(Sha256::digest(key).into())
}

/// Parses a key without a password from `minisign -G -W`. Its checksum is all zeros, which the
/// crate `minisign` rejects as damage.
fn parse_without_checksum(key: &str) -> Option<minisign::SecretKey> {
    let bytes = Base64::decode_to_vec(key.trim(), None).ok()?;
    let (_, checksum) = bytes.split_last_chunk::<32>()?;
    if bytes.len() != 158 || !bytes.starts_with(b"Ed\0\0B2") || *checksum != [0; 32] {
        return None;
    }
    let key = minisign::SecretKey::from_bytes(&bytes).ok()?;
    // Signatures of a damaged key don't verify.
    let public = minisign::PublicKey::from_secret_key(&key).ok()?;
    let signed = minisign::sign(Some(&public), &key, io::empty(), Some(""), None);
    signed.is_ok().then_some(key)
}

impl PublicKey {
    /// Parses a key from Base64, as `minisign -G` prints it.
    ///
    /// # Errors
    ///
    /// If the text is not a key.
    pub fn from_base64(text: &str) -> Result<Self, KeyError> {
        let key = minisign::PublicKey::from_base64(text);
        Self::from_minisign(key)
    }

    /// Parses a key file of `minisign -G`.
    ///
    /// # Errors
    ///
    /// If the text is not a key.
    pub fn parse_file(text: &str) -> Result<Self, KeyError> {
        let key = PublicKeyBox::from(text.to_owned()).into_public_key();
        Self::from_minisign(key)
    }

    fn from_minisign(key: minisign::Result<minisign::PublicKey>) -> Result<Self, KeyError> {
        let key = key.ok().filter(|key| key.to_bytes().starts_with(b"Ed"));
        key.map(Self).ok_or(KeyError::Malformed)
    }

    /// The number of the key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::from_bytes(self.0.keynum())
    }

    /// The same key as a type of `ed25519_dalek`, to check signatures of data other than files;
    /// `None` if it is not a point on the curve.
    #[cfg(feature = "table-key")]
    #[must_use]
    pub fn to_verifying_key(&self) -> Option<ed25519_dalek::VerifyingKey> {
        ed25519_dalek::VerifyingKey::from_bytes(&self.bytes()).ok()
    }

    /// The fingerprint of the key, its SHA-256.
    #[cfg(feature = "table-key")]
    #[must_use]
    pub fn fingerprint(&self) -> Hex<32> {
        fingerprint(&self.bytes())
    }

    /// The key alone, without algorithm and number.
    #[cfg(feature = "table-key")]
    fn bytes(&self) -> [u8; 32] {
        let bytes = self.0.to_bytes();
        bytes.last_chunk().copied().unwrap_or_default()
    }

    /// Returns true if the signature was made over these bytes with the secret key of this pair.
    ///
    /// # Errors
    ///
    /// The error of the reader.
    pub fn is_valid_signature(&self, signature: &Signature, bytes: impl Read) -> io::Result<bool> {
        match minisign::verify(
            &self.0,
            &signature.0,
            UnseekableReader(bytes),
            true,
            false,
            false,
        ) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::Io) => Err(io::Error::other(error)),
            Err(_) => Ok(false),
        }
    }
}

impl Signature {
    /// Parses the text of a signature file.
    ///
    /// # Errors
    ///
    /// If the text is not a signature, or is one of the legacy kind.
    pub fn parse(text: &str) -> Result<Self, SignatureError> {
        // The crate `minisign` doesn't check that the second signature has 64 bytes, and accepts a
        // first one with more than 74 bytes.
        let line = |number: usize| text.lines().nth(number).unwrap_or_default().trim();
        let (first, second) = (line(1), line(3));
        if (first.len(), second.len()) != (100, 88)
            || !first.ends_with('=')
            || !second.ends_with("==")
        {
            return Err(SignatureError::Malformed);
        }
        let signature = SignatureBox::from_string(text);
        let signature = signature.map_err(|_| SignatureError::Malformed)?;
        if !signature.is_prehashed() {
            return Err(SignatureError::Legacy);
        }
        Ok(Self(signature))
    }

    /// The number of the key that the signature names.
    #[must_use]
    pub fn key_id(&self) -> KeyId {
        KeyId::from_bytes(self.0.keynum())
    }
}

/// Adapter of a reader for the crate `minisign`, which requires `Seek`.
struct UnseekableReader<R>(R);

impl<R: Read> Read for UnseekableReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// Never called: `minisign` seeks only to print a file.
impl<R> Seek for UnseekableReader<R> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::NotSeekable.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{KeyError, PublicKey, SecretKey, Signature};
    use std::io;

    const KEY: &str = include_str!("../../tests/keys/signer.pub");
    const SECRET: &str = include_str!("../../tests/keys/signer.key");
    const SIGNATURE: &str = include_str!("../../tests/keys/classic_dealt_won.json.minisig");
    const JOURNAL: &[u8] = include_bytes!("../../journals/classic_dealt_won.json");

    fn is_signed(signature: &str) -> bool {
        let key = PublicKey::parse_file(KEY).expect("a key");
        let signature = Signature::parse(signature);
        let verified = signature.map(|signature| key.is_valid_signature(&signature, JOURNAL));
        verified.is_ok_and(|verified| verified.expect("memory is read"))
    }

    #[test]
    fn every_byte_of_a_signature_matters_except_the_untrusted_comment() {
        assert!(is_signed(SIGNATURE));
        let untrusted = SIGNATURE.find('\n').expect("a line") - 1;
        let prefix = "untrusted comment: ".len();
        for at in 0..SIGNATURE.trim_end().len() {
            let mut changed = SIGNATURE.to_owned().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).expect("ASCII");
            let trusted = !(prefix..=untrusted).contains(&at);
            assert_eq!(is_signed(&changed), !trusted, "byte {at}");
            assert!(!is_signed(&SIGNATURE[..at]), "{at} bytes");
        }
    }

    #[test]
    fn a_password_is_requested_only_for_a_protected_key() {
        let refuses = || Err(io::Error::other("no terminal"));
        let key = SecretKey::unlock(SECRET, refuses).expect("a key");
        let public = PublicKey::parse_file(KEY).expect("a key");
        assert_eq!(key.id(), public.id());
        assert_eq!(key.id().to_string(), "D0EDDE00A8917FD7");
        // Debug output doesn't reveal the key.
        assert_eq!(format!("{key:?}"), "SecretKey(..)");
        let protected = include_str!("../../tests/keys/protected.key");
        let asked = SecretKey::unlock(protected, refuses);
        assert!(matches!(asked, Err(KeyError::NoPassword(_))));
    }

    #[test]
    fn the_error_of_a_reader_is_not_a_wrong_signature() {
        struct Broken;
        impl io::Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let key = PublicKey::parse_file(KEY).expect("a key");
        let signature = Signature::parse(SIGNATURE).expect("a signature");
        assert!(key.is_valid_signature(&signature, Broken).is_err());
        let secret = SecretKey::unlock(SECRET, || Ok(String::new())).expect("a key");
        assert!(secret.sign(Broken, "").is_err());
    }
}
