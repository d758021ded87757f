//! The signature beside a journal, and the key that should have made it.

use super::keys::{KeyFileError, signature, signature_of};
use std::io::{self, Read};
use std::path::Path;
use war::journal::RecordError;
use war::signing::{Hashed, PublicKey, Seen, Signature};

/// A signature beside a journal, and the public key of those who should have signed it.
pub(crate) struct Claim {
    key: PublicKey,
    signature: Signature,
}

/// The number of the key that signed a journal, or what is wrong with its signature.
pub(crate) type Checked = Result<String, RecordError>;

impl Claim {
    /// The signature beside this journal.
    pub(crate) fn beside(journal: &Path, key: &PublicKey) -> Result<Self, KeyFileError> {
        let signature = signature(&signature_of(journal))?;
        let key = key.clone();
        Ok(Self { key, signature })
    }

    /// Checks that these are the bytes that were signed.
    ///
    /// # Errors
    ///
    /// The error of the reader.
    pub(crate) fn check(&self, bytes: impl Read) -> io::Result<Checked> {
        let [expected, found] = [self.key.id(), self.signature.key()].map(|key| key.to_string());
        Ok(if found != expected {
            Err(RecordError::OtherKey(found))
        } else if self.key.verify(&self.signature, bytes)? {
            Ok(found)
        } else {
            Err(RecordError::Signature)
        })
    }

    /// Checks that this is the file that was signed, and gives a reader of the same file on, which
    /// is to be read again.
    ///
    /// # Errors
    ///
    /// The error of the first reader.
    pub(crate) fn check_first<R: Read>(
        &self,
        file: impl Read,
        again: R,
    ) -> io::Result<(Signed, Hashed<R>)> {
        let mut file = Hashed::new(file);
        let checked = self.check(&mut file)?;
        io::copy(&mut file, &mut io::sink())?;
        let again = Hashed::new(again);
        let seen = [file.seen(), again.seen()];
        Ok((Signed { checked, seen }, again))
    }
}

/// What a signature turned out to be before its file is read again.
pub(crate) struct Signed {
    checked: Checked,
    seen: [Seen; 2],
}

impl Signed {
    /// The number of the key that the file was signed with.
    pub(crate) fn key(&self) -> Option<&str> {
        self.checked.as_deref().ok()
    }

    /// What is wrong with the signature.
    pub(crate) fn wrong(&self) -> Option<&RecordError> {
        self.checked.as_ref().err()
    }

    /// Whether the file had other bytes when it was read again.
    pub(crate) fn is_changed(&self) -> bool {
        let [first, then] = &self.seen;
        !first.is_same(then)
    }
}

#[cfg(test)]
mod tests {
    use super::Claim;
    use std::io::{self, Read};
    use war::signing::{PublicKey, Signature};

    const JOURNAL: &[u8] = include_bytes!("../../../../journals/classic_dealt_won.json");

    fn claim() -> Claim {
        let key = PublicKey::from_file(include_str!("../../../../tests/keys/signer.pub"));
        let signature = include_str!("../../../../tests/keys/classic_dealt_won.json.minisig");
        Claim {
            key: key.expect("a key"),
            signature: Signature::parse(signature).expect("a signature"),
        }
    }

    #[test]
    fn a_file_that_changes_before_it_is_read_again_is_noticed() {
        let changed = &JOURNAL[1..];
        for (again, is_changed) in [(JOURNAL, false), (changed, true), (&[], true)] {
            let checked = claim().check_first(JOURNAL, again);
            let (signed, mut again) = checked.expect("memory is read");
            io::copy(&mut again, &mut io::sink()).expect("memory is read");
            assert_eq!(signed.key(), Some("D0EDDE00A8917FD7"));
            assert_eq!(signed.is_changed(), is_changed);
        }
        // All of it was signed, and not what it begins with.
        let longer = JOURNAL.chain(&b" "[..]);
        let checked = claim().check_first(longer, JOURNAL);
        let (signed, _) = checked.expect("memory is read");
        assert!(signed.wrong().is_some());
    }
}
