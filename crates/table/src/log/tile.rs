use std::fmt;
use std::str::FromStr;

/// The level of a tile in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TileLevel {
    /// The leaves themselves, as a bundle of entries.
    Entries,
    /// Hashes: at level 0 those of leaves, at higher levels those of the full tiles one level
    /// below.
    Hashes(u8),
}

/// A part of the log, served under its own path as C2SP `tlog-tiles` specifies.
///
/// # Examples
///
/// ```
/// use war_table::log::{TileLevel, Tile};
///
/// let tile: Tile = "tile/0/x001/x234/067.p/112".parse().unwrap();
/// assert_eq!((tile.level(), tile.index(), tile.width()), (TileLevel::Hashes(0), 1_234_067, 112));
/// assert_eq!(tile.to_string(), "tile/0/x001/x234/067.p/112");
/// assert!("tile/0/1".parse::<Tile>().is_err());
///
/// // A tree with 70,000 leaves has a partial tile at each level.
/// let widths = [0, 1, 2].map(|level| Tile::last(TileLevel::Hashes(level), 70_000).unwrap().width());
/// assert_eq!(widths, [112, 17, 1]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    level: TileLevel,
    index: u64,
    width: u16,
}

/// Error for a text that is not the path of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected the path of a tile, such as `tile/0/x001/067.p/112`")]
pub struct ParseTileError;

impl TileLevel {
    /// Number of hashes or entries at this level in a tree of `size` leaves.
    #[must_use]
    pub const fn count(self, size: u64) -> u64 {
        match self {
            Self::Entries | Self::Hashes(0) => size,
            Self::Hashes(level) if level < 8 => size >> (8 * level as u32),
            Self::Hashes(_) => 0,
        }
    }
}

impl Tile {
    /// Number of hashes or entries in a full tile.
    pub const FULL_WIDTH: u16 = 256;

    /// Returns the tile at this position in a tree of `size` leaves, possibly partial; `None` if
    /// the tree ends before this position.
    #[must_use]
    pub fn new(level: TileLevel, index: u64, size: u64) -> Option<Self> {
        let before = index.checked_mul(Self::FULL_WIDTH.into())?;
        let left = level.count(size).checked_sub(before)?;
        let width = u16::try_from(left).map_or(Self::FULL_WIDTH, |left| left.min(Self::FULL_WIDTH));
        (width > 0).then_some(Self {
            level,
            index,
            width,
        })
    }

    /// Returns the last tile at this level in a tree of `size` leaves, partial or full; `None` if
    /// the level is empty.
    #[must_use]
    pub fn last(level: TileLevel, size: u64) -> Option<Self> {
        let last = level.count(size).checked_sub(1)?;
        Self::new(level, last / u64::from(Self::FULL_WIDTH), size)
    }

    /// Level in the tree.
    #[must_use]
    pub const fn level(&self) -> TileLevel {
        self.level
    }

    /// Position in the level, from 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// Number of hashes or entries: 256, or fewer in a partial tile.
    #[must_use]
    pub const fn width(&self) -> u16 {
        self.width
    }

    /// The full tile at the same position.
    #[must_use]
    pub const fn full_tile(&self) -> Self {
        let Self { level, index, .. } = *self;
        let width = Self::FULL_WIDTH;
        Self {
            level,
            index,
            width,
        }
    }

    /// Position of the tile's first hash or entry in the level.
    pub(super) const fn start(&self) -> u64 {
        // The constructors check that the product fits.
        self.index * Self::FULL_WIDTH as u64
    }

    /// Returns true if a tree of `size` leaves contains the whole tile.
    #[must_use]
    pub fn is_in(&self, size: u64) -> bool {
        let current = Self::new(self.level, self.index, size);
        current.is_some_and(|tile| tile.width >= self.width)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            TileLevel::Entries => f.write_str("tile/entries/")?,
            TileLevel::Hashes(level) => write!(f, "tile/{level}/")?,
        }
        let mut groups = vec![self.index % 1000];
        let mut rest = self.index / 1000;
        while rest > 0 {
            groups.push(rest % 1000);
            rest /= 1000;
        }
        for group in groups[1..].iter().rev() {
            write!(f, "x{group:03}/")?;
        }
        write!(f, "{:03}", groups[0])?;
        if self.width < Self::FULL_WIDTH {
            write!(f, ".p/{}", self.width)?;
        }
        Ok(())
    }
}

impl FromStr for Tile {
    type Err = ParseTileError;

    fn from_str(path: &str) -> Result<Self, ParseTileError> {
        // Each tile has a single path: any other spelling of it is rejected.
        let tile = parse(path).filter(|tile| tile.to_string() == path);
        tile.ok_or(ParseTileError)
    }
}

fn parse(path: &str) -> Option<Tile> {
    let (level, place) = path.strip_prefix("tile/")?.split_once('/')?;
    let level = match level {
        "entries" => TileLevel::Entries,
        level => TileLevel::Hashes(level.parse().ok().filter(|level| *level < 64)?),
    };
    let (place, width) = match place.split_once(".p/") {
        Some((place, width)) => (place, width.parse().ok()?),
        None => (place, Tile::FULL_WIDTH),
    };
    let mut index: u64 = 0;
    for group in place.split('/') {
        let group: u64 = group.strip_prefix('x').unwrap_or(group).parse().ok()?;
        index = index.checked_mul(1000)?.checked_add(group)?;
    }
    index.checked_add(1)?.checked_mul(Tile::FULL_WIDTH.into())?;
    (1..=Tile::FULL_WIDTH).contains(&width).then_some(Tile {
        level,
        index,
        width,
    })
}

/// Reason why bytes are not an entry bundle, or why entries don't fit in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// Entry that is too long for its two-byte length.
    #[error("an entry is longer than 65,535 bytes")]
    TooLong,
    /// Bytes that end within an entry.
    #[error("the bundle ends within an entry")]
    CutOff,
}

/// Encodes a bundle of entries.
///
/// # Errors
///
/// [`BundleError::TooLong`] if an entry is longer than 65,535 bytes.
///
/// # Examples
///
/// ```
/// use war_table::log::{encode_bundle, decode_bundle};
///
/// let bytes = encode_bundle(["one", "three"]).unwrap();
/// assert_eq!(bytes, b"\0\x03one\0\x05three");
/// assert_eq!(decode_bundle(&bytes).unwrap(), [&b"one"[..], b"three"]);
/// assert!(decode_bundle(&bytes[..8]).is_err());
/// ```
pub fn encode_bundle<T: AsRef<[u8]>>(
    entries: impl IntoIterator<Item = T>,
) -> Result<Vec<u8>, BundleError> {
    let mut bytes = Vec::new();
    for entry in entries {
        let entry = entry.as_ref();
        let length = u16::try_from(entry.len()).map_err(|_| BundleError::TooLong)?;
        bytes.extend(length.to_be_bytes());
        bytes.extend(entry);
    }
    Ok(bytes)
}

/// Decodes the entries of a bundle.
///
/// # Errors
///
/// [`BundleError::CutOff`] if the bytes end within an entry.
pub fn decode_bundle(mut bytes: &[u8]) -> Result<Vec<&[u8]>, BundleError> {
    let mut entries = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk().ok_or(BundleError::CutOff)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (entry, rest) = rest.split_at_checked(length).ok_or(BundleError::CutOff)?;
        entries.push(entry);
        bytes = rest;
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::{Tile, TileLevel};

    #[test]
    fn examples_of_the_specification_hold() {
        let tile = |level, index| Tile::new(TileLevel::Hashes(level), index, 70_000);
        let width = |level, index| tile(level, index).map(|tile| tile.width());
        assert_eq!(width(0, 272), Some(256));
        assert_eq!(width(0, 273), Some(112));
        assert_eq!(width(0, 274), None);
        assert_eq!((width(1, 0), width(1, 1)), (Some(256), Some(17)));
        assert_eq!((width(2, 0), width(3, 0)), (Some(1), None));
        let path = tile(0, 273).expect("a tile").to_string();
        assert_eq!(path, "tile/0/273.p/112");
        // The last tile of a tree of 256 leaves is full.
        let last = |level| Tile::last(TileLevel::Hashes(level), 256);
        assert_eq!(
            last(0).map(|tile| tile.to_string()),
            Some("tile/0/000".to_owned())
        );
        assert_eq!(
            last(1).map(|tile| tile.to_string()),
            Some("tile/1/000.p/1".to_owned())
        );
        assert_eq!(Tile::last(TileLevel::Entries, 0), None);
    }

    #[test]
    fn each_tile_has_a_single_path() {
        for path in [
            "tile/entries/000",
            "tile/entries/x001/x234/067.p/255",
            "tile/63/999",
            "tile/0/x072/x057/x594/x037/x927/934.p/1",
        ] {
            let tile = path.parse::<Tile>().expect("a path");
            assert_eq!(tile.to_string(), path);
        }
        for path in [
            "",
            "tile",
            "tile/0/",
            "tile/0/1",
            "tile/0/0000",
            "tile/0/x000/001",
            "tile/0/001/002",
            "tile/00/000",
            "tile/64/000",
            "tile/-1/000",
            "tile/+1/000",
            "tile/0/+01",
            "tile/0/000.p/0",
            "tile/0/000.p/256",
            "tile/0/000.p/01",
            "tile/0/000.p/",
            "tile/0/000/",
            "/tile/0/000",
            "tile/data/000",
            "tile/0/x999/x999/x999/x999/x999/x999/999",
        ] {
            assert!(path.parse::<Tile>().is_err(), "{path}");
        }
    }

    #[test]
    fn a_tile_is_in_every_larger_tree() {
        let tile: Tile = "tile/1/000.p/2".parse().expect("a path");
        assert!(!tile.is_in(511) && tile.is_in(512) && tile.is_in(1 << 40));
        let far: Tile = "tile/9/000".parse().expect("a path");
        assert!(!far.is_in(u64::MAX));
    }
}
