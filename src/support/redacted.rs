//! Values that are never printed.

use std::fmt;

/// A value hidden from `Debug`, so that it can't get into a log or an error by accident.
///
/// # Examples
///
/// ```
/// use war::support::redacted::RedactedValue;
///
/// #[derive(Debug)]
/// struct Password(RedactedValue<&'static str>);
///
/// let password = Password(RedactedValue("open sesame"));
/// assert_eq!(format!("{password:?}"), "Password(..)");
/// assert_eq!(password.0.0, "open sesame");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct RedactedValue<T>(pub T);

impl<T> fmt::Debug for RedactedValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}
