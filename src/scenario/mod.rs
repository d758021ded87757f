//! Scenario files: hands made by hand, read strictly.

mod parse;

pub use parse::{Classic, Mangled, parse_classic};

/// What the name of a classic scenario file begins with.
pub const CLASSIC_PREFIX: &str = "ssc_";
/// What the name of a scenario file ends with.
pub const SUFFIX: &str = ".json";
/// The largest scenario file that is read, in bytes.
pub const LARGEST: u64 = 1 << 24;

/// The name of a scenario, from its file's name: without prefix and suffix.
///
/// # Examples
///
/// ```
/// use war::scenario::name_of;
///
/// assert_eq!(name_of("ssc_all_in.json"), "all_in");
/// assert_eq!(name_of("mine.json"), "mine");
/// ```
#[must_use]
pub fn name_of(file_name: &str) -> &str {
    let name = file_name.strip_suffix(SUFFIX).unwrap_or(file_name);
    name.strip_prefix(CLASSIC_PREFIX).unwrap_or(name)
}
