use super::violation::LogViolation;
use crate::log::{
    Checkpoint, CheckpointError, Leaf, LogFault, LogFetcher, ProofError, SignatureError, TableId,
    Tile, TileLevel, TileSource, TreeHash, decode_bundle, hash_leaf, is_valid_consistency_proof,
    is_valid_inclusion_proof, prove_consistency, prove_inclusion,
};
use crate::time::Monotonic;
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;
use std::time::Duration;

/// A player's checks of a table's log: the last checkpoint seen, and the games that must be in
/// the log.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use std::collections::BTreeMap;
/// use std::convert::Infallible;
/// use war_table::fair::{LogChecks, LogViolation};
/// use war::support::hex::Hex;
/// use war_table::log::{Checkpoint, GameEnd, Frontier, Leaf, LogFetcher, encode_bundle, hash_leaf};
/// use war_table::time::Monotonic;
///
/// struct Files(BTreeMap<&'static str, Vec<u8>>);
///
/// impl LogFetcher for Files {
///     type Error = Infallible;
///
///     fn fetch(&mut self, path: &str, _: usize) -> Result<Option<Vec<u8>>, Infallible> {
///         Ok(self.0.get(path).cloned())
///     }
/// }
///
/// let (key, table) = (SigningKey::from_bytes(&[1; 32]), Hex::new([7; 16]));
/// let end = |game| Leaf::End(GameEnd { game, digest: Hex::new([9; 16]), time_ms: 0 });
/// let leaf = end(1).to_string();
/// let hash = hash_leaf(leaf.as_bytes());
/// let root = [hash].into_iter().collect::<Frontier>().root();
/// let checkpoint = Checkpoint { table, size: 1, root }.sign(&key);
/// let mut log = Files(BTreeMap::from([
///     ("checkpoint", checkpoint.into_bytes()),
///     ("tile/0/000.p/1", hash.bytes().to_vec()),
///     ("tile/entries/000.p/1", encode_bundle([&leaf]).unwrap()),
/// ]));
///
/// let mut checks = LogChecks::new(table, key.verifying_key());
/// checks.expect_leaf(end(1), Monotonic::ZERO);
/// assert_eq!(checks.read(&mut log, Monotonic::ZERO).unwrap(), Ok(()));
/// checks.expect_leaf(end(2), Monotonic::ZERO);
/// let later = Monotonic::from_millis(60_000);
/// assert_eq!(checks.read(&mut log, later).unwrap(), Err(LogViolation::EndMissing { game: 2 }));
/// ```
#[derive(Debug, Clone)]
pub struct LogChecks {
    table: TableId,
    key: VerifyingKey,
    /// The last checkpoint, as text and parsed.
    last: Option<(String, Checkpoint)>,
    /// Number of leaves when the player chose their last game.
    size_at_choice: u64,
    /// Number of leaves searched so far.
    searched: u64,
    /// Leaves that must appear in the log, including those already found.
    expected: BTreeMap<LeafKey, ExpectedLeaf>,
}

#[derive(Debug, Clone)]
struct ExpectedLeaf {
    leaf: Leaf,
    /// Time by which the leaf must be in the log.
    due: Monotonic,
    /// Position of the leaf in the log; `None` until the leaf is found.
    found: Option<u64>,
}

/// Time in which a table must publish a leaf: ten seconds, and five more for the network.
const PUBLICATION_TIME: Duration = Duration::from_secs(15);

/// Path of the checkpoint.
const CHECKPOINT: &str = "checkpoint";

/// Maximum length of a checkpoint, in bytes.
const MAX_CHECKPOINT: usize = 1 << 16;

impl LogChecks {
    /// Starts checks for a player who has not seen this table's log yet.
    #[must_use]
    pub const fn new(table: TableId, key: VerifyingKey) -> Self {
        Self {
            table,
            key,
            last: None,
            size_at_choice: 0,
            searched: 0,
            expected: BTreeMap::new(),
        }
    }

    /// Sets an earlier checkpoint, which the log must contain.
    ///
    /// # Errors
    ///
    /// [`LogFault`] if the text is not a checkpoint of this table, signed with the table's key.
    pub fn set_earlier_checkpoint(&mut self, checkpoint: &str) -> Result<(), LogFault> {
        let last = self.verify_checkpoint(checkpoint)?;
        (self.size_at_choice, self.searched) = (last.size, last.size);
        self.last = Some((checkpoint.to_owned(), last));
        Ok(())
    }

    /// The last checkpoint, to be kept and compared with those of other players.
    #[must_use]
    pub fn checkpoint(&self) -> Option<&str> {
        self.last.as_ref().map(|(text, _)| text.as_str())
    }

    /// Records that the player is about to choose a game. The leaves of that game can't be in the
    /// part of the log that was read so far.
    pub fn mark_size_at_choice(&mut self) {
        self.size_at_choice = self.last.as_ref().map_or(0, |(_, last)| last.size);
    }

    /// Expects the log to contain this leaf within 15 seconds of `now`, the time on the caller's
    /// clock.
    pub fn expect_leaf(&mut self, leaf: Leaf, now: Monotonic) {
        let due = now.saturating_add(PUBLICATION_TIME);
        let (key, found) = (LeafKey::of(&leaf), None);
        self.expected.insert(key, ExpectedLeaf { leaf, due, found });
        // The log may have been read after the game started, but before the player received the
        // message: search again from the player's choice on.
        self.searched = self.searched.min(self.size_at_choice);
    }

    /// Returns true if all expected leaves have been found.
    #[must_use]
    pub fn has_found_all(&self) -> bool {
        self.expected
            .values()
            .all(|expected| expected.found.is_some())
    }

    /// Reads the new part of the log, which must contain the last checkpoint and all leaves due by
    /// `now`.
    ///
    /// # Errors
    ///
    /// The error of the source. The inner result has the violation found in the log.
    pub fn read<S: LogFetcher>(
        &mut self,
        source: &mut S,
        now: Monotonic,
    ) -> Result<Result<(), LogViolation>, S::Error> {
        match self.try_read(source, now) {
            Ok(()) => Ok(Ok(())),
            Err(ReadError::Violation(unlogged)) => Ok(Err(unlogged)),
            Err(ReadError::Source(error)) => Err(error),
        }
    }

    fn try_read<S: LogFetcher>(
        &mut self,
        source: &mut S,
        now: Monotonic,
    ) -> Result<(), ReadError<S::Error>> {
        let bytes = source.fetch(CHECKPOINT, MAX_CHECKPOINT);
        let bytes = bytes.map_err(ReadError::Source)?;
        let bytes = bytes.ok_or_else(|| LogFault::Missing(CHECKPOINT.to_owned()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let checkpoint = self.verify_checkpoint(&text)?;
        let mut tiles = TileReader::new(source);
        self.check_history(&checkpoint, &mut tiles)?;
        self.last = Some((text, checkpoint));
        self.search(&checkpoint, &mut tiles)?;
        let missing = |expected: &&ExpectedLeaf| expected.found.is_none() && expected.due <= now;
        match self.expected.values().find(missing) {
            Some(expected) => Err(LogViolation::from_missing_leaf(&expected.leaf).into()),
            None => Ok(()),
        }
    }

    /// Checks that the log still begins with the leaves of the last checkpoint.
    fn check_history<S: LogFetcher>(
        &self,
        now: &Checkpoint,
        tiles: &mut TileReader<'_, S>,
    ) -> Result<(), ReadError<S::Error>> {
        let Some((_, last)) = &self.last else {
            return Ok(());
        };
        let (earlier, found) = (last.size, now.size);
        if earlier > found {
            return Err(LogFault::Shorter { earlier, found }.into());
        }
        let proof = prove_consistency(earlier, found, tiles)?;
        let before = (earlier, &last.root);
        if !is_valid_consistency_proof(before, (found, &now.root), &proof) {
            return Err(LogFault::Forked { earlier }.into());
        }
        Ok(())
    }

    /// Searches the new leaves for expected ones.
    fn search<S: LogFetcher>(
        &mut self,
        checkpoint: &Checkpoint,
        tiles: &mut TileReader<'_, S>,
    ) -> Result<(), ReadError<S::Error>> {
        if self.expected.is_empty() {
            self.searched = checkpoint.size;
        }
        while self.searched < checkpoint.size {
            let leaves = tiles.entries(self.searched, checkpoint.size)?;
            for leaf in leaves {
                let index = self.searched;
                if self.check_expected(&leaf)? {
                    let proof = prove_inclusion(index, checkpoint.size, tiles)?;
                    let hash = hash_leaf(&leaf);
                    let (size, root) = (checkpoint.size, &checkpoint.root);
                    if !is_valid_inclusion_proof(&hash, index, size, &proof, root) {
                        return Err(LogFault::LeafHash(index).into());
                    }
                }
                self.searched += 1;
            }
        }
        Ok(())
    }

    /// Returns true if this leaf is expected. A leaf that differs from the expected one, or repeats
    /// it, is a violation.
    fn check_expected(&mut self, bytes: &[u8]) -> Result<bool, LogViolation> {
        let Ok(leaf) = Leaf::from_bytes(bytes) else {
            // Malformed leaves are left to `verify_log`, which reads the whole log.
            return Ok(false);
        };
        let Some(expected) = self.expected.get_mut(&LeafKey::of(&leaf)) else {
            return Ok(false);
        };
        let found = *expected.found.get_or_insert(self.searched);
        if expected.leaf != leaf || found != self.searched {
            return Err(LogViolation::from_other_leaf(&leaf));
        }
        Ok(true)
    }

    fn verify_checkpoint(&self, text: &str) -> Result<Checkpoint, LogFault> {
        let verified = Checkpoint::parse_verified(text, &self.key);
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

/// Key of a leaf: its game, and whether the leaf is the end of that game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LeafKey {
    game: u64,
    is_end: bool,
}

impl LeafKey {
    const fn of(leaf: &Leaf) -> Self {
        Self {
            game: leaf.game(),
            is_end: matches!(leaf, Leaf::End(_)),
        }
    }
}

/// Tiles and bundles of a log, read from its source.
struct TileReader<'a, S> {
    source: &'a mut S,
    /// Hashes of tiles read so far: proofs of neighboring leaves need the same tiles.
    cache: BTreeMap<Tile, Vec<TreeHash>>,
}

/// Reason why reading stops.
enum ReadError<E> {
    /// Failure to read the source.
    Source(E),
    /// Violation found in the log.
    Violation(LogViolation),
}

/// Length of a hash, in bytes.
const HASH_LENGTH: usize = 32;

/// Maximum number of tiles in the cache.
const MAX_CACHED: usize = 64;

/// Maximum length of an entry, in bytes: more than twice the length of any leaf.
const MAX_ENTRY: usize = 1 << 10;

impl<'a, S: LogFetcher> TileReader<'a, S> {
    pub(super) const fn new(source: &'a mut S) -> Self {
        let cache = BTreeMap::new();
        Self { source, cache }
    }

    /// Reads the entries from position `from` to the end of the bundle that contains this position,
    /// at least one entry. The log has `size` leaves.
    fn entries(&mut self, from: u64, size: u64) -> Result<Vec<Vec<u8>>, ReadError<S::Error>> {
        let full = u64::from(Tile::FULL_WIDTH);
        let bundle = Tile::new(TileLevel::Entries, from / full, size);
        let bundle = bundle.ok_or(LogFault::Root { size })?;
        let bytes = self.read_tile(bundle, MAX_ENTRY)?;
        let wrong_length = || LogFault::Length(bundle.to_string());
        let leaves = decode_bundle(&bytes).map_err(|_| wrong_length())?;
        let leaves = leaves.iter().take(bundle.width().into());
        let start = usize::try_from(from % full).unwrap_or_default();
        let rest: Vec<_> = leaves.skip(start).map(|leaf| leaf.to_vec()).collect();
        let expected = usize::from(bundle.width()) - start;
        if rest.len() == expected {
            Ok(rest)
        } else {
            Err(wrong_length().into())
        }
    }

    /// Reads the bytes of a tile or bundle, or of the full tile or bundle that has replaced it.
    fn read_tile(
        &mut self,
        tile: Tile,
        entry_length: usize,
    ) -> Result<Vec<u8>, ReadError<S::Error>> {
        for path in [tile, tile.full_tile()].map(|tile| tile.to_string()) {
            let max_length = entry_length * usize::from(Tile::FULL_WIDTH);
            let bytes = self
                .source
                .fetch(&path, max_length)
                .map_err(ReadError::Source)?;
            if let Some(bytes) = bytes {
                return Ok(bytes);
            }
        }
        Err(LogFault::Missing(tile.to_string()).into())
    }
}

impl<S: LogFetcher> TileSource for TileReader<'_, S> {
    type Error = ReadError<S::Error>;

    fn hashes(&mut self, tile: Tile) -> Result<Vec<TreeHash>, Self::Error> {
        if let Some(hashes) = self.cache.get(&tile) {
            return Ok(hashes.clone());
        }
        let bytes = self.read_tile(tile, HASH_LENGTH)?;
        let (hashes, _) = bytes.as_chunks::<HASH_LENGTH>();
        let wanted = hashes.iter().take(tile.width().into());
        let hashes: Vec<_> = wanted.map(|hash| TreeHash::new(*hash)).collect();
        if self.cache.len() == MAX_CACHED {
            self.cache.clear();
        }
        self.cache.insert(tile, hashes.clone());
        Ok(hashes)
    }
}

impl<E> From<ProofError<Self>> for ReadError<E> {
    fn from(error: ProofError<Self>) -> Self {
        match error {
            ProofError::Source(error) => error,
            ProofError::Short(tile) => LogFault::Length(tile.to_string()).into(),
            // Can't happen: all requested proofs are within the size of the checkpoint.
            ProofError::Outside => LogFault::Checkpoint.into(),
        }
    }
}

impl<E> From<LogFault> for ReadError<E> {
    fn from(fault: LogFault) -> Self {
        Self::Violation(fault.into())
    }
}

impl<E> From<LogViolation> for ReadError<E> {
    fn from(unlogged: LogViolation) -> Self {
        Self::Violation(unlogged)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CACHED, TileReader};
    use crate::log::{LogFetcher, Tile, TileSource, TreeHash};
    use std::convert::Infallible;

    /// Source of full tiles of zeros that counts its fetches.
    struct CountingSource(usize);

    impl LogFetcher for CountingSource {
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
        let mut source = CountingSource(0);
        let mut tiles = TileReader::new(&mut source);
        for _ in 0..3 {
            for index in [0, 1] {
                let hashes = tiles.hashes(tile(index)).ok();
                assert_eq!(hashes, Some(vec![TreeHash::new([0; 32]); 256]));
            }
        }
        assert_eq!(tiles.source.0, 2);
    }

    #[test]
    fn the_cache_of_tiles_is_bounded() {
        let mut source = CountingSource(0);
        let mut tiles = TileReader::new(&mut source);
        for index in 0..10 * MAX_CACHED {
            assert!(tiles.hashes(tile(index)).is_ok());
            assert!(tiles.cache.len() <= MAX_CACHED);
        }
    }
}
