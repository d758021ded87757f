use super::unlogged::Unlogged;
use crate::log::{Hash, Level, LogFault, ProofError, Source, Tile, TileSource, entries};
use std::collections::BTreeMap;

/// The pieces of a log, out of its source.
pub(super) struct Pieces<'a, S> {
    source: &'a mut S,
    /// The hashes of tiles that were read: the proofs of leaves that are neighbours need the
    /// same ones.
    held: BTreeMap<Tile, Vec<Hash>>,
}

/// Why reading stops.
pub(super) enum Stop<E> {
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
    pub(super) fn entries(&mut self, from: u64, size: u64) -> Result<Vec<Vec<u8>>, Stop<S::Error>> {
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
