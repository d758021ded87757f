/// How all deals are played. The figures are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// One by one.
    Single,
    /// Merged, in portable code.
    Portable,
    /// Merged, with AVX2.
    Avx2,
    /// Merged, with AVX-512.
    Avx512,
}
