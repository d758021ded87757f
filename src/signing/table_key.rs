use super::key::{KeyError, SecretKey};
use crate::support::hex::Hex;
use crate::support::redacted::RedactedValue;
use blake2::{Blake2b512, Digest};
use ct_codecs::{Base64, Encoder};
use ed25519_dalek::{Signer, SigningKey};
use std::io;

/// Minisign's mark of a signature over the hash of a file.
const HASHED_MARK: &[u8] = b"ED";

/// Key of a card table: a secret key of minisign without a password. It signs the starts of games,
/// checkpoints of the log, and journals.
///
/// # Examples
///
/// ```
/// use war::signing::TableKey;
///
/// let file = TableKey::generate_file().unwrap();
/// let key = TableKey::parse_file(&file).unwrap();
/// let public = key.to_public_key_file();
/// assert!(public.starts_with("untrusted comment: minisign public key "));
/// assert!(public.contains(&key.id()));
/// assert_eq!(key.fingerprint().to_string().len(), 64);
/// ```
#[derive(Debug)]
pub struct TableKey {
    minisign: SecretKey,
    ed25519: RedactedValue<SigningKey>,
}

/// Error of a text that is not a key of a card table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TableKeyError {
    /// Text that is not a secret key of minisign.
    #[error("not a secret key in minisign's format")]
    Malformed,
    /// Key with a password, which nobody can type when a server starts.
    #[error("the key is protected by a password")]
    Protected,
}

impl TableKey {
    /// Generates a new key, as the text of its file.
    ///
    /// # Errors
    ///
    /// If the system has no randomness.
    pub fn generate_file() -> io::Result<String> {
        let pair = minisign::KeyPair::generate_unencrypted_keypair();
        let file = pair.and_then(|pair| pair.sk.to_box(Some("secret key of a card table")));
        Ok(file.map_err(io::Error::other)?.into_string())
    }

    /// Parses the text of a key file.
    ///
    /// # Errors
    ///
    /// If the text is not a secret key, or the key has a password.
    pub fn parse_file(text: &str) -> Result<Self, TableKeyError> {
        let refuse = || Err(io::ErrorKind::Unsupported.into());
        let minisign = SecretKey::unlock(text, refuse).map_err(|error| match error {
            KeyError::NoPassword(_) => TableKeyError::Protected,
            KeyError::Malformed | KeyError::WrongPassword => TableKeyError::Malformed,
        })?;
        let ed25519 = minisign.ed25519().ok_or(TableKeyError::Malformed)?;
        Ok(Self {
            minisign,
            ed25519: RedactedValue(ed25519),
        })
    }

    /// The key that signs starts of games and checkpoints.
    #[must_use]
    pub const fn ed25519(&self) -> &SigningKey {
        &self.ed25519.0
    }

    /// The number of the key, in 16 hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> String {
        self.minisign.id().to_string()
    }

    /// The SHA-256 of the public key.
    #[must_use]
    pub fn fingerprint(&self) -> Hex<32> {
        super::key::fingerprint(self.ed25519.0.verifying_key().as_bytes())
    }

    /// The text of the public key file, as `minisign -G` writes it.
    #[must_use]
    pub fn to_public_key_file(&self) -> String {
        self.minisign.to_public_key_file().unwrap_or_default()
    }

    /// Signs a journal with this final digest, and returns the text of the signature file. The same
    /// journal always gets the same signature.
    #[must_use]
    pub fn sign_journal(&self, journal: &[u8], digest: &Hex<16>) -> String {
        let comment = format!("digest:{digest}");
        let of_file = self.ed25519().sign(&Blake2b512::digest(journal)).to_bytes();
        let of_both = [&of_file[..], comment.as_bytes()].concat();
        let of_both = self.ed25519().sign(&of_both).to_bytes();
        let signature = [HASHED_MARK, &self.minisign.id().to_bytes(), &of_file].concat();
        let [signature, of_both] = [&signature, &of_both[..]].map(base64);
        let id = self.id();
        format!(
            "untrusted comment: signature from key {id}\n{signature}\n\
             trusted comment: {comment}\n{of_both}\n"
        )
    }
}

fn base64(bytes: &[u8]) -> String {
    Base64::encode_to_string(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{TableKey, TableKeyError};
    use crate::signing::{PublicKey, Signature};
    use ed25519_dalek::Signer;

    const SIGNER: &str = include_str!("../../tests/keys/signer.key");

    #[test]
    fn the_key_signs_as_minisign_and_as_ed25519() {
        let key = TableKey::parse_file(SIGNER).expect("a key");
        assert_eq!(key.id(), "D0EDDE00A8917FD7");
        let file = include_str!("../../tests/keys/signer.pub");
        assert_eq!(key.to_public_key_file(), file);
        let theirs = PublicKey::parse_file(file).expect("a key");
        assert_eq!(theirs.fingerprint(), key.fingerprint());
        let verifying = theirs.to_verifying_key().expect("a key");
        let signature = key.ed25519().sign(b"text");
        assert!(verifying.verify_strict(b"text", &signature).is_ok());
        assert!(verifying.verify_strict(b"other", &signature).is_err());
        let digest = "65beb305410a611f291a47ef8b561854".parse().expect("digits");
        let signed = key.sign_journal(b"journal", &digest);
        let signature = Signature::parse(&signed).expect("a signature");
        let verified = |bytes| {
            theirs
                .is_valid_signature(&signature, bytes)
                .expect("memory")
        };
        assert!(verified(&b"journal"[..]) && !verified(&b"other"[..]));
        // Debug output doesn't reveal the key.
        let shown = format!("{key:?}");
        assert_eq!(shown, "TableKey { minisign: SecretKey(..), ed25519: .. }");
    }

    // The expected file was made by `minisign -S` from the same journal and key.
    #[test]
    fn the_signature_of_a_journal_is_that_of_minisign() {
        let key = TableKey::parse_file(SIGNER).expect("a key");
        let journal = include_bytes!("../../journals/classic_dealt_won.json");
        let digest = "65beb305410a611f291a47ef8b561854".parse().expect("digits");
        let signed = key.sign_journal(journal, &digest);
        assert_eq!(
            signed,
            include_str!("../../tests/keys/of_a_table.json.minisig")
        );
    }

    #[test]
    fn each_generated_key_is_different() {
        let [one, other] = [(); 2].map(|()| {
            let file = TableKey::generate_file().expect("randomness");
            TableKey::parse_file(&file).expect("a key").fingerprint()
        });
        assert_ne!(one, other);
    }

    #[test]
    fn other_texts_are_not_keys() {
        let protected = include_str!("../../tests/keys/protected.key");
        let refused = |text: &str| TableKey::parse_file(text).expect_err("no key");
        assert_eq!(refused(protected), TableKeyError::Protected);
        assert_eq!(refused(""), TableKeyError::Malformed);
        let public = include_str!("../../tests/keys/signer.pub");
        assert_eq!(refused(public), TableKeyError::Malformed);
        let cut = &SIGNER[..SIGNER.len() - 20];
        assert_eq!(refused(cut), TableKeyError::Malformed);
    }
}
