use super::unfair::Unlogged;
use crate::log::{
    Checkpoint, CheckpointError, Hash, Leaf, Level, LogFault, ProofError, SignatureError, Source,
    TableId, Tile, TileSource, consistency_is_proven, consistency_proof, entries,
    inclusion_is_proven, inclusion_proof, leaf_hash,
};
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;

/// What a player holds against a table's log: the last checkpoint, and the games that must be in
/// the log.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use war_table::fair::{LogChecks, Unlogged};
/// use war::support::hex::Hex;
/// use war_table::log::{Checkpoint, End, Frontier, Leaf, Source, bundle, leaf_hash};
///
/// struct Files(BTreeMap<&'static str, Vec<u8>>);
///
/// impl Source for Files {
///     type Error = Infallible;
///
///     fn fetch(&mut self, path: &str, _: usize) -> Result<Option<Vec<u8>>, Infallible> {
///         Ok(self.0.get(path).cloned())
///     }
/// }
///
/// let (key, table) = (SigningKey::from_bytes(&[1; 32]), Hex::new([7; 16]));
/// let end = |game| Leaf::End(End { game, digest: Hex::new([9; 16]), time_ms: 0 });
/// let leaf = end(1).to_string();
/// let hash = leaf_hash(leaf.as_bytes());
/// let root = [hash].into_iter().collect::<Frontier>().root();
/// let checkpoint = Checkpoint { table, size: 1, root }.signed(&key);
/// let mut log = Files(BTreeMap::from([
///     ("checkpoint", checkpoint.into_bytes()),
///     ("tile/0/000.p/1", hash.bytes().to_vec()),
///     ("tile/entries/000.p/1", bundle([&leaf]).unwrap()),
/// ]));
///
/// let mut checks = LogChecks::new(table, key.verifying_key());
/// checks.expect(end(1), 0);
/// assert_eq!(checks.read(&mut log, 0).unwrap(), Ok(()));
/// checks.expect(end(2), 0);
/// assert_eq!(checks.read(&mut log, 60_000).unwrap(), Err(Unlogged::EndMissing { game: 2 }));
/// ```
#[derive(Debug, Clone)]
pub struct LogChecks {
    table: TableId,
    key: VerifyingKey,
    /// The last checkpoint, as a text and as what it says.
    last: Option<(String, Checkpoint)>,
    /// How many leaves there were when the player chose their last game.
    before: u64,
    /// How many leaves were looked through.
    seen: u64,
    /// What must be in the log, or is: by game, and whether it is the end.
    expected: BTreeMap<(u64, bool), Expected>,
}

#[derive(Debug, Clone)]
struct Expected {
    leaf: Leaf,
    /// From when on it must be there.
    due: u64,
    /// Where it is.
    found: Option<u64>,
}

/// How long a table may take to show a leaf, in milliseconds: ten seconds, and some for the way.
const WITHIN: u64 = 15_000;

/// The name of the checkpoint, and more bytes than one has.
const CHECKPOINT: (&str, usize) = ("checkpoint", 1 << 16);

impl LogChecks {
    /// What a player holds who has seen nothing of this table's log.
    #[must_use]
    pub const fn new(table: TableId, key: VerifyingKey) -> Self {
        Self {
            table,
            key,
            last: None,
            before: 0,
            seen: 0,
            expected: BTreeMap::new(),
        }
    }

    /// Remembers a checkpoint of before: the log has to contain that one.
    ///
    /// # Errors
    ///
    /// Where it is not a checkpoint of this table, signed with its key.
    pub fn remember(&mut self, checkpoint: &str) -> Result<(), LogFault> {
        let last = self.verified(checkpoint)?;
        (self.before, self.seen) = (last.size, last.size);
        self.last = Some((checkpoint.to_owned(), last));
        Ok(())
    }

    /// The last checkpoint, to keep and to compare with others'.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&str> {
        self.last.as_ref().map(|(text, _)| text.as_str())
    }

    /// The player is about to choose a game: nothing of it can be in the log as it was last read.
    pub fn chooses(&mut self) {
        self.before = self.last.as_ref().map_or(0, |(_, last)| last.size);
    }

    /// Expects the log to have this leaf from some seconds after `now` on; `now` is in
    /// milliseconds, by any clock that never goes back.
    pub fn expect(&mut self, leaf: Leaf, now: u64) {
        let due = now.saturating_add(WITHIN);
        let (about, found) = (about(&leaf), None);
        self.expected.insert(about, Expected { leaf, due, found });
        // The log may have been read after the game began, and before the player heard of it.
        self.seen = self.seen.min(self.before);
    }

    /// Whether all that was expected is in the log.
    #[must_use]
    pub fn has_all(&self) -> bool {
        self.expected
            .values()
            .all(|expected| expected.found.is_some())
    }

    /// Reads on in the log: it must contain the last checkpoint, and what is due by `now`.
    ///
    /// # Errors
    ///
    /// The error of the source; within, what is wrong with the log.
    pub fn read<S: Source>(
        &mut self,
        source: &mut S,
        now: u64,
    ) -> Result<Result<(), Unlogged>, S::Error> {
        match self.try_read(source, now) {
            Ok(()) => Ok(Ok(())),
            Err(Stop::Unlogged(unlogged)) => Ok(Err(unlogged)),
            Err(Stop::Source(error)) => Err(error),
        }
    }

    fn try_read<S: Source>(&mut self, source: &mut S, now: u64) -> Result<(), Stop<S::Error>> {
        let (name, longest) = CHECKPOINT;
        let bytes = source.fetch(name, longest).map_err(Stop::Source)?;
        let bytes = bytes.ok_or_else(|| LogFault::Missing(name.to_owned()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let checkpoint = self.verified(&text)?;
        let mut pieces = Pieces::new(source);
        self.check_history(&checkpoint, &mut pieces)?;
        self.last = Some((text, checkpoint));
        self.look_through(&checkpoint, &mut pieces)?;
        let missing = |expected: &&Expected| expected.found.is_none() && expected.due <= now;
        match self.expected.values().find(missing) {
            Some(expected) => Err(Unlogged::missing(&expected.leaf).into()),
            None => Ok(()),
        }
    }

    /// Checks that the log contains the one of the last checkpoint.
    fn check_history<S: Source>(
        &self,
        now: &Checkpoint,
        pieces: &mut Pieces<'_, S>,
    ) -> Result<(), Stop<S::Error>> {
        let Some((_, last)) = &self.last else {
            return Ok(());
        };
        let (earlier, found) = (last.size, now.size);
        if earlier > found {
            return Err(LogFault::Shorter { earlier, found }.into());
        }
        let proof = consistency_proof(earlier, found, pieces)?;
        let before = (earlier, &last.root);
        if !consistency_is_proven(before, (found, &now.root), &proof) {
            return Err(LogFault::Forked { earlier }.into());
        }
        Ok(())
    }

    /// Looks for what is expected in the leaves that are new.
    fn look_through<S: Source>(
        &mut self,
        checkpoint: &Checkpoint,
        pieces: &mut Pieces<'_, S>,
    ) -> Result<(), Stop<S::Error>> {
        if self.expected.is_empty() {
            self.seen = checkpoint.size;
        }
        while self.seen < checkpoint.size {
            let leaves = pieces.entries(self.seen, checkpoint.size)?;
            for leaf in leaves {
                let index = self.seen;
                if self.is_expected(&leaf)? {
                    let proof = inclusion_proof(index, checkpoint.size, pieces)?;
                    let hash = leaf_hash(&leaf);
                    let (size, root) = (checkpoint.size, &checkpoint.root);
                    if !inclusion_is_proven(&hash, index, size, &proof, root) {
                        return Err(LogFault::LeafHash(index).into());
                    }
                }
                self.seen += 1;
            }
        }
        Ok(())
    }

    /// Whether this leaf was expected, and not found before.
    fn is_expected(&mut self, bytes: &[u8]) -> Result<bool, Unlogged> {
        let Ok(leaf) = Leaf::from_bytes(bytes) else {
            // Who reads all of the log judges it.
            return Ok(false);
        };
        let Some(expected) = self.expected.get_mut(&about(&leaf)) else {
            return Ok(false);
        };
        let found = *expected.found.get_or_insert(self.seen);
        if expected.leaf != leaf || found != self.seen {
            return Err(Unlogged::other(&leaf));
        }
        Ok(true)
    }

    fn verified(&self, text: &str) -> Result<Checkpoint, LogFault> {
        let verified = Checkpoint::verified(text, &self.key);
        let checkpoint = verified.map_err(|error| match error {
            CheckpointError::Malformed => LogFault::Checkpoint,
            CheckpointError::Signature(SignatureError::OtherKey) => LogFault::OtherKey,
            CheckpointError::Signature(SignatureError::Wrong) => LogFault::Signature,
        })?;
        if checkpoint.table == self.table {
            return Ok(checkpoint);
        }
        let table = self.table;
        let earlier = Checkpoint {
            table,
            ..checkpoint
        }
        .origin();
        let found = checkpoint.origin();
        Err(LogFault::OtherTable { earlier, found })
    }
}

/// Which game a leaf is about, and whether it is its end.
const fn about(leaf: &Leaf) -> (u64, bool) {
    (leaf.game(), matches!(leaf, Leaf::End(_)))
}

/// The pieces of a log, out of its source.
struct Pieces<'a, S> {
    source: &'a mut S,
    /// The hashes of tiles that were read: the proofs of leaves that are neighbours need the
    /// same ones.
    held: BTreeMap<Tile, Vec<Hash>>,
}

/// Why reading stops.
enum Stop<E> {
    /// The source can't be read.
    Source(E),
    /// Something is wrong with the log.
    Unlogged(Unlogged),
}

/// The bytes of a hash.
const HASH: usize = 32;

/// How many tiles are held at most.
const HELD: usize = 64;

/// The longest entry that is read: a leaf has less than half of it.
const LONGEST_ENTRY: usize = 1 << 10;

impl<'a, S: Source> Pieces<'a, S> {
    pub(super) const fn new(source: &'a mut S) -> Self {
        let held = BTreeMap::new();
        Self { source, held }
    }

    /// The entries from this one on that are in one bundle with it: at least one, of the log with
    /// `size` leaves.
    fn entries(&mut self, from: u64, size: u64) -> Result<Vec<Vec<u8>>, Stop<S::Error>> {
        let full = u64::from(Tile::FULL);
        let bundle = Tile::of(Level::Entries, from / full, size);
        let bundle = bundle.ok_or(LogFault::Root { size })?;
        let bytes = self.served(bundle, LONGEST_ENTRY)?;
        let short = || LogFault::Length(bundle.to_string());
        let leaves = entries(&bytes).map_err(|_| short())?;
        let leaves = leaves.iter().take(bundle.width().into());
        let start = usize::try_from(from % full).unwrap_or_default();
        let rest: Vec<_> = leaves.skip(start).map(|leaf| leaf.to_vec()).collect();
        let wanted = usize::from(bundle.width()) - start;
        if rest.len() == wanted {
            Ok(rest)
        } else {
            Err(short().into())
        }
    }

    /// The bytes of a tile or a bundle, or of the full one that it became part of.
    fn served(&mut self, tile: Tile, each: usize) -> Result<Vec<u8>, Stop<S::Error>> {
        for path in [tile, tile.full()].map(|tile| tile.to_string()) {
            let longest = each * usize::from(Tile::FULL);
            let bytes = self.source.fetch(&path, longest).map_err(Stop::Source)?;
            if let Some(bytes) = bytes {
                return Ok(bytes);
            }
        }
        Err(LogFault::Missing(tile.to_string()).into())
    }
}

impl<S: Source> TileSource for Pieces<'_, S> {
    type Error = Stop<S::Error>;

    fn hashes(&mut self, tile: Tile) -> Result<Vec<Hash>, Self::Error> {
        if let Some(hashes) = self.held.get(&tile) {
            return Ok(hashes.clone());
        }
        let bytes = self.served(tile, HASH)?;
        let (hashes, _) = bytes.as_chunks::<HASH>();
        let wanted = hashes.iter().take(tile.width().into());
        let hashes: Vec<_> = wanted.map(|hash| Hash::new(*hash)).collect();
        if self.held.len() == HELD {
            self.held.clear();
        }
        self.held.insert(tile, hashes.clone());
        Ok(hashes)
    }
}

impl<E> From<ProofError<Self>> for Stop<E> {
    fn from(error: ProofError<Self>) -> Self {
        match error {
            ProofError::Source(stop) => stop,
            ProofError::Short(tile) => LogFault::Length(tile.to_string()).into(),
            // Nothing is asked for that the checkpoint does not promise.
            ProofError::Outside => LogFault::Checkpoint.into(),
        }
    }
}

impl<E> From<LogFault> for Stop<E> {
    fn from(fault: LogFault) -> Self {
        Self::Unlogged(fault.into())
    }
}

impl<E> From<Unlogged> for Stop<E> {
    fn from(unlogged: Unlogged) -> Self {
        Self::Unlogged(unlogged)
    }
}

#[cfg(test)]
mod tests {
    use super::{HELD, Pieces};
    use crate::log::{Hash, Source, Tile, TileSource};
    use std::convert::Infallible;

    /// Full tiles whose hashes are zeros, and how often one was fetched.
    struct Counted(usize);

    impl Source for Counted {
        type Error = Infallible;

        fn fetch(&mut self, _: &str, longest: usize) -> Result<Option<Vec<u8>>, Infallible> {
            self.0 += 1;
            Ok(Some(vec![0; longest]))
        }
    }

    fn tile(index: usize) -> Tile {
        let path = format!("tile/0/{index:03}");
        path.parse().expect("a tile")
    }

    #[test]
    fn a_tile_is_fetched_once_for_the_proofs_of_many_leaves() {
        let mut source = Counted(0);
        let mut pieces = Pieces::new(&mut source);
        for _ in 0..3 {
            for index in [0, 1] {
                let hashes = pieces.hashes(tile(index)).ok();
                assert_eq!(hashes, Some(vec![Hash::new([0; 32]); 256]));
            }
        }
        assert_eq!(pieces.source.0, 2);
    }

    #[test]
    fn no_more_tiles_are_held_than_a_long_log_needs() {
        let mut source = Counted(0);
        let mut pieces = Pieces::new(&mut source);
        for index in 0..10 * HELD {
            assert!(pieces.hashes(tile(index)).is_ok());
            assert!(pieces.held.len() <= HELD);
        }
    }
}
