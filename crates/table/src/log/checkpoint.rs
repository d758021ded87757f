use super::leaf::TableId;
use super::tree::TreeHash;
use ct_codecs::{Base64, Decoder, Encoder};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// The size and root of a log, as a C2SP `tlog-checkpoint`.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use war::support::hex::Hex;
/// use war_table::log::{Checkpoint, LogTree};
///
/// let (key, tree) = (SigningKey::from_bytes(&[1; 32]), LogTree::default());
/// let now = Checkpoint { table: Hex::new([7; 16]), size: tree.size(), root: tree.root() };
/// let text = now.sign(&key);
/// assert!(text.starts_with("war-table/07070707070707070707070707070707\n0\n47DEQpj8"));
/// assert_eq!(Checkpoint::parse_verified(&text, &key.verifying_key()), Ok(now));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// ID of the table.
    pub table: TableId,
    /// Number of leaves.
    pub size: u64,
    /// Root of the tree of those leaves.
    pub root: TreeHash,
}

/// Reason why a checkpoint can't be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Text that is not the checkpoint of a card table's log.
    #[error("not a checkpoint of a card table's log")]
    Malformed,
    /// Checkpoint without a valid signature.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

impl From<NoteError> for CheckpointError {
    fn from(_: NoteError) -> Self {
        Self::Malformed
    }
}

/// Prefix of the names of all logs and their keys, followed by the table's ID.
const ORIGIN: &str = "war-table/";

impl Checkpoint {
    /// Name of the log and of its key.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{ORIGIN}{}", self.table)
    }

    /// Signs the checkpoint and returns its text.
    #[must_use]
    pub fn sign(&self, key: &SigningKey) -> String {
        let (origin, root) = (self.origin(), base64(self.root.bytes()));
        let text = format!("{origin}\n{}\n{root}\n", self.size);
        Note::sign(text, &origin, key).to_string()
    }

    /// Parses a checkpoint and verifies its signature with this key.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] if the text is not a checkpoint, or was not signed with this key.
    pub fn parse_verified(text: &str, key: &VerifyingKey) -> Result<Self, CheckpointError> {
        let note: Note = text.parse()?;
        let checkpoint = Self::parse(note.text()).ok_or(CheckpointError::Malformed)?;
        note.check(&checkpoint.origin(), key)?;
        Ok(checkpoint)
    }

    /// Parses the text of a note, in which further lines may follow the checkpoint.
    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let table = lines.next()?.strip_prefix(ORIGIN)?.parse().ok()?;
        let size = lines.next()?;
        let number: u64 = size.parse().ok()?;
        let root = from_base64(lines.next()?)?.try_into().ok()?;
        let is_plain = number.to_string() == size && lines.all(|line| !line.is_empty());
        is_plain.then_some(Self {
            table,
            size: number,
            root: TreeHash::new(root),
        })
    }
}

/// A signed text, as a C2SP `signed-note`.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use war_table::log::{Note, SignatureError};
///
/// let (key, other) = (SigningKey::from_bytes(&[1; 32]), SigningKey::from_bytes(&[2; 32]));
/// let note = Note::sign("Two lines,\nand no more.\n".to_owned(), "example", &key);
/// let read: Note = note.to_string().parse().unwrap();
/// assert_eq!(read.check("example", &key.verifying_key()), Ok(()));
/// assert_eq!(read.check("example", &other.verifying_key()), Err(SignatureError::OtherKey));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The text, which ends with a line feed.
    text: String,
    signatures: Vec<NoteSignature>,
}

/// A signature with the name and ID of its key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteSignature {
    name: String,
    key: [u8; 4],
    signature: Vec<u8>,
}

/// Error for a text that is not a signed note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a signed note")]
pub struct NoteError;

/// Reason why a note does not count as signed with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// No signature from this key.
    #[error("signed with another key")]
    OtherKey,
    /// Signature attributed to this key that does not match the text.
    #[error("the signature doesn't match")]
    Wrong,
}

/// Algorithm byte of an Ed25519 signature over the text of a note.
const ED25519: u8 = 1;

/// Beginning of a signature line: an em dash and a space.
const DASH: &str = "\u{2014} ";

/// Maximum number of signatures that are read. C2SP requires support for at least 16.
const MAX_SIGNATURES: usize = 100;

impl Note {
    /// Signs a text with a key of this name. The text must end with a line feed.
    #[must_use]
    pub fn sign(text: String, name: &str, key: &SigningKey) -> Self {
        let signature = key.sign(text.as_bytes()).to_bytes().to_vec();
        let key = key_id(name, &key.verifying_key());
        let name = name.to_owned();
        let line = NoteSignature {
            name,
            key,
            signature,
        };
        let signatures = vec![line];
        Self { text, signatures }
    }

    /// The text, not to be trusted before a signature has been checked.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Checks that the key of this name has signed the text.
    ///
    /// # Errors
    ///
    /// [`SignatureError`] if the key has not signed the text.
    pub fn check(&self, name: &str, key: &VerifyingKey) -> Result<(), SignatureError> {
        let id = key_id(name, key);
        let mut signatures = self.signatures.iter();
        let line = signatures.find(|line| line.name == name && line.key == id);
        let line = line.ok_or(SignatureError::OtherKey)?;
        let signature = Signature::from_slice(&line.signature);
        let verified = signature.and_then(|it| key.verify_strict(self.text.as_bytes(), &it));
        verified.map_err(|_| SignatureError::Wrong)
    }
}

/// Returns the first four bytes of the hash of a key and its name, which identify the key in
/// signatures.
fn key_id(name: &str, key: &VerifyingKey) -> [u8; 4] {
    let hash = Sha256::new()
        .chain_update(name)
        .chain_update([b'\n', ED25519]);
    let hash = hash.chain_update(key.as_bytes()).finalize();
    let [a, b, c, d, ..] = <[u8; 32]>::from(hash);
    [a, b, c, d]
}

/// Formats a key for programs that verify notes.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use war_table::log::format_verifier_key;
///
/// let key = SigningKey::from_bytes(&[1; 32]).verifying_key();
/// assert!(format_verifier_key("example", &key).starts_with("example+"));
/// ```
#[must_use]
pub fn format_verifier_key(name: &str, key: &VerifyingKey) -> String {
    let id = u32::from_be_bytes(key_id(name, key));
    let bytes = [&[ED25519], &key.as_bytes()[..]].concat();
    format!("{name}+{id:08x}+{}", base64(&bytes))
}

fn base64(bytes: &[u8]) -> String {
    Base64::encode_to_string(bytes).unwrap_or_default()
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    Base64::decode_to_vec(text, None).ok()
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        for line in &self.signatures {
            let signature = base64(&[&line.key, &line.signature[..]].concat());
            writeln!(f, "{DASH}{} {signature}", line.name)?;
        }
        Ok(())
    }
}

impl FromStr for Note {
    type Err = NoteError;

    fn from_str(note: &str) -> Result<Self, NoteError> {
        let is_control = |char: char| char < ' ' && char != '\n';
        let empty_line = note.rfind("\n\n").filter(|_| !note.contains(is_control));
        let (text, signatures) = note.split_at(empty_line.ok_or(NoteError)? + 1);
        let signatures = signatures.strip_prefix('\n').unwrap_or_default();
        let lines = signatures.strip_suffix('\n').ok_or(NoteError)?;
        let lines = lines.split('\n').take(MAX_SIGNATURES).map(parse_signature);
        let signatures = lines.collect::<Option<_>>().ok_or(NoteError)?;
        let text = text.to_owned();
        Ok(Self { text, signatures })
    }
}

fn parse_signature(line: &str) -> Option<NoteSignature> {
    let (name, signature) = line.strip_prefix(DASH)?.split_once(' ')?;
    let bytes = from_base64(signature)?;
    let (key, signature) = bytes.split_first_chunk().filter(|(_, it)| !it.is_empty())?;
    let is_name =
        !name.is_empty() && !name.contains(|char: char| char.is_whitespace() || char == '+');
    is_name.then(|| NoteSignature {
        name: name.to_owned(),
        key: *key,
        signature: signature.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Note, SignatureError, format_verifier_key, from_base64};
    use ed25519_dalek::VerifyingKey;

    /// The example of the specification: <https://c2sp.org/signed-note>.
    const NOTE: &str = "This is an example message.\n\n\
        \u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n";

    /// The verifier key that belongs to the example note.
    const KEY: &str = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";

    fn key() -> VerifyingKey {
        let (_, key) = KEY.rsplit_once('+').expect("a key");
        let key = from_base64(key).expect("Base64");
        let key = key[1..].try_into().expect("32 bytes");
        VerifyingKey::from_bytes(key).expect("a key")
    }

    #[test]
    fn the_example_of_the_specification_verifies() {
        let note: Note = NOTE.parse().expect("a note");
        assert_eq!(note.check("example.com/foo", &key()), Ok(()));
        assert_eq!(note.to_string(), NOTE);
        assert_eq!(format_verifier_key("example.com/foo", &key()), KEY);
        let other = note.check("example.com/bar", &key());
        assert_eq!(other, Err(SignatureError::OtherKey));
        // Signatures of unknown keys are skipped.
        let witnessed = NOTE.replace("\n\n", "\n\n\u{2014} witness AAAAAAE=\n");
        let witnessed: Note = witnessed.parse().expect("a note");
        assert_eq!(witnessed.check("example.com/foo", &key()), Ok(()));
    }

    #[test]
    fn a_changed_text_fails_verification() {
        let changed: Note = NOTE
            .replace("example m", "Example m")
            .parse()
            .expect("a note");
        let checked = changed.check("example.com/foo", &key());
        assert_eq!(checked, Err(SignatureError::Wrong));
    }

    #[test]
    fn malformed_notes_are_rejected() {
        let without_end = NOTE.trim_end();
        let unsigned = "This is an example message.\n\n";
        for text in [
            "",
            "\n",
            "\n\n",
            without_end,
            unsigned,
            &NOTE.replace('\u{2014}', "-"),
            &NOTE.replace("example.com", "example com"),
            &NOTE.replace("/foo", "+foo"),
            &NOTE.replace("aQM=", "aQM"),
            &NOTE.replace("an example", "an\texample"),
            &format!("{NOTE}\n"),
            &format!("{NOTE}more\n"),
        ] {
            assert!(text.parse::<Note>().is_err(), "{text:?}");
        }
    }
}
