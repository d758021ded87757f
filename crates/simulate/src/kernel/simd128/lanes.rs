/// A vector of 16 bytes.
///
/// To add a kind of processor, implement this in a file of its own.
pub(super) trait Lanes: Copy {
    /// Whether this processor has such vectors.
    fn is_here() -> bool;

    /// The 16 bytes from there on.
    ///
    /// # Safety
    ///
    /// They must be readable, and the processor must have such vectors.
    unsafe fn load(from: *const u8) -> Self;

    /// Writes the 16 bytes there.
    ///
    /// # Safety
    ///
    /// They must be writable.
    unsafe fn store(self, to: *mut u8);

    /// A bit for each byte that is the same in both, the first one lowest.
    fn same(self, other: Self) -> u64;

    /// A bit for each byte that is greater than the other one; all are below 128.
    fn greater(self, other: Self) -> u64;

    /// For each byte of `places` the one at that place of this vector, or 0 where it is 128 or
    /// more.
    fn picked(self, places: Self) -> Self;

    /// The bytes of both, added without carry.
    fn plus(self, other: Self) -> Self;

    /// The bits of both.
    fn or(self, other: Self) -> Self;

    /// The bytes of both by turns, of the first eight, and of the others.
    fn zipped(self, other: Self) -> (Self, Self);

    /// The bytes at even places of both, one vector behind the other, and those at odd ones.
    fn unzipped(self, other: Self) -> (Self, Self);
}
