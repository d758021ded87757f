#[cfg(feature = "table-key")]
use crate::support::hex::Hex;
use crate::support::redacted::Redacted;
use ct_codecs::{Base64, Decoder};
use minisign::{ErrorKind, PublicKeyBox, SecretKeyBox, SignatureBox};
#[cfg(feature = "table-key")]
use sha2::{Digest, Sha256};
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// The number of a pair of keys, which both of them and every signature carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyId(u64);

/// A secret key, ready to sign.
#[derive(Debug)]
pub struct SecretKey(Redacted<minisign::SecretKey>);

/// A public key.
#[derive(Debug, Clone)]
pub struct PublicKey(minisign::PublicKey);

/// A detached signature.
pub struct Signature(SignatureBox);

/// Why a key can't be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The text holds no key.
    #[error("not a minisign key")]
    Malformed,
    /// The password of a secret key could not be asked for.
    #[error("the password can't be read")]
    NoPassword(#[source] io::Error),
    /// The password is another one.
    #[error("wrong password")]
    WrongPassword,
}

/// Why a text is not a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// It is something else.
    #[error("not a minisign signature")]
    Malformed,
    /// It is not over the hash of a file, as all are that minisign has made since version 0.10.
    #[error("a signature of the legacy kind")]
    Legacy,
}

impl KeyId {
    fn of(bytes: &[u8]) -> Self {
        let bytes = bytes.try_into().unwrap_or_default();
        Self(u64::from_le_bytes(bytes))
    }

    /// The number as keys and signatures hold it.
    #[cfg(feature = "table-key")]
    pub(super) const fn bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// How the second line of a secret key begins that a password protects: algorithms `Ed`, `Sc`
/// and `B2` in Base64. One without a password has zeros for `Sc`.
const PROTECTED: &str = "RWRTY0Iy";

impl SecretKey {
    /// The key in a file that `minisign -G` makes; `password` is asked for where it takes one.
    ///
    /// # Errors
    ///
    /// Where the text is not a key, or its password can't be asked for, or is another one.
    pub fn unlock(
        text: &str,
        password: impl FnOnce() -> io::Result<String>,
    ) -> Result<Self, KeyError> {
        let file = SecretKeyBox::from(text.to_owned());
        let key = text.lines().nth(1).unwrap_or_default();
        let unlocked = if key.starts_with(PROTECTED) {
            let password = password().map_err(KeyError::NoPassword)?;
            let unlocked = file.into_secret_key(Some(password));
            unlocked.map_err(|error| match error.kind() {
                ErrorKind::Verify => KeyError::WrongPassword,
                _ => KeyError::Malformed,
            })?
        } else {
            let checked = file.into_unencrypted_secret_key().ok();
            let key = checked.or_else(|| without_checksum(key));
            key.ok_or(KeyError::Malformed)?
        };
        Ok(Self(Redacted(unlocked)))
    }

    /// The key's number.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::of(self.0.0.keynum())
    }

    /// The signature of these bytes, as the text of its file; the trusted comment is signed
    /// with them, and may not hold a line end.
    ///
    /// # Errors
    ///
    /// The error of the reader, or that the system has no randomness.
    pub fn sign(&self, bytes: impl Read, comment: &str) -> io::Result<String> {
        let untrusted = format!("signature from key {}", self.id());
        let signed = minisign::sign(None, &self.0.0, bytes, Some(comment), Some(&untrusted));
        let signature = signed.map_err(io::Error::other)?;
        Ok(signature.into_string())
    }

    /// The same key for signatures of other texts than files.
    #[cfg(feature = "table-key")]
    pub(super) fn ed25519(&self) -> Option<ed25519_dalek::SigningKey> {
        let bytes = self.0.0.to_bytes();
        // Behind algorithms, salt, limits and number: the secret, the public key, a checksum.
        let pair = bytes.get(62..126)?.try_into().ok()?;
        ed25519_dalek::SigningKey::from_keypair_bytes(pair).ok()
    }

    /// The text of the public key's file, to the byte as `minisign -G` writes it.
    #[cfg(feature = "table-key")]
    pub(super) fn public_file(&self) -> Option<String> {
        let public = minisign::PublicKey::from_secret_key(&self.0.0).ok()?;
        let (id, key) = (self.id(), public.to_base64());
        Some(format!(
            "untrusted comment: minisign public key {id}\n{key}\n"
        ))
    }
}

/// The SHA-256 of a public key: its fingerprint.
#[cfg(feature = "table-key")]
pub(super) fn sha256(key: &[u8; 32]) -> Hex<32> {
    Hex::new(Sha256::digest(key).into())
}

/// A key without a password as `minisign -G -W` makes it: its checksum is left at zeros, which
/// the crate takes for damage.
fn without_checksum(key: &str) -> Option<minisign::SecretKey> {
    let bytes = Base64::decode_to_vec(key.trim(), None).ok()?;
    let (_, checksum) = bytes.split_last_chunk::<32>()?;
    if bytes.len() != 158 || !bytes.starts_with(b"Ed\0\0B2") || *checksum != [0; 32] {
        return None;
    }
    let key = minisign::SecretKey::from_bytes(&bytes).ok()?;
    // A damaged key makes signatures that don't verify.
    let public = minisign::PublicKey::from_secret_key(&key).ok()?;
    let signed = minisign::sign(Some(&public), &key, io::empty(), Some(""), None);
    signed.is_ok().then_some(key)
}

impl PublicKey {
    /// The key in a line of Base64, as `minisign -G` prints it.
    ///
    /// # Errors
    ///
    /// Where the text is not a key.
    pub fn from_base64(text: &str) -> Result<Self, KeyError> {
        let key = minisign::PublicKey::from_base64(text);
        Self::checked(key)
    }

    /// The key in a file that `minisign -G` makes.
    ///
    /// # Errors
    ///
    /// Where the text is not a key.
    pub fn from_file(text: &str) -> Result<Self, KeyError> {
        let key = PublicKeyBox::from(text.to_owned()).into_public_key();
        Self::checked(key)
    }

    fn checked(key: minisign::Result<minisign::PublicKey>) -> Result<Self, KeyError> {
        let key = key.ok().filter(|key| key.to_bytes().starts_with(b"Ed"));
        key.map(Self).ok_or(KeyError::Malformed)
    }

    /// The key's number.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::of(self.0.keynum())
    }

    /// The same key for signatures of other texts than files; `None` where it is not a point of
    /// the curve.
    #[cfg(feature = "table-key")]
    #[must_use]
    pub fn verifying(&self) -> Option<ed25519_dalek::VerifyingKey> {
        ed25519_dalek::VerifyingKey::from_bytes(&self.bytes()).ok()
    }

    /// The SHA-256 of the key: its fingerprint.
    #[cfg(feature = "table-key")]
    #[must_use]
    pub fn sha256(&self) -> Hex<32> {
        sha256(&self.bytes())
    }

    /// The key behind algorithm and number.
    #[cfg(feature = "table-key")]
    fn bytes(&self) -> [u8; 32] {
        let bytes = self.0.to_bytes();
        bytes.last_chunk().copied().unwrap_or_default()
    }

    /// Whether the signature was made of these bytes with the secret key that belongs to it.
    ///
    /// # Errors
    ///
    /// The error of the reader.
    pub fn verify(&self, signature: &Signature, bytes: impl Read) -> io::Result<bool> {
        match minisign::verify(&self.0, &signature.0, Forward(bytes), true, false, false) {
            Ok(()) => Ok(true),
            Err(error) if matches!(error.kind(), ErrorKind::Io) => Err(io::Error::other(error)),
            Err(_) => Ok(false),
        }
    }
}

impl Signature {
    /// The signature in the text of its file.
    ///
    /// # Errors
    ///
    /// Where the text is not a signature that can be verified.
    pub fn parse(text: &str) -> Result<Self, SignatureError> {
        // The crate takes the 64 bytes of the second signature for granted, and more than the 74
        // of the first.
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

    /// The number of the key that it says it was made with.
    #[must_use]
    pub fn key(&self) -> KeyId {
        KeyId::of(self.0.keynum())
    }
}

/// A reader that is read once, from beginning to end.
struct Forward<R>(R);

impl<R: Read> Read for Forward<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// The crate asks for it, and goes back only to print a file.
impl<R> Seek for Forward<R> {
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
        let key = PublicKey::from_file(KEY).expect("a key");
        let signature = Signature::parse(signature);
        let verified = signature.map(|signature| key.verify(&signature, JOURNAL));
        verified.is_ok_and(|verified| verified.expect("memory is read"))
    }

    #[test]
    fn every_byte_of_a_signature_counts_but_for_the_untrusted_comment() {
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
    fn a_password_is_asked_for_only_where_there_is_one() {
        let refuses = || Err(io::Error::other("no terminal"));
        let key = SecretKey::unlock(SECRET, refuses).expect("a key");
        let public = PublicKey::from_file(KEY).expect("a key");
        assert_eq!(key.id(), public.id());
        assert_eq!(key.id().to_string(), "D0EDDE00A8917FD7");
        // The key is in no message.
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
        let key = PublicKey::from_file(KEY).expect("a key");
        let signature = Signature::parse(SIGNATURE).expect("a signature");
        assert!(key.verify(&signature, Broken).is_err());
        let secret = SecretKey::unlock(SECRET, || Ok(String::new())).expect("a key");
        assert!(secret.sign(Broken, "").is_err());
    }
}
