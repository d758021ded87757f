//! Entry bundles: leaves as they are served, each after its length in two bytes.

/// Why bytes are not an entry bundle, or entries can't be in one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// An entry is longer than its two bytes of length can say.
    #[error("an entry is longer than 65,535 bytes")]
    TooLong,
    /// The bytes end within an entry.
    #[error("the bundle ends within an entry")]
    CutOff,
}

/// The bundle of these entries.
///
/// # Errors
///
/// Where an entry is longer than 65,535 bytes.
///
/// # Examples
///
/// ```
/// use war_table::log::{bundle, entries};
///
/// let bytes = bundle(["one", "three"]).unwrap();
/// assert_eq!(bytes, b"\0\x03one\0\x05three");
/// assert_eq!(entries(&bytes).unwrap(), [&b"one"[..], b"three"]);
/// assert!(entries(&bytes[..8]).is_err());
/// ```
pub fn bundle<T: AsRef<[u8]>>(
    entries: impl IntoIterator<Item = T>,
) -> Result<Vec<u8>, BundleError> {
    let mut bytes = Vec::new();
    for entry in entries {
        let entry = entry.as_ref();
        let length = u16::try_from(entry.len()).map_err(|_| BundleError::TooLong)?;
        bytes.extend(length.to_be_bytes());
        bytes.extend(entry);
    }
    Ok(bytes)
}

/// The entries of a bundle.
///
/// # Errors
///
/// Where the bytes end within an entry.
pub fn entries(mut bytes: &[u8]) -> Result<Vec<&[u8]>, BundleError> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk().ok_or(BundleError::CutOff)?;
        let length = usize::from(u16::from_be_bytes(*length));
        let (entry, rest) = rest.split_at_checked(length).ok_or(BundleError::CutOff)?;
        found.push(entry);
        bytes = rest;
    }
    Ok(found)
}
