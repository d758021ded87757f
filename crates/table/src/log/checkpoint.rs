use super::hash::Hash;
use super::leaf::TableId;
use super::note::{Note, NoteError, SignatureError, base64, from_base64};
use ed25519_dalek::{SigningKey, VerifyingKey};

/// How long a log is and what its root is: C2SP `tlog-checkpoint`.
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
/// let text = now.signed(&key);
/// assert!(text.starts_with("war-table/07070707070707070707070707070707\n0\n47DEQpj8"));
/// assert_eq!(Checkpoint::verified(&text, &key.verifying_key()), Ok(now));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// Which table's log it is.
    pub table: TableId,
    /// How many leaves it has.
    pub size: u64,
    /// The root of the tree of those leaves.
    pub root: Hash,
}

/// Why a text is not a checkpoint that can be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is not the checkpoint of a card table's log.
    #[error("not a checkpoint of a card table's log")]
    Malformed,
    /// It is one, and its signature is not what it must be.
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

impl From<NoteError> for CheckpointError {
    fn from(_: NoteError) -> Self {
        Self::Malformed
    }
}

/// What the names of all logs and of their keys begin with; the table's number follows.
const ORIGIN: &str = "war-table/";

impl Checkpoint {
    /// The name of the log and of its key.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{ORIGIN}{}", self.table)
    }

    /// The text of this checkpoint, signed.
    #[must_use]
    pub fn signed(&self, key: &SigningKey) -> String {
        let (origin, root) = (self.origin(), base64(self.root.bytes()));
        let text = format!("{origin}\n{}\n{root}\n", self.size);
        Note::signed(text, &origin, key).to_string()
    }

    /// The checkpoint in a text that was signed with this key.
    ///
    /// # Errors
    ///
    /// Where it is not a checkpoint, or was not signed with this key.
    pub fn verified(text: &str, key: &VerifyingKey) -> Result<Self, CheckpointError> {
        let note: Note = text.parse()?;
        let checkpoint = Self::parse(note.text()).ok_or(CheckpointError::Malformed)?;
        note.check(&checkpoint.origin(), key)?;
        Ok(checkpoint)
    }

    /// The checkpoint in the text of a note. More lines may follow it.
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
            root: Hash::new(root),
        })
    }
}
