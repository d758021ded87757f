//! Scenario files: hands made by hand, read strictly.
//!
//! [`parse()`] reads the bytes of a file by the rules of an edition; what it finds wrong says where.

mod error;
mod parse;

pub use error::{ContentError, Found, ScenarioError, SyntaxError};
pub use parse::{Hands, parse};

/// What the names of the classic edition's scenario files begin with.
pub const CLASSIC_PREFIX: &str = "ssc_";
/// What the names of the duels edition's scenario files begin with.
pub const DUELS_PREFIX: &str = "war_";
/// What the name of a scenario file ends with.
pub const SUFFIX: &str = ".json";
/// The largest scenario file that is read, in bytes.
pub const LARGEST: u64 = 1 << 24;

/// The name of a scenario, from its file's name: without prefix and suffix.
///
/// # Examples
///
/// ```
/// use war::scenario::{CLASSIC_PREFIX, name_of};
///
/// assert_eq!(name_of("ssc_all_in.json", CLASSIC_PREFIX), "all_in");
/// assert_eq!(name_of("mine.json", CLASSIC_PREFIX), "mine");
/// ```
#[must_use]
pub fn name_of<'a>(file_name: &'a str, prefix: &str) -> &'a str {
    let name = file_name.strip_suffix(SUFFIX).unwrap_or(file_name);
    name.strip_prefix(prefix).unwrap_or(name)
}
