//! The beginning of a text that may be long.

/// The beginning of a text that was found, short enough for a message: of more than `longest`
/// characters the first ones and an ellipsis.
///
/// # Examples
///
/// ```
/// use war::support::excerpt::excerpt;
///
/// assert_eq!(excerpt("short", 5), "short");
/// assert_eq!(excerpt("longer", 5), "longe…");
/// ```
#[must_use]
pub fn excerpt(found: &str, longest: usize) -> String {
    match found.char_indices().nth(longest) {
        None => found.to_owned(),
        Some((end, _)) => format!("{}…", &found[..end]),
    }
}
