//! Whole numbers, as they are typed.

use std::str::FromStr;

/// The whole number that a text is, where it is nothing but decimal digits.
///
/// The result is `None` of a number that `N` can't hold, and of an empty text.
///
/// # Examples
///
/// ```
/// use war::support::digits::whole;
///
/// assert_eq!(whole::<u8>("042"), Some(42));
/// assert_eq!(whole::<u8>("+42"), None);
/// assert_eq!(whole::<u8>("256"), None);
/// ```
#[must_use]
pub fn whole<N: FromStr>(text: &str) -> Option<N> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// The whole number that a text is, where people may write a large one shorter: with `_`
/// between digits, or with the zeros at its end counted after an `e`.
///
/// The result is `None` of anything else, and of a number that `N` can't hold.
///
/// # Examples
///
/// ```
/// use war::support::digits::count;
///
/// assert_eq!(count::<u32>("1_000_000"), Some(1_000_000));
/// assert_eq!(count::<u32>("25e3"), Some(25_000));
/// assert_eq!(count::<u32>("1_"), None);
/// assert_eq!(count::<u32>("1e-3"), None);
/// ```
#[must_use]
pub fn count<N: FromStr>(text: &str) -> Option<N> {
    let (digits, zeros) = match text.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits, whole::<u8>(zeros)?),
        None => (text, 0),
    };
    if digits.split('_').any(str::is_empty) {
        return None;
    }
    let zeros = "0".repeat(zeros.into());
    whole(&(digits.replace('_', "") + &zeros))
}
