/// A number below the end, which must not be 0, that looks as if drawn.
pub(crate) const fn spread(number: usize, end: usize) -> usize {
    // A step of the golden ratio of all numbers, whose high half is scattered best.
    let scattered = (number as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    scattered as usize % end
}
