//! Whole numbers as people type them.

use std::str::FromStr;

/// Parses a whole number that consists of nothing but decimal digits.
///
/// Returns `None` for a number that `N` can't represent, and for an empty text.
///
/// # Examples
///
/// ```
/// use war::support::digits::parse_whole_number;
///
/// assert_eq!(parse_whole_number::<u8>("042"), Some(42));
/// assert_eq!(parse_whole_number::<u8>("+42"), None);
/// assert_eq!(parse_whole_number::<u8>("256"), None);
/// ```
#[must_use]
pub fn parse_whole_number<N: FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Parses a whole number that may have `_` between digits, commas between groups of three, or an `e`
/// followed by the number of zeros to append.
///
/// Returns `None` for anything else, and for a number that `N` can't represent.
///
/// # Examples
///
/// ```
/// use war::support::digits::parse_count;
///
/// assert_eq!(parse_count::<u32>("1_000_000"), Some(1_000_000));
/// assert_eq!(parse_count::<u32>("100,000"), Some(100_000));
/// assert_eq!(parse_count::<u32>("25e3"), Some(25_000));
/// assert_eq!(parse_count::<u32>("1,5"), None);
/// assert_eq!(parse_count::<u32>("1_"), None);
/// assert_eq!(parse_count::<u32>("1e-3"), None);
/// ```
#[must_use]
pub fn parse_count<N: FromStr>(text: &str) -> Option<N> {
    let (digits, zeros) = match text.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits, parse_whole_number::<u8>(zeros)?),
        None => (text, 0),
    };
    let (separator, is_grouped) = match digits.split_once(',') {
        Some((first, rest)) => {
            let is_grouped = rest.split(',').all(|group| group.len() == 3);
            (",", is_grouped && (1..=3).contains(&first.len()))
        }
        None => ("_", digits.split('_').all(|group| !group.is_empty())),
    };
    let zeros = "0".repeat(zeros.into());
    let number = digits.replace(separator, "") + &zeros;
    is_grouped.then_some(())?;
    parse_whole_number(&number)
}
