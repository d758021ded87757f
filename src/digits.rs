//! Whole numbers, read strictly.

use std::str::FromStr;

/// The whole number that a text is, where it is nothing but decimal digits.
///
/// The result is `None` of a number that `N` can't hold, and of an empty text.
///
/// # Examples
///
/// ```
/// use war::digits::whole;
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
