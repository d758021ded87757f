use super::hash::{Frontier, Hash, node_hash};
use super::tile::{Level, Tile};

/// Where the tiles of a tree come from: a store, a network, a directory.
pub trait TileSource {
    /// Why a tile can't be had.
    type Error;

    /// The hashes that this tile holds, as many as it is wide.
    ///
    /// # Errors
    ///
    /// Where they can't be had.
    fn hashes(&mut self, tile: Tile) -> Result<Vec<Hash>, Self::Error>;
}

/// Why a proof can't be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofError<E> {
    /// The tree is shorter than what is to be proven of it.
    #[error("the log is not that long")]
    Outside,
    /// A tile holds fewer hashes than it should.
    #[error("`{0}` holds too few hashes")]
    Short(Tile),
    /// A tile can't be had.
    #[error("a tile can't be had")]
    Source(E),
}

/// The proof that a leaf is in the tree with so many leaves: RFC 9162, section 2.1.3.1.
///
/// # Errors
///
/// Where the tree has no such leaf, or its tiles can't be had.
pub fn inclusion_proof<S: TileSource>(
    index: u64,
    size: u64,
    source: &mut S,
) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if index >= size {
        return Err(ProofError::Outside);
    }
    let mut walk = Walk::new(size, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, size);
    while to - from > 1 {
        let middle = from + larger_half(to - from);
        if index < middle {
            proof.push(walk.root(middle, to)?);
            to = middle;
        } else {
            proof.push(walk.root(from, middle)?);
            from = middle;
        }
    }
    proof.reverse();
    Ok(proof)
}

/// The proof that the tree with `old` leaves is the beginning of the one with `new` leaves:
/// RFC 9162, section 2.1.4.1.
///
/// # Errors
///
/// Where `old` is more than `new`, or the tiles can't be had.
pub fn consistency_proof<S: TileSource>(
    old: u64,
    new: u64,
    source: &mut S,
) -> Result<Vec<Hash>, ProofError<S::Error>> {
    if old > new {
        return Err(ProofError::Outside);
    }
    let mut walk = Walk::new(new, source);
    let (mut proof, mut from, mut to) = (Vec::new(), 0, new);
    while old != 0 && old != to {
        let middle = from + larger_half(to - from);
        if old <= middle {
            proof.push(walk.root(middle, to)?);
            to = middle;
        } else {
            proof.push(walk.root(from, middle)?);
            from = middle;
        }
    }
    // The whole old tree is known to who asks; a part of it is not.
    if from > 0 {
        proof.push(walk.root(from, to)?);
    }
    proof.reverse();
    Ok(proof)
}

/// The largest power of two that is less than a number from 2.
const fn larger_half(leaves: u64) -> u64 {
    1 << (u64::BITS - 1 - (leaves - 1).leading_zeros())
}

/// Reads the nodes of a tree out of its tiles.
struct Walk<'a, S> {
    size: u64,
    source: &'a mut S,
    /// Most nodes of a proof are in the tile of the one before.
    last: Option<(Tile, Vec<Hash>)>,
}

impl<'a, S: TileSource> Walk<'a, S> {
    const fn new(size: u64, source: &'a mut S) -> Self {
        let last = None;
        Self { size, source, last }
    }

    /// The root over these leaves, a subtree that RFC 6962 splits off.
    fn root(&mut self, mut from: u64, to: u64) -> Result<Hash, ProofError<S::Error>> {
        let mut complete = Vec::new();
        while !(to - from).is_power_of_two() {
            let half = larger_half(to - from);
            complete.push(self.complete(from, half)?);
            from += half;
        }
        let last = self.complete(from, to - from)?;
        let from_the_right = complete.iter().rev();
        Ok(from_the_right.fold(last, |right, left| node_hash(left, &right)))
    }

    /// The root of a complete subtree: its leaves are a power of two.
    fn complete(&mut self, from: u64, leaves: u64) -> Result<Hash, ProofError<S::Error>> {
        let height = leaves.trailing_zeros();
        let (level, hashes) = (height / 8, 1 << (height % 8));
        let first = from >> (8 * level);
        let full = u64::from(Tile::FULL);
        let level = u8::try_from(level).map_or(Level::Hashes(u8::MAX), Level::Hashes);
        let tile = Tile::of(level, first / full, self.size).ok_or(ProofError::Outside)?;
        let start = usize::try_from(first % full).unwrap_or_default();
        let hashes = self.tile(tile)?.get(start..start + hashes);
        let hashes = hashes.ok_or(ProofError::Short(tile))?;
        Ok(hashes.iter().copied().collect::<Frontier>().root())
    }

    fn tile(&mut self, tile: Tile) -> Result<&[Hash], ProofError<S::Error>> {
        let last = self.last.take().filter(|(last, _)| *last == tile);
        let held = match last {
            Some(held) => held,
            None => (tile, self.source.hashes(tile).map_err(ProofError::Source)?),
        };
        Ok(&self.last.insert(held).1)
    }
}
